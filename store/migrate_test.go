package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"chessarena/arena"
)

// known is the migrations of this program.
func known(t *testing.T) []migration {
	t.Helper()
	list, err := loadMigrations(embedded)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// raw opens a file as any SQLite program would, and closes it when the test ends.
func raw(t *testing.T, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", uri(path))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func mustExec(t *testing.T, db *sql.DB, text string) {
	t.Helper()
	if _, err := db.Exec(text); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
}

func schemaVersion(t *testing.T, db *DB) (version string) {
	t.Helper()
	update(t, db, func(tx *Tx) (err error) {
		version, err = tx.c.pragma(context.Background(), "user_version")
		return err
	})
	return version
}

func backups(t *testing.T, path string) []string {
	t.Helper()
	list, err := filepath.Glob(path + ".v*")
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestMigrate(t *testing.T) {
	list := known(t)
	next := append(list[:len(list):len(list)], migration{len(list) + 1, "next.sql",
		`CREATE TABLE later (id INTEGER PRIMARY KEY) STRICT; INSERT INTO later VALUES (1), (2);`})

	t.Run("a fresh file gets the schema and our mark", func(t *testing.T) {
		db := openNew(t)
		if got, want := schemaVersion(t, db), fmt.Sprint(len(list)); got != want {
			t.Errorf("version %s, want %s", got, want)
		}
		update(t, db, func(tx *Tx) error {
			if mark, err := tx.c.pragma(context.Background(), "application_id"); mark != "1098016110" {
				t.Errorf("application id %s, %v", mark, err)
			}
			return nil
		})
	})
	t.Run("an upgrade keeps the data behind a backup, and a second start does nothing", func(t *testing.T) {
		db := openNew(t)
		path := db.Path()
		update(t, db, add("aaa"))
		// Left open: the backup must hold what is still in the WAL.
		for range 2 {
			upgraded, err := open(t.Context(), path, Options{Now: func() time.Time { return noon }}, next)
			if err != nil {
				t.Fatal(err)
			}
			if got := nicknames(t, upgraded); got != "a" {
				t.Errorf("kept %q", got)
			}
			if got, want := schemaVersion(t, upgraded), fmt.Sprint(len(next)); got != want {
				t.Errorf("version %s, want %s", got, want)
			}
			if err := upgraded.Close(); err != nil {
				t.Error(err)
			}
		}
		made := backups(t, path)
		if want := fmt.Sprintf("%s.v%d-20261201T120000.345Z.backup", path, len(list)); len(made) != 1 || made[0] != want {
			t.Fatalf("backups %q, want only %s", made, want)
		}
		old := openAt(t, made[0], Options{})
		if got := nicknames(t, old); got != "a" {
			t.Errorf("the backup has %q", got)
		}
	})
	t.Run("a failing upgrade changes nothing", func(t *testing.T) {
		db := openNew(t)
		for name, script := range map[string]string{
			"bad SQL":         `CREATE TABLE half (id INTEGER PRIMARY KEY) STRICT; CREATE NONSENSE`,
			"dangling orphan": `CREATE TABLE half (id INTEGER PRIMARY KEY) STRICT; INSERT INTO ratings VALUES (99, 'chess', 'all', 1, 1, 1)`,
		} {
			broken := append(list[:len(list):len(list)], migration{len(list) + 1, name, script})
			_, err := open(t.Context(), db.Path(), Options{}, broken)
			if err == nil || !strings.Contains(errors.Unwrap(err).Error(), name) {
				t.Errorf("%s: error %v", name, err)
			}
		}
		if got, want := schemaVersion(t, db), fmt.Sprint(len(list)); got != want {
			t.Errorf("version %s, want %s", got, want)
		}
		var n int
		if err := raw(t, db.Path()).QueryRow("SELECT count(*) FROM sqlite_schema WHERE name = 'half'").Scan(&n); err != nil || n != 0 {
			t.Errorf("%d half-made tables, %v", n, err)
		}
	})
	t.Run("an upgrade may rebuild a table that others refer to", func(t *testing.T) {
		db := openNew(t)
		seats(t, db)
		var table string
		if err := raw(t, db.Path()).QueryRow("SELECT sql FROM sqlite_schema WHERE name = 'nicknames'").Scan(&table); err != nil {
			t.Fatal(err)
		}
		rebuild := append(list[:len(list):len(list)], migration{len(list) + 1, "rebuild.sql",
			strings.Replace(table, "nicknames", "rebuilt", 1) + `;
			INSERT INTO rebuilt SELECT * FROM nicknames; DROP TABLE nicknames; ALTER TABLE rebuilt RENAME TO nicknames`})
		upgraded, err := open(t.Context(), db.Path(), Options{}, rebuild)
		if err != nil {
			t.Fatal(errors.Unwrap(err))
		}
		defer upgraded.Close()
		err = upgraded.Update(t.Context(), func(tx *Tx) error { _, _, err := tx.AddEntry(99, 1, arena.Entry{}); return err })
		if arena.CodeOf(err) != arena.NotFound {
			t.Errorf("foreign keys are not looked at any more: %v", err)
		}
	})
	t.Run("a file that became another program's meanwhile is refused", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "a.db")
		other, err := raw(t, path).Conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer other.Close()
		if _, err := other.ExecContext(t.Context(), "PRAGMA application_id = 77"); err != nil {
			t.Fatal(err)
		}
		var open *OpenError
		if err := explain(path, migrate(t.Context(), other, list)); !errors.As(err, &open) || open.Reason != foreignReason {
			t.Errorf("error %v", err)
		}
	})
	t.Run("a newer schema is refused with both numbers", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "a.db")
		if err := roleOpen(path); err != nil {
			t.Fatal(err)
		}
		mustExec(t, raw(t, path), "PRAGMA user_version = 4711")
		refusedFor(t, path, fmt.Sprintf("its schema has version 4711 and this program knows up to %d; use a newer arena", len(list)))
	})
	t.Run("a file with a gap is refused", func(t *testing.T) {
		db := openNew(t)
		gap := append(list[:len(list):len(list)], migration{len(list) + 2, "0009_far.sql", "SELECT 1"}, migration{len(list) + 3, "0010_farther.sql", "SELECT 1"})
		if _, err := open(t.Context(), db.Path(), Options{}, gap); err == nil {
			t.Error("it was opened")
		}
	})
	t.Run("numbers with a gap are a fault of the build", func(t *testing.T) {
		for _, files := range []fstest.MapFS{
			{"migrations/0001_a.sql": {}, "migrations/0003_c.sql": {}},
			{"migrations/0001_a.sql": {}, "migrations/0001_b.sql": {}},
			{"migrations/first.sql": {}},
		} {
			if list, err := loadMigrations(files); err == nil {
				t.Errorf("%v was accepted", list)
			}
		}
	})
	t.Run("four processes at once make one schema", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "a.db")
		var running []*exec.Cmd
		for range 4 {
			cmd := child(t, "open", path)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			running = append(running, cmd)
		}
		for _, cmd := range running {
			if err := cmd.Wait(); err != nil {
				t.Errorf("a process: %v", err)
			}
		}
		db := openAt(t, path, Options{})
		update(t, db, add("aaa"))
		if got := nicknames(t, db); got != "a" {
			t.Errorf("kept %q", got)
		}
	})
}

func TestBackup(t *testing.T) {
	t.Run("a copy made while others write is whole", func(t *testing.T) {
		db := openNew(t)
		pair := seats(t, db)
		g := addGame(t, db, 1, pair)
		stop, stopped := make(chan struct{}), make(chan error)
		go func() {
			for {
				select {
				case <-stop:
					stopped <- nil
					return
				default:
				}
				if err := db.Update(context.Background(), func(tx *Tx) error { return play(tx, &g, "e2e4", "e4") }); err != nil {
					stopped <- err
					return
				}
			}
		}()
		target := filepath.Join(t.TempDir(), "copy.db")
		if err := backup(t.Context(), db.opts.plainDSN(db.Path()), target); err != nil {
			t.Fatal(err)
		}
		close(stop)
		if err := <-stopped; err != nil {
			t.Fatal(err)
		}
		view(t, openAt(t, target, Options{}), func(tx *Tx) error {
			copied, err := tx.Game(g.ID)
			if err != nil {
				return err
			}
			moves, err := tx.Moves(&copied)
			if len(moves) != copied.Ply {
				t.Errorf("ply %d with %d moves", copied.Ply, len(moves))
			}
			return err
		})
	})
	t.Run("a failed one leaves nothing behind", func(t *testing.T) {
		db := openNew(t)
		folder := t.TempDir()
		target := filepath.Join(folder, "taken")
		if err := os.Mkdir(target, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := backup(t.Context(), db.opts.plainDSN(db.Path()), target); err == nil {
			t.Error("a folder was replaced")
		}
		left, err := os.ReadDir(folder)
		if len(left) != 1 || err != nil {
			t.Errorf("left %v, %v", left, err)
		}
	})
}
