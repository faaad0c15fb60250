package store

import (
	"database/sql"
	"errors"

	"chessarena/arena"
)

const selectEntry = `SELECT c.id, c.nickname_id, c.notes, c.model_raw, c.model_version, c.created_ms, ` + bucketColumns + `
FROM configs c CROSS JOIN buckets b ON b.id = c.bucket_id` + joinRatings

var (
	queryAddEntry = register(`INSERT INTO configs (nickname_id, bucket_id, home_bucket_id, notes, model_raw, model_version, created_ms)
VALUES (?1, ?2, ?2, ?3, ?4, ?5, ?6)`).onOrphan(arena.Errorf(arena.NotFound, "There is no such nickname or bucket."))
	queryEntry        = register(selectEntry + `WHERE c.id = ?`)
	querySameEntry    = register(selectEntry + `WHERE c.nickname_id = ? AND c.bucket_id = ? AND c.notes = ? ORDER BY c.id LIMIT 1`)
	queryEntries      = register(selectEntry + `WHERE c.nickname_id = ? ORDER BY c.id`)
	queryCountEntries = register(`SELECT count(*) FROM configs WHERE nickname_id = ?`)
)

// AddEntry gives the nickname a configuration in the bucket, with e's Notes, ModelRaw and
// Version. When it has one with the same notes there, the oldest is returned and created is
// false. NotFound when nickname or bucket do not exist.
func (tx *Tx) AddEntry(nicknameID, bucketID int64, e arena.Entry) (entry arena.Entry, created bool, err error) {
	entry, err = one(tx, querySameEntry, scanEntry, nicknameID, bucketID, e.Notes)
	if !errors.Is(err, sql.ErrNoRows) {
		return entry, false, err
	}
	id, err := tx.insert(queryAddEntry, nicknameID, bucketID, e.Notes, e.ModelRaw, e.Version, millis(tx.now))
	if err != nil {
		return arena.Entry{}, false, err
	}
	if err := tx.count(counterConfigs, 1); err != nil {
		return arena.Entry{}, false, err
	}
	entry, err = tx.Entry(id)
	return entry, true, err
}

// Entry returns the configuration with this id, or ConfigNotFound. It does not ask who
// owns it.
func (tx *Tx) Entry(id int64) (arena.Entry, error) {
	e, err := one(tx, queryEntry, scanEntry, id)
	if errors.Is(err, sql.ErrNoRows) {
		return e, arena.Errorf(arena.ConfigNotFound, "There is no configuration %d.", id).Because(err)
	}
	return e, err
}

// Entries returns the nickname's configurations, oldest first.
func (tx *Tx) Entries(nicknameID int64) ([]arena.Entry, error) {
	return all(tx, queryEntries, scanEntry, nicknameID)
}

// CountEntries returns how many configurations the nickname has.
func (tx *Tx) CountEntries(nicknameID int64) (int, error) {
	return one(tx, queryCountEntries, value[int], nicknameID)
}

func scanEntry(r row) (e arena.Entry, err error) {
	var created int64
	var b bucketRow
	dests := append([]any{&e.ID, &e.NicknameID, &e.Notes, &e.ModelRaw, &e.Version, &created}, b.dests()...)
	if err := r.Scan(dests...); err != nil {
		return e, err
	}
	e.Created = instant(created)
	e.Bucket, err = b.bucket()
	return e, err
}
