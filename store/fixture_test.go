package store

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"chessarena/arena"
	"chessarena/rules"
)

// noon is a moment with milliseconds, so that rounding shows.
var noon = time.Date(2026, 12, 1, 12, 0, 0, 345e6, time.UTC)

func openAt(t testing.TB, path string, o Options) *DB {
	t.Helper()
	db, err := Open(context.Background(), path, o)
	if err != nil {
		t.Fatalf("open: %v", err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return db
}

func openNew(t testing.TB) *DB {
	t.Helper()
	return openAt(t, filepath.Join(t.TempDir(), "arena.db"), Options{Now: func() time.Time { return noon }})
}

func update(t testing.TB, db *DB, f func(*Tx) error) {
	t.Helper()
	if err := db.Update(context.Background(), f); err != nil {
		t.Fatalf("update: %v", err)
	}
}

func view(t testing.TB, db *DB, f func(*Tx) error) {
	t.Helper()
	if err := db.View(context.Background(), f); err != nil {
		t.Fatalf("view: %v", err)
	}
}

func ptr[T any](v T) *T { return &v }

var plain = arena.Config{Model: "some-model", Provider: "somebody", Harness: "reference-1.0"}

// seat registers a nickname with one configuration and returns its place at a board.
func seat(tx *Tx, name arena.Nickname, c arena.Config) (arena.Seat, error) {
	a, err := tx.AddAgent(name, "$argon2id$hash-of-"+string(name), arena.Fingerprint("f00d"+string(name[:2])))
	if err != nil {
		return arena.Seat{}, err
	}
	b, err := tx.EnsureBucket(c)
	if err != nil {
		return arena.Seat{}, err
	}
	e, _, err := tx.AddEntry(a.ID, b.ID, arena.Entry{ModelRaw: c.Model})
	if err != nil {
		return arena.Seat{}, err
	}
	return arena.Seat{NicknameID: a.ID, Nickname: a.Nickname, Fingerprint: a.Fingerprint,
		ConfigID: e.ID, BucketID: b.ID, BucketKey: b.Key, Config: b.Config}, nil
}

// seats registers two players.
func seats(t testing.TB, db *DB) (pair [2]arena.Seat) {
	t.Helper()
	update(t, db, func(tx *Tx) (err error) {
		if pair[rules.White], err = seat(tx, "alice", plain); err != nil {
			return err
		}
		other := plain
		other.Effort = &arena.Effort{Level: "high"}
		pair[rules.Black], err = seat(tx, "bertha", other)
		return err
	})
	return pair
}

// gameID is the n-th id of the tests.
func gameID(n int) arena.GameID { return arena.GameID(fmt.Sprintf("00000000%04d", n)) }

// newGame is an active game between two seats, not yet stored.
func newGame(n int, pair [2]arena.Seat) arena.Game {
	pace := arena.TimeControl{Soft: 180 * time.Second, Bank: 20 * time.Minute, HardCap: 15 * time.Minute}
	return arena.Game{ID: gameID(n), Kind: "chess", Seats: pair, Rated: true, Pace: pace,
		Status: arena.Active, Clock: pace.Start(noon), Created: noon}
}

// addGame stores the n-th game.
func addGame(t testing.TB, db *DB, n int, pair [2]arena.Seat) arena.Game {
	t.Helper()
	g := newGame(n, pair)
	update(t, db, func(tx *Tx) error { return tx.AddGame(&g, nil) })
	return g
}

// play appends a move to g, as the arbiter does.
func play(tx *Tx, g *arena.Game, uci, san string) error {
	m := arena.Move{UCI: uci, SAN: san, At: g.Clock.TurnStarted.Add(1500 * time.Millisecond), Think: 1500 * time.Millisecond}
	if err := tx.AppendMove(g, m); err != nil {
		return err
	}
	was := g.Ply
	g.Ply++
	g.Clock.TurnStarted = m.At
	return tx.SaveLive(g, was)
}

// finish ends g where it stands.
func finish(tx *Tx, g *arena.Game, status arena.Status, result arena.Result) error {
	g.Status, g.Result, g.Termination, g.Finished = status, result, arena.Resignation, noon.Add(time.Hour)
	return tx.FinishGame(g, g.Ply, "8/8/8/8/8/8/8/8 w - - 0 1")
}
