package store

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"time"
)

// Health is what an examination of a database file found.
type Health struct {
	Files
	Schema, Known int       // version of the file's schema, and of this program's
	Complaints    []string  // of SQLite about damaged pages or rows, at most ten
	Unwritable    error     // why nothing can be written, nil when it can
	NetworkFS     string    // the network file system it lies on, "" for a local disk
	LastBeat      time.Time // when a server was last known to be awake; zero for never
}

// Files are the sizes on disk, in bytes.
type Files struct{ Database, WAL int64 }

// Examine reads the whole database at path, in use or not, and changes nothing: not even
// an older schema. It takes about a second for each 50 MB. A file that cannot be read as
// an arena's at all is an *OpenError; damage in a part of it is a complaint.
func Examine(ctx context.Context, path string, o Options) (h Health, err error) {
	list, err := loadMigrations(embedded)
	if err != nil {
		return h, &OpenError{path, "this program was built wrong", err}
	}
	if o.BusyTimeout <= 0 {
		o.BusyTimeout = busyTimeout
	}
	if path, err = filepath.Abs(path); err != nil {
		return h, &OpenError{path, "the path cannot be resolved", err}
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return h, &OpenError{path, "there is no such file", err}
	case err != nil:
		return h, explain(path, err)
	case !info.Mode().IsRegular() || info.Size() == 0:
		return h, &OpenError{path, "it is no database", nil}
	}
	h.Known, h.NetworkFS = len(list), fileSystem(filepath.Dir(path))
	id, err := identifyFile(ctx, o.plainDSN(path))
	switch {
	case err != nil:
		return h, explain(path, err)
	case id.foreign || id.fresh:
		return h, &OpenError{path, foreignReason, nil}
	}
	h.Schema = id.version
	if h.Complaints, err = integrity(ctx, o.plainDSN(path)); err != nil {
		return h, explain(path, err)
	}
	h.Unwritable = tryWriting(ctx, path, o, id.version)
	if h.Schema == h.Known {
		h.LastBeat, err = lastBeat(ctx, o.plainDSN(path))
	}
	if err == nil {
		h.Files, err = filesOf(path)
	}
	return h, err
}

// Files returns the sizes of the database's files.
func (db *DB) Files() (Files, error) { return filesOf(db.path) }

func filesOf(path string) (f Files, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return f, err
	}
	f.Database = info.Size()
	if info, err := os.Stat(path + walSuffix); err == nil {
		f.WAL = info.Size()
	}
	return f, nil
}

// withConn opens what the DSN names for the time of f.
func withConn(ctx context.Context, dsn string, f func(*sql.Conn) error) error {
	pool, err := sql.Open("sqlite", dsn)
	if err != nil {
		return err
	}
	defer pool.Close()
	raw, err := pool.Conn(ctx)
	if err != nil {
		return err
	}
	defer raw.Close()
	return f(raw)
}

func identifyFile(ctx context.Context, dsn string) (id identity, err error) {
	err = withConn(ctx, dsn, func(raw *sql.Conn) error {
		id, err = identify(ctx, raw)
		return err
	})
	return id, err
}

// integrity reads every page and returns what SQLite complains of, at most ten things.
func integrity(ctx context.Context, dsn string) (complaints []string, err error) {
	err = withConn(ctx, dsn, func(raw *sql.Conn) error {
		rows, err := raw.QueryContext(ctx, "PRAGMA integrity_check(10)")
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var line string
			if err := rows.Scan(&line); err != nil {
				return err
			}
			if line != "ok" {
				complaints = append(complaints, line)
			}
		}
		return rows.Err()
	})
	return complaints, err
}

// tryWriting says why the file cannot be written.
func tryWriting(ctx context.Context, path string, o Options, version int) error {
	err := withConn(ctx, o.writingDSN(path), func(raw *sql.Conn) error { return probe(ctx, raw, version) })
	if err == nil {
		return nil
	}
	return explain(path, err)
}

func lastBeat(ctx context.Context, dsn string) (time.Time, error) {
	pool, err := sql.Open("sqlite", dsn)
	if err != nil {
		return time.Time{}, err
	}
	defer pool.Close()
	c, err := dial(ctx, pool)
	if err != nil {
		return time.Time{}, err
	}
	defer c.close()
	return (&Tx{c: c, ctx: ctx}).LastBeat()
}
