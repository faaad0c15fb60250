package refit

import (
	"context"
	"fmt"

	"chessarena/arena"
	"chessarena/store"
)

// Rehoming is a replay of both tracks in which sides count for other buckets than the
// database says. Preparing it takes long on a large arena and only reads; Store is quick.
type Rehoming struct {
	tracks []*rehomed
}

// rehomed is one track's replay and what in it differs from what is stored.
type rehomed struct {
	*replay
	games     []store.Rated
	refits    []store.Refit
	last      []store.FitRow // of the latest fit
	buckets   map[int64]bool // that have rows in the database
	nicknames map[int64]bool
}

// Prepare replays what is rated by now. home names the bucket that a side counts for, from
// its configuration and the bucket it is stored with; the latter again when it stays.
func (r *Refitter) Prepare(ctx context.Context, home func(config, bucket int64) int64) (*Rehoming, error) {
	read := func(f func(*store.Tx) error) error { return r.db.View(ctx, f) }
	h := new(Rehoming)
	for _, track := range tracks {
		re, err := newReplay(read, track, home)
		if err != nil {
			return nil, fmt.Errorf("replay track %s: %w", track, err)
		}
		one := &rehomed{replay: re, buckets: make(map[int64]bool), nicknames: make(map[int64]bool)}
		if err := one.run(ctx, read, one); err != nil {
			return nil, fmt.Errorf("replay track %s: %w", track, err)
		}
		h.tracks = append(h.tracks, one)
	}
	return h, nil
}

func (h *rehomed) game(stored, made store.Rated) {
	for side := range stored.Buckets {
		h.buckets[stored.Buckets[side]] = true
		h.nicknames[stored.Nicknames[side]] = true
	}
	if stored.Buckets != made.Buckets || stored.After != made.After {
		h.games = append(h.games, made)
	}
}

func (h *rehomed) fit(stored, made store.Refit, rows []store.FitRow) {
	h.last = rows
	if stored.Inputs != made.Inputs || string(stored.Fit) != string(made.Fit) {
		h.refits = append(h.refits, made)
	}
}

// Store replays what was rated since Prepare and writes everything that came out
// differently: games, fits, live ratings and peaks. tx is an Update's, in which the sides
// have been moved, or are.
func (h *Rehoming) Store(tx *store.Tx) error {
	for _, one := range h.tracks {
		if err := one.store(tx); err != nil {
			return fmt.Errorf("store the replay of track %s: %w", one.track, err)
		}
	}
	return nil
}

func (h *rehomed) store(tx *store.Tx) error {
	if err := h.run(context.Background(), func(f func(*store.Tx) error) error { return f(tx) }, h); err != nil {
		return err
	}
	for _, g := range h.games {
		if err := tx.RewriteRated(h.track, g); err != nil {
			return err
		}
	}
	for _, r := range h.refits {
		if err := tx.RewriteRefit(h.track, r); err != nil {
			return err
		}
	}
	if h.place > 0 {
		if err := tx.ReplaceFits(h.track, h.last); err != nil {
			return err
		}
	}
	for bucket := range h.stands {
		h.buckets[bucket] = true
	}
	for bucket := range h.buckets {
		if err := tx.SaveStanding(bucket, h.track, h.ended(bucket)); err != nil {
			return err
		}
	}
	for nickname := range h.nicknames {
		if err := tx.SavePeak(nickname, h.track, h.peaks[nickname]); err != nil {
			return err
		}
	}
	return nil
}

// ended is where a bucket stands after all. One that lost its games stands where it began.
func (h *rehomed) ended(bucket int64) store.Standing {
	if s, ok := h.stands[bucket]; ok {
		return s
	}
	return store.Standing{Rating: arena.InitialRating}
}
