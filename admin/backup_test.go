package admin

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chessarena/arena"
	"chessarena/arena/hall"
)

func TestRestoreNeedsTheServerStopped(t *testing.T) {
	h := openHall(t)
	copied := filepath.Join(t.TempDir(), "copy.db")
	mustRun(t, h, "backup", copied)
	claimed, err := hall.Claim(h.DB.Path()) // what serve does
	if err != nil {
		t.Fatal(err)
	}
	if _, err := run(t, h, "restore", copied); arena.CodeOf(err) != arena.Serving {
		t.Errorf("beside a server: %v", err)
	}
	claimed.Close()
	register(t, h, "carol")
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

func TestBackupRefusesWhereItCannotWrite(t *testing.T) {
	h := openHall(t)
	for _, target := range []string{filepath.Join(t.TempDir(), "no", "folder.db"), h.DB.Path()} {
		if _, err := run(t, h, "backup", target); arena.CodeOf(err) != arena.InvalidArguments {
			t.Errorf("backup %s: %v", target, err)
		}
	}
}

func TestTheDoctorFindsADamagedPage(t *testing.T) {
	h := openHall(t)
	for range 40 {
		beginGame(t, h)
	}
	if out := mustRun(t, h, "doctor", "--bench"); !strings.Contains(out, "All is well.") && !strings.Contains(out, "deserve a look") {
		t.Errorf("a sound arena:\n%s", out)
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
	if _, err := run(t, h, "doctor"); arena.CodeOf(err) != arena.Unhealthy || !strings.Contains(err.Error(), "restore a backup") {
		t.Errorf("a damaged one: %v", err)
	}
}
