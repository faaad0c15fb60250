package store

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestExamine(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a.db")
	db := openAt(t, path, Options{Now: func() time.Time { return noon }})
	pair := seats(t, db)
	for n := range 40 {
		addGame(t, db, n, pair)
	}
	update(t, db, func(tx *Tx) error { return tx.Beat() })

	t.Run("a sound database, in use", func(t *testing.T) {
		h, err := Examine(t.Context(), path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if len(h.Complaints) > 0 || h.Unwritable != nil || h.Schema != h.Known || h.Known < 2 || h.WAL == 0 || !h.LastBeat.Equal(noon) {
			t.Errorf("%+v", h)
		}
	})
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	damaged, older, newer := filepath.Join(folder, "damaged"), filepath.Join(folder, "older"), filepath.Join(folder, "newer")
	for _, name := range []string{damaged, older, newer} {
		copyFile(t, path, name)
	}
	t.Run("an older schema stays as it is", func(t *testing.T) {
		overwrite(t, older, 60, []byte{0, 0, 0, 1})
		h, err := Examine(t.Context(), older, Options{})
		if err != nil || h.Schema != 1 || !h.LastBeat.IsZero() {
			t.Errorf("%+v, %v", h, err)
		}
		if again, err := Examine(t.Context(), older, Options{}); err != nil || again.Schema != 1 {
			t.Errorf("then %+v, %v", again, err)
		}
	})
	t.Run("a newer schema is told", func(t *testing.T) {
		overwrite(t, newer, 60, []byte{0, 0, 3, 231})
		if h, err := Examine(t.Context(), newer, Options{}); err != nil || h.Schema != 999 {
			t.Errorf("%+v, %v", h, err)
		}
	})
	t.Run("damage is a complaint, or the reason why nothing can be read", func(t *testing.T) {
		info, err := os.Stat(damaged)
		if err != nil {
			t.Fatal(err)
		}
		overwrite(t, damaged, info.Size()-3*4096, []byte(strings.Repeat("\xff", 3*4096)))
		h, err := Examine(t.Context(), damaged, Options{})
		var wrong *OpenError
		if len(h.Complaints) == 0 && !errors.As(err, &wrong) {
			t.Errorf("%+v, %v", h, err)
		}
	})
	t.Run("what cannot be examined", func(t *testing.T) {
		recipes := filepath.Join(folder, "recipes")
		mustExec(t, raw(t, recipes), "CREATE TABLE recipes (name TEXT)")
		for name, reason := range map[string]string{filepath.Join(folder, "missing"): "no such file", folder: "no database", recipes: "another program"} {
			var wrong *OpenError
			if _, err := Examine(t.Context(), name, Options{}); !errors.As(err, &wrong) || !strings.Contains(wrong.Reason, reason) {
				t.Errorf("%s: %v, want %q", name, err, reason)
			}
		}
		if exists(filepath.Join(folder, "missing")) {
			t.Error("it made the missing file")
		}
	})
}
