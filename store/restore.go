package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"chessarena/arena"
)

// Backup copies the database to target while it is in use. The copy is complete and
// checked before it gets its name; it holds every commit that was acknowledged before.
// InvalidArguments when target exists and is not to be replaced.
func (db *DB) Backup(ctx context.Context, target string, replace bool) (size int64, err error) {
	if _, err := os.Stat(target); err == nil && !replace {
		return 0, arena.Errorf(arena.InvalidArguments, "%s exists; choose another name, or pass --force to replace it.", target)
	}
	target, err = filepath.Abs(target)
	if err != nil {
		return 0, err
	}
	if err := backup(ctx, db.path, target, db.opts); err != nil {
		return 0, arena.Errorf(arena.InvalidArguments, "No copy could be made at %s; check that its folder exists, can be written and has room.", target).Because(err)
	}
	info, err := os.Stat(target)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// Check says what is wrong with a database file, without opening it for writing: not
// ours, too new, or damaged. The error is an *OpenError.
func Check(ctx context.Context, path string) error {
	abs, err := filepath.Abs(path)
	if err != nil {
		return &OpenError{path, "the path cannot be resolved", err}
	}
	info, err := os.Stat(abs)
	switch {
	case err != nil:
		return &OpenError{path, "it cannot be read", err}
	case !info.Mode().IsRegular() || info.Size() == 0:
		return &OpenError{path, "it is no database", nil}
	}
	if err := checkCopy(ctx, abs); err != nil {
		return explain(path, err)
	}
	list, err := loadMigrations(embedded)
	if err != nil {
		return &OpenError{path, "this program was built wrong", err}
	}
	version, foreign, err := versionOf(ctx, abs)
	switch {
	case err != nil:
		return explain(path, err)
	case foreign:
		return &OpenError{path, foreignReason, nil}
	case version > len(list):
		return &OpenError{path, fmt.Sprintf("its schema has version %d and this program knows up to %d; use a newer arena", version, len(list)), nil}
	}
	return nil
}

// versionOf reads a file's schema version, and whether it is another program's.
func versionOf(ctx context.Context, path string) (version int, foreign bool, err error) {
	pool, err := openImmutable(path)
	if err != nil {
		return 0, false, err
	}
	defer pool.Close()
	raw, err := pool.Conn(ctx)
	if err != nil {
		return 0, false, err
	}
	defer raw.Close()
	id, err := identify(ctx, raw)
	return id.version, id.foreign || id.fresh, err
}

// Restore puts a checked copy of the file from in the place of the database at path,
// which no process may have open. The present file is kept beside it; kept is its name.
func Restore(ctx context.Context, from, path string, now time.Time) (kept string, err error) {
	if err := Check(ctx, from); err != nil {
		return "", err
	}
	from, err = filepath.Abs(from)
	if err != nil {
		return "", err
	}
	fresh := path + ".restoring"
	if err := backup(ctx, from, fresh, Options{BusyTimeout: time.Second}); err != nil {
		return "", err
	}
	for _, beside := range []string{"-wal", "-shm"} { // a closed database has left neither
		if info, err := os.Stat(path + beside); err == nil && info.Size() > 0 {
			return "", errors.Join(fmt.Errorf("%s%s is not empty: another program has the database open", path, beside), os.Remove(fresh))
		}
	}
	kept = path + ".before-restore-" + now.UTC().Format("20060102T150405Z")
	if err := os.Rename(path, kept); err != nil {
		return "", err
	}
	for _, beside := range []string{"-wal", "-shm"} {
		if err := removeIfThere(path + beside); err != nil {
			return "", err
		}
	}
	if err := os.Rename(fresh, path); err != nil {
		return "", errors.Join(err, os.Rename(kept, path))
	}
	return kept, syncFolder(filepath.Dir(path))
}

// Integrity reads the whole database and returns SQLite's first complaint, "" when it
// has none. It takes about a second for each 50 MB.
func (db *DB) Integrity(ctx context.Context) (complaint string, err error) {
	pool, err := openPlain(db.path, db.opts)
	if err != nil {
		return "", err
	}
	defer pool.Close()
	if err := pool.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&complaint); err != nil {
		return "", err
	}
	if complaint == "ok" {
		complaint = ""
	}
	return complaint, nil
}

// Files are the sizes on disk, in bytes.
type Files struct{ Database, WAL int64 }

// Files returns the sizes of the database's files.
func (db *DB) Files() (f Files, err error) {
	info, err := os.Stat(db.path)
	if err != nil {
		return f, err
	}
	f.Database = info.Size()
	if info, err := os.Stat(db.path + "-wal"); err == nil {
		f.WAL = info.Size()
	}
	return f, nil
}

// SchemaVersion is the version of the schema that this program keeps.
func SchemaVersion() int {
	list, err := loadMigrations(embedded)
	if err != nil {
		panic(err) // an embedded file is misnamed; every Open fails, too
	}
	return len(list)
}
