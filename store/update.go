package store

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"
)

const (
	maxBatch = 256
	// SQLite's lock is not fair: another process tries it now and then, and a writer that
	// pauses too shortly starves it. A run of batches ends with a pause.
	runLimit = 100 * time.Millisecond
	pause    = 2 * time.Millisecond
)

// batch is one transaction that several Updates share.
type batch struct {
	size    int // closures that were let in
	members int // those that succeeded
	after   []func()
	done    chan struct{}
	err     error // set before done is closed
}

// Update runs f in a transaction and returns once its changes are on the disk. f shares
// the transaction, and the fsync, with the closures that other goroutines bring; its
// error or panic undoes only its own changes, and it sees theirs. f must not call Update,
// and must not wait for another goroutine that does.
//
// When ctx ends before f's turn, f is not run. From then on ctx is not looked at: a
// change that was begun is decided. When the disk refuses, every closure of the batch is
// undone and its caller gets StorageUnavailable.
func (db *DB) Update(ctx context.Context, f func(*Tx) error) error {
	if err := db.turns.take(ctx); err != nil {
		if errors.Is(err, ErrClosed) {
			return unavailable(err)
		}
		return err
	}
	b, err := db.join(ctx, f)
	if err != nil {
		return err
	}
	<-b.done
	return b.err
}

// join runs f inside the open transaction, or a new one, and ends the turn however f
// ends. It returns the batch that holds f's changes.
func (db *DB) join(ctx context.Context, f func(*Tx) error) (*batch, error) {
	defer db.endTurn()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if db.open == nil {
		if err := db.begin(); err != nil {
			return nil, err
		}
	}
	b := db.open
	b.size++
	alone := b.members == 0
	if !alone {
		if err := db.writer.control(querySavepoint); err != nil {
			db.abort(err)
			return nil, unavailable(err)
		}
	}
	tx := &Tx{c: db.writer, ctx: context.Background(), now: db.instant(), writable: true, announce: db.opts.Announce}
	kept := false
	defer func() { // also when f panics or ends its goroutine
		tx.c = nil
		if !kept {
			db.undo(tx, alone)
		}
	}()
	err := f(tx)
	if tx.broken != nil {
		err = tx.broken
	}
	if err == nil && !alone {
		if err = db.writer.control(queryRelease); err != nil {
			tx.broken = unavailable(err)
			err = tx.broken
		}
	}
	if err != nil {
		return nil, err
	}
	kept = true
	b.members++
	b.after = append(b.after, tx.after...)
	return b, nil
}

func (db *DB) begin() error {
	if err := db.writer.control(queryBeginImmediate); err != nil {
		db.trouble.set(err)
		return unavailable(err)
	}
	db.open = &batch{done: make(chan struct{})}
	if now := time.Now(); now.Sub(db.ended) >= pause {
		db.busySince = now
	}
	return nil
}

// undo takes back what one closure did.
func (db *DB) undo(tx *Tx, alone bool) {
	switch {
	case tx.broken != nil:
		db.abort(tx.broken)
	case alone:
		db.abort(nil)
	default:
		if err := errors.Join(db.writer.control(queryRollbackTo), db.writer.control(queryRelease)); err != nil {
			db.abort(err)
		}
	}
}

// abort takes back the whole open transaction and tells its members why.
func (db *DB) abort(cause error) {
	b := db.open
	db.open = nil
	defer func() { db.ended = time.Now() }()
	if cause != nil {
		db.trouble.set(cause)
	}
	// SQLite may have rolled back by itself, and then refuses to do it again.
	if err := db.writer.control(queryRollback); err != nil && cause == nil {
		db.log.Error("a transaction did not roll back", "error", err)
	}
	b.err = unavailable(cause)
	close(b.done)
}

// endTurn leaves the open transaction to the next in line, or commits it when nobody is
// there or it is large enough.
func (db *DB) endTurn() {
	if db.open != nil {
		if db.open.size < maxBatch && db.turns.pass() {
			return
		}
		db.commit()
	}
	if db.ended.Sub(db.busySince) > runLimit {
		time.Sleep(pause)
		db.busySince = db.ended
	}
	db.turns.release()
}

// commit ends the open transaction, runs the hooks and lets every caller return.
func (db *DB) commit() {
	if db.opts.CommitDelay > 0 {
		time.Sleep(db.opts.CommitDelay)
	}
	if err := db.writer.control(queryCommit); err != nil {
		db.abort(err)
		return
	}
	b := db.open
	db.open = nil
	db.ended = time.Now()
	db.version.Add(1)
	db.commits.Add(1)
	db.changes.Add(uint64(b.members))
	db.trouble.clear()
	for _, f := range b.after {
		db.hook(f)
	}
	close(b.done)
}

// hook runs one After hook. Its panic must not strand the callers of the whole batch.
func (db *DB) hook(f func()) {
	defer func() {
		if p := recover(); p != nil {
			db.log.Error("a hook panicked after a commit", "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
		}
	}()
	f()
}
