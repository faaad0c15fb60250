package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	sqlite3 "modernc.org/sqlite/lib"
)

// ErrInUse says that another process has the database open.
var ErrInUse = errors.New("store: another program has the database open")

// Restore puts a copy of the file from, which is checked whole first, in the place of
// the database at path, in use by nobody: ErrInUse when it is. A database that was there,
// even a damaged one, is kept beside it, with what a crash left in its WAL; kept is its
// name, "" when there was none. When from cannot be used the error is an *OpenError, and
// nothing was changed. The caller has made sure that no server begins meanwhile.
func Restore(ctx context.Context, from, path string, now time.Time) (kept string, err error) {
	o := Options{BusyTimeout: time.Second}
	if path, err = behindLinks(path); err != nil {
		return "", &OpenError{path, "its folder cannot be found", err}
	}
	source, err := checkSource(ctx, from, o)
	if err != nil {
		return "", err
	}
	fresh := path + ".restoring"
	if err := backup(ctx, source, fresh); err != nil {
		return "", err
	}
	if kept, err = setAside(ctx, path, o, now); err != nil {
		return "", errors.Join(err, os.Remove(fresh))
	}
	if err := os.Rename(fresh, path); err != nil {
		return "", errors.Join(fmt.Errorf("the database is now %s: %w", kept, err), os.Remove(fresh))
	}
	return kept, syncFolder(filepath.Dir(path))
}

// behindLinks is the absolute path of the file that path leads to, which may be missing.
func behindLinks(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return path, err
	}
	if real, err := filepath.EvalSymlinks(abs); !errors.Is(err, os.ErrNotExist) {
		return real, err
	}
	folder, err := filepath.EvalSymlinks(filepath.Dir(abs))
	return filepath.Join(folder, filepath.Base(abs)), err
}

// checkSource makes sure that a file can stand in a database's place, and returns the
// DSN that reads it. A file with a WAL beside it may be in use and is read under locks.
func checkSource(ctx context.Context, path string, o Options) (dsn string, err error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", &OpenError{path, "the path cannot be resolved", err}
	}
	info, err := os.Stat(abs)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return "", &OpenError{path, "there is no such file", err}
	case err != nil:
		return "", &OpenError{path, "it cannot be read", err}
	case !info.Mode().IsRegular() || info.Size() == 0:
		return "", &OpenError{path, "it is no database", nil}
	}
	dsn = frozenDSN(abs)
	if exists(abs + walSuffix) {
		dsn = o.plainDSN(abs)
	}
	list, err := loadMigrations(embedded)
	if err != nil {
		return "", &OpenError{path, "this program was built wrong", err}
	}
	id, err := identifyFile(ctx, dsn)
	switch {
	case err != nil:
		return "", explain(path, err)
	case id.foreign || id.fresh:
		return "", &OpenError{path, "it is no arena's database", nil}
	case id.version > len(list):
		return "", tooNew(path, id.version, len(list))
	}
	complaints, err := integrity(ctx, dsn)
	if err != nil {
		return "", explain(path, err)
	}
	if len(complaints) > 0 {
		return "", &OpenError{path, "it is damaged; choose another backup", errors.New(complaints[0])}
	}
	return dsn, nil
}

// setAside gives the database at path another name, and returns it.
func setAside(ctx context.Context, path string, o Options, now time.Time) (kept string, err error) {
	if !exists(path) {
		return "", nil
	}
	if err := fold(ctx, path, o); err != nil {
		return "", err
	}
	stem := path + ".before-restore-" + now.UTC().Format("20060102T150405Z")
	kept = stem
	for n := 2; exists(kept); n++ {
		kept = fmt.Sprintf("%s-%d", stem, n)
	}
	// The WAL goes with its database: either is worth nothing without the other.
	for _, suffix := range []string{"", walSuffix} {
		if err := os.Rename(path+suffix, kept+suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
			return "", err
		}
	}
	return kept, removeIfThere(path + shmSuffix)
}

// fold writes back what is left in the WAL and does away with it, for which SQLite needs
// the database for itself. A file too damaged for that stays as it is.
func fold(ctx context.Context, path string, o Options) error {
	err := withConn(ctx, o.writingDSN(path), func(raw *sql.Conn) error {
		id, err := identify(ctx, raw)
		if err == nil && id.foreign {
			return &OpenError{path, foreignReason, errForeign}
		}
		if err == nil {
			_, err = raw.ExecContext(ctx, "PRAGMA journal_mode = DELETE")
		}
		return err
	})
	switch resultCode(err) & 0xff {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return errors.Join(ErrInUse, err)
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return nil
	}
	return err
}
