package arbiter

import (
	"fmt"

	"chessarena/arena"
	"chessarena/arena/rating"
	"chessarena/rules"
	"chessarena/store"
)

// rate applies a game that has just ended to the live ratings of both buckets, on each
// track it counts on by now. The board track of a forfeit waits for its verdict.
func rate(tx *store.Tx, g *arena.Game) error {
	all, board := rating.Counts(g)
	if all == rating.Counted {
		if err := rateOn(tx, g, arena.TrackAll); err != nil {
			return err
		}
	}
	if board == rating.Counted {
		return rateOn(tx, g, arena.TrackBoard)
	}
	return nil
}

// rateOn gives g its place in the order of one track. Both sides are rated from what
// they were before it.
func rateOn(tx *store.Tx, g *arena.Game, track arena.Track) error {
	sides := [2]rules.Color{rules.White, rules.Black}
	var standing [2]store.Standing
	for _, side := range sides {
		s, err := tx.Standing(g.Seats[side].BucketID, track)
		if err != nil {
			return fmt.Errorf("rating of bucket %d: %w", g.Seats[side].BucketID, err)
		}
		if !s.Rated.IsZero() {
			s.Rating = rating.Idle(s.Rating, tx.Now().Sub(s.Rated))
		}
		standing[side] = s
	}
	score := g.Result.Score(rules.White)
	w, b := rating.Update(standing[rules.White].Rating, standing[rules.Black].Rating, score)
	after := [2]arena.Rating{w, b}
	for _, side := range sides {
		s := standing[side]
		s.Rating, s.Games, s.Rated = after[side], s.Games+1, tx.Now()
		s.Peak = rating.Peak(s.Peak, s.Rating, s.Games)
		if err := tx.SaveStanding(g.Seats[side].BucketID, track, s); err != nil {
			return fmt.Errorf("rating of bucket %d: %w", g.Seats[side].BucketID, err)
		}
		if err := raisePeak(tx, g.Seats[side].NicknameID, track, s); err != nil {
			return fmt.Errorf("peak of nickname %d: %w", g.Seats[side].NicknameID, err)
		}
	}
	_, err := tx.AddRated(track, store.Rated{
		GameRow: g.RowID, At: tx.Now(), Score: score,
		Buckets: [2]int64{g.Seats[rules.White].BucketID, g.Seats[rules.Black].BucketID}, After: after,
	})
	if err != nil {
		return fmt.Errorf("rate game %s on track %s: %w", g.ID, track, err)
	}
	return nil
}

// raisePeak notes the best that a nickname has stood at. An anchor stands where it is
// pinned and has none.
func raisePeak(tx *store.Tx, nickname int64, track arena.Track, s store.Standing) error {
	if s.Pinned {
		return nil
	}
	was, err := tx.Peak(nickname, track)
	if err != nil {
		return err
	}
	if now := rating.Peak(was, s.Rating, s.Games); now != was {
		return tx.SavePeak(nickname, track, now)
	}
	return nil
}
