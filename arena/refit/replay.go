package refit

import (
	"context"
	"fmt"
	"math"

	"chessarena/arena"
	"chessarena/arena/rating"
	"chessarena/rules"
	"chessarena/store"
)

// page is how many rows are read in one transaction, so that none stays open long.
const page = 1000

// reader runs a function in a transaction.
type reader func(func(*store.Tx) error) error

// replay plays the games and fits of a track again, in their order, from the ratings that buckets
// start with. A game whose sides belong to one bucket keeps its place, rates nobody and
// is in no fit: that is what merging two buckets makes of the games between them.
type replay struct {
	track  arena.Track
	pins   map[int64]float64
	home   func(config, bucket int64) int64 // whom a side counts for
	stands map[int64]store.Standing
	peaks  map[int64]*float64 // of nicknames
	seq    int64              // of the last game
	place  int64              // of the last fit
	sides  []store.RatedSides // the games so far, as fits see them
}

func newReplay(read reader, track arena.Track, home func(config, bucket int64) int64) (*replay, error) {
	re := &replay{track: track, home: home, stands: make(map[int64]store.Standing), peaks: make(map[int64]*float64)}
	err := read(func(tx *store.Tx) (err error) { re.pins, err = tx.Pins(track); return err })
	return re, err
}

// asStored leaves every side where the database has it.
func asStored(_, bucket int64) int64 { return bucket }

// watcher sees each game and fit as stored and as the replay makes it.
type watcher interface {
	game(stored, made store.Rated)
	fit(stored, made store.Refit, rows []store.FitRow)
}

// run goes on to the end of what is stored.
func (re *replay) run(ctx context.Context, read reader, w watcher) error {
	var refits []store.Refit
	err := read(func(tx *store.Tx) (err error) {
		refits, err = tx.Refits(re.track, re.place, math.MaxInt32)
		return err
	})
	if err != nil {
		return err
	}
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		var games []store.Rated
		err := read(func(tx *store.Tx) (err error) { games, err = tx.RatedGames(re.track, re.seq, page); return err })
		if err != nil {
			return err
		}
		for _, g := range games {
			w.game(g, re.game(g))
			for len(refits) > 0 && refits[0].Place <= re.seq {
				made, rows, err := re.fit(refits[0])
				if err != nil {
					return err
				}
				w.fit(refits[0], made, rows)
				refits = refits[1:]
			}
		}
		if len(games) < page {
			return nil
		}
	}
}

// standing is where a bucket stands in the replay.
func (re *replay) standing(bucket int64) store.Standing {
	if s, ok := re.stands[bucket]; ok {
		return s
	}
	if pin, ok := re.pins[bucket]; ok {
		return store.Standing{Rating: rating.Anchor(pin), Pinned: true}
	}
	return store.Standing{Rating: arena.InitialRating}
}

// game replays one rated game.
func (re *replay) game(g store.Rated) store.Rated {
	re.seq = g.Seq
	for side := range g.Buckets {
		g.Buckets[side] = re.home(g.Configs[side], g.Buckets[side])
	}
	re.sides = append(re.sides, store.RatedSides{Seq: g.Seq, At: g.At, Score: g.Score, Buckets: g.Buckets, Nicknames: g.Nicknames})
	if g.Buckets[rules.White] == g.Buckets[rules.Black] {
		still := re.standing(g.Buckets[rules.White]).Rating
		g.After = [2]arena.Rating{still, still}
		return g
	}
	var before [2]arena.Rating
	for side, bucket := range g.Buckets {
		s := re.standing(bucket)
		if !s.Rated.IsZero() {
			s.Rating = rating.Idle(s.Rating, g.At.Sub(s.Rated))
		}
		before[side] = s.Rating
	}
	g.After[rules.White], g.After[rules.Black] = rating.Update(before[rules.White], before[rules.Black], g.Score)
	for side, bucket := range g.Buckets {
		s := re.standing(bucket)
		s.Rating, s.Games, s.Rated = g.After[side], s.Games+1, g.At
		s.Peak = rating.Peak(s.Peak, s.Rating, s.Games)
		re.stands[bucket] = s
		if !s.Pinned {
			who := g.Nicknames[side]
			re.peaks[who] = rating.Peak(re.peaks[who], s.Rating, s.Games)
		}
	}
	return g
}

// fit makes a stored fit again and lays the replay upon it.
func (re *replay) fit(stored store.Refit) (store.Refit, []store.FitRow, error) {
	re.place = stored.Place
	n := 0
	for n < len(re.sides) && re.sides[n].Seq <= stored.Seq {
		n++
	}
	in := input{seq: stored.Seq, at: stored.At, pins: re.pins, games: re.sides[:n]}
	fit, err := rating.Refit(in.rating())
	if err != nil {
		return store.Refit{}, nil, fmt.Errorf("the fit at place %d: %w", stored.Place, err)
	}
	made := stored
	var rows []store.FitRow
	if made.Fit, rows, err = encode(fit); err != nil {
		return store.Refit{}, nil, err
	}
	made.Inputs = fit.Inputs
	for _, row := range fit.Rows {
		s := re.standing(row.Bucket)
		s.Rating = rating.Rebase(s.Rating, row)
		re.stands[row.Bucket] = s
	}
	return made, rows, nil
}
