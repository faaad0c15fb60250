package store

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chessarena/arena"
)

func TestBackupAndRestore(t *testing.T) {
	folder := t.TempDir()
	path, copied := filepath.Join(folder, "a.db"), filepath.Join(folder, "copy.db")
	db := openAt(t, path, Options{})
	update(t, db, func(tx *Tx) error { _, err := tx.AddAgent("early", "hash", "01234567"); return err })
	if _, err := db.Backup(t.Context(), copied, false); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Backup(t.Context(), copied, false); arena.CodeOf(err) != arena.InvalidArguments {
		t.Errorf("over an existing file: %v", err)
	}
	update(t, db, func(tx *Tx) error { _, err := tx.AddAgent("late", "hash", "01234567"); return err })
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	kept, err := Restore(t.Context(), copied, path, noon)
	if err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string][2]bool{path: {true, false}, kept: {true, true}} {
		db := openAt(t, file, Options{})
		view(t, db, func(tx *Tx) error {
			for i, name := range []arena.Nickname{"early", "late"} {
				_, _, err := tx.AgentBySkeleton(name.Skeleton())
				if has := err == nil; has != want[i] {
					t.Errorf("%s has %s: %v, want %v", filepath.Base(file), name, has, want[i])
				}
			}
			return nil
		})
		if complaint, err := db.Integrity(t.Context()); complaint != "" || err != nil {
			t.Errorf("%s: %s %v", file, complaint, err)
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestRestoreRefusesWhatIsNoArena(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a.db")
	if err := openAt(t, path, Options{}).Close(); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	prose := filepath.Join(folder, "prose")
	if err := os.WriteFile(prose, []byte(strings.Repeat("Dear reader, ", 500)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, from := range []string{prose, filepath.Join(folder, "missing"), folder} {
		var wrong *OpenError
		if _, err := Restore(t.Context(), from, path, noon); !errors.As(err, &wrong) {
			t.Errorf("restore from %s: %v", from, err)
		}
	}
	after, err := os.ReadFile(path)
	if err != nil || string(after) != string(before) {
		t.Errorf("a refused restore changed the file (%v)", err)
	}
}
