package store

import (
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"chessarena/arena"
)

// kindChess is the kind of game whose ratings a Bucket shows.
const kindChess = "chess"

const (
	bucketColumns = `b.id, b.key, b.spec, b.pinned, b.games, b.wins, b.draws, b.losses, b.forfeits_for, b.forfeits_against,
  ra.rating, ra.deviation, ra.volatility, rb.rating, rb.deviation, rb.volatility`
	joinRatings = `
CROSS JOIN ratings ra ON ra.bucket_id = b.id AND ra.game = '` + kindChess + `' AND ra.track = 'all'
CROSS JOIN ratings rb ON rb.bucket_id = b.id AND rb.game = '` + kindChess + `' AND rb.track = 'board' `
	selectBucket = `SELECT ` + bucketColumns + ` FROM buckets b` + joinRatings
)

var (
	queryBucket   = register(selectBucket + `WHERE b.id = ?`)
	queryBucketID = register(`SELECT id FROM buckets WHERE key = ?`)
	queryRedirect = register(`SELECT coalesce(merged_into, id) FROM buckets WHERE key = ?1
UNION ALL SELECT bucket_id FROM redirects WHERE key = ?1 LIMIT 1`)
	queryModelSeen  = register(`SELECT EXISTS (SELECT 1 FROM buckets WHERE model = ? AND merged_into IS NULL)`)
	queryAddBucket  = register(`INSERT INTO buckets (key, spec, model, created_ms) VALUES (?, ?, ?, ?)`)
	queryAddRating  = register(`INSERT INTO ratings (bucket_id, game, track, rating, deviation, volatility) VALUES (?, ?, ?, ?, ?, ?)`)
	querySaveBucket = register(`UPDATE buckets SET games = ?, wins = ?, draws = ?, losses = ?, forfeits_for = ?, forfeits_against = ? WHERE id = ?`)
)

// EnsureBucket returns the bucket of c; a new one starts with arena.InitialRating on both
// tracks.
func (tx *Tx) EnsureBucket(c arena.Config) (arena.Bucket, error) {
	key := keyBytes(c.BucketKey())
	id, err := one(tx, queryBucketID, value[int64], key)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return arena.Bucket{}, err
	}
	exists := err == nil
	if exists {
		if into, err := tx.MergedInto(id); err != nil {
			return arena.Bucket{}, err
		} else if into == 0 {
			return tx.Bucket(id)
		}
	}
	seen, err := one(tx, queryModelSeen, value[bool], c.Model)
	if err != nil {
		return arena.Bucket{}, err
	}
	if !seen {
		if err := tx.count(counterModels, 1); err != nil {
			return arena.Bucket{}, err
		}
	}
	if exists { // merged into another: it begins anew when somebody comes under its name again
		if _, err := tx.exec(queryFollow, nil, id); err != nil {
			return arena.Bucket{}, err
		}
		return tx.Bucket(id)
	}
	return tx.addBucket(key, c)
}

// addBucket makes a bucket. A redirect that had its key gives way.
func (tx *Tx) addBucket(key []byte, c arena.Config) (b arena.Bucket, err error) {
	if _, err := tx.exec(queryDropRedirect, key); err != nil {
		return b, err
	}
	id, err := tx.insert(queryAddBucket, key, string(c.Canonical()), c.Model, millis(tx.now))
	if err != nil {
		return b, err
	}
	start := arena.InitialRating
	for _, track := range []arena.Track{arena.TrackAll, arena.TrackBoard} {
		if _, err := tx.insert(queryAddRating, id, kindChess, track, start.R, start.RD, start.Vol); err != nil {
			return b, err
		}
	}
	return tx.Bucket(id)
}

// Bucket returns the bucket with this id, or NotFound.
func (tx *Tx) Bucket(id int64) (arena.Bucket, error) {
	b, err := one(tx, queryBucket, scanBucket, id)
	return b, noBucket(err)
}

// BucketByKey returns the bucket with this key, or the one that it became part of when models
// were merged or renamed, which has another. NotFound when there is none, also for a text
// that is no key.
func (tx *Tx) BucketByKey(key arena.BucketKey) (arena.Bucket, error) {
	raw, err := hex.DecodeString(string(key))
	if err != nil {
		return arena.Bucket{}, noBucket(sql.ErrNoRows)
	}
	id, err := one(tx, queryRedirect, value[int64], raw)
	if err != nil {
		return arena.Bucket{}, noBucket(err)
	}
	return tx.Bucket(id)
}

// SaveBucketRecord writes b's Record, and nothing else of it. NotFound when there is no
// such bucket.
func (tx *Tx) SaveBucketRecord(b arena.Bucket) error {
	r := b.Record
	n, err := tx.exec(querySaveBucket, r.Games, r.Wins, r.Draws, r.Losses, r.ForfeitsFor, r.ForfeitsAgainst, b.ID)
	if err == nil && n == 0 {
		err = sql.ErrNoRows
	}
	return noBucket(err)
}

// bucketRow scans the bucketColumns.
type bucketRow struct {
	arena.Bucket
	key  []byte
	spec []byte
}

func (b *bucketRow) dests() []any {
	return []any{&b.ID, &b.key, &b.spec, &b.Pinned, &b.Record.Games, &b.Record.Wins, &b.Record.Draws, &b.Record.Losses,
		&b.Record.ForfeitsFor, &b.Record.ForfeitsAgainst,
		&b.All.R, &b.All.RD, &b.All.Vol, &b.Board.R, &b.Board.RD, &b.Board.Vol}
}

func (b *bucketRow) bucket() (arena.Bucket, error) {
	var err error
	b.Key, b.Config, err = readSpec(b.key, b.spec)
	return b.Bucket, err
}

// readSpec decodes what a bucket's row says of its configuration.
func readSpec(key, spec []byte) (arena.BucketKey, arena.Config, error) {
	var c arena.Config
	if err := json.Unmarshal(spec, &c); err != nil {
		return "", c, fmt.Errorf("spec of bucket %x: %w", key, err)
	}
	return arena.BucketKey(hex.EncodeToString(key)), c, nil
}

func scanBucket(r row) (arena.Bucket, error) {
	var b bucketRow
	if err := r.Scan(b.dests()...); err != nil {
		return arena.Bucket{}, err
	}
	return b.bucket()
}

func noBucket(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return arena.Errorf(arena.NotFound, "There is no such configuration.").Because(err)
	}
	return err
}
