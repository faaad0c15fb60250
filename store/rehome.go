package store

import (
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"

	"chessarena/arena"
)

var (
	queryModelBuckets = register(`SELECT id FROM buckets WHERE model = ? AND pinned = 0 AND merged_into IS NULL ORDER BY id`)
	queryModelPinned  = register(`SELECT EXISTS (SELECT 1 FROM buckets WHERE model = ? AND pinned = 1)`)
	queryMergedInto   = register(`SELECT merged_into FROM buckets WHERE id = ?`)
	queryTombstone    = register(`SELECT id FROM buckets WHERE key = ? AND merged_into IS NOT NULL`)

	queryRename       = register(`UPDATE buckets SET key = ?, spec = ?, model = ? WHERE id = ?`)
	queryAddRedirect  = register(`INSERT INTO redirects (key, bucket_id) VALUES (?, ?) ON CONFLICT DO UPDATE SET bucket_id = excluded.bucket_id`)
	queryDropRedirect = register(`DELETE FROM redirects WHERE key = ?`)

	queryConfigsIn  = register(`SELECT id FROM configs WHERE bucket_id = ? ORDER BY id`)
	queryMoveConfig = register(`UPDATE configs SET bucket_id = ? WHERE id = ? AND bucket_id = ?`)
	queryMoveWhite  = register(`UPDATE games SET white_bucket_id = ?1 WHERE white_nickname_id = (SELECT nickname_id FROM configs WHERE id = ?2) AND white_config_id = ?2`)
	queryMoveBlack  = register(`UPDATE games SET black_bucket_id = ?1 WHERE black_nickname_id = (SELECT nickname_id FROM configs WHERE id = ?2) AND black_config_id = ?2`)
	querySetMerged  = register(`UPDATE buckets SET merged_into = ?, games = 0, wins = 0, draws = 0, losses = 0, forfeits_for = 0, forfeits_against = 0, anchor_games = 0 WHERE id = ?`)
	queryMergedHere = register(`SELECT id FROM buckets WHERE merged_into = ? ORDER BY id`)
	queryFollow     = register(`UPDATE buckets SET merged_into = ? WHERE id = ?`)
	queryRedirected = register(`SELECT hex(key) FROM redirects WHERE bucket_id = ? ORDER BY key`)
	queryRedirect2  = register(`UPDATE redirects SET bucket_id = ? WHERE key = ?`)
	queryPairsOf    = register(`SELECT ` + pairColumns + ` FROM pairs WHERE a_bucket_id = ?1 UNION SELECT ` + pairColumns + ` FROM pairs WHERE b_bucket_id = ?1 ORDER BY 1, 2`)
	queryHaveMet    = register(`SELECT EXISTS (SELECT 1 FROM configs c CROSS JOIN games g ON g.white_nickname_id = c.nickname_id
  WHERE c.bucket_id = ?1 AND g.white_bucket_id = ?1 AND g.black_bucket_id = ?2)`)
	queryDropPair    = register(`DELETE FROM pairs WHERE a_bucket_id = ? AND b_bucket_id = ?`)
	queryModelMakers = register(`SELECT json_extract(b.spec, '$.provider') FROM buckets b CROSS JOIN configs c ON c.bucket_id = b.id
WHERE b.model = ? GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1`)
)

// BucketsOfModel lists the buckets of a model that are neither anchors nor merged into
// others, the oldest first.
func (tx *Tx) BucketsOfModel(model string) ([]arena.Bucket, error) {
	ids, err := all(tx, queryModelBuckets, value[int64], model)
	if err != nil {
		return nil, err
	}
	var list []arena.Bucket
	for _, id := range ids {
		b, err := tx.Bucket(id)
		if err != nil {
			return nil, err
		}
		list = append(list, b)
	}
	return list, nil
}

// ModelOfAnchor reports whether an anchor goes by this name.
func (tx *Tx) ModelOfAnchor(model string) (bool, error) {
	return one(tx, queryModelPinned, value[bool], model)
}

// ModelMaker is the provider that most configurations of a model name; "" for none.
func (tx *Tx) ModelMaker(model string) (string, error) {
	maker, err := one(tx, queryModelMakers, value[string], model)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return maker, err
}

// MergedInto is the bucket that bucket is part of now, 0 when it is one by itself.
func (tx *Tx) MergedInto(bucket int64) (int64, error) {
	into, err := one(tx, queryMergedInto, value[*int64], bucket)
	if err != nil || into == nil {
		return 0, noBucket(err)
	}
	return *into, nil
}

// Buried reports whether a merged bucket has this key.
func (tx *Tx) Buried(key arena.BucketKey) (bool, error) {
	_, err := one(tx, queryTombstone, value[int64], keyBytes(key))
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// RenameBucket gives a bucket another configuration, hence another key. Its old key leads
// to it.
func (tx *Tx) RenameBucket(b arena.Bucket, c arena.Config) error {
	if _, err := tx.exec(queryDropRedirect, keyBytes(c.BucketKey())); err != nil {
		return err
	}
	if _, err := tx.exec(queryRename, keyBytes(c.BucketKey()), string(c.Canonical()), c.Model, b.ID); err != nil {
		return fmt.Errorf("rename bucket %d: %w", b.ID, err)
	}
	_, err := tx.exec(queryAddRedirect, keyBytes(b.Key), b.ID)
	return err
}

// DropRedirect forgets that an old key leads anywhere.
func (tx *Tx) DropRedirect(key arena.BucketKey) error {
	_, err := tx.exec(queryDropRedirect, keyBytes(key))
	return err
}

// ConfigsIn lists the configurations of a bucket.
func (tx *Tx) ConfigsIn(bucket int64) ([]int64, error) {
	return all(tx, queryConfigsIn, value[int64], bucket)
}

// MoveConfig moves a configuration and its games, running ones too, from one bucket to another. It
// fails when it is not there.
func (tx *Tx) MoveConfig(config, from, to int64) error {
	n, err := tx.exec(queryMoveConfig, to, config, from)
	if err == nil && n != 1 {
		err = fmt.Errorf("configuration %d is not in bucket %d", config, from)
	}
	if err != nil {
		return err
	}
	for _, q := range []*query{queryMoveWhite, queryMoveBlack} {
		if _, err := tx.exec(q, to, config); err != nil {
			return fmt.Errorf("move the games of configuration %d: %w", config, err)
		}
	}
	return nil
}

// Absorbed is what used to lead to a bucket before it was merged into another.
type Absorbed struct {
	Buckets []int64  `json:"buckets,omitempty"` // merged into it before
	Keys    []string `json:"keys,omitempty"`    // hex, of redirects
}

// Bury marks a bucket whose configurations have been moved as part of another, and leads there what
// led to it.
func (tx *Tx) Bury(bucket, into int64) (a Absorbed, err error) {
	if a.Buckets, err = all(tx, queryMergedHere, value[int64], bucket); err != nil {
		return a, err
	}
	if a.Keys, err = all(tx, queryRedirected, value[string], bucket); err != nil {
		return a, err
	}
	if _, err := tx.exec(querySetMerged, into, bucket); err != nil {
		return a, fmt.Errorf("bury bucket %d: %w", bucket, err)
	}
	return a, tx.lead(a, into)
}

// Unbury takes Bury back.
func (tx *Tx) Unbury(bucket int64, a Absorbed) error {
	if _, err := tx.exec(queryFollow, nil, bucket); err != nil {
		return fmt.Errorf("unbury bucket %d: %w", bucket, err)
	}
	return tx.lead(a, bucket)
}

func (tx *Tx) lead(a Absorbed, to int64) error {
	for _, b := range a.Buckets {
		if _, err := tx.exec(queryFollow, to, b); err != nil {
			return err
		}
	}
	for _, key := range a.Keys {
		raw, err := hex.DecodeString(key)
		if err != nil {
			return err
		}
		if _, err := tx.exec(queryRedirect2, to, raw); err != nil {
			return err
		}
	}
	return nil
}

// PairsOf lists what a bucket has had with others, in order of both ids.
func (tx *Tx) PairsOf(bucket int64) ([]arena.Pair, error) {
	return all(tx, queryPairsOf, scanPair, bucket)
}

// HaveMet reports whether two buckets have a game with each other, in any state.
func (tx *Tx) HaveMet(x, y int64) (bool, error) {
	met, err := one(tx, queryHaveMet, value[bool], x, y)
	if err != nil || met {
		return met, err
	}
	return one(tx, queryHaveMet, value[bool], y, x)
}

// DropPair forgets what two buckets have had with each other.
func (tx *Tx) DropPair(p arena.Pair) error {
	_, err := tx.exec(queryDropPair, p.A, p.B)
	return err
}

func keyBytes(key arena.BucketKey) []byte {
	raw, err := hex.DecodeString(string(key))
	if err != nil {
		panic(fmt.Sprintf("bucket key %q: %v", key, err)) // made by BucketKey
	}
	return raw
}
