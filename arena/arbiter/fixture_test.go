package arbiter_test

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"testing"

	"chessarena/arena"
	"chessarena/arena/arbiter"
	"chessarena/arena/wake"
	"chessarena/store"
)

// room is an arbiter over a real database with two registered players.
type room struct {
	*arbiter.Arbiter
	t            *testing.T
	db           *store.DB
	hub          *wake.Hub
	settings     arena.Settings
	alice, bob   arena.Agent
	aliceC, bobC int64 // config ids
}

func newRoom(t *testing.T) *room {
	t.Helper()
	return openRoom(t, filepath.Join(t.TempDir(), "arena.db"), arena.DefaultSettings())
}

// openRoom opens the database at path; the players are registered when it is new.
func openRoom(t *testing.T, path string, s arena.Settings) *room {
	t.Helper()
	return openRoomWith(t, path, s, store.Options{})
}

func openRoomWith(t *testing.T, path string, s arena.Settings, o store.Options) *room {
	t.Helper()
	db, err := store.Open(t.Context(), path, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	r := &room{t: t, db: db, hub: new(wake.Hub), settings: s}
	r.Arbiter = arbiter.New(db, r.hub, s, nil)
	r.alice, r.aliceC = r.player("alice", "gpt-5")
	r.bob, r.bobC = r.player("bob", "claude-sonnet-5")
	return r
}

func (r *room) player(name arena.Nickname, model string) (agent arena.Agent, config int64) {
	r.t.Helper()
	err := r.db.Update(r.t.Context(), func(tx *store.Tx) (err error) {
		agent, _, err = tx.AgentBySkeleton(name.Skeleton())
		if arena.CodeOf(err) == arena.NotFound {
			agent, err = tx.AddAgent(name, "hash", "01234567")
		}
		if err != nil {
			return err
		}
		bucket, err := tx.EnsureBucket(arena.Config{Model: model, Provider: "test", Harness: "reference-1.0"})
		if err != nil {
			return err
		}
		entry, _, err := tx.AddEntry(agent.ID, bucket.ID, arena.Entry{ModelRaw: model})
		config = entry.ID
		return err
	})
	if err != nil {
		r.t.Fatal(err)
	}
	return agent, config
}

// game begins a rated game with alice as White.
func (r *room) game() arena.GameID { r.t.Helper(); return r.gameFrom("") }

func (r *room) gameFrom(fen string) arena.GameID {
	r.t.Helper()
	g, err := r.create(arbiter.Pairing{White: r.aliceC, Black: r.bobC, Start: fen, Rated: true})
	if err != nil {
		r.t.Fatal(err)
	}
	return g.ID
}

func (r *room) create(p arbiter.Pairing) (g *arena.Game, err error) {
	err = r.db.Update(r.t.Context(), func(tx *store.Tx) (err error) { g, err = r.Create(tx, p); return err })
	return g, err
}

// play makes the moves in turn, alice's first in a game that White begins, and
// returns the state after the last.
func (r *room) play(id arena.GameID, moves ...string) *arbiter.State {
	r.t.Helper()
	var last *arbiter.State
	for _, move := range moves {
		st := r.look(r.alice, id)
		who := r.alice
		if !st.YourTurn {
			who = r.bob
		}
		result, err := r.SubmitMove(r.t.Context(), who, arbiter.MoveInput{GameID: id, Ply: st.Ply, Move: move})
		if err != nil {
			r.t.Fatalf("%s at ply %d: %v", move, st.Ply, err)
		}
		last = result.State
	}
	return last
}

// look reads the state without waiting.
func (r *room) look(who arena.Agent, id arena.GameID) *arbiter.State {
	r.t.Helper()
	st, err := r.GetState(r.t.Context(), who, arbiter.StateInput{GameID: id, Wait: new(float64)})
	if err != nil {
		r.t.Fatal(err)
	}
	return st
}

func (r *room) submit(who arena.Agent, id arena.GameID, ply int, move string) error {
	_, err := r.SubmitMove(context.Background(), who, arbiter.MoveInput{GameID: id, Ply: ply, Move: move})
	return err
}

func (r *room) wantCode(err error, want arena.Code) {
	r.t.Helper()
	if got := arena.CodeOf(err); got != want {
		r.t.Errorf("code %q, want %q (%v)", got, want, err)
	}
}

// detail is the JSON of an error's detail as a client reads it.
func detail(t *testing.T, err error) map[string]any {
	t.Helper()
	var e *arena.Error
	if !errors.As(err, &e) || e.Detail == nil {
		t.Fatalf("no detail in %v", err)
	}
	return toJSON(t, e.Detail)
}

func toJSON(t *testing.T, v any) map[string]any {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(text, &m); err != nil {
		t.Fatal(err)
	}
	return m
}

// stored reads what the database holds of a game.
func (r *room) stored(id arena.GameID) (g arena.Game, moves []arena.Move, events []arena.Event) {
	r.t.Helper()
	err := r.db.View(r.t.Context(), func(tx *store.Tx) (err error) {
		if g, err = tx.Game(id); err != nil {
			return err
		}
		if moves, err = tx.Moves(&g); err != nil {
			return err
		}
		events, err = tx.Events(&g)
		return err
	})
	if err != nil {
		r.t.Fatal(err)
	}
	return g, moves, events
}

func (r *room) agent(id int64) (agent arena.Agent) {
	r.t.Helper()
	err := r.db.View(r.t.Context(), func(tx *store.Tx) (err error) { agent, err = tx.Agent(id); return err })
	if err != nil {
		r.t.Fatal(err)
	}
	return agent
}

func seconds(n float64) *float64 { return &n }
