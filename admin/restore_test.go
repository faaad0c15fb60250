package admin

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chessarena/arena"
	"chessarena/arena/hall"
)

func TestRestoreNeedsTheServerStopped(t *testing.T) {
	h := openHall(t)
	copied := filepath.Join(t.TempDir(), "copy.db")
	mustRun(t, h, "backup", copied)
	register(t, h, "carol")
	claimed, err := hall.Claim(h.DB.Path()) // what serve does
	if err != nil {
		t.Fatal(err)
	}
	if _, err := run(t, h, "restore", copied); arena.CodeOf(err) != arena.Serving {
		t.Errorf("beside a server: %v", err)
	}
	claimed.Close()
	if _, err := run(t, h, "restore", copied); arena.CodeOf(err) != arena.Serving {
		t.Errorf("beside a command that has the file open: %v", err)
	}
	if out := mustRunOnly(t, h, "nicknames", "list"); !strings.Contains(out, "carol") {
		t.Errorf("a refused restore changed the arena:\n%s", out)
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := run(t, h, "restore", os.DevNull); arena.CodeOf(err) != arena.InvalidArguments {
		t.Errorf("from no database: %v", err)
	}
	mustRunOnly(t, h, "restore", copied)
	if out := mustRunOnly(t, h, "nicknames", "list"); strings.Contains(out, "carol") || !strings.Contains(out, "alice") {
		t.Errorf("after the restore:\n%s", out)
	}
	if out := mustRunOnly(t, h, "audit", "list"); !strings.Contains(out, "restore") {
		t.Errorf("the restored file does not say that it was:\n%s", out)
	}
}

// What was kept is a backup like any other: restoring it undoes a restore.
func TestRestoreIsUndoneByRestore(t *testing.T) {
	h := openHall(t)
	copied := filepath.Join(t.TempDir(), "copy.db")
	mustRun(t, h, "backup", copied)
	register(t, h, "carol")
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	var out restoreOut
	if err := json.Unmarshal([]byte(mustRunOnly(t, h, "restore", copied, "--json")), &out); err != nil || out.Kept == nil {
		t.Fatalf("restore: %+v, %v", out, err)
	}
	mustRunOnly(t, h, "restore", *out.Kept)
	if out := mustRunOnly(t, h, "nicknames", "list"); !strings.Contains(out, "carol") {
		t.Errorf("after both:\n%s", out)
	}
}

// The two verbs that a host needs when the database is ruined work then.
func TestARuinedDatabaseIsExaminedAndRestored(t *testing.T) {
	for name, ruin := range map[string]func(path string) error{
		"overwritten": func(path string) error { return os.WriteFile(path, bytes.Repeat([]byte("ruin"), 4096), 0o600) },
		"cut short":   func(path string) error { return os.Truncate(path, 8000) },
		"gone":        os.Remove,
	} {
		t.Run(name, func(t *testing.T) {
			h := openHall(t)
			copied := filepath.Join(t.TempDir(), "copy.db")
			mustRun(t, h, "backup", copied)
			if err := h.Close(); err != nil {
				t.Fatal(err)
			}
			if err := ruin(h.Settings.DB); err != nil {
				t.Fatal(err)
			}
			out, err := run(t, h, "doctor")
			if arena.CodeOf(err) != arena.Unhealthy || !strings.Contains(out, "fail ") || !strings.Contains(out, "must be mended") {
				t.Errorf("doctor: %v\n%s", err, out)
			}
			mustRunOnly(t, h, "restore", copied)
			if out := mustRunOnly(t, h, "nicknames", "list"); !strings.Contains(out, "alice") {
				t.Errorf("after the restore:\n%s", out)
			}
			mustRunOnly(t, h, "doctor")
		})
	}
}

func TestTheDoctorLooksAtEverything(t *testing.T) {
	h := openHall(t)
	var out doctorOut
	if err := json.Unmarshal([]byte(mustRun(t, h, "doctor", "--bench", "--json")), &out); err != nil {
		t.Fatal(err)
	}
	var checks []string
	for _, f := range out.Findings {
		checks = append(checks, f.Check)
		if f.Found == "" || f.State == bad {
			t.Errorf("%+v", f)
		}
	}
	if got := strings.Join(checks, " "); got != "integrity schema writing files disk clock space engine syncing hashing" {
		t.Errorf("checks: %s", got)
	}
	h.Settings.Stockfish = filepath.Join(t.TempDir(), "none")
	if err := json.Unmarshal([]byte(mustRun(t, h, "doctor", "--json")), &out); err != nil {
		t.Fatal(err)
	}
	if f := out.Findings[7]; f.State != warn || !strings.Contains(f.Found, "STOCKFISH") {
		t.Errorf("a setting that names no file: %+v", f)
	}
}

func TestTheDoctorFindsADamagedPage(t *testing.T) {
	h := openHall(t)
	for range 40 {
		beginGame(t, h)
	}
	path := h.DB.Path()
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := len(data) - 3*4096; i < len(data); i++ { // the last pages hold the games
		data[i] = 0xff
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := run(t, h, "doctor", "--json")
	if arena.CodeOf(err) != arena.Unhealthy || !strings.Contains(err.Error(), "restore a backup") {
		t.Errorf("a damaged one: %v", err)
	}
	var answer struct {
		Error    arena.Code
		Findings []finding
	}
	if err := json.Unmarshal([]byte(out), &answer); err != nil || answer.Error != arena.Unhealthy || len(answer.Findings) == 0 {
		t.Errorf("as JSON: %s (%v)", out, err)
	}
}

func TestTheDoctorsClock(t *testing.T) {
	noon := time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		last, now time.Time
		state     string
	}{
		{time.Time{}, noon, ok},
		{noon, noon.Add(-30 * time.Second), ok}, // steered a little
		{noon, noon.Add(-time.Hour), warn},
		{time.Time{}, time.Unix(0, 0), warn}, // a board without a clock of its own
	} {
		if f := clock(c.last, c.now); f.State != c.state {
			t.Errorf("last awake %v, now %v: %+v", c.last, c.now, f)
		}
	}
}
