package arenatest_test

import (
	"testing"

	"chessarena/arena"
	"chessarena/arena/arenatest"
)

func TestAgentsPlayAGameToItsEnd(t *testing.T) {
	a := arenatest.New(t, arenatest.Settings())
	ann, bob := a.Register("ann"), a.Register("bob")
	game := a.Pair(ann, bob)
	a.Play(game, ann, bob, "f3", "e5", "g4", "Qh4#")
	var out struct {
		Result      arena.Result      `json:"result"`
		Termination arena.Termination `json:"termination"`
	}
	ann.Must("get_result", map[string]any{"game_id": game}, &out)
	if out.Result != arena.BlackWins || out.Termination != "checkmate" {
		t.Errorf("the game ended %s by %s, want 0-1 by checkmate", out.Result, out.Termination)
	}
	if code := bob.Call("resign", map[string]any{"game_id": game}, nil); code != arena.GameNotActive {
		t.Errorf("resigning afterwards: %q, want game_not_active", code)
	}
}
