package naming

import (
	"encoding/json"
	"slices"

	"chessarena/arena"
	"chessarena/arena/arbiter"
	"chessarena/arena/refit"
	"chessarena/store"
)

// Undo takes a decision back. It is kept as JSON in the audit log.
type Undo struct {
	Undo    string            `json:"undo"` // "models"
	Added   string            `json:"added,omitempty"`
	Dropped *store.AddedModel `json:"dropped,omitempty"`
	Aliased string            `json:"aliased,omitempty"`
	Removed *Alias            `json:"unaliased,omitempty"`
	Moves   []moved           `json:"moves,omitempty"`
}

// UndoKind is Undo.Undo.
const UndoKind = "models"

// moved is how one bucket was before it was moved.
type moved struct {
	Bucket int64           `json:"bucket"`
	Was    json.RawMessage `json:"was"`            // its canonical configuration
	Now    arena.BucketKey `json:"now"`            // the key it was renamed to
	Into   int64           `json:"into,omitempty"` // the bucket it was merged into
	// Of a merge:
	Configs  []int64        `json:"configs,omitempty"`
	Absorbed store.Absorbed `json:"absorbed,omitzero"`
	Pairs    []arena.Pair   `json:"pairs,omitempty"` // of both buckets
}

// apply carries out p in tx, with the replay that was prepared for its merges.
func (p *Plan) apply(tx *store.Tx, replay *refit.Rehoming) (Undo, error) {
	undo, err := write(tx, p.Decision)
	if err != nil {
		return undo, err
	}
	for _, m := range p.moves {
		done := moved{Bucket: m.bucket.ID, Was: m.bucket.Config.Canonical(), Now: m.config.BucketKey(), Into: m.into}
		if m.into == 0 {
			err = tx.RenameBucket(m.bucket, m.config)
		} else {
			err = merge(tx, m, &done)
		}
		if err != nil {
			return undo, err
		}
		undo.Moves = append(undo.Moves, done)
	}
	return undo, settle(tx, len(p.moves) > 0, replay)
}

// write enters a decision into the database.
func write(tx *store.Tx, d Decision) (undo Undo, err error) {
	undo.Undo = UndoKind
	if d.Add != nil {
		undo.Added = d.Add.ID
		if err := tx.AddModel(*d.Add); err != nil {
			return undo, err
		}
	}
	if d.Drop != "" {
		added, err := tx.AddedModels()
		if err != nil {
			return undo, err
		}
		if i := slices.IndexFunc(added, func(m store.AddedModel) bool { return m.ID == d.Drop }); i >= 0 {
			undo.Dropped = &added[i]
			if _, err := tx.DeleteModel(d.Drop); err != nil {
				return undo, err
			}
		}
	}
	if d.Alias != nil {
		undo.Aliased = d.Alias.Spelling
		if err := tx.AddAlias(d.Alias.Spelling, d.Alias.Model); err != nil {
			return undo, err
		}
	}
	if d.Unalias != "" {
		model, err := tx.Alias(d.Unalias)
		if err != nil {
			return undo, err
		}
		undo.Removed = &Alias{d.Unalias, model}
		if err := tx.DeleteAlias(d.Unalias); err != nil {
			return undo, err
		}
	}
	return undo, nil
}

// merge moves a bucket's configurations and what it has had with others into another.
func merge(tx *store.Tx, m move, done *moved) error {
	done.Configs = m.configs
	for _, config := range m.configs {
		if err := tx.MoveConfig(config, m.bucket.ID, m.into); err != nil {
			return err
		}
	}
	var err error
	if done.Pairs, err = pairsOf(tx, m.bucket.ID, m.into); err != nil {
		return err
	}
	for _, p := range done.Pairs {
		if p.A != m.bucket.ID && p.B != m.bucket.ID {
			continue
		}
		if err := tx.DropPair(p); err != nil {
			return err
		}
		if err := joinPair(tx, p, m.bucket.ID, m.into); err != nil {
			return err
		}
	}
	done.Absorbed, err = tx.Bury(m.bucket.ID, m.into)
	return err
}

// pairsOf lists the pairs of two buckets, each once.
func pairsOf(tx *store.Tx, x, y int64) ([]arena.Pair, error) {
	list, err := tx.PairsOf(x)
	if err != nil {
		return nil, err
	}
	more, err := tx.PairsOf(y)
	for _, p := range more {
		if p.A != x && p.B != x {
			list = append(list, p)
		}
	}
	return list, err
}

// joinPair adds to the pair of the bucket into what the bucket from had with the same
// opponent: the lines played lately, and a game owed when the two can still owe one. The
// counts are made again from the games afterwards.
func joinPair(tx *store.Tx, p arena.Pair, from, into int64) error {
	other, fromIsA := p.B, true
	if p.B == from {
		other, fromIsA = p.A, false
	}
	if other == from {
		other = into
	}
	joined, err := tx.Pair(into, other)
	if err != nil {
		return err
	}
	joined.Recent = append(slices.Clone(joined.Recent), p.Recent...)
	joined.Recent = joined.Recent[max(0, len(joined.Recent)-arena.Rotation):]
	switch {
	case joined.A == joined.B:
		joined.Return = nil // within one bucket nothing is owed
	case joined.Return == nil && p.Return != nil:
		owed := *p.Return
		if intoIsA := joined.A == into; intoIsA != fromIsA {
			owed.AWhite = !owed.AWhite
		}
		joined.Return = &owed
	}
	return tx.SavePair(joined)
}

// settle counts everything again and tells the process that serves.
func settle(tx *store.Tx, moved bool, replay *refit.Rehoming) error {
	if replay != nil {
		if err := replay.Store(tx); err != nil {
			return err
		}
	}
	if moved {
		if _, err := arbiter.Recount(tx); err != nil {
			return err
		}
		if err := tx.Changed(store.NounAll, 0); err != nil {
			return err
		}
	}
	return tx.Changed(store.NounModels, 0)
}

// home is where configurations count once u is undone.
func (u *Undo) home() func(config, bucket int64) int64 {
	home := make(map[int64]int64)
	for _, m := range slices.Backward(u.Moves) {
		for _, config := range m.Configs {
			home[config] = m.Bucket
		}
	}
	return func(config, bucket int64) int64 {
		if to, ok := home[config]; ok {
			return to
		}
		return bucket
	}
}

// merges reports whether ratings have to be computed again.
func (u *Undo) merges() bool {
	return slices.ContainsFunc(u.Moves, func(m moved) bool { return m.Into != 0 })
}

// apply takes the decision back in tx.
func (u *Undo) apply(tx *store.Tx, replay *refit.Rehoming) error {
	for _, m := range slices.Backward(u.Moves) {
		if err := m.back(tx); err != nil {
			return err
		}
	}
	var d Decision
	if u.Added != "" {
		d.Drop = u.Added
	}
	d.Add, d.Alias = u.Dropped, u.Removed
	if u.Aliased != "" {
		model, err := tx.Alias(u.Aliased)
		if err != nil {
			return err
		}
		if model == "" {
			return overtaken("the alias %q is gone", u.Aliased)
		}
		d.Unalias = u.Aliased
	}
	if _, err := write(tx, d); err != nil {
		return err
	}
	return settle(tx, len(u.Moves) > 0, replay)
}

func overtaken(format string, args ...any) error {
	return arena.Errorf(arena.ModelConflict, "That cannot be undone any more: "+format+". Undo what came later first.", args...)
}

// back takes one move back.
func (m moved) back(tx *store.Tx) error {
	b, err := tx.Bucket(m.Bucket)
	if err != nil {
		return err
	}
	var was arena.Config
	if err := json.Unmarshal(m.Was, &was); err != nil {
		return err
	}
	into, err := tx.MergedInto(m.Bucket)
	if err != nil {
		return err
	}
	if into != m.Into {
		return overtaken("%s was merged again, or is back already", was.Model)
	}
	if m.Into != 0 {
		return m.unmerge(tx)
	}
	if b.Key != m.Now {
		return overtaken("%s is called %s by now", was.Model, b.Config.Model)
	}
	if other, err := tx.BucketByKey(was.BucketKey()); err == nil && other.ID != b.ID {
		return overtaken("somebody has registered under %s since", was.Model)
	}
	if err := tx.RenameBucket(b, was); err != nil {
		return err
	}
	return tx.DropRedirect(m.Now)
}

func (m moved) unmerge(tx *store.Tx) error {
	if later, err := tx.MergedInto(m.Into); err != nil || later != 0 {
		if err == nil {
			err = overtaken("the bucket it was merged into was merged itself")
		}
		return err
	}
	for _, config := range m.Configs {
		if err := tx.MoveConfig(config, m.Into, m.Bucket); err != nil {
			return overtaken("configuration %d has moved on", config)
		}
	}
	if err := tx.Unbury(m.Bucket, m.Absorbed); err != nil {
		return err
	}
	return m.restorePairs(tx)
}

// restorePairs puts the pairs of both buckets back as they were. A pair that came up since keeps its
// lines when its buckets still have games with each other, and goes when they have none.
func (m moved) restorePairs(tx *store.Tx) error {
	now, err := pairsOf(tx, m.Bucket, m.Into)
	if err != nil {
		return err
	}
	for _, p := range now {
		met, err := tx.HaveMet(p.A, p.B)
		if err != nil {
			return err
		}
		if !met {
			if err := tx.DropPair(p); err != nil {
				return err
			}
		}
	}
	for _, p := range m.Pairs {
		if err := tx.SavePair(p); err != nil {
			return err
		}
	}
	return nil
}
