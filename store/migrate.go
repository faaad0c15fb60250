package store

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"
)

// applicationID marks a file as an arena's ("Aren" in ASCII, in the file's header).
const applicationID = 0x4172656e

//go:embed migrations/*.sql
var embedded embed.FS

// migration brings the schema from version number-1 to number. A file that was released
// is never changed again.
type migration struct {
	number int
	name   string
	script string
}

// loadMigrations reads NNNN_name.sql files; their numbers must be 1, 2, 3, ….
func loadMigrations(files fs.FS) ([]migration, error) {
	names, err := fs.Glob(files, "migrations/*.sql")
	if err != nil {
		return nil, err
	}
	list := make([]migration, len(names)) // Glob sorts
	for i, name := range names {
		digits, _, _ := strings.Cut(path.Base(name), "_")
		number, err := strconv.Atoi(digits)
		if err != nil || number != i+1 {
			return nil, fmt.Errorf("migration %s: expected number %04d", name, i+1)
		}
		script, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		list[i] = migration{number, path.Base(name), string(script)}
	}
	return list, nil
}

// identity is what a file says it is.
type identity struct {
	fresh   bool // empty: ours to fill
	foreign bool // somebody else's
	version int  // of the schema
}

// identify reads all in one statement, hence of one moment: another process may be making
// the schema right now, and half of it would look like somebody else's.
func identify(ctx context.Context, raw *sql.Conn) (id identity, err error) {
	var application, tables int
	err = raw.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM sqlite_schema),
		(SELECT application_id FROM pragma_application_id), (SELECT user_version FROM pragma_user_version)`).
		Scan(&tables, &application, &id.version)
	if err != nil {
		return id, err
	}
	id.fresh = application == 0 && id.version == 0 && tables == 0
	id.foreign = !id.fresh && application != applicationID
	return id, nil
}

// migrate applies what is missing, all of it in one transaction: no other process ever
// sees a file halfway, and a failure leaves it as it was. Another process may do the same
// at the same time: the version is read again under the lock.
func migrate(ctx context.Context, raw *sql.Conn, list []migration) (err error) {
	// Off while tables are rebuilt; it cannot be switched inside a transaction.
	if _, err := raw.ExecContext(ctx, "PRAGMA foreign_keys = 0"); err != nil {
		return err
	}
	if _, err := raw.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	for _, m := range list {
		if err = m.apply(ctx, raw); err != nil {
			err = fmt.Errorf("migration %s: %w", m.name, err)
			break
		}
	}
	end := "COMMIT"
	if err != nil {
		end = "ROLLBACK"
	}
	if _, e := raw.ExecContext(context.WithoutCancel(ctx), end); err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	_, err = raw.ExecContext(ctx, "PRAGMA foreign_keys = 1")
	return err
}

// apply brings the schema to the version m.number, unless it is there already.
func (m migration) apply(ctx context.Context, raw *sql.Conn) error {
	id, err := identify(ctx, raw)
	switch {
	case err != nil:
		return err
	case id.foreign:
		return errForeign
	case id.version >= m.number:
		return nil
	case id.version != m.number-1:
		return fmt.Errorf("the schema has version %d, and version %d is missing", id.version, m.number-1)
	}
	if _, err := raw.ExecContext(ctx, m.script); err != nil {
		return err
	}
	mark := fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", applicationID, m.number)
	if _, err := raw.ExecContext(ctx, mark); err != nil {
		return err
	}
	var table string
	switch err := raw.QueryRowContext(ctx, `SELECT "table" FROM pragma_foreign_key_check LIMIT 1`).Scan(&table); err {
	case sql.ErrNoRows:
		return nil
	case nil:
		return fmt.Errorf("rows of %s refer to rows that are not there", table)
	default:
		return err
	}
}
