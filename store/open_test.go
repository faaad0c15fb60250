package store

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// refusedFor checks that path cannot be opened, for this reason and in one sentence.
func refusedFor(t *testing.T, path, reason string) {
	t.Helper()
	db, err := Open(context.Background(), path, Options{BusyTimeout: 10 * time.Millisecond})
	if err == nil {
		db.Close()
		t.Errorf("%s was opened, want: %s", path, reason)
		return
	}
	var open *OpenError
	if !errors.As(err, &open) {
		t.Errorf("error %v is no *OpenError", err)
		return
	}
	if open.Reason != reason {
		t.Errorf("reason %q, want %q (cause: %v)", open.Reason, reason, errors.Unwrap(err))
	}
	if strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), path) {
		t.Errorf("message %q", err)
	}
}

func TestOpen(t *testing.T) {
	t.Run("makes folder and file, for the owner only", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "some", "folder", "arena?#%20é.db")
		db := openAt(t, path, Options{})
		update(t, db, add("aaa"))
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if filepath.Separator == '/' && info.Mode().Perm() != 0o600 {
			t.Errorf("mode %v", info.Mode())
		}
	})
	t.Run("an empty file is filled", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "a.db")
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		update(t, openAt(t, path, Options{}), add("aaa"))
	})
	t.Run("after close one file is left, and it has everything", func(t *testing.T) {
		folder := t.TempDir()
		path := filepath.Join(folder, "a.db")
		db := openAt(t, path, Options{})
		update(t, db, add("aaa"))
		view(t, db, func(tx *Tx) error { _, err := tx.Totals(); return err })
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		files, err := os.ReadDir(folder)
		if len(files) != 1 || err != nil {
			t.Errorf("left %v, %v", files, err)
		}
		if got := nicknames(t, openAt(t, path, Options{})); got != "a" {
			t.Errorf("kept %q", got)
		}
	})
	t.Run("no file", func(t *testing.T) { refusedFor(t, "", "no file was named") })
	t.Run("a folder", func(t *testing.T) { refusedFor(t, t.TempDir(), "it is a folder; name a file in it") })
	t.Run("a folder that cannot be made", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		refusedFor(t, filepath.Join(file, "a.db"), "its folder cannot be made")
	})
	t.Run("a text file", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "notes.txt")
		text := strings.Repeat("this is no database\n", 100)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		refusedFor(t, path, "it is not a database; name another file")
		if kept, err := os.ReadFile(path); string(kept) != text || err != nil {
			t.Error("the text was changed")
		}
	})
	t.Run("another program's database, and it is left as it was", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "other.db")
		other, err := sql.Open("sqlite", uri(path))
		if err != nil {
			t.Fatal(err)
		}
		mustExec(t, other, "CREATE TABLE photos (id INTEGER PRIMARY KEY)")
		if err := other.Close(); err != nil {
			t.Fatal(err)
		}
		before, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		refusedFor(t, path, foreignReason)
		after, err := os.ReadFile(path)
		if string(after) != string(before) || err != nil {
			t.Error("it was changed")
		}
	})
	t.Run("a damaged database", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "a.db")
		if err := roleOpen(path); err != nil {
			t.Fatal(err)
		}
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, err := f.WriteAt(make([]byte, 3000), 100); err != nil { // the schema's page, behind the header
			t.Fatal(err)
		}
		refusedFor(t, path, "it is damaged; restore a backup")
	})
	t.Run("a database that another program keeps locked", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "a.db")
		if err := roleOpen(path); err != nil {
			t.Fatal(err)
		}
		holder, err := raw(t, path).Conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer holder.Close()
		if _, err := holder.ExecContext(t.Context(), "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE"); err != nil {
			t.Fatal(err)
		}
		refusedFor(t, path, "another program keeps it locked")
	})
}

// TestVerify shows that a setting the driver did not take is noticed.
func TestVerify(t *testing.T) {
	dial := func(t *testing.T, dsn string) *conn {
		t.Helper()
		pool, err := sql.Open("sqlite", dsn)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { pool.Close() })
		c, err := dial(t.Context(), pool)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.close() })
		return c
	}
	for _, durability := range []Durability{Full, Normal} {
		o := Options{BusyTimeout: 1234 * time.Millisecond, Durability: durability}
		path := filepath.Join(t.TempDir(), "a.db")
		dsn, settings := o.writerDSN(path)
		if err := dial(t, dsn).verify(t.Context(), settings); err != nil {
			t.Errorf("the DSN as it is: %v", err)
		}
		for name, misspelt := range map[string]string{
			"busy_timeout":       strings.Replace(dsn, "_busy_timeout", "_busytimeout", 1),
			"synchronous":        strings.Replace(dsn, "_synchronous="+map[Durability]string{Full: "FULL", Normal: "NORMAL"}[durability], "_synchronous=OFF", 1),
			"foreign_keys":       strings.Replace(dsn, "_foreign_keys", "_foreing_keys", 1),
			"wal_autocheckpoint": strings.Replace(dsn, "wal_autocheckpoint", "wal_autocheckpiont", 1),
			"cache_size":         strings.Replace(dsn, "cache_size", "cachesize", 1),
		} {
			err := dial(t, misspelt).verify(t.Context(), settings)
			if err == nil || !strings.Contains(err.Error(), name) {
				t.Errorf("%s misspelt: error %v", name, err)
			}
		}
	}
}

// TestDriver holds the driver to the C library's version that it was translated with:
// another one has crashed programs.
func TestDriver(t *testing.T) {
	list := func(args ...string) string {
		t.Helper()
		out, err := exec.Command("go", append([]string{"list", "-m", "-f"}, args...)...).Output()
		if err != nil {
			t.Fatalf("go list: %v", err)
		}
		return strings.TrimSpace(string(out))
	}
	f, err := os.Open(filepath.Join(list("{{.Dir}}", "modernc.org/sqlite"), "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	want := ""
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if fields := strings.Fields(lines.Text()); len(fields) >= 2 && fields[0] == "modernc.org/libc" {
			want = fields[1]
		}
	}
	if got := list("{{.Version}}", "modernc.org/libc"); got != want || want == "" {
		t.Errorf("go.mod has libc %s, the driver wants %s", got, want)
	}
}
