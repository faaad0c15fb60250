package store

import (
	"context"
	"errors"
)

// Noun names a kind of thing that another process may change.
type Noun string

// The nouns of a Change, and what its ID is.
const (
	NounGame     Noun = "game"     // Game.RowID
	NounNickname Noun = "nickname" // Agent.ID
	NounConfig   Noun = "config"   // Entry.ID
	NounBucket   Noun = "bucket"   // Bucket.ID
	NounModels   Noun = "models"   // 0: the operators' names of models
	NounAll      Noun = "all"      // 0: anything may have changed
)

// Change is one thing that another process changed.
type Change struct {
	Seq  int64
	Noun Noun
	ID   int64
}

// keptChanges rows stay in the table; a reader that is further behind gets NounAll.
const keptChanges = 10_000

var (
	queryDataVersion  = register(`PRAGMA data_version`)
	queryAddChange    = register(`INSERT INTO changes (noun, id) VALUES (?, ?)`)
	queryPruneChanges = register(`DELETE FROM changes WHERE seq <= ?`)
	queryLastChange   = register(`SELECT coalesce(max(seq), 0) FROM changes`)
	queryChanges      = register(`SELECT seq, noun, id FROM changes WHERE seq > ? ORDER BY seq`)
)

// Changed notes that this transaction changed a thing, for the process that serves the
// same file. Without Options.Announce it does nothing.
func (tx *Tx) Changed(noun Noun, id int64) error {
	if !tx.announce {
		return nil
	}
	seq, err := tx.insert(queryAddChange, noun, id)
	if err != nil {
		return err
	}
	_, err = tx.exec(queryPruneChanges, seq-keptChanges)
	return err
}

// seen is what Poll knew when it last looked.
type seen struct {
	dataVersion int64 // of the writer's connection: its own commits leave it alone
	seq         int64
}

// Poll returns what other processes have changed since the last Poll, or since Open:
// nothing when no other process committed. It costs microseconds then, and may be called
// several times a second. A commit that announced nothing raises Version and no Change.
func (db *DB) Poll(ctx context.Context) ([]Change, error) {
	if err := db.turns.take(ctx); err != nil {
		if errors.Is(err, ErrClosed) {
			return nil, unavailable(err)
		}
		return nil, err
	}
	defer db.endTurn()
	return db.poll()
}

func (db *DB) poll() ([]Change, error) {
	// Not the caller's context: an interrupt could roll back a transaction that was left
	// open for the next in line.
	tx := &Tx{c: db.writer, ctx: context.Background()}
	version, err := one(tx, queryDataVersion, value[int64])
	if err != nil || version == db.seen.dataVersion {
		return nil, err
	}
	changes, err := all(tx, queryChanges, scanChange, db.seen.seq)
	if err != nil {
		return nil, err
	}
	if len(changes) > 0 {
		first, last := changes[0].Seq, changes[len(changes)-1].Seq
		if first > db.seen.seq+1 { // pruned before it was read
			changes = []Change{{Seq: last, Noun: NounAll}}
		}
		db.seen.seq = last
	}
	db.seen.dataVersion = version
	db.version.Add(1)
	return changes, nil
}

// look sets the point from which Poll reports.
func (db *DB) look(ctx context.Context) (err error) {
	tx := &Tx{c: db.writer, ctx: ctx}
	// In this order: a commit between the two is reported once too often, never too little.
	if db.seen.dataVersion, err = one(tx, queryDataVersion, value[int64]); err != nil {
		return err
	}
	db.seen.seq, err = one(tx, queryLastChange, value[int64])
	return err
}

func scanChange(r row) (c Change, err error) {
	err = r.Scan(&c.Seq, &c.Noun, &c.ID)
	return c, err
}
