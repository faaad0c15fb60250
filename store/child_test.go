package store

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"testing"

	"chessarena/arena"
)

// The tests need other processes on the same file. They are this test binary, started
// again with a role.
const (
	roleVar = "STORE_TEST_ROLE"
	pathVar = "STORE_TEST_PATH"
)

func TestMain(m *testing.M) {
	role, path := os.Getenv(roleVar), os.Getenv(pathVar)
	if role == "" {
		os.Exit(m.Run())
	}
	if err := roles[role](path); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

var roles = map[string]func(path string) error{
	"announce": roleAnnounce,
	"open":     roleOpen,
	"count":    roleCount,
	"moves":    roleMoves,
}

// child prepares another process; it is killed when the test ends.
func child(t *testing.T, role, path string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), roleVar+"="+role, pathVar+"="+path)
	cmd.Stderr = os.Stderr
	return cmd
}

// roleOpen opens the database and closes it.
func roleOpen(path string) error {
	db, err := Open(context.Background(), path, Options{})
	if err != nil {
		return err
	}
	return db.Close()
}

// roleCount prints how many nicknames there are.
func roleCount(path string) error {
	db, err := Open(context.Background(), path, Options{})
	if err != nil {
		return err
	}
	err = db.View(context.Background(), func(tx *Tx) error {
		totals, err := tx.Totals()
		fmt.Println(totals.Nicknames, "nicknames")
		return err
	})
	return errors.Join(err, db.Close())
}

// roleAnnounce is a command beside a server: it adds a nickname and says so.
func roleAnnounce(path string) error {
	db, err := Open(context.Background(), path, Options{Announce: true})
	if err != nil {
		return err
	}
	err = db.Update(context.Background(), func(tx *Tx) error {
		a, err := tx.AddAgent("from-afar", "h", "f")
		if err != nil {
			return err
		}
		return tx.Changed(NounNickname, a.ID)
	})
	if err != nil {
		return err
	}
	return db.Close()
}

// roleMoves plays one move after another in every active game at once, and prints
// "game ply" for each one that was acknowledged, until it is killed.
func roleMoves(path string) error {
	ctx := context.Background()
	db, err := Open(ctx, path, Options{})
	if err != nil {
		return err
	}
	var games []arena.Game
	if err := db.View(ctx, func(tx *Tx) (err error) {
		games, err = tx.Games(GameFilter{Status: arena.Active, Limit: pageMax})
		return err
	}); err != nil {
		return err
	}
	acks := make(chan string)
	for i := range games {
		g := &games[i]
		go func() {
			for {
				ply := g.Ply
				if err := db.Update(ctx, func(tx *Tx) error { return play(tx, g, "e2e4", "e4") }); err != nil {
					acks <- "error " + err.Error()
					return
				}
				acks <- fmt.Sprint(g.ID, " ", ply)
			}
		}()
	}
	for line := range acks {
		if _, err := os.Stdout.WriteString(line + "\n"); err != nil {
			return err
		}
	}
	return nil
}

// TestKill kills a process that plays in many games, again and again, and looks for
// moves that were acknowledged and are not there.
func TestKill(t *testing.T) {
	cycles, boards := 3, 50
	if os.Getenv("ARENA_TEST_LONG") == "1" {
		cycles = 100
	}
	path := t.TempDir() + "/arena.db"
	setup := openAt(t, path, Options{})
	pair := seats(t, setup)
	for n := range boards {
		addGame(t, setup, n, pair)
	}
	if err := setup.Close(); err != nil {
		t.Fatal(err)
	}
	acked := map[arena.GameID]int{} // plies
	total, unacked := 0, 0
	for cycle := range cycles {
		cmd := child(t, "moves", path)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		kill := 100 + 331*cycle%700 // moves after which it is killed
		n := 0
		for lines := bufio.NewScanner(out); lines.Scan(); n++ {
			var id arena.GameID
			var ply int
			if _, err := fmt.Sscan(lines.Text(), &id, &ply); err != nil {
				t.Fatalf("child said %q", lines.Text())
			}
			acked[id] = ply + 1
			if n == kill {
				if err := cmd.Process.Kill(); err != nil {
					t.Fatal(err)
				}
			}
		}
		_ = cmd.Wait()
		if n < kill {
			t.Fatalf("the child ended by itself after %d moves", n)
		}
		total += n
		unacked = checkKilled(t, path, acked, boards)
	}
	t.Logf("%d kills, %d moves acknowledged, 0 lost; %d committed without an answer after the last", cycles, total, unacked)
}

// checkKilled opens what a killed process left and returns how many moves are there
// that nobody was told of.
func checkKilled(t *testing.T, path string, acked map[arena.GameID]int, boards int) (unacked int) {
	t.Helper()
	db, err := Open(context.Background(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	view(t, db, func(tx *Tx) error {
		var verdict string
		if err := tx.c.raw.QueryRowContext(context.Background(), "PRAGMA integrity_check").Scan(&verdict); err != nil || verdict != "ok" {
			t.Fatalf("integrity: %s %v", verdict, err)
		}
		games, err := tx.Games(GameFilter{Status: arena.Active, Limit: pageMax})
		if len(games) != boards {
			t.Fatalf("%d games, want %d", len(games), boards)
		}
		for _, g := range games {
			moves, err := tx.Moves(&g)
			if err != nil {
				return err
			}
			if len(moves) != g.Ply {
				t.Errorf("game %s is at ply %d with %d moves", g.ID, g.Ply, len(moves))
			}
			if g.Ply < acked[g.ID] {
				t.Errorf("game %s: %d moves acknowledged, %d there", g.ID, acked[g.ID], g.Ply)
			}
			unacked += g.Ply - acked[g.ID]
		}
		return err
	})
	return unacked
}
