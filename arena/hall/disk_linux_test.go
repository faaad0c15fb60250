package hall_test

import (
	"bytes"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"chessarena/arena"
	"chessarena/arena/hall"
	"chessarena/store"
)

// smallDisk is a folder on a disk of its own that holds 100 MB.
func smallDisk(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	if err := unix.Mount("none", folder, "tmpfs", 0, "size=100m"); err != nil {
		if os.Getenv("ARENA_TEST_ALL") == "1" {
			t.Fatalf("a small disk cannot be mounted: %v", err)
		}
		t.Skipf("a small disk cannot be mounted here (%v); the test needs root", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(folder, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return folder
}

// fill writes a file until the disk takes no more.
func fill(t *testing.T, path string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for err == nil {
		_, err = f.Write(make([]byte, 4096))
	}
	if !errors.Is(err, unix.ENOSPC) {
		t.Fatal(err)
	}
}

func note(t *testing.T, h *hall.Hall) error {
	return h.DB.Update(t.Context(), func(tx *store.Tx) error {
		_, err := tx.AddAudit(store.Audit{Actor: "test", Tool: strings.Repeat("x", 8000), Outcome: "ok"})
		return err
	})
}

// The life of a disk that fills: the ballast is loaded, dropped when nothing else fits,
// and loaded again when somebody has made room. /readyz says where it stands.
func TestTheBallastCarriesTheArenaOverAFullDisk(t *testing.T) {
	folder := smallDisk(t)
	s := arena.DefaultSettings()
	s.DB = filepath.Join(folder, "arena.db")
	var log bytes.Buffer
	h := open(t, s, hall.Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
	ballast, filler := s.DB+".ballast", filepath.Join(folder, "filler")
	step := func(what string, step error) {
		t.Helper()
		if step != nil {
			t.Fatalf("%s: %v", what, step)
		}
	}
	step("look at the disk", h.WatchDisk(t.Context()))
	if _, err := os.Stat(ballast); err != nil {
		t.Fatalf("no ballast on a disk with room: %v", err)
	}
	fill(t, filler)
	var err error
	for range 100 { // what SQLite had set aside lasts for some commits
		if err = note(t, h); err != nil {
			break
		}
	}
	if arena.CodeOf(err) != arena.StorageUnavailable || !h.DB.DiskFull() || h.Degraded() != "the disk is full, and the database cannot be written" {
		t.Fatalf("on a full disk: %v, degraded %q", err, h.Degraded())
	}
	step("recover", h.Recover(t.Context()))
	if _, err := os.Stat(ballast); !errors.Is(err, os.ErrNotExist) {
		t.Error("the ballast was not dropped")
	}
	if !strings.Contains(log.String(), "the ballast was dropped") {
		t.Errorf("the log does not say so:\n%s", &log)
	}
	step("write without ballast", note(t, h))
	if h.Degraded() != "" || h.Warning() != "the disk is almost full" {
		t.Errorf("degraded %q, warning %q", h.Degraded(), h.Warning())
	}
	step("look again", h.WatchDisk(t.Context()))
	if _, err := os.Stat(ballast); !errors.Is(err, os.ErrNotExist) {
		t.Error("ballast was loaded onto a full disk")
	}
	step("make room", os.Remove(filler))
	step("look once more", h.WatchDisk(t.Context()))
	if _, err := os.Stat(ballast); err != nil {
		t.Errorf("no ballast after room was made: %v", err)
	}

	// The disk fills while the arena is closed: it opens all the same.
	step("close", h.Close())
	fill(t, filler)
	if h, err := hall.Open(t.Context(), s, hall.Options{Offline: true}); !errors.Is(err, store.ErrDiskFull) {
		t.Errorf("a command on the full disk: %v", err)
		h.Close()
	}
	h = open(t, s, hall.Options{})
	step("write after a start on a full disk", note(t, h))
	if _, err := os.Stat(ballast); !errors.Is(err, os.ErrNotExist) {
		t.Error("the ballast was not dropped by the start")
	}
}
