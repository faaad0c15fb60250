package e2e_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chessarena/arena/arbiter"
	"chessarena/e2e/agent"
	"chessarena/e2e/host"
)

// smallDisk mounts a file system of a size like "8m" and returns where. It takes root
// and a kernel that lets it.
func smallDisk(t *testing.T, size string) string {
	t.Helper()
	folder := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size="+size, "tmpfs", folder).CombinedOutput(); err != nil {
		missing(t, fmt.Sprintf("no small disk can be mounted here (%v: %s)", err, strings.TrimSpace(string(out))))
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", folder).CombinedOutput(); err != nil {
			t.Errorf("umount: %v: %s", err, out)
		}
	})
	return folder
}

// TestAFullDiskHeals: while there is no room nothing that was acknowledged is lost,
// agents are told to come back, and no clock runs; when there is room again play goes on.
func TestAFullDiskHeals(t *testing.T) {
	binary, err := build()
	if err != nil {
		t.Fatal(err)
	}
	disk := smallDisk(t, "8m")
	a := &host.Arena{Binary: binary, DB: filepath.Join(disk, "arena.db"), Env: []string{"ARENA_SOFT_DEADLINE_S=1", "ARENA_BANK_S=1", "ARENA_HARD_CAP_S=2"}}
	if err := a.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if _, err := a.Stop(); err != nil {
			t.Error(err)
		}
	}()
	alice, bob := register(t, rest(t, a), "alice"), register(t, rest(t, a), "bob")
	game := createGames(t, a, arbiter.Pairing{White: alice.ConfigID, Black: bob.ConfigID, Rated: true})[0]
	players := [2]*agent.Player{alice, bob}
	moves := []string{"Nf3", "Nf6", "Nc3", "Nc6", "e3", "e6", "d3", "d6", "a3", "a6", "b3", "b6", "g3", "g6", "h3", "h6"}
	ply := 0
	play := func() error {
		_, err := players[ply%2].Submit(t.Context(), game, ply, moves[ply])
		if err == nil {
			ply++
		}
		return err
	}
	for range 10 {
		if err := play(); err != nil {
			t.Fatal(err)
		}
	}
	filler := filepath.Join(disk, "filler")
	if err = fill(filler); err != nil {
		t.Fatal(err)
	}
	// The log that is there has some room left; sooner or later a move does not fit.
	for ply < len(moves) && err == nil {
		err = play()
	}
	if agent.CodeOf(err) != "storage_unavailable" {
		t.Fatalf("on a full disk: %v", err)
	}
	stood := ply
	if status, body := get(t, a.URL()+"/readyz"); status != http.StatusServiceUnavailable || !strings.Contains(body, "cannot be written") {
		t.Errorf("/readyz says %d %s", status, body)
	}
	<-time.After(4 * time.Second) // twice the hard cap: a clock that ran would lose the game
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	healed := time.Now().Add(20 * time.Second)
	for {
		if status, _ := get(t, a.URL()+"/readyz"); status == http.StatusOK {
			break
		}
		if time.Now().After(healed) {
			t.Fatal("the arena does not notice that there is room again")
		}
		<-time.After(100 * time.Millisecond)
	}
	if err := play(); err != nil {
		t.Fatalf("after there was room again: %v", err)
	}
	var view struct {
		Status string `json:"status"`
		Moves  []any  `json:"moves"`
		Shifts []struct {
			Reason string `json:"reason"`
		} `json:"clock_shifts"`
	}
	_, body := get(t, a.URL()+"/v1/games/"+game)
	if err := json.Unmarshal([]byte(body), &view); err != nil {
		t.Fatal(err)
	}
	if view.Status != "active" || len(view.Moves) != stood+1 || len(view.Shifts) == 0 || view.Shifts[0].Reason != "storage" {
		t.Errorf("the game is %s with %d moves, %+v; want active with %d and a shift for storage", view.Status, len(view.Moves), view.Shifts, stood+1)
	}
	wantHonest(t, a, game)
}

// fill writes a file until there is no room.
func fill(path string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	for block := 1 << 16; block >= 1; block /= 16 {
		for {
			if _, err := f.Write(make([]byte, block)); err != nil {
				break
			}
		}
	}
	return nil
}

func get(t *testing.T, url string) (status int, body string) {
	t.Helper()
	res, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil && !errors.Is(err, io.EOF) {
		t.Fatal(err)
	}
	return res.StatusCode, string(text)
}

// TestTheBallastMakesRoom: on a disk that had room once, the arena itself makes some
// when it is full, and play goes on.
func TestTheBallastMakesRoom(t *testing.T) {
	binary, err := build()
	if err != nil {
		t.Fatal(err)
	}
	disk := smallDisk(t, "100m")
	a := &host.Arena{Binary: binary, DB: filepath.Join(disk, "arena.db")}
	if err := a.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if _, err := a.Stop(); err != nil {
			t.Error(err)
		}
	}()
	ballast := a.DB + ".ballast"
	for deadline := time.Now().Add(10 * time.Second); ; <-time.After(20 * time.Millisecond) {
		if info, err := os.Stat(ballast); err == nil && info.Size() == 16<<20 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the arena takes no ballast aboard")
		}
	}
	if err := fill(filepath.Join(disk, "filler")); err != nil {
		t.Fatal(err)
	}
	// Registrations write until one does not fit; then the ballast goes overboard.
	for i, deadline := 0, time.Now().Add(30*time.Second); ; i++ {
		if _, err := os.Stat(ballast); errors.Is(err, os.ErrNotExist) {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the ballast is still there")
		}
		_, _ = agent.Register(t.Context(), rest(t, a), "filler-"+strings.Repeat("x", i%8)+string(rune('a'+i/8%26))+string(rune('a'+i/208%26)))
	}
	register(t, rest(t, a), "afterwards")
	if !strings.Contains(a.Log(), "the disk is full; the ballast was dropped") {
		t.Error("the log does not say that the ballast was dropped")
	}
}
