package naming

import (
	"regexp"
	"slices"
	"strings"

	"chessarena/arena"
	"chessarena/arena/modelname"
	"chessarena/store"
)

// Decide makes a decision from what the database says now.
type Decide func(tx *store.Tx) (Decision, error)

// idForm is what a registered id looks like.
var idForm = regexp.MustCompile(`^[a-z0-9]+(?:[.-][a-z0-9]+)*$`)

// Verify registers a name that somebody plays under, or will. Without a family it is the name's first
// word, without a provider the one that most of its configurations name.
func Verify(name, family, provider string) Decide {
	return func(tx *store.Tx) (Decision, error) {
		known, err := load(tx)
		if err != nil {
			return Decision{}, err
		}
		r := known.Read(name)
		switch {
		case r.Verified && r.Canonical == name:
			return Decision{}, arena.Errorf(arena.ModelConflict, "%s is registered already.", r.Canonical)
		case r.Verified || slices.Contains(r.AppliedRules, "alias"):
			return Decision{}, arena.Errorf(arena.ModelConflict, "%s is read as %s.", modelname.Clip(name), r.Canonical)
		}
		if err := free(known, r.Canonical); err != nil {
			return Decision{}, err
		}
		m := store.AddedModel{ID: r.Canonical, Family: strings.ToLower(family), Provider: strings.ToLower(provider)}
		if m.Family == "" {
			m.Family = strings.FieldsFunc(m.ID, func(r rune) bool { return r < 'a' || r > 'z' })[0]
		}
		if m.Provider == "" {
			if m.Provider, err = tx.ModelMaker(r.Canonical); err != nil {
				return Decision{}, err
			}
		}
		if m.Provider == "" {
			return Decision{}, arena.Errorf(arena.InvalidArguments, "Nobody plays under %s yet; say who makes it with provider.", m.ID)
		}
		return Decision{Add: &m}, nil
	}
}

// free reports whether name may become a model's.
func free(known *modelname.Registry, name string) error {
	if len(name) > 80 || !idForm.MatchString(name) || strings.IndexFunc(name, func(r rune) bool { return r >= 'a' && r <= 'z' }) < 0 {
		return arena.Errorf(arena.InvalidArguments, "A model's name is up to 80 small letters and digits, with . or - between them, and a letter among them.")
	}
	if m, ok := known.Model(name); ok && m.Reserved {
		return arena.Errorf(arena.ModelConflict, "%s is one of the arena's own players.", name)
	}
	return nil
}

// AliasTo says that a spelling means a model, for every configuration there is and will be.
func AliasTo(spelling, model string) Decide {
	return func(tx *store.Tx) (Decision, error) {
		known, err := load(tx)
		if err != nil {
			return Decision{}, err
		}
		if m, ok := known.Model(spelling); ok && !m.Reserved {
			return Decision{}, arena.Errorf(arena.ModelConflict, "%s is a registered model itself; models merge says that it and another are one.", m.ID)
		}
		return alias(tx, known, spelling, model)
	}
}

// Merge says that two models are one: from is an alias of into from now on.
func Merge(from, into string) Decide {
	return func(tx *store.Tx) (Decision, error) {
		known, err := load(tx)
		if err != nil {
			return Decision{}, err
		}
		from, err := existing(tx, known, from)
		if err != nil {
			return Decision{}, err
		}
		return alias(tx, known, from, into)
	}
}

func alias(tx *store.Tx, known *modelname.Registry, spelling, model string) (Decision, error) {
	target, err := existing(tx, known, model)
	if err != nil {
		return Decision{}, err
	}
	spelling = strings.Join(strings.Fields(strings.ToLower(spelling)), "-")
	switch {
	case spelling == "" || len(spelling) > lookupMax || strings.IndexFunc(spelling, func(r rune) bool { return r < ' ' || r > '~' }) >= 0:
		return Decision{}, arena.Errorf(arena.InvalidArguments, "An alias is 1 to %d plain characters.", lookupMax)
	case modelname.Same(spelling, target):
		return Decision{}, arena.Errorf(arena.ModelConflict, "%s and %s are one spelling already.", modelname.Clip(spelling), target)
	}
	if m, ok := known.Model(spelling); ok && m.Reserved {
		return Decision{}, arena.Errorf(arena.ModelConflict, "%s is one of the arena's own players.", m.ID)
	}
	aliases, err := tx.Aliases()
	if err != nil {
		return Decision{}, err
	}
	for old, to := range aliases {
		if modelname.Same(old, spelling) {
			return Decision{}, arena.Errorf(arena.ModelConflict, "%s is an alias of %s already; models unalias takes that back.", old, to)
		}
	}
	return Decision{Alias: &Alias{spelling, target}}, nil
}

// existing is the name under which a model is registered or played; NotFound, with the
// closest ones, when there is none.
func existing(tx *store.Tx, known *modelname.Registry, model string) (string, error) {
	r := known.Read(model)
	if m, ok := known.Model(r.Canonical); ok && m.Reserved {
		return "", arena.Errorf(arena.ModelConflict, "%s is one of the arena's own players.", m.ID)
	}
	if r.Verified {
		return r.Canonical, nil
	}
	for _, name := range []string{r.Canonical, model} {
		if buckets, err := tx.BucketsOfModel(name); err != nil || len(buckets) > 0 {
			return name, err
		}
	}
	message := "No model is registered or played under %s."
	if len(r.DidYouMean) > 0 {
		message += " Close names: " + strings.Join(r.DidYouMean, ", ") + "."
	}
	return "", arena.Errorf(arena.NotFound, message, modelname.Clip(model))
}

// Unalias takes an alias out. What was moved because of it stays where it is.
func Unalias(spelling string) Decide {
	return func(tx *store.Tx) (Decision, error) {
		aliases, err := tx.Aliases()
		if err != nil {
			return Decision{}, err
		}
		for old := range aliases {
			if modelname.Same(old, spelling) {
				return Decision{Unalias: old}, nil
			}
		}
		return Decision{}, arena.Errorf(arena.NotFound, "There is no alias %s.", modelname.Clip(spelling))
	}
}

// RenameTo gives a name that operators registered, or that nobody did, another spelling. The old one
// becomes an alias.
func RenameTo(from, to string) Decide {
	return func(tx *store.Tx) (Decision, error) {
		known, err := load(tx)
		if err != nil {
			return Decision{}, err
		}
		from, err := existing(tx, known, from)
		if err != nil {
			return Decision{}, err
		}
		added, err := tx.AddedModels()
		if err != nil {
			return Decision{}, err
		}
		own := slices.IndexFunc(added, func(m store.AddedModel) bool { return m.ID == from })
		if _, registered := known.Model(from); registered && own < 0 {
			return Decision{}, arena.Errorf(arena.ModelConflict, "%s stands in the registry that comes with the arena and keeps its name.", from)
		}
		r := known.Read(to)
		if r.Verified || slices.Contains(r.AppliedRules, "alias") {
			return Decision{}, arena.Errorf(arena.ModelConflict, "%s means the model %s already; models merge makes one of the two.", modelname.Clip(to), r.Canonical)
		}
		if buckets, err := tx.BucketsOfModel(r.Canonical); err != nil || len(buckets) > 0 {
			if err == nil {
				err = arena.Errorf(arena.ModelConflict, "Somebody plays under %s already; models merge makes one of the two.", r.Canonical)
			}
			return Decision{}, err
		}
		if err := free(known, r.Canonical); err != nil {
			return Decision{}, err
		}
		d := Decision{Alias: &Alias{from, r.Canonical}}
		if modelname.Same(from, r.Canonical) {
			return d, arena.Errorf(arena.ModelConflict, "%s and %s are one spelling to every reader of names.", from, r.Canonical)
		}
		if own >= 0 {
			m := added[own]
			d.Drop, d.Add = m.ID, &store.AddedModel{ID: r.Canonical, Family: m.Family, Provider: m.Provider}
		}
		return d, nil
	}
}
