package arbiter

import (
	"fmt"

	"chessarena/arena"
	"chessarena/store"
)

// Void ends a running game in tx without a result, for an operator who says why: it
// counts for nothing. NotFound and GameNotActive are its refusals.
func (a *Arbiter) Void(tx *store.Tx, id arena.GameID, why string) (*arena.Game, error) {
	s, err := a.readSnapshot(tx, id)
	if err != nil {
		return nil, err
	}
	if s.game.Status != arena.Active {
		return nil, arena.Errorf(arena.GameNotActive, "Game %s is over: %s, %s.", id, s.game.Result, s.game.Termination)
	}
	next, err := a.finish(tx, s, s.game.Ply, verdict{status: arena.Void, result: arena.NoResult, termination: arena.ByAdmin, why: why})
	if err != nil {
		return nil, fmt.Errorf("void game %s: %w", id, err)
	}
	tx.After(func() {
		a.forget(&next.game)
		a.hub.Wake(GamesTopic)
	})
	return &next.game, nil
}
