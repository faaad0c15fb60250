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
)

// backup copies the database at source to target while others use it: into a temporary
// name, checked and synced there, then renamed. A target that exists is replaced.
func backup(ctx context.Context, source, target string, o Options) (err error) {
	temp := target + ".tmp"
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("backup to %s: %w", target, err), removeIfThere(temp))
		}
	}()
	if err := removeIfThere(temp); err != nil {
		return err
	}
	if err := copyPages(ctx, source, temp, o); err != nil {
		return err
	}
	if err := checkCopy(ctx, temp); err != nil {
		return err
	}
	// A plain descriptor is harmless here: no connection has the copy open.
	f, err := os.OpenFile(temp, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	if err := errors.Join(f.Chmod(0o600), f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Rename(temp, target); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(target))
}

// copyPages takes all pages in one step: several would start again at each write that
// another process makes in between.
func copyPages(ctx context.Context, source, target string, o Options) error {
	pool, err := openPlain(source, o)
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
	pool, err := openImmutable(path)
	if err != nil {
		return err
	}
	defer pool.Close()
	var verdict string
	if err := pool.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&verdict); err != nil {
		return err
	}
	if verdict != "ok" {
		return fmt.Errorf("the copy is damaged: %s", verdict)
	}
	return nil
}

// openImmutable opens a file that nobody writes: no WAL beside it is made or looked for.
func openImmutable(path string) (*sql.DB, error) {
	return sql.Open("sqlite", uri(path)+"?"+url.Values{"mode": {"ro"}, "immutable": {"1"}}.Encode())
}

// openPlain opens a database to read it, also while it is in use.
func openPlain(path string, o Options) (*sql.DB, error) { return sql.Open("sqlite", o.plainDSN(path)) }

func removeIfThere(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}
