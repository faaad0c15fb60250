package e2e_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"chessarena/arena/arbiter"
	"chessarena/e2e/agent"
	"chessarena/e2e/host"
)

var scratch string // a folder for the whole run

func TestMain(m *testing.M) {
	folder, err := os.MkdirTemp("", "arena-e2e-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	scratch = folder
	code := m.Run()
	os.RemoveAll(folder)
	os.Exit(code)
}

// build compiles the binary once, for the first test that needs it.
var build = sync.OnceValues(func() (string, error) {
	return host.Build(context.Background(), "..", scratch)
})

// serve starts an arena of the test's own, and stops it at the end. The house does not
// play with itself there, which would change pages under a test, unless env says so.
func serve(t *testing.T, env ...string) *host.Arena {
	t.Helper()
	binary, err := build()
	if err != nil {
		t.Fatal(err)
	}
	a := &host.Arena{Binary: binary, DB: filepath.Join(t.TempDir(), "arena.db"), Env: append([]string{"ARENA_HOUSE_GAMES=off"}, env...)}
	if err := a.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if took, err := a.Stop(); err != nil {
			t.Error(err)
		} else if took > 3*time.Second {
			t.Errorf("the arena took %v to stop", took)
		}
		if t.Failed() {
			t.Logf("log of the arena:\n%s", tail(a.Log(), 4000))
		}
	})
	return a
}

func tail(s string, n int) string { return s[max(0, len(s)-n):] }

// needs finds an executable. Without it the test is skipped, or fails where everything
// must be there (ARENA_TEST_ALL=1).
func needs(t *testing.T, names ...string) string {
	t.Helper()
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	missing(t, fmt.Sprintf("none of %s is installed", strings.Join(names, ", ")))
	return ""
}

// needsPackage finds a package of e2e/node_modules.
func needsPackage(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("node_modules", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		missing(t, name+" is not installed; run npm ci --ignore-scripts in e2e")
	}
	return path
}

func missing(t *testing.T, sentence string) {
	t.Helper()
	if os.Getenv("ARENA_TEST_ALL") == "1" {
		t.Fatal(sentence)
	}
	t.Skip(sentence)
}

// newClient is an HTTP client with connections of its own.
func newClient(t *testing.T) *http.Client {
	t.Helper()
	transport := &http.Transport{MaxIdleConns: 512, MaxIdleConnsPerHost: 512, IdleConnTimeout: time.Minute}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// wire is a bare MCP caller, rest a REST caller.
func wire(t *testing.T, a *host.Arena) *agent.Wire {
	return &agent.Wire{URL: a.URL() + "/mcp", Client: newClient(t)}
}

func rest(t *testing.T, a *host.Arena) *agent.REST {
	return &agent.REST{URL: a.URL(), Client: newClient(t)}
}

// sdk is a caller through the official Go client.
func sdk(t *testing.T, a *host.Arena) *agent.SDK {
	t.Helper()
	c, err := agent.Connect(t.Context(), a.URL()+"/mcp", newClient(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func register(t *testing.T, c agent.Caller, nickname string) *agent.Player {
	t.Helper()
	p, err := agent.Register(t.Context(), c, nickname)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// createGame begins a game as an operator does, from the shell.
func createGame(t *testing.T, a *host.Arena, white, black int64, more ...string) string {
	t.Helper()
	out, err := a.Admin(t.Context(), append([]string{"create-game", fmt.Sprint(white), fmt.Sprint(black)}, more...)...)
	if err != nil {
		t.Fatal(err)
	}
	var made struct {
		GameID string `json:"game_id"`
	}
	if err := json.Unmarshal(out, &made); err != nil || made.GameID == "" {
		t.Fatalf("create-game printed %s (%v)", out, err)
	}
	return made.GameID
}

func createGames(t *testing.T, a *host.Arena, pairings ...arbiter.Pairing) []string {
	t.Helper()
	ids, err := a.CreateGames(t.Context(), pairings...)
	if err != nil {
		t.Fatal(err)
	}
	return ids
}
