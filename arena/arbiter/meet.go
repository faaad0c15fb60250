package arbiter

import (
	"fmt"
	"strings"

	"chessarena/arena"
	"chessarena/rules"
	"chessarena/store"
)

// meet enters a game that is over into what pairing goes by: what its two buckets have
// had with each other, which colours its configurations had, and which bucket met an
// anchor. book is its opening line. It comes after credit.
func meet(tx *store.Tx, g *arena.Game, book []string) error {
	white, black := g.Seats[rules.White], g.Seats[rules.Black]
	pair, err := tx.Pair(white.BucketID, black.BucketID)
	if err != nil {
		return fmt.Errorf("meeting in game %s: %w", g.ID, err)
	}
	first, err := tx.ReturnOf(g.RowID)
	if err != nil {
		return fmt.Errorf("meeting in game %s: %w", g.ID, err)
	}
	if err := tx.SavePair(pair.Add(g, strings.Join(book, " "), first)); err != nil {
		return fmt.Errorf("meeting in game %s: %w", g.ID, err)
	}
	if g.Status != arena.Finished {
		return nil
	}
	for _, side := range []rules.Color{rules.White, rules.Black} {
		if err := noteSeat(tx, g, side); err != nil {
			return fmt.Errorf("meeting in game %s: %w", g.ID, err)
		}
	}
	return nil
}

// noteSeat notes what side of a finished game means for its next pairing.
func noteSeat(tx *store.Tx, g *arena.Game, side rules.Color) error {
	seat := g.Seats[side]
	colors, err := tx.Colors(seat.ConfigID)
	if err != nil {
		return err
	}
	if err := tx.SaveColors(seat.ConfigID, colors.Add(side)); err != nil {
		return err
	}
	opponent, err := tx.Bucket(g.Seats[side.Other()].BucketID)
	if err != nil || !opponent.Pinned {
		return err
	}
	return tx.MetAnchor(seat.BucketID)
}
