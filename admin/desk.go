package admin

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"

	"chessarena/arena"
	"chessarena/arena/hall"
	"chessarena/arena/tool"
	"chessarena/store"
)

// desk is where an operator's tools find the arena they act on.
type desk struct {
	hall *hall.Hall // nil while only the tools' descriptions are wanted

	settings arena.Settings
	log      *slog.Logger
	// onFile names the tools that work on the database as a file, which may be damaged or
	// missing. They use settings and log, and never hall: the command line opens none.
	onFile map[string]bool
}

// Tools is the operators' Set over h, behind gate. With a nil h the tools can be
// described and not called.
func Tools(h *hall.Hall, gate tool.Gate) *tool.Set {
	d := &desk{hall: h}
	if h != nil {
		d.settings, d.log = h.Settings, h.Log
	}
	return d.tools(gate)
}

func (d *desk) tools(gate tool.Gate) *tool.Set {
	set := &tool.Set{Gate: gate, Log: d.log}
	set.Add(d.createGame(), d.listGames(), d.listAudit(), d.recompute(),
		d.showGame(), d.voidGame(),
		d.listNicknames(), d.showNickname(), d.freezeNickname(), d.unfreezeNickname(), d.wakeNickname(), d.rotateKey(), d.releaseNickname(),
		d.listConfigs(),
		d.listModels(), d.showModel(), d.unverifiedModels(), d.verifyModel(), d.aliasModel(), d.unaliasModel(), d.renameModel(), d.mergeModel(),
		d.undoAudit(),
		d.backup(), d.worksOnFile(d.restore()), d.worksOnFile(d.doctor()), d.rebuild())
	return set
}

func (d *desk) worksOnFile(t *tool.Tool) *tool.Tool {
	if d.onFile == nil {
		d.onFile = make(map[string]bool)
	}
	d.onFile[t.Name] = true
	return t
}

// Shell is the gate of the command line: whoever can open the database file is an
// operator, known by name in the audit log. It refuses every call that came over a
// network, so a Set behind it is harmless even where it was mounted by mistake.
func Shell(name string) tool.Gate { return shell{name} }

type shell struct{ name string }

func (s shell) Admit(_ context.Context, _ *tool.Spec, c tool.Credentials) (tool.Principal, error) {
	if c.Addr.IsValid() || c.Secret != "" {
		return tool.Principal{}, arena.Errorf(arena.BadKey, "This tool is for the shell of the arena's own machine.")
	}
	return tool.Principal{Operator: arena.Operator{Name: s.name}}, nil
}

// written is what a change hands back: the answer, and how to take it back.
type written[Out any] struct {
	out  Out
	undo any // a struct that encodes to an object with the member "undo", a verb
}

// write makes a tool that changes something. f does all its work on tx. Its effect
// and the audit row that holds the arguments and the undo snapshot are one
// transaction: a failing f leaves neither.
func write[In, Out any](d *desk, spec tool.Spec, f func(tx *store.Tx, in In) (written[Out], error)) *tool.Tool {
	if spec.Level == tool.Read {
		panic("admin: " + spec.Name + " writes and is declared to read")
	}
	return tool.NewOperator(spec, func(ctx context.Context, op arena.Operator, in In) (Out, error) {
		return carryOut(ctx, d, deed{op, spec.Name, in}, func(tx *store.Tx) (written[Out], error) { return f(tx, in) })
	})
}

// deed is who does what, for the audit log.
type deed struct {
	operator arena.Operator
	tool     string
	args     any
}

// carryOut runs f and writes the audit row of what it did in one transaction.
func carryOut[Out any](ctx context.Context, d *desk, what deed, f func(*store.Tx) (written[Out], error)) (Out, error) {
	var done written[Out]
	err := d.hall.DB.Update(ctx, func(tx *store.Tx) (err error) {
		if done, err = f(tx); err != nil {
			return err
		}
		return audit(tx, what, done.undo)
	})
	return done.out, err
}

// audit adds the row of a change that was carried out.
func audit(tx *store.Tx, what deed, undo any) error {
	if undo == nil {
		return fmt.Errorf("%s gave no undo snapshot", what.tool)
	}
	args, err := json.Marshal(what.args)
	if err != nil {
		return fmt.Errorf("audit arguments of %s: %w", what.tool, err)
	}
	snapshot, err := json.Marshal(undo)
	if err != nil {
		return fmt.Errorf("audit undo of %s: %w", what.tool, err)
	}
	_, err = tx.AddAudit(store.Audit{
		At: tx.Now(), Actor: what.operator.Name, Tool: what.tool, Args: args, Outcome: "ok", Undo: snapshot,
	})
	return err
}
