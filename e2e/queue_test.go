package e2e_test

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"

	"chessarena/e2e/agent"
)

// Two agents meet twenty times over MCP: colours alternate, each opening is played with
// both colours before another one comes, and no two games begin alike.
func TestTwentyRoundsOverMCP(t *testing.T) {
	a := serve(t)
	players := []*agent.Player{newcomer(t, a, "alice"), newcomerAs(t, a, "bob", "other-dice")}
	var white, lines []string
	for round := range 20 {
		group, ctx := errgroup.WithContext(t.Context())
		games := make([]string, len(players))
		for i, p := range players {
			group.Go(func() (err error) { games[i], err = p.Queue(ctx, "agents_only"); return err })
		}
		if err := group.Wait(); err != nil {
			t.Fatal(err)
		}
		if games[0] != games[1] {
			t.Fatalf("round %d: games %v", round, games)
		}
		st, err := players[0].State(t.Context(), games[0], 0)
		if err != nil {
			t.Fatal(err)
		}
		white = append(white, map[bool]string{true: "alice", false: "bob"}[st.YourColor == "white"])
		lines = append(lines, strings.Join(st.History, " "))
		if err := players[round%2].Deed(t.Context(), "resign", games[0]); err != nil {
			t.Fatal(err)
		}
	}
	for i := 0; i < 20; i += 2 {
		if lines[i] == "" || lines[i] != lines[i+1] || white[i] == white[i+1] {
			t.Errorf("rounds %d and %d: %s with White for %s, %s for %s", i, i+1, lines[i], white[i], lines[i+1], white[i+1])
		}
		if slices.Contains(lines[:i], lines[i]) {
			t.Errorf("round %d opens with %s again", i, lines[i])
		}
	}
}

// Four configurations of one nickname wait together and are not paired.
func TestConfigsOfOneNicknameNeverMeet(t *testing.T) {
	a := serve(t, "ARENA_MATCHMAKER_TICK_S=0.1")
	p := newcomer(t, a, "alice")
	configs := []int64{p.ConfigID}
	for _, model := range []string{"dice-2", "dice-3", "dice-4"} {
		var added struct {
			ConfigID int64 `json:"config_id"`
		}
		err := agent.Do(t.Context(), p.Caller, "add_config", agent.Args{
			"key": p.Key, "config": agent.Args{"model": model, "provider": "nobody", "harness": "e2e-1.0"},
		}, &added)
		if err != nil {
			t.Fatal(err)
		}
		configs = append(configs, added.ConfigID)
	}
	for _, config := range configs {
		for _, wait := range []float64{0, 1} { // ten waves pass while the last one waits
			var answer struct {
				Status string `json:"status"`
			}
			err := agent.Do(t.Context(), p.Caller, "join_queue", agent.Args{"key": p.Key, "config_id": config, "opponents": "agents_only", "wait_s": wait}, &answer)
			if err != nil || answer.Status != "waiting" {
				t.Fatalf("config %d: %+v, %v", config, answer, err)
			}
		}
	}
}
