// Package arenatest opens an arena for a test: a hall over a real database in a folder of
// the test, the HTTP door and the MCP door in front of it, and agents that play.
//
// An undeclared error code is a failure of the test here, and so is every line that the
// arena logs as an error. Nothing listens on the network: a test calls Handler, or serves
// on Pipes, which works inside a testing/synctest bubble, or starts an httptest.Server.
//
// Only tests import this package.
package arenatest

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"path/filepath"
	"testing"

	"chessarena/arena"
	"chessarena/arena/arbiter"
	"chessarena/arena/hall"
	"chessarena/arena/tool"
	"chessarena/arena/web"
	"chessarena/mcpserver"
	"chessarena/store"
)

// Arena is an open arena. It is closed at the end of its test.
type Arena struct {
	*hall.Hall
	Handler http.Handler // all of HTTP, with MCP at /mcp

	t testing.TB
}

// Settings are the default settings with limits on calls that no test meets.
func Settings() arena.Settings {
	s := arena.DefaultSettings()
	s.RegisterPerHour, s.ToolsPerMinute = 1_000_000, 1_000_000
	return s
}

// New opens an arena with s and a database of its own. Workers do not run; a test calls
// their steps, or Hall.Run.
func New(t testing.TB, s arena.Settings) *Arena {
	t.Helper()
	s.DB = filepath.Join(t.TempDir(), "arena.db")
	log := slog.New(&failing{t: t})
	h, err := hall.Open(t.Context(), s, hall.Options{Log: log})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
	h.Agents.Strict = true
	mcp := mcpserver.New(h.Agents, mcpserver.Options{
		Version: "test", Settings: s, Rules: s.RulesText(), PGN: h.Archive.PGN, Log: log,
	})
	handler, err := web.New(h, web.Options{MCP: mcp, Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	return &Arena{Hall: h, Handler: handler, t: t}
}

// Agent is a registered nickname with one configuration.
type Agent struct {
	Nickname string
	Key      string
	ConfigID int64

	arena *Arena
}

// Register registers nickname with a configuration of the model "test-model".
func (a *Arena) Register(nickname string) *Agent {
	a.t.Helper()
	return a.RegisterAs(nickname, map[string]any{"model": "test-model", "provider": "test", "harness": "arenatest"})
}

// RegisterAs registers nickname with a configuration.
func (a *Arena) RegisterAs(nickname string, config map[string]any) *Agent {
	a.t.Helper()
	agent := &Agent{Nickname: nickname, arena: a}
	var out struct {
		Key      string `json:"key"`
		ConfigID int64  `json:"config_id"`
	}
	agent.Must("register", map[string]any{"nickname": nickname, "config": config}, &out)
	agent.Key, agent.ConfigID = out.Key, out.ConfigID
	return agent
}

// Pair begins a rated game from the standard position.
func (a *Arena) Pair(white, black *Agent) arena.GameID {
	a.t.Helper()
	var id arena.GameID
	err := a.DB.Update(a.t.Context(), func(tx *store.Tx) error {
		game, err := a.Arbiter.Create(tx, arbiter.Pairing{White: white.ConfigID, Black: black.ConfigID, Rated: true})
		if err == nil {
			id = game.ID
		}
		return err
	})
	if err != nil {
		a.t.Fatal(err)
	}
	return id
}

// Play plays moves from ply 0 of id on, in turns, white first.
func (a *Arena) Play(id arena.GameID, white, black *Agent, moves ...string) {
	a.t.Helper()
	for ply, move := range moves {
		mover := white
		if ply%2 == 1 {
			mover = black
		}
		mover.Must("submit_move", map[string]any{"game_id": id, "ply": ply, "move": move}, nil)
	}
}

// Call calls a tool in the agent's name and decodes the answer into out, unless that is
// nil. It returns the code of a failure, "" for a success.
func (g *Agent) Call(name string, args, out any) arena.Code {
	g.arena.t.Helper()
	text, err := json.Marshal(args)
	if err != nil {
		g.arena.t.Fatal(err)
	}
	ctx := tool.WithScope(g.arena.t.Context(), &tool.Scope{Bearer: g.Key})
	answer := g.arena.Agents.Call(ctx, name, text)
	if out != nil {
		if err := json.Unmarshal(answer.JSON, out); err != nil {
			g.arena.t.Fatalf("%s answered %s: %v", name, answer.JSON, err)
		}
	}
	if answer.Err != nil {
		return answer.Err.Code
	}
	return ""
}

// Must is a Call that must not fail.
func (g *Agent) Must(name string, args, out any) {
	g.arena.t.Helper()
	var answer json.RawMessage
	if code := g.Call(name, args, &answer); code != "" {
		g.arena.t.Fatalf("%s by %s: %s", name, g.Nickname, answer)
	}
	if out != nil {
		if err := json.Unmarshal(answer, out); err != nil {
			g.arena.t.Fatalf("%s answered %s: %v", name, answer, err)
		}
	}
}

// failing is a log handler that fails the test at an error.
type failing struct {
	t     testing.TB
	attrs []slog.Attr
}

func (f *failing) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelError }

func (f *failing) Handle(_ context.Context, r slog.Record) error {
	attrs := f.attrs
	r.Attrs(func(a slog.Attr) bool { attrs = append(attrs[:len(attrs):len(attrs)], a); return true })
	f.t.Errorf("the arena logged an error: %s %v", r.Message, attrs)
	return nil
}

func (f *failing) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &failing{t: f.t, attrs: append(f.attrs[:len(f.attrs):len(f.attrs)], attrs...)}
}

func (f *failing) WithGroup(string) slog.Handler { return f }
