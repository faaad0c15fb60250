package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"

	"modernc.org/sqlite"

	"chessarena/arena"
)

// Backup copies the database to target while it is in use. The copy is complete and
// checked before it gets its name; it holds every commit that was acknowledged before.
// target.tmp is used meanwhile. InvalidArguments when target exists and is not to be
// replaced, cannot be written, or is one of the database's own files.
func (db *DB) Backup(ctx context.Context, target string, replace bool) (size int64, err error) {
	if target, err = filepath.Abs(target); err != nil {
		return 0, err
	}
	info, err := os.Stat(target)
	switch {
	case ownFile(target, db.path) || ownFile(target+tempSuffix, db.path):
		return 0, arena.Errorf(arena.InvalidArguments, "%s belongs to the arena itself; choose another name.", target)
	case err == nil && info.IsDir():
		return 0, arena.Errorf(arena.InvalidArguments, "%s is a folder; name a file in it.", target)
	case exists(target) && !replace:
		return 0, arena.Errorf(arena.InvalidArguments, "%s exists; choose another name, or pass --force to replace it.", target)
	}
	if err := backup(ctx, db.opts.plainDSN(db.path), target); err != nil {
		return 0, arena.Errorf(arena.InvalidArguments, "No copy could be made at %s; check that its folder exists, can be written and has room.", target).Because(err)
	}
	if info, err = os.Stat(target); err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// backup copies the database that the DSN source opens to target, while others may use
// it: into a temporary name, checked and synced there, then renamed. A target that
// exists is replaced.
func backup(ctx context.Context, source, target string) (err error) {
	temp := target + tempSuffix
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("backup to %s: %w", target, err), removeIfThere(temp))
		}
	}()
	if err := removeIfThere(temp); err != nil {
		return err
	}
	// Made here, for its owner alone: it holds the hashes of keys.
	f, err := os.OpenFile(temp, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := copyPages(ctx, source, temp); err != nil {
		return err
	}
	if err := checkCopy(ctx, temp); err != nil {
		return err
	}
	// A plain descriptor is harmless here: no connection has the copy open.
	if f, err = os.OpenFile(temp, os.O_RDWR, 0); err != nil {
		return err
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Rename(temp, target); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(target))
}

// copyPages takes all pages in one step: several would start again at each write that
// another process makes in between.
func copyPages(ctx context.Context, source, target string) error {
	pool, err := sql.Open("sqlite", source)
	if err != nil {
		return err
	}
	defer pool.Close()
	c, err := pool.Conn(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	return c.Raw(func(driver any) error {
		b, err := driver.(interface {
			NewBackup(string) (*sqlite.Backup, error)
		}).NewBackup(uri(target))
		if err != nil {
			return err
		}
		_, err = b.Step(-1)
		return errors.Join(err, b.Finish())
	})
}

// checkCopy reads the whole copy.
func checkCopy(ctx context.Context, path string) error {
	complaints, err := integrity(ctx, frozenDSN(path))
	if err == nil && len(complaints) > 0 {
		err = fmt.Errorf("the copy is damaged: %s", complaints[0])
	}
	return err
}

// frozenDSN reads a file that nobody has open, as it lies: no WAL beside it is made or
// looked for, and the folder need not be writable.
func frozenDSN(path string) string {
	return uri(path) + "?" + url.Values{"mode": {"ro"}, "immutable": {"1"}, "_error_rc": {"1"}}.Encode()
}

func removeIfThere(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}
