package store

import (
	"errors"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"chessarena/arena"
)

var (
	// ErrMoved says that a game is not where the caller thought: another ply, or over.
	// Nothing was written; read the game again.
	ErrMoved = errors.New("store: the game has moved on")

	// ErrGameID says that a new game's id is in use; draw another.
	ErrGameID = errors.New("store: the game id is in use")

	// ErrDiskFull is a cause of an OpenError.
	ErrDiskFull = errors.New("store: the disk is full")

	// ErrClosed is the cause of StorageUnavailable after Close.
	ErrClosed = errors.New("store: closed")
)

// retryAfter is how long a client is asked to wait when the disk refuses.
const retryAfter = 5 * time.Second

func unavailable(cause error) error {
	e := arena.Errorf(arena.StorageUnavailable, "The arena cannot write just now; nothing was changed. Try again shortly.").Because(cause)
	e.RetryAfter = retryAfter
	return e
}

// resultCode is SQLite's extended result code of err, 0 when err is not SQLite's.
func resultCode(err error) int {
	var e *sqlite.Error
	if errors.As(err, &e) {
		return e.Code()
	}
	return 0
}

// translate says what an error of q means. A constraint means what the query says; a
// refusal by the disk or by another process's lock is StorageUnavailable; everything
// else is returned as it is, for the log.
func translate(q *query, err error) error {
	code := resultCode(err)
	var meaning error
	switch code {
	case sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY, sqlite3.SQLITE_CONSTRAINT_ROWID:
		meaning = q.conflict
	case sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY:
		meaning = q.orphan
	}
	if meaning != nil {
		if public, ok := meaning.(*arena.Error); ok {
			return public.Because(err)
		}
		return errors.Join(meaning, err)
	}
	if refused(code) {
		return unavailable(err)
	}
	return err
}

// refused reports whether the disk, the file or a lock stood in the way.
func refused(code int) bool {
	switch code & 0xff {
	case sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_BUSY:
		return true
	}
	return false
}

// endsTransaction reports whether SQLite may have rolled the whole transaction back when
// it returned code (sqlite.org/lang_transaction.html, "Response To Errors").
func endsTransaction(code int) bool {
	switch code & 0xff {
	case sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_INTERRUPT:
		return true
	}
	return refused(code)
}
