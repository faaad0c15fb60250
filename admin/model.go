package admin

import (
	"context"
	"errors"

	"chessarena/arena"
	"chessarena/arena/naming"
	"chessarena/arena/tool"
	"chessarena/store"
)

type modelsOut struct {
	Models  []naming.Row `json:"models"`
	Message string       `json:"message"`
}

func (d *desk) listModels() *tool.Tool {
	return d.modelList(tool.Spec{
		Name:    "models.list",
		Title:   "List the models that somebody plays under",
		Doc:     "List the models that somebody plays under, with whether each is a registered one, who makes it, and how many configurations and finished games it has. Anchors are left out. The registry itself is at /v1/registry.",
		Example: "models list --json",
	}, false)
}

func (d *desk) unverifiedModels() *tool.Tool {
	return d.modelList(tool.Spec{
		Name:  "models.unverified",
		Title: "List the model names that wait for a decision",
		Doc: "List the names that agents registered under and that no registered model has. For each: models verify registers it, " +
			"models alias says which model it means, models show tells what was submitted and by whom.",
		Example: "models unverified",
	}, true)
}

func (d *desk) modelList(spec tool.Spec, unverified bool) *tool.Tool {
	spec.Idempotent = true
	return tool.NewOperator(spec, func(ctx context.Context, _ arena.Operator, _ struct{}) (modelsOut, error) {
		rows, err := d.hall.Names.Played(ctx, unverified)
		out := modelsOut{Models: rows}
		if len(rows) == 0 && unverified {
			out.Message = "Every name that somebody plays under is a registered model."
		}
		return out, err
	})
}

type showModelIn struct {
	Model string `json:"model" doc:"the model, in any spelling" arg:"required"`
}

func (d *desk) showModel() *tool.Tool {
	spec := tool.Spec{
		Name:  "models.show",
		Title: "Show how a model's name is read and who plays under it",
		Doc: "Show which model a spelling means and by which rules, the aliases that operators gave it, what agents submitted for it, " +
			"and who they are.",
		Errors:     []arena.Code{arena.NotFound},
		Positional: []string{"model"},
		Idempotent: true,
		Example:    `models show "Claude Sonnet 5"`,
	}
	return tool.NewOperator(spec, func(ctx context.Context, _ arena.Operator, in showModelIn) (naming.Detail, error) {
		return d.hall.Names.Show(ctx, in.Model)
	})
}

// decidedOut is the answer of every verb that decides about names.
type decidedOut struct {
	DryRun  bool            `json:"dry_run"`
	Renames []naming.Rename `json:"renames"`
	Message string          `json:"message"`
}

// decision makes a verb of what decide makes of its arguments: a decision, and a sentence that
// says what it is.
func decision[In any](d *desk, spec tool.Spec, dry func(In) bool, decide func(In) (naming.Decide, string)) *tool.Tool {
	if spec.Level == tool.Read {
		spec.Level = tool.Write
	}
	spec.Errors = append(spec.Errors, arena.NotFound, arena.ModelConflict)
	return tool.NewOperator(spec, func(ctx context.Context, op arena.Operator, in In) (decidedOut, error) {
		what, done := decide(in)
		if dry(in) {
			p, err := d.hall.Names.Preview(ctx, what)
			if err != nil {
				return decidedOut{}, err
			}
			return decidedOut{true, p.Renames, "Nothing was changed. This would be so: " + done + " " + p.Account()}, nil
		}
		return untilFresh(func() (decidedOut, error) {
			p, err := d.hall.Names.Prepare(ctx, d.hall.Refitter, what)
			if err != nil {
				return decidedOut{}, err
			}
			return carryOut(ctx, d, deed{op, spec.Name, in}, func(tx *store.Tx) (written[decidedOut], error) {
				undo, err := p.Apply(tx)
				if err != nil {
					return written[decidedOut]{}, err
				}
				out := decidedOut{false, p.Plan().Renames, done + " " + p.Plan().Account()}
				return written[decidedOut]{out, undo}, nil
			})
		})
	})
}

// attempts is how often a decision is prepared when operators keep getting in between.
const attempts = 5

// untilFresh repeats what was prepared on something that changed meanwhile.
func untilFresh[Out any](f func() (Out, error)) (out Out, err error) {
	for range attempts {
		if out, err = f(); !errors.Is(err, naming.ErrStale) {
			break
		}
	}
	return out, err
}

type verifyModelIn struct {
	Model    string `json:"model" doc:"the name to register, as models unverified shows it" arg:"required"`
	Family   string `json:"family" doc:"its family, within which typing errors are forgiven; its first word when left out"`
	Provider string `json:"provider" doc:"who makes it; what most of its configurations say when left out"`
	DryRun   bool   `json:"dry_run" doc:"only tell what would change"`
}

func (d *desk) verifyModel() *tool.Tool {
	return decision(d, tool.Spec{
		Name:  "models.verify",
		Title: "Register a model",
		Doc: "Register a model, so that its name is verified wherever it shows. Names that now read as this one (other separators, a typing error) " +
			"are moved to it with their games and ratings. audit undo takes it back.",
		Positional: []string{"model"},
		Example:    "models verify zonk-2-mini --provider zonk-labs",
	}, func(in verifyModelIn) bool { return in.DryRun }, func(in verifyModelIn) (naming.Decide, string) {
		return naming.Verify(in.Model, in.Family, in.Provider), quoted(in.Model) + " is a registered model."
	})
}

type aliasModelIn struct {
	Alias  string `json:"alias" doc:"the spelling" arg:"required"`
	Model  string `json:"model" doc:"the model it means" arg:"required"`
	DryRun bool   `json:"dry_run" doc:"only tell what would change"`
}

func (d *desk) aliasModel() *tool.Tool {
	return decision(d, tool.Spec{
		Name:  "models.alias",
		Title: "Say which model a spelling means",
		Doc: "Say which model a spelling means. The alias wins over every rule, for all that register from now on, and what is filed under the spelling " +
			"moves to the model: where both have the same configuration the ratings are merged and computed again. audit undo takes it back.",
		Positional: []string{"alias", "model"},
		Example:    "models alias our-best-model claude-opus-5",
	}, func(in aliasModelIn) bool { return in.DryRun }, func(in aliasModelIn) (naming.Decide, string) {
		return naming.AliasTo(in.Alias, in.Model), quoted(in.Alias) + " means " + quoted(in.Model) + "."
	})
}

type unaliasModelIn struct {
	Alias  string `json:"alias" doc:"the spelling" arg:"required"`
	DryRun bool   `json:"dry_run" doc:"only tell what would change"`
}

func (d *desk) unaliasModel() *tool.Tool {
	return decision(d, tool.Spec{
		Name:  "models.unalias",
		Title: "Take an alias back, for the future",
		Doc: "Take an alias back: the spelling is read by the rules again. What was moved because of it stays where it is; " +
			"to move it back, undo the alias in the audit log instead.",
		Positional: []string{"alias"},
		Example:    "models unalias our-best-model",
	}, func(in unaliasModelIn) bool { return in.DryRun }, func(in unaliasModelIn) (naming.Decide, string) {
		return naming.Unalias(in.Alias), quoted(in.Alias) + " is no alias any more."
	})
}

type renameModelIn struct {
	Model  string `json:"model" doc:"the model, which is not one of those that come with the arena" arg:"required"`
	To     string `json:"to" doc:"its new name" arg:"required"`
	DryRun bool   `json:"dry_run" doc:"only tell what would change"`
}

func (d *desk) renameModel() *tool.Tool {
	return decision(d, tool.Spec{
		Name:  "models.rename",
		Title: "Give a model another name",
		Doc: "Give a model that operators or nobody registered another name. The old one becomes an alias, its links lead on, and no rating changes. " +
			"audit undo takes it back.",
		Positional: []string{"model", "to"},
		Example:    "models rename zonk-2-mini zonkulator-2-mini",
	}, func(in renameModelIn) bool { return in.DryRun }, func(in renameModelIn) (naming.Decide, string) {
		return naming.RenameTo(in.Model, in.To), quoted(in.Model) + " is called " + quoted(in.To) + "."
	})
}

type mergeModelIn struct {
	Model  string `json:"model" doc:"the model that is really another" arg:"required"`
	Into   string `json:"into" doc:"that other model" arg:"required"`
	DryRun bool   `json:"dry_run" doc:"only tell what would change"`
}

func (d *desk) mergeModel() *tool.Tool {
	return decision(d, tool.Spec{
		Name:  "models.merge",
		Title: "Make one model of two",
		Doc: "Make one model of two, registered or not. Configurations that agree in all else share one rating from then on, as if they always had: all games " +
			"are replayed, and those between the two rate nobody. Look at --dry-run first. audit undo takes it back.",
		Level:      tool.HighStakes,
		Positional: []string{"model", "into"},
		Example:    "models merge gpt-5-chat gpt-5",
	}, func(in mergeModelIn) bool { return in.DryRun }, func(in mergeModelIn) (naming.Decide, string) {
		return naming.Merge(in.Model, in.Into), quoted(in.Model) + " is the model " + quoted(in.Into) + "."
	})
}
