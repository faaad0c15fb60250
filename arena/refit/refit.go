// Package refit publishes ratings: from time to time it fits all rated games of a track
// at once, stores the fit for the boards, and lays the live ratings upon it.
//
// A fit is a row with its place in the order of the track's rated games, so that
// anybody can replay the order (games and fits alike) and must come to the same
// ratings bit for bit; Check does that.
//
// The fit itself is package rating's. It takes seconds on a large arena and runs
// outside any transaction; games that end meanwhile are simply not in it, and the row
// says so.
//
// A bucket's rating may move at a refit without a game. That is a recalibration, and
// nothing here says otherwise.
package refit

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"time"

	"chessarena/arena"
	"chessarena/arena/rating"
	"chessarena/store"
)

// When a track is due for a fit: after as many new games as there are rated buckets,
// but not more than everyGames, or when a new game has waited for everyTime.
const (
	everyGames = 120
	everyTime  = time.Hour
)

// tracks in the order they are fitted.
var tracks = []arena.Track{arena.TrackAll, arena.TrackBoard}

// Refitter fits the ratings of one database.
type Refitter struct {
	db  *store.DB
	log *slog.Logger
}

// New returns a refitter over db; a nil log is silent. It starts nothing: who serves
// calls Step now and then.
func New(db *store.DB, log *slog.Logger) *Refitter {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Refitter{db: db, log: log}
}

// Step fits each track that is due.
func (r *Refitter) Step(ctx context.Context) error {
	for _, track := range tracks {
		due, err := r.due(ctx, track)
		if err != nil {
			return err
		}
		if due {
			if err := r.Fit(ctx, track); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *Refitter) due(ctx context.Context, track arena.Track) (due bool, err error) {
	err = r.db.View(ctx, func(tx *store.Tx) error {
		last, err := tx.LastRefit(track)
		if err != nil {
			return err
		}
		games, err := tx.LastRated(track)
		// A fit that games overtook stands at the last of them; the next one has a new
		// place to stand at once another game is rated.
		if err != nil || games == last.Place {
			return err
		}
		buckets, err := tx.RatedBuckets(track)
		due = games-last.Seq >= int64(min(everyGames, buckets)) || tx.Now().Sub(last.At) >= everyTime
		return err
	})
	return due, err
}

// Fit fits all games of a track as they are now and publishes the result.
func (r *Refitter) Fit(ctx context.Context, track arena.Track) error {
	var in input
	err := r.db.View(ctx, func(tx *store.Tx) (err error) {
		if in.seq, err = tx.LastRated(track); err != nil {
			return err
		}
		if in.pins, err = tx.Pins(track); err != nil {
			return err
		}
		in.at = tx.Now()
		in.games, err = tx.RatedSides(track, 0, in.seq)
		return err
	})
	if err != nil || in.seq == 0 {
		return err
	}
	fit, err := rating.Refit(in.rating())
	if err != nil {
		return fmt.Errorf("fit track %s: %w", track, err)
	}
	text, rows, err := encode(fit)
	if err != nil {
		return fmt.Errorf("fit track %s: %w", track, err)
	}
	err = r.db.Update(ctx, func(tx *store.Tx) error {
		place, err := tx.LastRated(track)
		if err != nil {
			return err
		}
		row := store.Refit{Place: place, Seq: in.seq, At: in.at, Inputs: fit.Inputs, Fit: text}
		if err := tx.AddRefit(track, row, rows); err != nil {
			return err
		}
		return rebase(tx, track, fit)
	})
	if err != nil {
		return fmt.Errorf("publish the fit of track %s: %w", track, err)
	}
	r.log.Info("ratings fitted", "track", string(track), "games", fit.Games, "rows", len(fit.Rows))
	return nil
}

// rebase lays the live ratings of a track upon fit.
func rebase(tx *store.Tx, track arena.Track, fit *rating.Fit) error {
	for _, row := range fit.Rows {
		s, err := tx.Standing(row.Bucket, track)
		if err != nil {
			return fmt.Errorf("rebase bucket %d: %w", row.Bucket, err)
		}
		s.Rating = rating.Rebase(s.Rating, row)
		if err := tx.SaveStanding(row.Bucket, track, s); err != nil {
			return fmt.Errorf("rebase bucket %d: %w", row.Bucket, err)
		}
	}
	return nil
}

// input is what a fit is made of, as the database holds it.
type input struct {
	seq   int64
	at    time.Time
	games []store.RatedSides
	pins  map[int64]float64
}

// rating is the input in the terms of the fit. A bucket is active when its last game
// is not older than rating.ActiveDays before the fit.
func (in input) rating() rating.Input {
	last := make(map[int64]time.Time)
	out := rating.Input{Games: make([]rating.Game, 0, len(in.games))}
	for _, g := range in.games {
		if g.Buckets[0] == g.Buckets[1] {
			continue // between what became one bucket later
		}
		out.Games = append(out.Games, rating.Game{
			White: rating.Side{Bucket: g.Buckets[0], Nickname: g.Nicknames[0]},
			Black: rating.Side{Bucket: g.Buckets[1], Nickname: g.Nicknames[1]},
			Score: g.Score,
		})
		last[g.Buckets[0]], last[g.Buckets[1]] = g.At, g.At
	}
	active := in.at.AddDate(0, 0, -rating.ActiveDays)
	for bucket, at := range last {
		pin, pinned := in.pins[bucket]
		out.Buckets = append(out.Buckets, rating.Bucket{ID: bucket, Anchor: pinned, Pin: pin, Active: !at.Before(active)})
	}
	return out
}

// encode writes a fit for the database: whole, and its rows.
func encode(fit *rating.Fit) (text json.RawMessage, rows []store.FitRow, err error) {
	if text, err = json.Marshal(fit); err != nil {
		return nil, nil, err
	}
	for _, row := range fit.Rows {
		one, err := json.Marshal(row)
		if err != nil {
			return nil, nil, err
		}
		rows = append(rows, store.FitRow{Bucket: row.Bucket, Rating: row.Rating, Error: row.SE, Row: one})
	}
	return text, rows, nil
}
