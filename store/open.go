package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// OpenError says in one sentence why a database cannot be used. The cause is wrapped.
type OpenError struct {
	Path   string
	Reason string
	cause  error
}

func (e *OpenError) Error() string { return fmt.Sprintf("database %s: %s", e.Path, e.Reason) }

// Unwrap returns the cause, which may be nil.
func (e *OpenError) Unwrap() error { return e.cause }

var errForeign = errors.New("the file has another application's mark")

const foreignReason = "it is a database of another program; name another file"

// processWide sets what SQLite keeps once for a process, before its first file is opened.
// With OFD locks a stray open and close of the file elsewhere in the process cannot drop
// our locks; fdatasync leaves out the file's times. Both are missing on some systems,
// which is no fault.
var processWide = sync.OnceValue(func() error {
	var errs []error
	if _, err := sqlite.OFDLocking(true); err != nil && !errors.Is(err, sqlite.ErrOFDLockingUnavailable) {
		errs = append(errs, err)
	}
	if _, err := sqlite.Fdatasync(true); err != nil && !errors.Is(err, sqlite.ErrFdatasyncUnavailable) {
		errs = append(errs, err)
	}
	return errors.Join(errs...)
})

// Open opens the arena's database at path; folder and file are made when they are not
// there, and an older schema is brought up to date behind a backup. The error is an
// *OpenError. Open starts no worker.
func Open(ctx context.Context, path string, o Options) (*DB, error) {
	list, err := loadMigrations(embedded)
	if err != nil {
		return nil, &OpenError{path, "this program was built wrong", err}
	}
	return open(ctx, path, o, list)
}

func open(ctx context.Context, path string, o Options, list []migration) (*DB, error) {
	if o.BusyTimeout <= 0 {
		o.BusyTimeout = busyTimeout
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if path == "" {
		return nil, &OpenError{path, "no file was named", nil}
	}
	if err := processWide(); err != nil {
		return nil, &OpenError{path, "SQLite cannot be set up in this process", err}
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, &OpenError{path, "the path cannot be resolved", err}
	}
	empty, err := prepareFile(abs, o)
	if err != nil {
		return nil, err
	}
	if !empty {
		// Before anything is changed: opening the writer turns any SQLite file into WAL mode.
		if err := inspect(ctx, abs, o, list); err != nil {
			return nil, err
		}
	}
	db := &DB{path: abs, opts: o, log: o.Log, now: o.Now, idle: make(chan *conn, readers), closing: make(chan struct{})}
	if err := db.connect(ctx, list); err != nil {
		db.abandon()
		return nil, explain(abs, err)
	}
	return db, nil
}

// fileSystem is networkFS; tests put another in its place, since nothing can be mounted
// in them.
var fileSystem = networkFS

// prepareFile makes folder and file, and reports whether the file is empty.
func prepareFile(path string, o Options) (empty bool, err error) {
	folder := filepath.Dir(path)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return false, &OpenError{path, "its folder cannot be made", err}
	}
	if fs := fileSystem(folder); fs != "" && !o.UnsafeNetworkFS {
		return false, &OpenError{path, fmt.Sprintf("it lies on a network file system (%s), where SQLite may lose data; use a local disk, or --unsafe-network-fs at your own risk", fs), nil}
	}
	// Only a file that is not there is made here: closing a descriptor of an existing one
	// could drop the locks of a connection. It holds key hashes, so it is the owner's.
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err == nil {
		return true, f.Close()
	}
	info, statErr := os.Stat(path)
	switch {
	case statErr != nil:
		return false, &OpenError{path, "it cannot be made; check that this user may write its folder", err}
	case info.IsDir():
		return false, &OpenError{path, "it is a folder; name a file in it", nil}
	case !info.Mode().IsRegular():
		return false, &OpenError{path, "it is not a regular file", nil}
	}
	return info.Size() == 0, nil
}

// inspect refuses a file that is not ours or is newer than this program, and makes the
// backup that precedes an upgrade.
func inspect(ctx context.Context, path string, o Options, list []migration) error {
	id, err := identifyFile(ctx, o.plainDSN(path))
	switch {
	case err != nil:
		return explain(path, err)
	case id.foreign:
		return &OpenError{path, foreignReason, nil}
	case id.version > len(list):
		return tooNew(path, id.version, len(list))
	case id.fresh || id.version == len(list):
		return nil
	}
	target := fmt.Sprintf("%s.v%d-%s.backup", path, id.version, o.Now().UTC().Format("20060102T150405.000Z"))
	if err := backup(ctx, o.plainDSN(path), target); err != nil {
		return &OpenError{path, "it needs an upgrade, and the backup before that failed", err}
	}
	o.Log.Info("database backed up before its upgrade", "backup", target, "from", id.version, "to", len(list))
	return nil
}

func tooNew(path string, version, known int) error {
	return &OpenError{path, fmt.Sprintf("its schema has version %d and this program knows up to %d; use a newer arena", version, known), nil}
}

// connect opens the connections: the writer first, which makes the WAL that the readers
// need.
func (db *DB) connect(ctx context.Context, list []migration) (err error) {
	dsn, settings := db.opts.writerDSN(db.path)
	if db.writePool, err = sql.Open("sqlite", dsn); err != nil {
		return err
	}
	db.writePool.SetMaxOpenConns(1)
	if db.writer, err = dial(ctx, db.writePool); err != nil {
		return err
	}
	if err := migrate(ctx, db.writer.raw, list); err != nil {
		return err
	}
	if err := db.writer.verify(ctx, settings); err != nil {
		return err
	}
	if err := probe(ctx, db.writer.raw, len(list)); err != nil {
		return err
	}
	dsn, settings = db.opts.readerDSN(db.path)
	if db.readPool, err = sql.Open("sqlite", dsn); err != nil {
		return err
	}
	db.readPool.SetMaxOpenConns(readers)
	db.readPool.SetMaxIdleConns(readers)
	for range readers {
		c, err := dial(ctx, db.readPool)
		if err != nil {
			return err
		}
		db.idle <- c
		if err := c.verify(ctx, settings); err != nil {
			return err
		}
	}
	return db.look(ctx)
}

// probe writes and takes it back: SQLite opens a read-only file without a word.
func probe(ctx context.Context, raw *sql.Conn, version int) error {
	_, err := raw.ExecContext(ctx, fmt.Sprintf("BEGIN IMMEDIATE; PRAGMA user_version = %d; ROLLBACK", version))
	if err != nil {
		_, _ = raw.ExecContext(context.WithoutCancel(ctx), "ROLLBACK") // there may be nothing to roll back
	}
	return err
}

// abandon closes what a failed connect had opened.
func (db *DB) abandon() {
	close(db.idle)
	for c := range db.idle {
		_ = c.close()
	}
	if db.readPool != nil {
		_ = db.readPool.Close()
	}
	if db.writer != nil {
		_ = db.writer.close()
	}
	if db.writePool != nil {
		_ = db.writePool.Close()
	}
}

// explain turns a failure to open into a sentence for the host.
func explain(path string, err error) error {
	reason := "SQLite cannot use it"
	switch resultCode(err) & 0xff {
	case sqlite3.SQLITE_NOTADB:
		reason = "it is not a database; name another file"
	case sqlite3.SQLITE_CORRUPT:
		reason = "it is damaged; restore a backup"
	case sqlite3.SQLITE_CANTOPEN:
		reason = "it cannot be opened; check that this user may read and write the file and its folder"
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM:
		reason = "this user may not write it; check the permissions of the file and its folder"
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		reason = "another program keeps it locked"
	case sqlite3.SQLITE_IOERR:
		reason = "the disk fails to read or write it"
	}
	if noRoom(err, filepath.Dir(path)) {
		reason, err = "the disk is full; make room", errors.Join(ErrDiskFull, err)
	}
	if errors.Is(err, errForeign) {
		reason = foreignReason
	}
	return &OpenError{path, reason, err}
}
