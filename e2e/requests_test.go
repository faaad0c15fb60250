package e2e_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

// jsonBody is the header of an ordinary request.
const (
	jsonBody = "Content-Type: application/json"
	withKey  = "Authorization: Bearer $KEY"
)

// Requests of the REST door, with the status and code that each must get.
var badRequests = []struct {
	name, method, path, body string
	headers                  []string
	status                   int
	code, says               string
}{
	{"no key", "GET", "/v1/games/$GAME/state", "", nil, 401, "malformed_key", ""},
	{"no bearer", "GET", "/v1/games/$GAME/state", "", []string{"Authorization: Basic $KEY"}, 401, "malformed_key", ""},
	{"a wrong key", "GET", "/v1/games/$GAME/state", "", []string{"Authorization: Bearer Careless.nope"}, 401, "bad_key", ""},
	{"two keys", "POST", "/v1/games/$GAME/moves", `{"key":"$OTHER","ply":0,"move":"e4"}`, []string{jsonBody, withKey}, 401, "malformed_key", "different"},
	{"a key in the URL", "GET", "/v1/games/$GAME/state?key=$KEY", "", nil, 400, "invalid_arguments", "Authorization"},
	{"a key for a game", "GET", "/v1/games/$KEY/state", "", []string{withKey}, 400, "invalid_game_id", ""},
	{"an unknown game", "GET", "/v1/games/000000000000/state", "", []string{withKey}, 404, "not_found", ""},
	{"an unknown path", "GET", "/v1/nothing", "", nil, 404, "not_found", ""},
	{"an unknown name in the query", "GET", "/v1/games/$GAME/state?wait=1", "", []string{withKey}, 400, "invalid_arguments", "wait_s"},
	{"a name twice", "GET", "/v1/games/$GAME/state?wait_s=1&wait_s=2", "", []string{withKey}, 400, "invalid_arguments", "twice"},
	{"a bad query", "GET", "/v1/games/$GAME/state?wait_s=%zz", "", []string{withKey}, 400, "invalid_arguments", ""},
	{"invalid UTF-8 in the path", "GET", "/v1/games/%ff%fe/state", "", []string{withKey}, 400, "invalid_arguments", "UTF-8"},
	{"another game in the body", "POST", "/v1/games/$GAME/moves", `{"game_id":"000000000000","ply":0,"move":"e4"}`, []string{jsonBody, withKey}, 400, "invalid_arguments", "twice"},
	{"no body", "POST", "/v1/games/$GAME/moves", "", []string{withKey}, 400, "invalid_arguments", "ply"},
	{"a list", "POST", "/v1/games/$GAME/moves", `[0,"e4"]`, []string{jsonBody, withKey}, 400, "invalid_arguments", "object"},
	{"half an object", "POST", "/v1/games/$GAME/moves", `{"ply":0,`, []string{jsonBody, withKey}, 400, "invalid_arguments", "object"},
	{"two objects", "POST", "/v1/games/$GAME/moves", `{"ply":0}{"move":"e4"}`, []string{jsonBody, withKey}, 400, "invalid_arguments", "object"},
	{"deep nesting", "POST", "/v1/games/$GAME/moves", `{"ply":$DEEP,"move":"e4"}`, []string{jsonBody, withKey}, 400, "invalid_arguments", ""},
	{"invalid UTF-8", "POST", "/v1/games/$GAME/moves", `{"ply":0,"move":"e4$FF"}`, []string{jsonBody, withKey}, 400, "invalid_arguments", "UTF-8"},
	{"a form", "POST", "/v1/games/$GAME/moves", `ply=0&move=e4`, []string{"Content-Type: application/x-www-form-urlencoded", withKey}, 400, "invalid_arguments", "application/json"},
	{"a wrong method", "PUT", "/v1/games/$GAME/moves", `{}`, []string{jsonBody, withKey}, 405, "method_not_allowed", "POST"},
	{"a wrong method for reading", "DELETE", "/v1/games/$GAME/state", "", []string{withKey}, 405, "method_not_allowed", "GET"},
	{"the other side's move", "POST", "/v1/games/$GAME/moves", `{"ply":0,"move":"e5"}`, []string{jsonBody, "Authorization: Bearer $OTHER"}, 409, "not_your_turn", ""},
	{"a stale ply", "POST", "/v1/games/$GAME/moves", `{"ply":7,"move":"e5"}`, []string{jsonBody, withKey}, 409, "stale_ply", ""},
	{"another host's name", "GET", "/v1/configs", "", []string{"Host: evil.example", withKey}, 403, "", "host"},
	{"another site's page", "POST", "/v1/games/$GAME/resign", `{}`, []string{jsonBody, withKey, "Origin: http://evil.example"}, 403, "", "site"},
}

func TestBadRequestsOverREST(t *testing.T) {
	v := newVictim(t)
	for _, c := range badRequests {
		t.Run(strings.ReplaceAll(c.name, " ", "_"), func(t *testing.T) {
			res, answer := v.send(t, c.method, c.path, c.body, c.headers...)
			if res.StatusCode != c.status {
				t.Errorf("status %d, want %d", res.StatusCode, c.status)
			}
			if kind := res.Header.Get("Content-Type"); kind != "application/json" {
				t.Errorf("Content-Type %q: %.200s", kind, answer)
			}
			if c.status == http.StatusMethodNotAllowed && res.Header.Get("Allow") == "" {
				t.Error("405 without Allow")
			}
			code := c.code
			if code == "" { // any, as long as it is one
				var refusal struct {
					Code string `json:"error"`
				}
				if err := json.Unmarshal(answer, &refusal); err != nil || refusal.Code == "" {
					t.Fatalf("no code in %.300s", answer)
				}
				code = refusal.Code
			}
			v.expectRefusal(t, answer, code, c.says)
		})
	}
	v.unharmed(t)
	v.silent(t)
}

// TestHugeBodies: two megabytes are refused at both doors, whether or not the client
// says beforehand how much it sends.
func TestHugeBodies(t *testing.T) {
	v := newVictim(t)
	huge := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + strings.Repeat("x", 2<<20) + `"}}`
	for _, path := range []string{"/mcp", "/v1/register", "/v1/games/$GAME/moves"} {
		for name, length := range map[string]int64{"announced": int64(len(huge)), "chunked": -1} {
			t.Run(strings.Trim(path, "/$")+"_"+name, func(t *testing.T) {
				req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, v.URL()+v.fill(path), bytes.NewReader([]byte(huge)))
				if err != nil {
					t.Fatal(err)
				}
				req.ContentLength = length
				req.Header.Set("Content-Type", "application/json")
				res, err := v.client.Do(req)
				if err != nil {
					t.Fatal(err)
				}
				res.Body.Close()
				if res.StatusCode != http.StatusRequestEntityTooLarge {
					t.Errorf("status %d, want 413", res.StatusCode)
				}
			})
		}
	}
	v.unharmed(t)
	v.silent(t)
}

// TestBadMessagesOverMCP: what is no call of a tool is answered in JSON-RPC.
func TestBadMessagesOverMCP(t *testing.T) {
	v := newVictim(t)
	for _, c := range []struct {
		name, method, body string
		status, code       int
	}{
		{"not JSON", "POST", `{"jsonrpc":"2.0",`, 400, -32700},
		{"nothing", "POST", ``, 400, -32700},
		{"an abyss of lists", "POST", `{"jsonrpc":"2.0","id":1,"method":"ping","params":$ABYSS}`, 400, -32700},
		{"a batch", "POST", `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, 400, -32600},
		{"an unknown tool", "POST", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"castle_twice","arguments":{}}}`, 200, -32602},
		{"an unknown resource", "POST", `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"arena://secrets"}}`, 200, 0},
		{"a game that is none", "POST", `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"arena://games/..%2f..%2fetc/pgn"}}`, 200, 0},
		{"an unknown prompt", "POST", `{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"win"}}`, 200, 0},
		{"a stream", "GET", ``, 405, -32600},
		{"the end of a session", "DELETE", ``, 405, -32600},
	} {
		t.Run(strings.ReplaceAll(c.name, " ", "_"), func(t *testing.T) {
			res, answer := v.send(t, c.method, "/mcp", c.body, jsonBody)
			if res.StatusCode != c.status {
				t.Errorf("status %d, want %d", res.StatusCode, c.status)
			}
			var message struct {
				Error *struct {
					Code    int    `json:"code"`
					Message string `json:"message"`
				} `json:"error"`
			}
			text := answer
			if _, data, ok := bytes.Cut(answer, []byte("data: ")); ok {
				text = data
			}
			if err := json.Unmarshal(text, &message); err != nil || message.Error == nil || message.Error.Message == "" {
				t.Fatalf("no JSON-RPC error (%v): %.300s", err, answer)
			}
			if c.code != 0 && message.Error.Code != c.code {
				t.Errorf("code %d, want %d", message.Error.Code, c.code)
			}
		})
	}
	v.unharmed(t)
	v.silent(t)
}
