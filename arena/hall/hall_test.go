package hall_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"chessarena/arena"
	"chessarena/arena/arbiter"
	"chessarena/arena/hall"
	"chessarena/store"
)

func open(t *testing.T, s arena.Settings, o hall.Options) *hall.Hall {
	t.Helper()
	h, err := hall.Open(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	return h
}

func settings(t *testing.T) arena.Settings {
	s := arena.DefaultSettings()
	s.DB = filepath.Join(t.TempDir(), "arena.db")
	return s
}

// players registers two agents straight in the store and returns their config ids.
func players(t *testing.T, h *hall.Hall) (agents [2]arena.Agent, configs [2]int64) {
	t.Helper()
	err := h.DB.Update(t.Context(), func(tx *store.Tx) error {
		for i, name := range []arena.Nickname{"white", "black"} {
			agent, err := tx.AddAgent(name, "hash", "00000000")
			if err != nil {
				return err
			}
			bucket, err := tx.EnsureBucket(arena.Config{Model: "m", Provider: "p", Harness: "h"})
			if err != nil {
				return err
			}
			entry, _, err := tx.AddEntry(agent.ID, bucket.ID, arena.Entry{ModelRaw: "m"})
			if err != nil {
				return err
			}
			agents[i], configs[i] = agent, entry.ID
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return agents, configs
}

func begin(t *testing.T, h *hall.Hall, configs [2]int64) (id arena.GameID) {
	t.Helper()
	err := h.DB.Update(t.Context(), func(tx *store.Tx) error {
		g, err := h.Arbiter.Create(tx, arbiter.Pairing{White: configs[0], Black: configs[1]})
		if err == nil {
			id = g.ID
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func TestAFinishedGameIsCopiedAsPGNOnce(t *testing.T) {
	s := settings(t)
	s.PGNDir = filepath.Join(t.TempDir(), "pgn")
	h := open(t, s, hall.Options{})
	agents, configs := players(t, h)
	id := begin(t, h, configs)
	if err := h.CopyPGNs(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(s.PGNDir, string(id)+".pgn")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a running game has a copy: %v", err)
	}
	if _, err := h.Arbiter.Resign(t.Context(), agents[1], arbiter.GameInput{GameID: id}); err != nil {
		t.Fatal(err)
	}
	if err := h.CopyPGNs(t.Context()); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(s.PGNDir, string(id)+".pgn")
	text, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(text), `[Result "1-0"]`) {
		t.Fatalf("copy: %v\n%s", err, text)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := h.CopyPGNs(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(file); !errors.Is(err, os.ErrNotExist) {
		t.Error("the copy was made again though it was done")
	}
}

func TestAnotherProcesssGameIsNoticed(t *testing.T) {
	s := settings(t)
	server := open(t, s, hall.Options{})
	agents, configs := players(t, server)
	command := open(t, s, hall.Options{Offline: true})
	id := begin(t, command, configs)
	look := func() *arbiter.State {
		st, err := server.Arbiter.GetState(t.Context(), agents[0], arbiter.StateInput{GameID: id, Wait: new(float64)})
		if err != nil {
			t.Fatal(err)
		}
		return st
	}
	if st := look(); !st.YourTurn {
		t.Error("White cannot move in a game the command began")
	}
	if _, err := command.Arbiter.Resign(t.Context(), agents[1], arbiter.GameInput{GameID: id}); err != nil {
		t.Fatal(err)
	}
	if err := server.NoticeForeign(t.Context()); err != nil {
		t.Fatal(err)
	}
	if st := look(); st.Status != arena.Finished {
		t.Errorf("the server still shows the game as %s", st.Status)
	}
}

func TestRunEndsWithItsDoorsAndAnswersWaiters(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := open(t, settings(t), hall.Options{})
		defer h.Close()
		agents, configs := players(t, h)
		id := begin(t, h, configs)
		ctx, stop := context.WithCancel(t.Context())
		ran := make(chan error)
		go func() {
			ran <- h.Run(ctx, func(ctx context.Context) error {
				<-ctx.Done()
				h.Hub.Close()
				return nil
			})
		}()
		answered := make(chan *arbiter.State)
		go func() {
			st, err := h.Arbiter.GetState(context.Background(), agents[1], arbiter.StateInput{GameID: id})
			if err != nil {
				t.Error(err)
			}
			answered <- st
		}()
		time.Sleep(5 * time.Second)
		stop()
		if st := <-answered; st == nil || st.Waited == nil || *st.Waited != 5 {
			t.Errorf("the waiter got %+v", st)
		}
		if err := <-ran; err != nil {
			t.Error(err)
		}
	})
}

func TestAFailingDoorEndsTheRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := open(t, settings(t), hall.Options{})
		defer h.Close()
		broken := errors.New("no more sockets")
		if err := h.Run(t.Context(), func(context.Context) error { return broken }); !errors.Is(err, broken) {
			t.Errorf("Run returned %v, want %v", err, broken)
		}
	})
}

func TestOpenRefusesSettingsThatMakeNoSense(t *testing.T) {
	s := settings(t)
	s.IllegalMax = 0
	if _, err := hall.Open(t.Context(), s, hall.Options{}); err == nil || !strings.Contains(err.Error(), "ILLEGAL_MAX") {
		t.Errorf("Open: %v", err)
	}
	if _, err := os.Stat(s.DB); !errors.Is(err, os.ErrNotExist) {
		t.Error("a refused start left a database behind")
	}
}
