package store

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chessarena/arena"
)

// whoIn lists the first letters of the nicknames in the database at path, which it opens
// and closes.
func whoIn(t *testing.T, path string) string {
	t.Helper()
	db, err := Open(t.Context(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	return nicknames(t, db)
}

// makeArena makes a closed database with the nickname in it.
func makeArena(t *testing.T, path, nickname string) {
	t.Helper()
	db, err := Open(t.Context(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	update(t, db, add(nickname))
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

// crashed leaves a database at path as a killed process does: with its last commits in
// the WAL only.
func crashed(t *testing.T, path string) {
	t.Helper()
	db := openAt(t, filepath.Join(t.TempDir(), "a.db"), Options{})
	update(t, db, add("ccc"))
	for _, suffix := range []string{"", walSuffix} {
		copyFile(t, db.path+suffix, path+suffix)
	}
	if info, err := os.Stat(path + walSuffix); err != nil || info.Size() == 0 {
		t.Fatalf("the WAL is empty: %v", err)
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func overwrite(t *testing.T, path string, offset int64, data []byte) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.WriteAt(data, offset)
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
}

func TestBackupForOperators(t *testing.T) {
	db := openAt(t, filepath.Join(t.TempDir(), "a.db"), Options{})
	update(t, db, add("eee"))
	copied := filepath.Join(t.TempDir(), "copy.db")
	t.Run("holds what was committed, for its owner's eyes", func(t *testing.T) {
		size, err := db.Backup(t.Context(), copied, false)
		if err != nil {
			t.Fatal(err)
		}
		update(t, db, add("hhh"))
		info, err := os.Stat(copied)
		if err != nil || info.Size() != size || info.Mode() != 0o600 {
			t.Errorf("%d bytes reported, the file is %v (%v)", size, info, err)
		}
		if got := whoIn(t, copied); got != "e" {
			t.Errorf("the copy holds %q", got)
		}
		if exists(copied + tempSuffix) {
			t.Error("the temporary file is still there")
		}
	})
	t.Run("replaces a file only when told to", func(t *testing.T) {
		if _, err := db.Backup(t.Context(), copied, false); arena.CodeOf(err) != arena.InvalidArguments {
			t.Errorf("over an existing file: %v", err)
		}
		if got := whoIn(t, copied); got != "e" {
			t.Errorf("a refused backup left %q", got)
		}
		if _, err := db.Backup(t.Context(), copied, true); err != nil {
			t.Error(err)
		}
		if got := whoIn(t, copied); got != "eh" {
			t.Errorf("the second copy holds %q", got)
		}
	})
	t.Run("never replaces the arena's own files", func(t *testing.T) {
		if _, err := db.Ballast().Load(1 << 40); err != nil {
			t.Fatal(err)
		}
		folder := t.TempDir()
		link, hard, almost := filepath.Join(folder, "link"), filepath.Join(folder, "hard"), filepath.Join(folder, "almost")
		if err := errors.Join(os.Symlink(db.path, link), os.Link(db.path, hard), os.Symlink(db.path, almost+tempSuffix)); err != nil {
			t.Fatal(err)
		}
		before, err := os.Stat(db.path)
		if err != nil {
			t.Fatal(err)
		}
		for _, target := range []string{db.path, db.path + walSuffix, db.path + shmSuffix, db.Ballast().path, link, hard, almost, folder} {
			if _, err := db.Backup(t.Context(), target, true); arena.CodeOf(err) != arena.InvalidArguments {
				t.Errorf("to %s: %v", target, err)
			}
		}
		if after, err := os.Stat(db.path); err != nil || !os.SameFile(before, after) {
			t.Error("the database is another file now")
		}
	})
}

func TestRestore(t *testing.T) {
	copied := filepath.Join(t.TempDir(), "copy.db")
	makeArena(t, copied, "bbb")
	for name, c := range map[string]struct {
		present func(t *testing.T, path string)
		kept    string // who is in the file that was kept; "damaged" when nobody can tell
	}{
		"over a database":            {func(t *testing.T, path string) { makeArena(t, path, "ddd") }, "d"},
		"over what a crash has left": {crashed, "c"},
		"where there is nothing":     {func(*testing.T, string) {}, ""},
		"over a file that is no more": {func(t *testing.T, path string) {
			makeArena(t, path, "ddd")
			overwrite(t, path, 0, make([]byte, 4096))
		}, "damaged"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a.db")
			c.present(t, path)
			kept, err := Restore(t.Context(), copied, path, noon)
			if err != nil {
				t.Fatal(err)
			}
			if got := whoIn(t, path); got != "b" {
				t.Errorf("restored %q, want b", got)
			}
			switch {
			case c.kept == "":
				if kept != "" {
					t.Errorf("kept %s", kept)
				}
			case c.kept == "damaged":
				if data, err := os.ReadFile(kept); err != nil || len(data) < 8192 || data[0] != 0 {
					t.Errorf("the damaged file was not kept: %d bytes, %v", len(data), err)
				}
			case filepath.Base(kept) != "a.db.before-restore-20261201T120000Z":
				t.Errorf("kept as %s", kept)
			default:
				if got := whoIn(t, kept); got != c.kept {
					t.Errorf("kept %q, want %q", got, c.kept)
				}
			}
		})
	}
	t.Run("twice in a second keeps both files", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "a.db")
		makeArena(t, path, "ddd")
		first, err := Restore(t.Context(), copied, path, noon)
		if err != nil {
			t.Fatal(err)
		}
		second, err := Restore(t.Context(), copied, path, noon)
		if err != nil {
			t.Fatal(err)
		}
		if got := whoIn(t, second) + whoIn(t, first); got != "bd" {
			t.Errorf("kept %q, want b and d", got)
		}
	})
	t.Run("a link to the database stays one", func(t *testing.T) {
		path, link := filepath.Join(t.TempDir(), "a.db"), filepath.Join(t.TempDir(), "link.db")
		makeArena(t, path, "ddd")
		if err := os.Symlink(path, link); err != nil {
			t.Fatal(err)
		}
		if _, err := Restore(t.Context(), copied, link, noon); err != nil {
			t.Fatal(err)
		}
		if got := whoIn(t, path); got != "b" {
			t.Errorf("behind the link is %q", got)
		}
	})
	t.Run("a copy with a WAL beside it counts with the WAL", func(t *testing.T) {
		from, path := filepath.Join(t.TempDir(), "from.db"), filepath.Join(t.TempDir(), "a.db")
		crashed(t, from)
		if _, err := Restore(t.Context(), from, path, noon); err != nil {
			t.Fatal(err)
		}
		if got := whoIn(t, path); got != "c" {
			t.Errorf("restored %q, want c", got)
		}
	})
}

func TestRestoreRefuses(t *testing.T) {
	folder := t.TempDir()
	good, prose, foreign, newer, torn := filepath.Join(folder, "good"), filepath.Join(folder, "prose"), filepath.Join(folder, "foreign"), filepath.Join(folder, "newer"), filepath.Join(folder, "torn")
	makeArena(t, good, "ggg")
	if err := os.WriteFile(prose, []byte(strings.Repeat("Dear reader, ", 500)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{newer, torn} {
		copyFile(t, good, name)
	}
	mustExec(t, raw(t, foreign), "CREATE TABLE recipes (name TEXT)")
	overwrite(t, newer, 60, []byte{0, 0, 3, 231}) // user_version, in the file's header
	overwrite(t, torn, 4096, make([]byte, 4096))
	path := filepath.Join(folder, "a.db")
	makeArena(t, path, "ddd")
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for from, reason := range map[string]string{
		prose: "not a database", foreign: "no arena's", newer: "999", torn: "damaged", folder: "no database",
		filepath.Join(folder, "missing"): "no such file",
	} {
		var wrong *OpenError
		if _, err := Restore(t.Context(), from, path, noon); !errors.As(err, &wrong) || !strings.Contains(wrong.Reason, reason) {
			t.Errorf("restore from %s: %v, want %q", filepath.Base(from), err, reason)
		}
	}
	// Over another program's database, and while somebody has ours open.
	var wrong *OpenError
	if _, err := Restore(t.Context(), good, foreign, noon); !errors.As(err, &wrong) {
		t.Errorf("over a foreign database: %v", err)
	}
	if after, err := os.ReadFile(path); err != nil || string(after) != string(before) {
		t.Errorf("a refused restore changed the file (%v)", err)
	}
	db := openAt(t, path, Options{})
	if _, err := Restore(t.Context(), good, path, noon); !errors.Is(err, ErrInUse) {
		t.Errorf("while it is open: %v", err)
	}
	update(t, db, add("jjj"))
	if got := nicknames(t, db); got != "dj" {
		t.Errorf("the open database holds %q", got)
	}
	left, err := fs.Glob(os.DirFS(folder), "*restor*")
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}
