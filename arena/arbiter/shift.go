package arbiter

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"chessarena/arena"
	"chessarena/store"
)

// Resume takes the games up again after a start: the time since the last heartbeat is
// given back to whoever was to move, and all deadlines are learnt. Call it once,
// before the first player is let in.
func (a *Arbiter) Resume(ctx context.Context) error {
	now := time.Now()
	var last time.Time
	var neverBeat bool
	var games []arena.Game
	err := a.db.View(ctx, func(tx *store.Tx) (err error) {
		if last, err = tx.LastBeat(); err != nil {
			return err
		}
		games, err = tx.Running()
		return err
	})
	if err != nil {
		return fmt.Errorf("resume the games: %w", err)
	}
	for i := range games {
		a.deadlines.set(games[i].ID, flag(&games[i]))
		// Without a heartbeat the arena died within a beat of its first game, or never
		// served: every turn begins again.
		if start := games[i].Clock.TurnStarted; last.IsZero() || neverBeat && start.Before(last) {
			last, neverBeat = start, true
		}
	}
	if len(games) > 0 {
		a.pulse.owe(now.Round(0).Sub(last), arena.ShiftRestart)
	}
	return a.Beat(ctx)
}

// Beat notes that the arbiter is awake, and gives the players back what time the arena
// has cost them since the last beat. A beat is stored while games run.
func (a *Arbiter) Beat(ctx context.Context) error {
	a.pulse.beat(time.Now())
	if err := a.settle(ctx); err != nil {
		return err
	}
	if _, running := a.deadlines.next(); !running {
		return nil
	}
	return a.failed(a.db.Update(ctx, func(tx *store.Tx) error { return tx.Beat() }))
}

// awake makes sure that the time which seems to have passed is the players' own. After
// a sleep of the machine, or while the store takes no moves, it is not: then the
// clocks are put right first, or the caller is told to come back.
func (a *Arbiter) awake(ctx context.Context) error {
	if !a.pulse.steady(time.Now()) {
		a.pulse.beat(time.Now())
	}
	return a.settle(ctx)
}

// failed notes that the store took no change and returns err.
func (a *Arbiter) failed(err error) error {
	if arena.CodeOf(err) == arena.StorageUnavailable {
		a.pulse.outage(time.Now())
	}
	return err
}

// settle moves the clocks by what is owed. While the store takes no changes that must
// wait, and with it everything that would judge time: StorageUnavailable.
func (a *Arbiter) settle(ctx context.Context) error {
	if by, _ := a.pulse.owed(time.Now()); by == 0 {
		return nil
	}
	a.settling <- struct{}{}
	defer func() { <-a.settling }()
	for {
		by, reason := a.pulse.owed(time.Now())
		if by == 0 {
			return nil
		}
		if err := a.shift(ctx, by, reason); err != nil {
			return err
		}
		a.pulse.paid(by, reason)
	}
}

// shift moves the start of every running turn by d, though never beyond now, and says
// so in each game's log.
func (a *Arbiter) shift(ctx context.Context, d time.Duration, reason arena.ShiftReason) error {
	a.world.Lock()
	defer a.world.Unlock()
	// The file keeps whole milliseconds, and so does the log; the rest is the player's.
	d = time.Duration(math.Ceil(float64(d)/float64(time.Millisecond))) * time.Millisecond
	var games []arena.Game
	err := a.db.Update(ctx, func(tx *store.Tx) (err error) {
		if games, err = tx.Running(); err != nil {
			return err
		}
		for i := range games {
			g := &games[i]
			start := g.Clock.TurnStarted.Add(d)
			if start.After(tx.Now()) {
				start = tx.Now()
			}
			by := start.Sub(g.Clock.TurnStarted)
			g.Clock.TurnStarted = start
			event := arena.NewEvent(tx.Now(), g.Ply, arena.EventShift, arena.ShiftData{ByMS: by.Milliseconds(), Reason: reason})
			if err := tx.ShiftClock(g, event); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return a.failed(fmt.Errorf("move the clocks by %v: %w", d, err))
	}
	a.forgetAll()
	for i := range games {
		a.deadlines.set(games[i].ID, flag(&games[i]))
	}
	if len(games) > 0 {
		a.log.Info("clocks moved", "by", d.Round(time.Millisecond), "reason", string(reason), "games", len(games))
	}
	return nil
}

// RunHeart beats until ctx ends, and once more then, so that a stop on purpose costs
// nobody a second.
func (a *Arbiter) RunHeart(ctx context.Context) error {
	ticker := time.NewTicker(BeatEvery)
	defer ticker.Stop()
	failing := false
	for {
		select {
		case <-ctx.Done():
			if err := a.Beat(context.WithoutCancel(ctx)); err != nil && !errors.Is(err, store.ErrClosed) {
				a.log.Warn("the last heartbeat was not stored", "err", err)
			}
			return nil
		case <-ticker.C:
		}
		err := a.Beat(ctx)
		if err != nil && !failing && ctx.Err() == nil {
			a.log.Error("heartbeat not stored; clocks stand still until it is", "err", err)
		}
		failing = err != nil
	}
}
