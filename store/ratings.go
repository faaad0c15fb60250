package store

import (
	"fmt"
	"time"

	"chessarena/arena"
	"chessarena/rules"
)

var (
	queryStanding = register(`SELECT r.rating, r.deviation, r.volatility, r.games, r.peak, r.rated_ms, b.pinned
FROM ratings r JOIN buckets b ON b.id = r.bucket_id WHERE r.bucket_id = ? AND r.game = '` + kindChess + `' AND r.track = ?`)
	querySaveStanding = register(`UPDATE ratings SET rating = ?, deviation = ?, volatility = ?, games = ?, peak = ?, rated_ms = ?
WHERE bucket_id = ? AND game = '` + kindChess + `' AND track = ?`)
	queryLastRated = register(`SELECT coalesce(max(seq), 0) FROM rated WHERE track = ?`)
	queryAddRated  = register(`INSERT INTO rated (track, seq, game_id, at_ms, score,
  white_bucket_id, white_rating, white_deviation, white_volatility,
  black_bucket_id, black_rating, black_deviation, black_volatility)
VALUES (?,?,?,?,?, ?,?,?,?, ?,?,?,?)`)
	queryRated = register(`SELECT r.seq, r.game_id, r.at_ms, r.score,
  r.white_bucket_id, g.white_nickname_id, g.white_config_id, r.white_rating, r.white_deviation, r.white_volatility,
  r.black_bucket_id, g.black_nickname_id, g.black_config_id, r.black_rating, r.black_deviation, r.black_volatility
FROM rated r CROSS JOIN games g ON g.id = r.game_id WHERE r.track = ? AND r.seq > ? ORDER BY r.seq LIMIT ?`)
	queryRewriteRated = register(`UPDATE rated SET white_bucket_id = ?, white_rating = ?, white_deviation = ?, white_volatility = ?,
  black_bucket_id = ?, black_rating = ?, black_deviation = ?, black_volatility = ? WHERE track = ? AND seq = ?`)
	queryPeak = map[arena.Track]*query{
		arena.TrackAll:   register(`SELECT peak_all FROM nicknames WHERE id = ?`),
		arena.TrackBoard: register(`SELECT peak_board FROM nicknames WHERE id = ?`),
	}
	querySavePeak = map[arena.Track]*query{
		arena.TrackAll:   register(`UPDATE nicknames SET peak_all = ? WHERE id = ?`),
		arena.TrackBoard: register(`UPDATE nicknames SET peak_board = ? WHERE id = ?`),
	}
	queryPin       = register(`UPDATE buckets SET pinned = 1 WHERE id = ?`)
	queryPinRating = register(`UPDATE ratings SET rating = ?, deviation = ?, volatility = ? WHERE bucket_id = ? AND game = '` + kindChess + `'`)
)

// Standing is where a bucket stands on one track.
type Standing struct {
	arena.Rating
	Games  int       // rated on the track
	Peak   *float64  // the best live rating it had when it was not provisional; nil for none
	Rated  time.Time // of its last rated game; zero when it has none
	Pinned bool
}

// Standing returns where a bucket stands on a track, or NotFound.
func (tx *Tx) Standing(bucketID int64, track arena.Track) (Standing, error) {
	s, err := one(tx, queryStanding, scanStanding, bucketID, track)
	return s, noBucket(err)
}

func scanStanding(r row) (s Standing, err error) {
	var rated *int64
	err = r.Scan(&s.R, &s.RD, &s.Vol, &s.Games, &s.Peak, &rated, &s.Pinned)
	if rated != nil {
		s.Rated = instant(*rated)
	}
	return s, err
}

// SaveStanding stores all of s but Pinned.
func (tx *Tx) SaveStanding(bucketID int64, track arena.Track, s Standing) error {
	var rated *int64
	if !s.Rated.IsZero() {
		ms := millis(s.Rated)
		rated = &ms
	}
	n, err := tx.exec(querySaveStanding, s.R, s.RD, s.Vol, s.Games, s.Peak, rated, bucketID, track)
	if err == nil && n != 1 {
		err = fmt.Errorf("bucket %d has no rating on track %s", bucketID, track)
	}
	return err
}

// Rated is what one game did on one track. After holds the ratings after it, by colour.
type Rated struct {
	Seq     int64 // place in the track's order, from 1
	GameRow int64
	At      time.Time
	Score   float64 // White's
	Buckets [2]int64
	After   [2]arena.Rating
	// Nicknames and Configs are who played, by colour. They are the game's: AddRated ignores
	// them.
	Nicknames, Configs [2]int64
}

// Peak returns the best that a nickname has stood at on a track after a game of its own,
// with any of its buckets, provisional ratings aside; nil for none.
func (tx *Tx) Peak(nicknameID int64, track arena.Track) (*float64, error) {
	return one(tx, queryPeak[track], value[*float64], nicknameID)
}

// SavePeak stores what Peak returns.
func (tx *Tx) SavePeak(nicknameID int64, track arena.Track, peak *float64) error {
	_, err := tx.exec(querySavePeak[track], peak, nicknameID)
	return err
}

// AddRated appends r to the order of its track and returns its place.
func (tx *Tx) AddRated(track arena.Track, r Rated) (int64, error) {
	last, err := one(tx, queryLastRated, value[int64], track)
	if err != nil {
		return 0, err
	}
	w, b := r.After[rules.White], r.After[rules.Black]
	_, err = tx.exec(queryAddRated, track, last+1, r.GameRow, millis(r.At), r.Score,
		r.Buckets[rules.White], w.R, w.RD, w.Vol, r.Buckets[rules.Black], b.R, b.RD, b.Vol)
	return last + 1, err
}

// RewriteRated stores r's Buckets and After at its place, where another replay left
// others.
func (tx *Tx) RewriteRated(track arena.Track, r Rated) error {
	w, b := r.After[rules.White], r.After[rules.Black]
	n, err := tx.exec(queryRewriteRated, r.Buckets[rules.White], w.R, w.RD, w.Vol, r.Buckets[rules.Black], b.R, b.RD, b.Vol, track, r.Seq)
	if err == nil && n != 1 {
		err = fmt.Errorf("track %s has no place %d", track, r.Seq)
	}
	return err
}

// RatedGames lists what was rated on a track after the place after, in order, at most
// limit.
func (tx *Tx) RatedGames(track arena.Track, after int64, limit int) ([]Rated, error) {
	return all(tx, queryRated, scanRated, track, after, limit)
}

func scanRated(r row) (g Rated, err error) {
	var at int64
	w, b := &g.After[rules.White], &g.After[rules.Black]
	err = r.Scan(&g.Seq, &g.GameRow, &at, &g.Score,
		&g.Buckets[rules.White], &g.Nicknames[rules.White], &g.Configs[rules.White], &w.R, &w.RD, &w.Vol,
		&g.Buckets[rules.Black], &g.Nicknames[rules.Black], &g.Configs[rules.Black], &b.R, &b.RD, &b.Vol)
	g.At = instant(at)
	return g, err
}

// Pin makes an anchor of a bucket that has not been rated yet: its live rating on both
// tracks is r from now on, and no game or refit changes it.
func (tx *Tx) Pin(bucketID int64, r arena.Rating) error {
	if _, err := tx.exec(queryPin, bucketID); err != nil {
		return fmt.Errorf("pin bucket %d: %w", bucketID, err)
	}
	if _, err := tx.exec(queryPinRating, r.R, r.RD, r.Vol, bucketID); err != nil {
		return fmt.Errorf("pin bucket %d: %w", bucketID, err)
	}
	return nil
}
