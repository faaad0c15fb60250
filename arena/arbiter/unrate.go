package arbiter

import (
	"context"
	"errors"
	"fmt"

	"chessarena/arena"
	"chessarena/rules"
	"chessarena/store"
)

// Look returns a game as it stands, for who plays inside the arena and needs no words
// about it. NotFound when there is none.
func (a *Arbiter) Look(ctx context.Context, id arena.GameID) (arena.Game, *rules.Replay, error) {
	t, leave := a.sit(id)
	defer leave()
	s, err := a.read(ctx, t)
	if err != nil {
		return arena.Game{}, nil, err
	}
	return s.game, s.replay, nil
}

// Unrate takes a running game of agent out of the ratings, for good, and writes into its
// log which side's player was replaced and why. To do so again changes nothing.
func (a *Arbiter) Unrate(ctx context.Context, agent arena.Agent, id arena.GameID, side rules.Color, why string) error {
	_, err := a.apply(ctx, agent.ID, id, change{
		check: func(s seat) error {
			if err := a.active(s); err != nil {
				return err
			}
			if !s.game.Rated {
				return errNothingToDo
			}
			return nil
		},
		write: func(tx *store.Tx, s seat) (*snapshot, error) {
			next := s.next()
			next.game.Rated = false
			event := arena.NewEvent(tx.Now(), s.game.Ply, arena.EventUnrated, arena.UnratedData{Side: side, Why: why})
			if err := tx.Unrate(&next.game, event); err != nil {
				return nil, fmt.Errorf("unrate: %w", err)
			}
			return next, nil
		},
	})
	if errors.Is(err, errNothingToDo) {
		return nil
	}
	return err
}
