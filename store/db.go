package store

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"
)

// Options are the knobs of Open. The zero value is what a serving process uses.
type Options struct {
	// Log hears what no caller can be told; nil discards it.
	Log *slog.Logger

	// BusyTimeout is how long to wait for another process's lock. 0 means 5 s. A command
	// beside a busy server should pass 15 s: SQLite's lock is not fair.
	BusyTimeout time.Duration

	// Announce makes Tx.Changed write rows by which a serving process notices what this
	// one changed. Commands set it; the server itself has no need.
	Announce bool

	// Now is read once at the begin of each transaction; nil means time.Now.
	Now func() time.Time

	// Durability says what survives a power cut. The zero value loses nothing.
	Durability Durability

	// CommitDelay is slept before each COMMIT, to measure on a fast disk what a slow one
	// would do. Leave it 0.
	CommitDelay time.Duration

	// UnsafeNetworkFS opens a file on a network file system, where SQLite's locks may not
	// hold and two machines may ruin it.
	UnsafeNetworkFS bool
}

// Durability says how hard a commit is pressed onto the disk.
type Durability uint8

const (
	// Full syncs the file at every commit: what was answered survives a power cut.
	Full Durability = iota
	// Normal syncs at checkpoints: a killed process loses nothing, but a power cut loses
	// the last commits. The file stays whole in both.
	Normal
)

const (
	readers     = 4
	readTimeout = 5 * time.Second // an older snapshot would let the WAL grow
	busyTimeout = 5 * time.Second // when Options.BusyTimeout does not say
)

// DB is an open database. Its methods may be called from any goroutine.
type DB struct {
	path string
	opts Options
	log  *slog.Logger
	now  func() time.Time

	readPool *sql.DB
	idle     chan *conn // the read connections that nobody uses
	closing  chan struct{}

	// What follows belongs to whoever holds the turn.
	turns     turns
	writePool *sql.DB
	writer    *conn
	open      *batch    // nil when no transaction is open
	busySince time.Time // begin of the present run of batches
	ended     time.Time // end of the last transaction
	seen      seen

	version atomic.Uint64
	commits atomic.Uint64
	changes atomic.Uint64
	trouble trouble
}

// Path is the file's absolute path.
func (db *DB) Path() string { return db.path }

// Version changes with every commit of this process and every commit of another one that
// Poll noticed. Equal versions mean equal data: it is the key of page caches.
func (db *DB) Version() uint64 { return db.version.Load() }

// View runs f on a snapshot of the database. It waits for a free read connection, and
// ends after 5 s when ctx has no deadline of its own. Writes inside f fail.
func (db *DB) View(ctx context.Context, f func(*Tx) error) error {
	if _, ok := ctx.Deadline(); !ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, readTimeout)
		defer cancel()
	}
	var c *conn
	select {
	case <-db.closing:
		return unavailable(ErrClosed)
	default:
	}
	select {
	case c = <-db.idle:
	case <-ctx.Done():
		return ctx.Err()
	case <-db.closing:
		return unavailable(ErrClosed)
	}
	defer func() { db.idle <- c }()
	if err := c.control(queryBegin); err != nil {
		return translate(queryBegin, err)
	}
	tx := &Tx{c: c, ctx: ctx, now: db.instant()}
	defer func() {
		tx.c = nil
		if err := c.control(queryRollback); err != nil {
			db.log.Error("read transaction did not end", "error", err)
		}
	}()
	return f(tx)
}

// Commits returns how many transactions this process has committed, and how many
// Updates they held: the second over the first is the mean size of a group.
func (db *DB) Commits() (commits, changes uint64) { return db.commits.Load(), db.changes.Load() }

func (db *DB) instant() time.Time { return instant(millis(db.now())) }

// Close waits for the transactions under way, writes the WAL back into the file and
// closes it. Calls that come later fail with StorageUnavailable; a second Close does
// nothing.
func (db *DB) Close() error {
	if !db.turns.last() {
		return nil
	}
	if db.open != nil {
		db.commit()
	}
	close(db.closing)
	for range readers {
		c := <-db.idle
		if err := c.close(); err != nil {
			db.log.Warn("close a read connection", "error", err)
		}
	}
	// Readers first: when a read-only connection closes last, the WAL file stays behind.
	return errors.Join(db.readPool.Close(), db.checkpoint(), db.writer.close(), db.writePool.Close())
}

// checkpoint empties the WAL. Another process that reads may be in the way; that costs
// it a second and loses nothing.
func (db *DB) checkpoint() error {
	ctx := context.Background()
	if _, err := db.writer.raw.ExecContext(ctx, "PRAGMA busy_timeout = 1000"); err != nil {
		return err
	}
	var busy, frames, moved int
	err := db.writer.raw.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &frames, &moved)
	if refused(resultCode(err)) {
		db.log.Warn("the WAL could not be written back; the next start will do it", "error", err)
		return nil
	}
	return err
}
