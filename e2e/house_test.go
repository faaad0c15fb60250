package e2e_test

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"syscall"
	"testing"
	"time"

	"chessarena/arena/arbiter"
	"chessarena/e2e/agent"
	"chessarena/e2e/host"
)

// ladder returns the configurations of the house by model, once they are there.
func ladder(t *testing.T, a *host.Arena) map[string]int64 {
	t.Helper()
	for range 200 {
		answer, err := a.Admin(t.Context(), "nicknames", "show", "house")
		var house struct {
			Configs []struct {
				ID    int64  `json:"config_id"`
				Model string `json:"model"`
			} `json:"configs"`
		}
		if err == nil && json.Unmarshal(answer, &house) == nil && len(house.Configs) > 0 {
			list := make(map[string]int64)
			for _, c := range house.Configs {
				list[c.Model] = c.ID
			}
			return list
		}
		time.Sleep(50 * time.Millisecond) // the house is seated beside the start of the doors
	}
	t.Fatal("the house has no players")
	return nil
}

func newcomer(t *testing.T, a *host.Arena, name string) *agent.Player {
	t.Helper()
	return newcomerAs(t, a, name, "dice")
}

func newcomerAs(t *testing.T, a *host.Arena, name, model string) *agent.Player {
	t.Helper()
	c, err := agent.Connect(t.Context(), a.URL()+"/mcp", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	p, err := agent.RegisterAs(t.Context(), c, name, model)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A stranger's agent joins the queue of a fresh arena and plays the house to the end, with
// and without Stockfish.
func TestAnAgentAloneGetsAGame(t *testing.T) {
	for name, env := range map[string][]string{"without Stockfish": {"ARENA_HOUSE_GAMES=idle", "ARENA_STOCKFISH=off"}, "with what is installed": {"ARENA_HOUSE_GAMES=idle"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := serve(t, env...)
			ladder(t, a)
			p := newcomer(t, a, "newcomer")
			game, err := p.Queue(t.Context(), "any")
			if err != nil {
				t.Fatal(err)
			}
			played, err := p.PlayRandom(t.Context(), game, rand.New(rand.NewPCG(1, 1)))
			if err != nil {
				t.Fatal(err)
			}
			if played.Final.Termination == "timeout" || played.Final.Result == "" {
				t.Errorf("%+v", played.Final)
			}
		})
	}
}

// Stockfish is killed again and again under a game against it: the agent finishes its game,
// the game counts for nothing, and no process is left behind.
func TestStockfishDiesInMidGame(t *testing.T) {
	needs(t, "stockfish", "/usr/games/stockfish")
	a := serve(t)
	rungs := ladder(t, a)
	p := newcomer(t, a, "newcomer")
	ids, err := a.CreateGames(t.Context(), arbiter.Pairing{White: p.ConfigID, Black: rungs["stockfish-skill-0"], Rated: true})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	killed := make(chan int)
	go func() {
		n := 0
		for ctx.Err() == nil {
			for _, pid := range host.Children(a.PID()) {
				if syscall.Kill(pid, syscall.SIGKILL) == nil {
					n++
				}
			}
			time.Sleep(20 * time.Millisecond)
		}
		killed <- n
	}()
	played, err := p.PlayRandom(t.Context(), ids[0], rand.New(rand.NewPCG(2, 2)))
	stop()
	if n := <-killed; n == 0 {
		t.Error("no engine was killed")
	}
	if err != nil {
		t.Fatal(err)
	}
	if played.Final.Termination == "timeout" || played.Final.Result == "" || played.Final.Rated {
		t.Errorf("%+v", played.Final)
	}
	if !strings.Contains(a.Log(), "a house player was replaced") {
		t.Error("the log does not say that a player was replaced")
	}
	// Whatever still runs is at most one engine that waits for work.
	if left := host.Children(a.PID()); len(left) > 1 {
		t.Errorf("processes %v are left", left)
	}
}
