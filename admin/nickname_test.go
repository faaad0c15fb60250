package admin

import (
	"encoding/json"
	"strings"
	"testing"

	"chessarena/arena"
	"chessarena/arena/hall"
)

// as calls an agents' tool with a key, in the arena that "serves".
func as(t *testing.T, h *hall.Hall, key, tool, args string) (code arena.Code, answer map[string]any) {
	t.Helper()
	var members map[string]any
	if err := json.Unmarshal([]byte(args), &members); err != nil {
		t.Fatal(err)
	}
	members["key"] = key
	text, err := json.Marshal(members)
	if err != nil {
		t.Fatal(err)
	}
	a := h.Agents.Call(t.Context(), tool, text)
	if err := json.Unmarshal(a.JSON, &answer); err != nil {
		t.Fatal(err)
	}
	if a.Err != nil {
		code = a.Err.Code
	}
	return code, answer
}

func mustRun(t *testing.T, h *hall.Hall, words ...string) string {
	t.Helper()
	out := mustRunOnly(t, h, words...)
	if err := h.NoticeForeign(t.Context()); err != nil { // what a server does four times a second
		t.Fatal(err)
	}
	return out
}

func TestFreezingStopsTheKeyAndVoidsTheGames(t *testing.T) {
	h := openHall(t)
	carol := register(t, h, "carol")
	dave := register(t, h, "dave")
	out := mustRun(t, h, "create-game", "3", "4", "--json")
	var game createGameOut
	if err := json.Unmarshal([]byte(out), &game); err != nil {
		t.Fatal(err)
	}
	state := `{"game_id":"` + string(game.GameID) + `","wait_s":0}`
	if code, _ := as(t, h, carol, "get_state", state); code != "" {
		t.Fatalf("before: %s", code)
	}
	mustRun(t, h, "nicknames", "freeze", "Car01") // a look-alike finds it too
	if code, _ := as(t, h, carol, "list_configs", `{}`); code != arena.Frozen {
		t.Errorf("carol's key: %q, want frozen", code)
	}
	_, st := as(t, h, dave, "get_state", state)
	if st["status"] != "void" || st["termination"] != "admin" || st["result"] != "*" {
		t.Errorf("dave sees %v %v %v", st["status"], st["termination"], st["result"])
	}
	mustRun(t, h, "nicknames", "unfreeze", "carol")
	if code, _ := as(t, h, carol, "list_configs", `{}`); code != "" {
		t.Errorf("carol's key after unfreezing: %s", code)
	}
}

func TestRotatingAKeyStopsTheOldOne(t *testing.T) {
	h := openHall(t)
	old := register(t, h, "carol")
	if code, _ := as(t, h, old, "list_configs", `{}`); code != "" {
		t.Fatal(code)
	}
	var out rotateOut
	if err := json.Unmarshal([]byte(mustRun(t, h, "nicknames", "rotate-key", "carol", "--json")), &out); err != nil {
		t.Fatal(err)
	}
	if code, _ := as(t, h, old, "list_configs", `{}`); code != arena.BadKey {
		t.Errorf("the old key: %q, want bad_key", code)
	}
	if code, _ := as(t, h, string(out.Key), "list_configs", `{}`); code != "" {
		t.Errorf("the new key: %q", code)
	}
	for _, row := range audits(t, h) {
		if strings.Contains(string(row.Args)+string(row.Undo), string(out.Key)) {
			t.Error("the audit log holds the key")
		}
	}
}

func TestReleaseIsForNicknamesThatNeverPlayed(t *testing.T) {
	h := openHall(t)
	beginGame(t, h)
	if _, err := run(t, h, "nicknames", "release", "alice"); arena.CodeOf(err) != arena.NicknameInUse {
		t.Errorf("release of a player: %v", err)
	}
	lost := register(t, h, "carol")
	mustRun(t, h, "nicknames", "release", "carol")
	again := register(t, h, "carol")
	if code, _ := as(t, h, again, "list_configs", `{}`); code != "" {
		t.Errorf("the new owner: %s", code)
	}
	if code, _ := as(t, h, lost, "list_configs", `{}`); code != arena.BadKey {
		t.Errorf("the lost key: %q, want bad_key", code)
	}
}

func TestVoidNeedsAReasonAndARunningGame(t *testing.T) {
	h := openHall(t)
	id := string(beginGame(t, h))
	if _, err := run(t, h, "games", "void", id, "--why", strings.Repeat("x", 201)); arena.CodeOf(err) != arena.InvalidArguments {
		t.Errorf("a long reason: %v", err)
	}
	mustRun(t, h, "games", "void", id, "--why", "a test")
	if _, err := run(t, h, "games", "void", id, "--why", "again"); arena.CodeOf(err) != arena.GameNotActive {
		t.Errorf("a second time: %v", err)
	}
	if out := mustRun(t, h, "games", "show", id); !strings.Contains(out, "void") || !strings.Contains(out, `[TerminationCode "admin"]`) {
		t.Errorf("show: %s", out)
	}
}

func TestListsGoOnWhereThePageBeforeEnded(t *testing.T) {
	h := openHall(t)
	register(t, h, "carol")
	for _, list := range []string{"nicknames", "configs"} {
		out := mustRun(t, h, list, "list", "--limit", "2", "--json")
		if !strings.Contains(out, `"next_after":2`) || strings.Contains(out, "carol") {
			t.Errorf("first page of %s: %s", list, out)
		}
		out = mustRun(t, h, list, "list", "--after", "2", "--json")
		if !strings.Contains(out, `"next_after":null`) || !strings.Contains(out, "carol") || strings.Contains(out, "alice") {
			t.Errorf("second page of %s: %s", list, out)
		}
	}
}
