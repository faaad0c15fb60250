package store

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"chessarena/arena"
	"chessarena/rules"
)

var (
	queryRatedSides = register(`SELECT r.seq, r.at_ms, r.score, r.white_bucket_id, g.white_nickname_id, r.black_bucket_id, g.black_nickname_id
FROM rated r JOIN games g ON g.id = r.game_id WHERE r.track = ? AND r.seq > ? AND r.seq <= ? ORDER BY r.seq`)
	queryPins = register(`SELECT r.bucket_id, r.rating FROM buckets b CROSS JOIN ratings r ON r.bucket_id = b.id
WHERE b.pinned = 1 AND r.game = '` + kindChess + `' AND r.track = ?`)
	queryAddRefit    = register(`INSERT INTO refits (track, place, seq, at_ms, inputs, fit) VALUES (?, ?, ?, ?, ?, ?)`)
	queryLastRefit   = register(`SELECT place, seq, at_ms, inputs, fit FROM refits WHERE track = ? ORDER BY place DESC LIMIT 1`)
	queryRefits      = register(`SELECT place, seq, at_ms, inputs, fit FROM refits WHERE track = ? AND place > ? ORDER BY place LIMIT ?`)
	queryRewriteFit  = register(`UPDATE refits SET inputs = ?, fit = ? WHERE track = ? AND place = ?`)
	queryDeleteFits  = register(`DELETE FROM fits WHERE track = ?`)
	queryAddFit      = register(`INSERT INTO fits (track, bucket_id, rating, error, row) VALUES (?, ?, ?, ?, ?)`)
	queryRatedBucket = register(`SELECT count(*) FROM ratings WHERE track = ? AND game = '` + kindChess + `' AND games > 0`)
)

// RatedSides is a rated game as a fit sees it.
type RatedSides struct {
	Seq       int64
	At        time.Time
	Score     float64 // White's
	Buckets   [2]int64
	Nicknames [2]int64
}

// RatedSides lists the games of a track from the place after its first argument up to
// and with the second, in order.
func (tx *Tx) RatedSides(track arena.Track, after, upTo int64) ([]RatedSides, error) {
	return all(tx, queryRatedSides, func(r row) (g RatedSides, err error) {
		var at int64
		err = r.Scan(&g.Seq, &at, &g.Score, &g.Buckets[rules.White], &g.Nicknames[rules.White], &g.Buckets[rules.Black], &g.Nicknames[rules.Black])
		g.At = instant(at)
		return g, err
	}, track, after, upTo)
}

// LastRated is the place of the latest game in the order of a track, 0 for none.
func (tx *Tx) LastRated(track arena.Track) (int64, error) {
	return one(tx, queryLastRated, value[int64], track)
}

// RatedBuckets is how many buckets have a rated game on a track.
func (tx *Tx) RatedBuckets(track arena.Track) (int, error) {
	return one(tx, queryRatedBucket, value[int], track)
}

// Pins returns the fixed ratings of a track's anchors by bucket.
func (tx *Tx) Pins(track arena.Track) (map[int64]float64, error) {
	type pin struct {
		bucket int64
		rating float64
	}
	list, err := all(tx, queryPins, func(r row) (p pin, err error) {
		err = r.Scan(&p.bucket, &p.rating)
		return p, err
	}, track)
	pins := make(map[int64]float64, len(list))
	for _, p := range list {
		pins[p.bucket] = p.rating
	}
	return pins, err
}

// Refit is a published fit. It is made of the first Seq games of its track, and the
// live ratings were laid upon it after Place of them.
type Refit struct {
	Place, Seq int64
	At         time.Time
	Inputs     [32]byte
	Fit        json.RawMessage
}

// FitRow is what the latest fit says of one bucket.
type FitRow struct {
	Bucket        int64
	Rating, Error float64
	Row           json.RawMessage
}

// AddRefit stores r as the latest fit of track, and its rows for the boards.
func (tx *Tx) AddRefit(track arena.Track, r Refit, rows []FitRow) error {
	if _, err := tx.exec(queryAddRefit, track, r.Place, r.Seq, millis(r.At), r.Inputs[:], string(r.Fit)); err != nil {
		return err
	}
	return tx.ReplaceFits(track, rows)
}

// RewriteRefit stores what another replay made of the fit at r's place.
func (tx *Tx) RewriteRefit(track arena.Track, r Refit) error {
	n, err := tx.exec(queryRewriteFit, r.Inputs[:], string(r.Fit), track, r.Place)
	if err == nil && n != 1 {
		err = fmt.Errorf("track %s has no fit at place %d", track, r.Place)
	}
	return err
}

// ReplaceFits stores the rows of a track's latest fit for the boards, instead of those there.
func (tx *Tx) ReplaceFits(track arena.Track, rows []FitRow) error {
	if _, err := tx.exec(queryDeleteFits, track); err != nil {
		return err
	}
	for _, f := range rows {
		if _, err := tx.exec(queryAddFit, track, f.Bucket, f.Rating, f.Error, string(f.Row)); err != nil {
			return err
		}
	}
	return nil
}

// LastRefit returns the latest fit of a track; its Place is 0 when there is none.
func (tx *Tx) LastRefit(track arena.Track) (Refit, error) {
	r, err := one(tx, queryLastRefit, scanRefit, track)
	if errors.Is(err, sql.ErrNoRows) {
		return Refit{}, nil
	}
	return r, err
}

// Refits lists the fits of a track whose place lies after after, in order, at most limit.
func (tx *Tx) Refits(track arena.Track, after int64, limit int) ([]Refit, error) {
	return all(tx, queryRefits, scanRefit, track, after, limit)
}

func scanRefit(r row) (f Refit, err error) {
	var at int64
	var inputs []byte
	var fit string
	err = r.Scan(&f.Place, &f.Seq, &at, &inputs, &fit)
	f.At, f.Fit = instant(at), json.RawMessage(fit)
	copy(f.Inputs[:], inputs)
	return f, err
}
