package naming

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"chessarena/arena"
	"chessarena/arena/modelname"
	"chessarena/store"
)

// Decision is what an operator changes in what is known.
type Decision struct {
	Add     *store.AddedModel // a model to register
	Drop    string            // an added model to take out again
	Alias   *Alias            // a spelling that means a model from now on
	Unalias string            // an alias to take out
}

// Alias is an operator's word that a spelling means a model.
type Alias struct {
	Spelling string `json:"alias"`
	Model    string `json:"model"`
}

// Plan is what a decision comes to: the names that will read differently, and what
// happens to the buckets filed under them.
type Plan struct {
	Decision Decision
	Renames  []Rename
	moves    []move
}

// Rename is what becomes of one name.
type Rename struct {
	From    string `json:"from"`
	To      string `json:"to"`
	Configs int    `json:"configs"` // of all owners
	Renamed int    `json:"renamed"` // ratings that only change their name
	Merged  int    `json:"merged"`  // ratings that become part of another
	Games   int    `json:"games"`   // finished, of the merged ones: they are rated again
}

// move is what happens to one bucket.
type move struct {
	bucket  arena.Bucket
	config  arena.Config
	into    int64 // 0: it is renamed
	configs []int64
}

// Merges reports whether ratings have to be computed again.
func (p *Plan) Merges() bool {
	return slices.ContainsFunc(p.moves, func(m move) bool { return m.into != 0 })
}

// home is where each moved configuration's games count from now on.
func (p *Plan) home() func(config, bucket int64) int64 {
	into := make(map[int64]int64)
	for _, m := range p.moves {
		if m.into != 0 {
			into[m.bucket.ID] = m.into
		}
	}
	return func(_, bucket int64) int64 {
		if to, ok := into[bucket]; ok {
			return to
		}
		return bucket
	}
}

// plan works out what d comes to. It only reads.
func plan(tx *store.Tx, d Decision) (*Plan, error) {
	before, err := load(tx)
	if err != nil {
		return nil, err
	}
	after, err := decided(tx, d)
	if err != nil {
		return nil, err
	}
	p := &Plan{Decision: d, Renames: []Rename{}}
	keys := make(map[arena.BucketKey]int64) // that renamed buckets will have
	for last := ""; ; {
		names, err := tx.ModelNames(last, seenMax)
		if err != nil {
			return nil, err
		}
		if len(names) == 0 {
			return p, nil
		}
		for _, name := range names {
			last = name.Name
			to, err := becomes(tx, name.Name, before, after)
			if err != nil {
				return nil, err
			}
			if to == name.Name {
				continue
			}
			if err := p.rename(tx, name.Name, to, keys); err != nil {
				return nil, err
			}
		}
	}
}

// becomes is what a name that somebody plays under reads as after a decision. Names that
// an earlier release, or a registration in the same instant, left behind are no part of it
// unless it is about them.
func becomes(tx *store.Tx, name string, before, after *modelname.Registry) (string, error) {
	r := after.Read(name)
	if r.Canonical != name {
		if r.Canonical != before.Read(name).Canonical || slices.Contains(r.AppliedRules, "alias") {
			return r.Canonical, nil
		}
		return name, nil
	}
	if r.Verified {
		return name, nil
	}
	// What was submitted may tell more than the name made of it: the "/" of a path is gone.
	raws, err := tx.ModelSpellings(name, detailMax)
	if err != nil {
		return "", err
	}
	to := name
	for i, raw := range raws {
		now := after.Read(raw)
		if i > 0 && now.Canonical != to || now.Canonical == before.Read(raw).Canonical {
			return name, nil
		}
		to = now.Canonical
	}
	return to, nil
}

// rename adds the moves of all buckets of a name.
func (p *Plan) rename(tx *store.Tx, from, to string, keys map[arena.BucketKey]int64) error {
	buckets, err := tx.BucketsOfModel(from)
	if err != nil {
		return err
	}
	r := Rename{From: from, To: to}
	for _, b := range buckets {
		m := move{bucket: b, config: b.Config}
		m.config.Model = to
		if m.configs, err = tx.ConfigsIn(b.ID); err != nil {
			return err
		}
		if m.into, err = target(tx, m.config.BucketKey(), keys); err != nil {
			return err
		}
		if m.into == b.ID {
			m.into = 0
		}
		r.Configs += len(m.configs)
		if m.into == 0 {
			r.Renamed++
			keys[m.config.BucketKey()] = b.ID
		} else {
			r.Merged++
			r.Games += b.Record.Games
		}
		p.moves = append(p.moves, m)
	}
	p.Renames = append(p.Renames, r)
	return nil
}

// target is the bucket that has, or in this plan will have, a key; 0 for none.
func target(tx *store.Tx, key arena.BucketKey, keys map[arena.BucketKey]int64) (int64, error) {
	if id, ok := keys[key]; ok {
		return id, nil
	}
	buried, err := tx.Buried(key)
	if err != nil {
		return 0, err
	}
	if buried {
		return 0, arena.Errorf(arena.ModelConflict, "These two were merged the other way before; undo that entry of the audit log first.")
	}
	b, err := tx.BucketByKey(key)
	switch {
	case arena.CodeOf(err) == arena.NotFound:
		return 0, nil
	case err != nil:
		return 0, err
	case b.Pinned:
		return 0, arena.Errorf(arena.ModelConflict, "An anchor of the house goes by that name; nothing can be merged into it.")
	case b.Key != key:
		return 0, nil // only a redirect, which the new name takes the place of
	}
	return b.ID, nil
}

// decided is what is known once d is carried out.
func decided(tx *store.Tx, d Decision) (*modelname.Registry, error) {
	base, err := shipped()
	if err != nil {
		return nil, err
	}
	added, err := tx.AddedModels()
	if err != nil {
		return nil, err
	}
	if d.Add != nil {
		added = append(added, *d.Add)
	}
	added = slices.DeleteFunc(added, func(m store.AddedModel) bool { return m.ID == d.Drop })
	aliases, err := tx.Aliases()
	if err != nil {
		return nil, err
	}
	aliases = maps.Clone(aliases)
	if d.Alias != nil {
		aliases[d.Alias.Spelling] = d.Alias.Model
	}
	delete(aliases, d.Unalias)
	return base.With(additions(added, aliases)), nil
}

func additions(added []store.AddedModel, aliases map[string]string) modelname.Additions {
	a := modelname.Additions{Aliases: aliases}
	for _, m := range added {
		a.Models = append(a.Models, modelname.Model{ID: m.ID, Family: m.Family, Provider: m.Provider})
	}
	return a
}

// Account tells in a sentence or two what the plan comes to.
func (p *Plan) Account() string {
	if len(p.Renames) == 0 {
		return "No configuration changes its name."
	}
	var parts []string
	for _, r := range p.Renames {
		part := fmt.Sprintf("%s becomes %s in %s", r.From, r.To, count(r.Configs, "configuration"))
		switch {
		case r.Merged > 0 && r.Renamed > 0:
			part += fmt.Sprintf(": %s renamed, %s merged with %s", count(r.Renamed, "rating"), count(r.Merged, "rating"), count(r.Games, "game"))
		case r.Merged > 0:
			part += fmt.Sprintf(": %s merged with %s, and all ratings are computed again", count(r.Merged, "rating"), count(r.Games, "game"))
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, "; ") + "."
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
