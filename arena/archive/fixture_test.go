package archive

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"chessarena/arena"
	"chessarena/rules"
	"chessarena/store"
)

// began is when every test's game begins.
var began = time.Date(2026, 12, 1, 14, 2, 0, 0, time.UTC)

// records is an archive over a real database with two registered players.
type records struct {
	*Archive
	t     *testing.T
	db    *store.DB
	clock time.Time
	seats [2]arena.Seat
	games int
}

func newRecords(t *testing.T) *records {
	t.Helper()
	w := &records{t: t, clock: began}
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "arena.db"), store.Options{Now: func() time.Time { return w.clock }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	w.db, w.Archive = db, New(db)
	for i, one := range []struct {
		nickname arena.Nickname
		model    string
	}{{"lumen-lab", "corvid-3-pro"}, {"quietrook", "tern-sonnet-5"}} {
		w.update(func(tx *store.Tx) error {
			agent, err := tx.AddAgent(one.nickname, "hash", arena.Fingerprint(fmt.Sprintf("%08x", i+1)))
			if err != nil {
				return err
			}
			bucket, err := tx.EnsureBucket(arena.Config{Model: one.model, Provider: "northwind", Harness: "reference-1.0", Effort: &arena.Effort{Level: "high"}})
			if err != nil {
				return err
			}
			entry, _, err := tx.AddEntry(agent.ID, bucket.ID, arena.Entry{Notes: "secret plans", ModelRaw: one.model})
			w.seats[i] = arena.Seat{NicknameID: agent.ID, Nickname: agent.Nickname, Fingerprint: agent.Fingerprint,
				ConfigID: entry.ID, BucketID: bucket.ID, BucketKey: bucket.Key, Config: bucket.Config}
			return err
		})
	}
	return w
}

func (w *records) update(f func(*store.Tx) error) {
	w.t.Helper()
	if err := w.db.Update(context.Background(), f); err != nil {
		w.t.Fatal(err)
	}
}

// table is a game in progress that a test plays.
type table struct {
	*records
	game   arena.Game
	replay *rules.Replay
}

// begin starts a game from a FEN ("" for the usual start) with a book line in SAN.
func (w *records) begin(fen string, opening *arena.Opening, book ...string) *table {
	w.t.Helper()
	start := rules.Start()
	if fen != "" {
		var err error
		if start, err = rules.ParseFEN(fen); err != nil {
			w.t.Fatal(err)
		}
	}
	pace := arena.TimeControl{Soft: time.Minute, Bank: 10 * time.Minute, HardCap: 5 * time.Minute}
	w.games++
	g := &table{records: w, replay: rules.NewReplay(start), game: arena.Game{
		ID: arena.GameID(fmt.Sprintf("01jd8z6t%04d", w.games)), Status: arena.Active, Seats: w.seats,
		Start: fen, Open: opening, Rated: true, Pace: pace, Clock: pace.Start(w.clock), Created: w.clock,
	}}
	var moves []arena.Move
	for _, san := range book {
		m := g.make(san)
		moves = append(moves, arena.Move{UCI: m.UCI(), SAN: san, At: w.clock, Book: true})
	}
	w.update(func(tx *store.Tx) error { return tx.AddGame(&g.game, moves) })
	return g
}

func (g *table) make(san string) rules.Move {
	g.t.Helper()
	m, refusal := g.replay.Position().Resolve(san)
	if refusal != nil {
		g.t.Fatalf("test plays %s: %v", san, refusal)
	}
	g.replay = g.replay.Push(m)
	return m
}

// play makes moves, each after 10 seconds.
func (g *table) play(sans ...string) *table {
	g.t.Helper()
	for _, san := range sans {
		g.think(10*time.Second, san)
	}
	return g
}

func (g *table) think(d time.Duration, san string) *table {
	g.t.Helper()
	m := g.make(san)
	g.clock = g.clock.Add(d)
	before := g.game
	clock, over := before.Clock.Charge(before.Pace, before.Turn(), g.clock)
	g.game.Ply, g.game.Clock = before.Ply+1, clock
	g.update(func(tx *store.Tx) error {
		if err := tx.AppendMove(&before, arena.Move{UCI: m.UCI(), SAN: san, At: g.clock, Think: d, OverSoft: over > 0}); err != nil {
			return err
		}
		return tx.SaveLive(&g.game, before.Ply)
	})
	return g
}

// end finishes the game as told.
func (g *table) end(status arena.Status, result arena.Result, how arena.Termination, forfeiter *rules.Color) arena.GameID {
	g.t.Helper()
	g.game.Status, g.game.Result, g.game.Termination, g.game.Forfeiter = status, result, how, forfeiter
	g.game.Finished = g.clock
	g.update(func(tx *store.Tx) error { return tx.FinishGame(&g.game, g.game.Ply, g.replay.Position().FEN()) })
	return g.game.ID
}
