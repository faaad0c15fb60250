package arbiter

import (
	"context"
	"fmt"

	"chessarena/arena"
	"chessarena/arena/engine"
	"chessarena/arena/rating"
	"chessarena/rules"
	"chessarena/store"
)

// lostAt is the evaluation, in centipawns from the forfeiting side's view, at or below
// which the position was lost anyway, so that the game counts on the board track too
// (DESIGN §3).
const lostAt = -300

// Adjudicate decides for the oldest forfeited game that waits whether it counts on the
// board track, by what ev makes of its last position. It reports whether there was one.
// The result of the game stays; without an evaluator the game simply waits.
func (a *Arbiter) Adjudicate(ctx context.Context, ev engine.Evaluator) (bool, error) {
	var g arena.Game
	var fen string
	err := a.db.View(ctx, func(tx *store.Tx) error {
		id, err := tx.NextAdjudication()
		if err != nil || id == "" {
			return err
		}
		if g, err = tx.Game(id); err != nil {
			return err
		}
		fen, err = tx.FinalFEN(&g)
		return err
	})
	if err != nil || g.ID == "" {
		return false, err
	}
	seen, err := ev.Evaluate(ctx, fen) // outside any transaction: it may take seconds
	if err != nil {
		return false, fmt.Errorf("evaluate the end of game %s: %w", g.ID, err)
	}
	data := judged(seen, *g.Forfeiter)
	err = a.db.Update(ctx, func(tx *store.Tx) error {
		if g, err = tx.Game(g.ID); err != nil {
			return err
		}
		g.OnBoard = &data.Counts
		if err := tx.SaveVerdict(&g); err != nil {
			return err
		}
		if err := tx.Changed(store.NounGame, g.RowID); err != nil {
			return err
		}
		if _, board := rating.Counts(&g); board == rating.Counted {
			if err := rateOn(tx, &g, arena.TrackBoard); err != nil {
				return err
			}
		}
		tx.After(func() { a.forget(&g) })
		return tx.AddEvent(&g, arena.NewEvent(tx.Now(), g.Ply, arena.EventAdjudicated, data))
	})
	if err != nil {
		return false, fmt.Errorf("store the verdict on game %s: %w", g.ID, err)
	}
	return true, nil
}

// judged turns an evaluation from White's view into the verdict on forfeiter.
func judged(e engine.Evaluation, forfeiter rules.Color) arena.AdjudicatedData {
	cp, mate := e.CP, e.Mate
	if forfeiter == rules.Black {
		cp, mate = -cp, -mate
	}
	data := arena.AdjudicatedData{Engine: e.Engine, Nodes: e.Nodes}
	if mate != 0 {
		data.Mate, data.Counts = &mate, mate < 0
	} else {
		data.CP, data.Counts = &cp, cp <= lostAt
	}
	return data
}
