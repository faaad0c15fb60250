package arbiter

import (
	"context"
	"errors"
	"time"

	"golang.org/x/sync/errgroup"

	"chessarena/arena"
	"chessarena/store"
)

// flag is when the side to move of a running game forfeits.
func flag(g *arena.Game) time.Time { return g.Clock.Flag(g.Pace, g.Turn()) }

// flagged reports whether the side to move has run out of time at now. The very
// instant of the flag is still in time.
func (s *snapshot) flagged(now time.Time) bool {
	return s.game.Status == arena.Active && now.After(flag(&s.game))
}

// sweepAtOnce bounds the forfeits that one step decides in parallel: enough to share
// commits, few enough not to crowd out the players.
const sweepAtOnce = 64

// Sweep ends the games whose flag has fallen. It does nothing while it is not certain
// that the time that passed was the players': see awake.
func (a *Arbiter) Sweep(ctx context.Context) error {
	if err := a.awake(ctx); err != nil {
		return err
	}
	now := time.Now()
	var group errgroup.Group
	group.SetLimit(sweepAtOnce)
	for _, id := range a.deadlines.due(now) {
		group.Go(func() error { return a.sweep(ctx, id, now) })
	}
	return group.Wait()
}

// sweep looks at one game whose deadline has passed and ends it, or learns its new
// deadline.
func (a *Arbiter) sweep(ctx context.Context, id arena.GameID, now time.Time) error {
	a.world.RLock()
	defer a.world.RUnlock()
	t, leave := a.sit(id)
	defer leave()
	t.mu.Lock()
	defer t.mu.Unlock()
	s, err := a.load(ctx, t)
	if err != nil {
		return err
	}
	if !s.flagged(now) {
		a.publish(t, s)
		return nil
	}
	return a.forfeit(ctx, t, s)
}

// forfeit ends the game of t, whose mover has run out of time. The caller holds t.mu
// and a.world. When another process has changed the game meanwhile, nothing is done
// but to forget the snapshot.
func (a *Arbiter) forfeit(ctx context.Context, t *table, s *snapshot) error {
	err := a.db.Update(context.WithoutCancel(ctx), func(tx *store.Tx) error {
		next, err := a.finish(tx, s, s.game.Ply, outOfTime(&s.game, s.replay.Position(), s.turn()))
		if err != nil {
			return err
		}
		tx.After(func() { a.publish(t, next) })
		return nil
	})
	if errors.Is(err, store.ErrMoved) {
		t.now.Store(nil)
		return nil
	}
	return a.failed(err)
}

// sweepRest is the pause after a sweep that failed.
const sweepRest = time.Second

// RunSweeper sweeps whenever a deadline passes, until ctx ends.
func (a *Arbiter) RunSweeper(ctx context.Context) error {
	timer := time.NewTimer(0)
	defer timer.Stop()
	failing := false
	for {
		wait := time.Hour
		if at, ok := a.deadlines.next(); ok {
			wait = time.Until(at) + time.Millisecond
		}
		if failing {
			wait = max(wait, sweepRest)
		}
		timer.Reset(wait)
		select {
		case <-ctx.Done():
			return nil
		case <-a.deadlines.sooner:
			continue
		case <-timer.C:
		}
		err := a.Sweep(ctx)
		if err != nil && !failing && ctx.Err() == nil {
			a.log.Error("sweep failed; it goes on trying", "err", err)
		}
		failing = err != nil
	}
}
