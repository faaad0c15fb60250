package naming

import (
	"context"
	"errors"

	"chessarena/arena/refit"
	"chessarena/store"
)

// ErrStale says that operators changed something between the preparation of a decision and its
// transaction. It must be prepared again.
var ErrStale = errors.New("naming: prepared on what has changed since")

// Prepared is a decision, or the undoing of one, ready for its transaction. All that takes
// long has been done.
type Prepared struct {
	names  *Names
	plan   *Plan  // of a decision
	decide Decide // to make the plan again
	undo   *Undo  // of an undoing
	replay *refit.Rehoming
	latest int64 // entry of the audit log
}

// Prepare works out what a decision comes to, and replays the ratings when it merges
// buckets. It changes nothing.
func (n *Names) Prepare(ctx context.Context, r *refit.Refitter, decide Decide) (*Prepared, error) {
	p := &Prepared{names: n, decide: decide}
	err := n.db.View(ctx, func(tx *store.Tx) (err error) {
		if p.latest, err = tx.LastAudit(); err != nil {
			return err
		}
		d, err := decide(tx)
		if err != nil {
			return err
		}
		p.plan, err = plan(tx, d)
		return err
	})
	if err == nil && p.plan.Merges() {
		p.replay, err = r.Prepare(ctx, p.plan.home())
	}
	return p, err
}

// Preview works out what a decision comes to, and does nothing else.
func (n *Names) Preview(ctx context.Context, decide Decide) (p *Plan, err error) {
	err = n.db.View(ctx, func(tx *store.Tx) error {
		d, err := decide(tx)
		if err != nil {
			return err
		}
		p, err = plan(tx, d)
		return err
	})
	return p, err
}

// Plan is what the decision comes to.
func (p *Prepared) Plan() *Plan { return p.plan }

// PrepareUndo makes ready to take a decision back.
func (n *Names) PrepareUndo(ctx context.Context, r *refit.Refitter, u Undo) (*Prepared, error) {
	p := &Prepared{names: n, undo: &u}
	err := n.db.View(ctx, func(tx *store.Tx) (err error) { p.latest, err = tx.LastAudit(); return err })
	if err == nil && u.merges() {
		p.replay, err = r.Prepare(ctx, u.home())
	}
	return p, err
}

// Apply carries the prepared out in tx. The undo of an undoing is the zero Undo. It fails with ErrStale
// when operators have done something since.
func (p *Prepared) Apply(tx *store.Tx) (Undo, error) {
	latest, err := tx.LastAudit()
	if err != nil {
		return Undo{}, err
	}
	if latest != p.latest {
		return Undo{}, ErrStale
	}
	tx.After(p.names.follow)
	if p.undo != nil {
		return Undo{}, p.undo.apply(tx, p.replay)
	}
	// Agents may have registered since: their configurations move as well.
	d, err := p.decide(tx)
	if err != nil {
		return Undo{}, err
	}
	now, err := plan(tx, d)
	if err != nil {
		return Undo{}, err
	}
	if !now.sameMerges(p.plan) {
		return Undo{}, ErrStale
	}
	p.plan = now
	return now.apply(tx, p.replay)
}

// sameMerges reports whether two plans move games in the same way.
func (p *Plan) sameMerges(other *Plan) bool {
	merges := func(p *Plan) map[int64]int64 {
		m := make(map[int64]int64)
		for _, one := range p.moves {
			if one.into != 0 {
				m[one.bucket.ID] = one.into
			}
		}
		return m
	}
	a, b := merges(p), merges(other)
	if len(a) != len(b) {
		return false
	}
	for from, into := range a {
		if b[from] != into {
			return false
		}
	}
	return true
}

// follow takes up what this process has just committed.
func (n *Names) follow() {
	if err := n.Reload(context.Background()); err != nil {
		n.log.Error("names of models", "err", err)
	}
	if n.Moved != nil {
		n.Moved()
	}
}
