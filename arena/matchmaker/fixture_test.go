package matchmaker_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"chessarena/arena"
	"chessarena/arena/arbiter"
	"chessarena/arena/matchmaker"
	"chessarena/arena/rating"
	"chessarena/arena/wake"
	"chessarena/store"
)

// lobby is a matchmaker over a real database.
type lobby struct {
	*matchmaker.Matchmaker
	t        *testing.T
	path     string
	db       *store.DB
	hub      *wake.Hub
	arbiter  *arbiter.Arbiter
	settings arena.Settings
	anchors  []arena.Waiter
}

func newLobby(t *testing.T) *lobby {
	t.Helper()
	l := &lobby{t: t, path: filepath.Join(t.TempDir(), "arena.db"), settings: arena.DefaultSettings()}
	l.open()
	return l
}

// open opens the database, again if it was open before: a restart.
func (l *lobby) open() {
	l.t.Helper()
	if l.db != nil {
		l.hub.Close()
		if err := l.db.Close(); err != nil {
			l.t.Fatal(err)
		}
	}
	db, err := store.Open(l.t.Context(), l.path, store.Options{})
	if err != nil {
		l.t.Fatal(err)
	}
	l.t.Cleanup(func() { db.Close() })
	l.db, l.hub = db, new(wake.Hub)
	l.arbiter = arbiter.New(db, l.hub, l.settings, nil)
	l.Matchmaker = matchmaker.New(db, l.hub, l.arbiter, l.settings, func() []arena.Waiter { return l.anchors }, nil)
}

// player registers a nickname, unless it exists, and gives it a configuration.
func (l *lobby) player(name arena.Nickname, model string) (agent arena.Agent, config int64) {
	l.t.Helper()
	l.update(func(tx *store.Tx) (err error) {
		agent, _, err = tx.AgentBySkeleton(name.Skeleton())
		if arena.CodeOf(err) == arena.NotFound {
			agent, err = tx.AddAgent(name, "hash", "01234567")
		}
		if err != nil {
			return err
		}
		provider := "test"
		if name == "house" {
			provider = arena.AnchorProvider
		}
		bucket, err := tx.EnsureBucket(arena.Config{Model: model, Provider: provider, Harness: "reference-1.0"})
		if err != nil {
			return err
		}
		entry, _, err := tx.AddEntry(agent.ID, bucket.ID, arena.Entry{ModelRaw: model})
		config = entry.ID
		return err
	})
	return agent, config
}

// anchor seats a house player that is pinned at r.
func (l *lobby) anchor(model string, r float64) {
	l.t.Helper()
	house, config := l.player("house", model)
	var entry arena.Entry
	l.update(func(tx *store.Tx) (err error) {
		if entry, err = tx.Entry(config); err == nil {
			err = tx.Pin(entry.Bucket.ID, rating.Anchor(r))
		}
		return err
	})
	l.anchors = append(l.anchors, arena.Waiter{
		ConfigID: config, NicknameID: house.ID, BucketID: entry.Bucket.ID, Rating: rating.Anchor(r), Anchor: true,
	})
}

func (l *lobby) update(f func(*store.Tx) error) {
	l.t.Helper()
	if err := l.db.Update(l.t.Context(), f); err != nil {
		l.t.Fatal(err)
	}
}

// join asks without waiting.
func (l *lobby) join(agent arena.Agent, config int64, opponents arena.Opponents) any {
	l.t.Helper()
	once := 0.0
	answer, err := l.Join(l.t.Context(), agent, matchmaker.JoinInput{ConfigID: config, Wait: &once, Opponents: string(opponents)})
	if err != nil {
		l.t.Fatal(err)
	}
	return answer
}

func (l *lobby) matched(agent arena.Agent, config int64) matchmaker.Matched {
	l.t.Helper()
	answer := l.join(agent, config, "")
	m, ok := answer.(matchmaker.Matched)
	if !ok {
		l.t.Fatalf("%s has no game: %+v", agent.Nickname, answer)
	}
	return m
}

func (l *lobby) wave() int {
	l.t.Helper()
	n, err := l.Wave(l.t.Context())
	if err != nil {
		l.t.Fatal(err)
	}
	return n
}

func (l *lobby) resign(agent arena.Agent, id arena.GameID) {
	l.t.Helper()
	if _, err := l.arbiter.Resign(l.t.Context(), agent, arbiter.GameInput{GameID: id}); err != nil {
		l.t.Fatal(err)
	}
}

func (l *lobby) void(id arena.GameID) {
	l.t.Helper()
	l.update(func(tx *store.Tx) error {
		_, err := l.arbiter.Void(tx, id, "a test")
		return err
	})
}

func (l *lobby) game(id arena.GameID) (g arena.Game, book string) {
	l.t.Helper()
	err := l.db.View(l.t.Context(), func(tx *store.Tx) (err error) {
		if g, err = tx.Game(id); err != nil {
			return err
		}
		moves, err := tx.Moves(&g)
		for _, m := range moves[:g.Book] {
			book += m.UCI + " "
		}
		return err
	})
	if err != nil {
		l.t.Fatal(err)
	}
	return g, book
}

func models(n int) (list []string) {
	for i := range n {
		list = append(list, fmt.Sprintf("model-%c", 'a'+i))
	}
	return list
}
