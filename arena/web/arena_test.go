package web_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"chessarena/arena"
	"chessarena/arena/arenatest"
)

// curl sends one request as a command line would and returns status and JSON.
func curl(t *testing.T, a *arenatest.Arena, key, method, path, body string) (int, map[string]any) {
	t.Helper()
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Host = "127.0.0.1:8080"
	if key != "" {
		r.Header.Set("Authorization", "Bearer "+key)
	}
	rec := httptest.NewRecorder()
	a.Handler.ServeHTTP(rec, r)
	var answer map[string]any
	if err := json.Unmarshal(rec.Body.Bytes(), &answer); err != nil {
		t.Fatalf("%s %s: %v: %.300s", method, path, err, rec.Body)
	}
	return rec.Code, answer
}

func TestAGameOverREST(t *testing.T) {
	a := arenatest.New(t, arenatest.Settings())
	keys := make(map[string]string)
	var configs []int64
	for _, name := range []string{"ann", "bob"} {
		status, answer := curl(t, a, "", "POST", "/v1/register",
			`{"nickname":"`+name+`","config":{"model":"m-1","provider":"p","harness":"curl"}}`)
		if status != 200 {
			t.Fatalf("register: %d %v", status, answer)
		}
		keys[name] = answer["key"].(string)
		configs = append(configs, int64(answer["config_id"].(float64)))
	}
	game := string(a.Pair(&arenatest.Agent{ConfigID: configs[0]}, &arenatest.Agent{ConfigID: configs[1]}))
	path := "/v1/games/" + game

	if status, state := curl(t, a, keys["ann"], "GET", path+"/state", ""); status != 200 || state["your_turn"] != true || state["your_color"] != "white" {
		t.Fatalf("state: %d %v", status, state)
	}
	if status, state := curl(t, a, keys["bob"], "GET", path+"/state?wait_s=0", ""); status != 200 || state["your_turn"] != false {
		t.Fatalf("state: %d %v", status, state)
	}
	for ply, move := range []string{"e4", "e7e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7#"} {
		name := []string{"ann", "bob"}[ply%2]
		status, answer := curl(t, a, keys[name], "POST", path+"/moves", fmt.Sprintf(`{"ply":%d,"move":%q}`, ply, move))
		if status != 200 || answer["accepted"] != true {
			t.Fatalf("move %d: %d %v", ply, status, answer)
		}
	}
	status, result := curl(t, a, keys["bob"], "GET", path+"/result", "")
	if status != 200 || result["result"] != "1-0" || result["termination"] != "checkmate" {
		t.Errorf("result: %d %v", status, result)
	}
	if status, answer := curl(t, a, keys["bob"], "POST", path+"/draw/offer", ""); status != 409 || answer["error"] != "game_not_active" {
		t.Errorf("an offer after the end: %d %v", status, answer)
	}
	if status, verdict := curl(t, a, "", "GET", path+"/verify", ""); status != 200 || verdict["ok"] != true || verdict["entries"] != 9.0 {
		t.Errorf("verify: %d %v", status, verdict)
	}
	log := httptest.NewRecorder()
	a.Handler.ServeHTTP(log, httptest.NewRequest("GET", "http://localhost"+path+"/log", nil))
	if lines := strings.Split(strings.TrimSpace(log.Body.String()), "\n"); log.Code != 200 || len(lines) != 9 || // created, 7 moves, finished
		log.Header().Get("Content-Type") != "application/x-ndjson" || !strings.Contains(lines[8], `"termination":"checkmate"`) {
		t.Errorf("log: %d\n%s", log.Code, log.Body)
	}
	if status, answer := curl(t, a, "", "GET", "/v1/games/000000000000/log", ""); status != 404 || answer["error"] != "not_found" {
		t.Errorf("log of no game: %d %v", status, answer)
	}
	r := httptest.NewRequest("GET", "http://localhost"+path+"/pgn", nil)
	rec := httptest.NewRecorder()
	a.Handler.ServeHTTP(rec, r)
	if got := rec.Header().Get("Content-Type"); rec.Code != 200 || !strings.HasPrefix(got, "application/vnd.chess-pgn") || !strings.Contains(rec.Body.String(), "Qxf7# 1-0") {
		t.Errorf("pgn: %d %s %s", rec.Code, got, rec.Body)
	}
}

// TestBadInputCostsNothing sends what confused clients send to a running game, over both
// doors, and then looks whether the mover still has every attempt.
func TestBadInputCostsNothing(t *testing.T) {
	a := arenatest.New(t, arenatest.Settings())
	ann, bob, eve := a.Register("ann"), a.Register("bob"), a.Register("eve")
	game := string(a.Pair(ann, bob))
	moves := "/v1/games/" + game + "/moves"
	long := strings.Repeat("x", 10_000)
	for _, test := range []struct {
		name, key, method, path, body string
		status                        int
		code                          arena.Code
	}{
		{"no key", "", "POST", moves, `{"ply":0,"move":"e4"}`, 401, arena.MalformedKey},
		{"a key without a dot", "nonsense", "POST", moves, `{"ply":0,"move":"e4"}`, 401, arena.MalformedKey},
		{"a 10 kB key", "ann." + long, "POST", moves, `{"ply":0,"move":"e4"}`, 401, arena.MalformedKey},
		{"a key of nobody", "nobody." + long[:300], "POST", moves, `{"ply":0,"move":"e4"}`, 401, arena.UnknownKey},
		{"a wrong key of somebody", "ann." + long[:300], "POST", moves, `{"ply":0,"move":"e4"}`, 401, arena.BadKey},
		{"a stranger's key", eve.Key, "POST", moves, `{"ply":0,"move":"e4"}`, 403, arena.NotYourGame},
		{"an id of another shape", ann.Key, "POST", "/v1/games/12/moves", `{"ply":0,"move":"e4"}`, 400, arena.InvalidGameID},
		{"an id of no game", ann.Key, "POST", "/v1/games/000000000000/moves", `{"ply":0,"move":"e4"}`, 404, arena.NotFound},
		{"a stale ply", ann.Key, "POST", moves, `{"ply":9,"move":"e4"}`, 409, arena.StalePly},
		{"the other side's turn", bob.Key, "POST", moves, `{"ply":0,"move":"e4"}`, 409, arena.NotYourTurn},
		{"no move", ann.Key, "POST", moves, `{"ply":0}`, 400, arena.InvalidArguments},
		{"a null for a move", ann.Key, "POST", moves, `{"ply":0,"move":null}`, 400, arena.InvalidArguments},
		{"a number for a move", ann.Key, "POST", moves, `{"ply":0,"move":4}`, 400, arena.InvalidArguments},
		{"a list of moves", ann.Key, "POST", moves, `{"ply":0,"move":["e4"]}`, 400, arena.InvalidArguments},
		{"a fraction for a ply", ann.Key, "POST", moves, `{"ply":0.5,"move":"e4"}`, 400, arena.InvalidArguments},
		{"a word for a ply", ann.Key, "POST", moves, `{"ply":"first","move":"e4"}`, 400, arena.InvalidArguments},
		{"a misspelt name", ann.Key, "POST", moves, `{"ply":0,"mvoe":"e4"}`, 400, arena.InvalidArguments},
		{"a 10 kB name", ann.Key, "POST", moves, `{"ply":0,"move":"e4","` + long + `":1}`, 400, arena.InvalidArguments},
		{"two plies", ann.Key, "POST", moves, `{"ply":0,"move":"e4","ply":1}`, 400, arena.InvalidArguments},
		{"another game in the body", ann.Key, "POST", moves, `{"game_id":"000000000000","ply":0,"move":"e4"}`, 400, arena.InvalidArguments},
		{"invalid UTF-8", ann.Key, "POST", moves, "{\"ply\":0,\"move\":\"e4\xff\"}", 400, arena.InvalidArguments},
		{"not JSON", ann.Key, "POST", moves, `ply=0&move=e4`, 400, arena.InvalidArguments},
		{"2 MiB", ann.Key, "POST", moves, `{"ply":0,"move":"` + strings.Repeat("x", 2<<20) + `"}`, 413, arena.PayloadTooLarge},
		{"a wrong method", ann.Key, "PUT", moves, `{"ply":0,"move":"e4"}`, 405, arena.MethodNotAllowed},
		{"a wrong path", ann.Key, "POST", "/v1/games/" + game + "/move", `{"ply":0,"move":"e4"}`, 404, arena.NotFound},
	} {
		t.Run(test.name, func(t *testing.T) {
			status, answer := curl(t, a, test.key, test.method, test.path, test.body)
			if status != test.status || answer["error"] != string(test.code) {
				t.Errorf("%d %v, want %d %s", status, answer, test.status, test.code)
			}
			message, _ := answer["message"].(string)
			if message == "" || len(message) > 500 || strings.Contains(message, long[:100]) {
				t.Errorf("the message is %q", message)
			}
		})
	}
	_, state := curl(t, a, ann.Key, "GET", "/v1/games/"+game+"/state", "")
	if left := state["attempts_left"]; left != float64(a.Settings.IllegalMax) || state["ply"] != 0.0 {
		t.Errorf("afterwards %v attempts are left at ply %v, want %d at 0", left, state["ply"], a.Settings.IllegalMax)
	}
}

func TestPatienceWithModels(t *testing.T) {
	a := arenatest.New(t, arenatest.Settings())
	ann, bob := a.Register("ann"), a.Register("bob")
	for name, body := range map[string]string{
		"numbers as strings":        `{"ply":"0","move":"e4"}`,
		"null for what is optional": `{"ply":0,"move":"e4","wait_s":null}`,
		"a number with a point":     `{"ply":0.0,"move":"e4"}`,
		"a wait beyond the limits":  `{"ply":0,"move":"e4","wait_s":-5}`,
	} {
		t.Run(name, func(t *testing.T) {
			status, answer := curl(t, a, ann.Key, "POST", "/v1/games/"+string(a.Pair(ann, bob))+"/moves", body)
			if status != 200 || answer["accepted"] != true {
				t.Errorf("%d %v", status, answer)
			}
		})
	}
	t.Run("a config as a string of JSON", func(t *testing.T) {
		status, answer := curl(t, a, ann.Key, "POST", "/v1/configs", `{"config":"{\"model\":\"m-2\",\"provider\":\"p\",\"harness\":\"h\"}"}`)
		if status != 200 || answer["created"] != true {
			t.Errorf("%d %v", status, answer)
		}
	})
}

func TestPaths(t *testing.T) {
	a := arenatest.New(t, arenatest.Settings())
	for path, want := range map[string]struct {
		status int
		kind   string
	}{
		"/healthz":       {200, "text/plain; charset=utf-8"},
		"/readyz":        {200, "application/json"},
		"/rules.txt":     {200, "text/plain; charset=utf-8"},
		"/":              {200, "text/html; charset=utf-8"},
		"/v1/games":      {200, "application/json"},
		"/v1/":           {404, "application/json"},
		"/nothing/at/it": {404, "text/html; charset=utf-8"},
		"/mcp":           {405, "application/json"},
	} {
		rec := httptest.NewRecorder()
		a.Handler.ServeHTTP(rec, httptest.NewRequest(http.MethodGet, "http://localhost"+path, nil))
		if got := rec.Header().Get("Content-Type"); rec.Code != want.status || got != want.kind {
			t.Errorf("%s: %d %s, want %d %s", path, rec.Code, got, want.status, want.kind)
		}
	}
}

func TestTheRateLimitSaysWhenToComeBack(t *testing.T) {
	s := arenatest.Settings()
	s.ToolsPerMinute = 2
	a := arenatest.New(t, s)
	ann := a.Register("ann")
	var rec *httptest.ResponseRecorder
	for range 3 {
		r := httptest.NewRequest("GET", "http://localhost/v1/configs", nil)
		r.Header.Set("Authorization", "Bearer "+ann.Key)
		rec = httptest.NewRecorder()
		a.Handler.ServeHTTP(rec, r)
	}
	// Two calls a minute: the next one is free after 30 seconds, less what the test took.
	if rec.Code != 429 || rec.Header().Get("Retry-After") != "30" && rec.Header().Get("Retry-After") != "29" {
		t.Errorf("%d, Retry-After %q, %s", rec.Code, rec.Header().Get("Retry-After"), rec.Body)
	}
}
