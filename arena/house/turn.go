package house

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"

	"chessarena/arena"
	"chessarena/arena/arbiter"
	"chessarena/arena/engine"
	"chessarena/rules"
	"chessarena/store"
)

// Pauses of a player that could not move.
const (
	lookEvery  = 30 * time.Second // for games that began unnoticed
	tryAgain   = 2 * time.Second  // after a move that the arena did not take
	restOver   = 1500 * time.Millisecond
	engineFail = "its engine failed; the built-in engine plays on"
	engineGone = "its engine is not there any more; the built-in engine plays on"
)

// Run plays the house's games, and begins those with itself, until ctx ends.
func (h *House) Run(ctx context.Context) error {
	var playing sync.Map // game id to nothing
	var players sync.WaitGroup
	defer players.Wait()
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	idle := time.NewTicker(idleEvery)
	defer idle.Stop()
	failing := false
	for {
		changed, stop := h.hub.Watch(arbiter.GamesTopic)
		games, err := h.games(ctx)
		for _, id := range games {
			if _, there := playing.LoadOrStore(id, nil); !there {
				players.Go(func() {
					defer playing.Delete(id)
					h.attend(ctx, id)
				})
			}
		}
		select {
		case <-ctx.Done():
		case <-changed:
		case <-look.C:
		case <-idle.C:
			if err == nil {
				_, err = h.Idle(ctx)
			}
		}
		stop()
		if ctx.Err() != nil || h.hub.Closed() {
			return nil
		}
		if err != nil && !failing {
			h.o.Log.Error("the house cannot see to its games; it goes on trying", "err", err)
		}
		failing = err != nil
		if failing {
			pause(ctx, tryAgain)
		}
	}
}

// games lists the games in progress in which the house has a seat.
func (h *House) games(ctx context.Context) (list []arena.GameID, err error) {
	s := h.staff.Load()
	if s == nil {
		return nil, nil
	}
	err = h.db.View(ctx, func(tx *store.Tx) (err error) {
		list, err = tx.ActiveGames(s.agent.ID)
		return err
	})
	return list, err
}

// attend plays one game to its end.
func (h *House) attend(ctx context.Context, id arena.GameID) {
	for ctx.Err() == nil && !h.hub.Closed() {
		changed, stop := h.hub.Watch(arbiter.Topic(id))
		did, err := h.turn(ctx, id)
		switch {
		case ctx.Err() != nil:
		case err != nil:
			h.o.Log.Warn("the house could not move; it tries again", "game", string(id), "err", err)
			pause(ctx, tryAgain)
		case did == over:
			stop()
			return
		case did == waited:
			select {
			case <-ctx.Done():
			case <-changed:
			}
		}
		stop()
	}
}

// deed is what a turn came to.
type deed int

const (
	moved  deed = iota
	waited      // it is the other side's turn
	over
)

// turn makes the house's move in a game if it is its turn.
func (h *House) turn(ctx context.Context, id arena.GameID) (deed, error) {
	s := h.staff.Load()
	if s == nil {
		return waited, nil
	}
	g, replay, err := h.arbiter.Look(ctx, id)
	if err != nil {
		return waited, err
	}
	if g.Status != arena.Active {
		return over, nil
	}
	side := replay.Position().Turn()
	if g.Seats[side].NicknameID != s.agent.ID {
		return waited, nil
	}
	began := time.Now()
	move, err := h.think(ctx, s, &g, replay, side)
	if err != nil {
		return waited, err
	}
	if g.Seats[side.Other()].NicknameID == s.agent.ID {
		pause(ctx, h.o.Pace-time.Since(began))
	}
	_, err = h.arbiter.SubmitMove(ctx, s.agent, arbiter.MoveInput{GameID: id, Ply: g.Ply, Move: move.UCI()})
	switch arena.CodeOf(err) {
	case arena.GameNotActive:
		return over, nil
	case arena.StalePly:
		return moved, nil // the position is another one by now: look again
	}
	if err != nil {
		return waited, err
	}
	return moved, nil
}

// think chooses the move of the member whose seat it is, or of its stand-in.
func (h *House) think(ctx context.Context, s *staff, g *arena.Game, replay *rules.Replay, side rules.Color) (rules.Move, error) {
	seed := seedOf(g.ID, replay.Ply())
	why := engineGone
	if m := s.byID[g.Seats[side].ConfigID]; m != nil {
		move, err := m.player.Move(ctx, replay, seed)
		if errors.Is(err, engine.ErrDown) && g.Rated {
			// One more try for the rating's sake, when the engine has had its rest.
			pause(ctx, restOver)
			move, err = m.player.Move(ctx, replay, seed)
		}
		if !errors.Is(err, engine.ErrDown) {
			return move, err
		}
		why = engineFail
	}
	if g.Rated {
		if err := h.arbiter.Unrate(ctx, s.agent, g.ID, side, why); err != nil {
			return rules.Move{}, err
		}
		h.o.Log.Warn("a house player was replaced, and its game counts for nothing", "game", string(g.ID), "why", why)
	}
	stand, err := h.standIn(ctx, s, g.Seats[side])
	if err != nil {
		return rules.Move{}, err
	}
	return stand.player.Move(ctx, replay, seed)
}

// standIn is the other rung of the built-in engine that is nearest in strength to a seat.
func (h *House) standIn(ctx context.Context, s *staff, seat arena.Seat) (*member, error) {
	var bucket arena.Bucket
	err := h.db.View(ctx, func(tx *store.Tx) (err error) {
		bucket, err = tx.Bucket(seat.BucketID)
		return err
	})
	if err != nil {
		return nil, err
	}
	var best *member
	distance := math.Inf(1)
	for i := range s.members {
		m := &s.members[i]
		if d := math.Abs(m.waiter.Rating.R - bucket.All.R); m.nodes > 0 && m.waiter.ConfigID != seat.ConfigID && d < distance {
			best, distance = m, d
		}
	}
	if best == nil {
		return nil, fmt.Errorf("nobody can stand in for %s", seat.Config.Model)
	}
	return best, nil
}

// seedOf is the randomness of a move: the same when a restart has it thought again.
func seedOf(id arena.GameID, ply int) uint64 {
	parts := make([]uint64, 0, len(id)+1)
	for _, b := range []byte(id) {
		parts = append(parts, uint64(b))
	}
	return mix(append(parts, uint64(ply))...)
}

// pause waits for d, or until ctx ends.
func pause(ctx context.Context, d time.Duration) {
	if d <= 0 {
		return
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
