package mcpserver_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/rogpeppe/go-internal/txtar"

	"chessarena/arena"
	"chessarena/arena/arenatest"
	"chessarena/arena/tool"
)

// TestArenaTranscripts plays testdata/arena/*.txtar against a whole arena in which ann and
// bob are registered and have one game. The client writes {ann}, {bob} and {game} for keys
// and id; what differs from run to run is written so in the answers too.
func TestArenaTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/arena/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("transcripts: %v, %v", files, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			script, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			a := arenatest.New(t, arenatest.Settings())
			ann, bob := a.Register("ann"), a.Register("bob")
			game := string(a.Pair(ann, bob))
			hide := strings.NewReplacer(ann.Key, "{ann}", bob.Key, "{bob}", game, "{game}")
			show := strings.NewReplacer("{ann}", ann.Key, "{bob}", bob.Key, "{game}", game)
			var out bytes.Buffer
			for _, message := range strings.Split(strings.TrimSpace(string(section(t, script, "client").Data)), "\n\n") {
				r := httptest.NewRequest(http.MethodPost, "http://localhost/mcp", nil)
				for _, answer := range messages(t, post(a.Handler, r, show.Replace(message))) {
					fmt.Fprintf(&out, "%s\n\n", steady(hide.Replace(string(structure(t, answer)))))
				}
			}
			server := section(t, script, "server")
			if *update {
				server.Data = out.Bytes()
				if err := os.WriteFile(file, txtar.Format(script), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(string(server.Data), out.String()); diff != "" {
				t.Errorf("the server's side differs (-want +got):\n%s", diff)
			}
		})
	}
}

// structure is the structured content of a tool's answer, after a look that the text says
// the same; any other answer it returns whole.
func structure(t *testing.T, answer json.RawMessage) json.RawMessage {
	t.Helper()
	var message struct {
		Result struct {
			IsError bool `json:"isError"`
			Content []struct {
				Text string `json:"text"`
			} `json:"content"`
			Structure json.RawMessage `json:"structuredContent"`
		} `json:"result"`
	}
	if err := json.Unmarshal(answer, &message); err != nil {
		t.Fatalf("%v: %s", err, answer)
	}
	result := message.Result
	if result.Structure == nil {
		return answer
	}
	if result.IsError || len(result.Content) != 1 || result.Content[0].Text != string(result.Structure) {
		t.Errorf("isError is %v, and text and structure differ: %s", result.IsError, answer)
	}
	return result.Structure
}

// unsteady are the values that no two runs share.
var unsteady = regexp.MustCompile(`("(?:key|fingerprint|created_at|soft_deadline_at)":)"[^"]*"|(\[(?:Date|Site|UTCDate|UTCTime|Time) )\\"[^"]*\\"`)

func steady(answer string) string {
	return unsteady.ReplaceAllString(answer, `$1$2"…"`)
}

// TestTwoClientsPlayToMate seats two of the SDK's own clients, which wait for each other.
func TestTwoClientsPlayToMate(t *testing.T) {
	a := arenatest.New(t, arenatest.Settings())
	ann, bob := a.Register("ann"), a.Register("bob")
	game := a.Pair(ann, bob)
	server := httptest.NewServer(a.Handler)
	defer server.Close()
	script := []string{"e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "h5f7"}
	var wg sync.WaitGroup
	for _, agent := range []*arenatest.Agent{ann, bob} {
		wg.Go(func() {
			session, err := mcp.NewClient(&mcp.Implementation{Name: "t", Version: "0"}, nil).
				Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: server.URL + "/mcp"}, nil)
			if err != nil {
				t.Error(err)
				return
			}
			defer session.Close()
			for range script {
				var state struct {
					Status   arena.Status `json:"status"`
					Ply      int          `json:"ply"`
					YourTurn bool         `json:"your_turn"`
				}
				if !ask(t, session, "get_state", map[string]any{"key": agent.Key, "game_id": game, "wait_s": 600}, &state) {
					return
				}
				if state.Status != arena.Active {
					return
				}
				if state.YourTurn && !ask(t, session, "submit_move", map[string]any{
					"key": agent.Key, "game_id": game, "ply": state.Ply, "move": script[state.Ply]}, nil) {
					return
				}
			}
		})
	}
	wg.Wait()
	var out struct {
		Result arena.Result `json:"result"`
		PGN    string       `json:"pgn"`
	}
	bob.Must("get_result", map[string]any{"game_id": game}, &out)
	if want := "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0"; out.Result != arena.WhiteWins || !strings.Contains(out.PGN, want) {
		t.Errorf("the result is %s with %s, want 1-0 with %s", out.Result, out.PGN, want)
	}
}

// ask calls a tool and decodes its answer into out unless that is nil; a failure fails the
// test and is false.
func ask(t *testing.T, session *mcp.ClientSession, name string, args, out any) bool {
	t.Helper()
	res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: args})
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return false
	}
	text := res.Content[0].(*mcp.TextContent).Text
	var failure struct {
		Code arena.Code `json:"error"`
	}
	if err := json.Unmarshal([]byte(text), &failure); err != nil || failure.Code != "" || res.IsError {
		t.Errorf("%s: %s", name, text)
		return false
	}
	if out != nil {
		if err := json.Unmarshal([]byte(text), out); err != nil {
			t.Errorf("%s: %v", name, err)
			return false
		}
	}
	return true
}

// TestEveryToolIsDescribed holds the list to what strict clients and the conformance suite
// demand: a description and a type on every argument, and no schema that is just true.
func TestEveryToolIsDescribed(t *testing.T) {
	a := arenatest.New(t, arenatest.Settings())
	rec := post(a.Handler, httptest.NewRequest(http.MethodPost, "http://localhost/mcp", nil), `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	var list struct {
		Result struct {
			Tools []struct {
				Name, Title, Description string
				InputSchema              struct {
					Properties map[string]struct {
						Type        string
						AnyOf       []struct{ Type string }
						Description string
					}
				}
				OutputSchema any
			}
		}
	}
	if err := json.Unmarshal(messages(t, rec)[0], &list); err != nil {
		t.Fatal(err)
	}
	offered := slices.DeleteFunc(slices.Clone(a.Agents.Tools()), func(t *tool.Tool) bool { return t.RESTOnly })
	if len(list.Result.Tools) != len(offered) || len(offered) == len(a.Agents.Tools()) {
		t.Errorf("%d tools are listed, want %d", len(list.Result.Tools), len(offered))
	}
	for _, one := range list.Result.Tools {
		if one.Title == "" || len(one.Description) < 20 || one.OutputSchema != nil {
			t.Errorf("%s: title %q, description %q, output schema %v", one.Name, one.Title, one.Description, one.OutputSchema)
		}
		if _, ok := one.InputSchema.Properties["key"]; !ok {
			t.Errorf("%s takes no key", one.Name)
		}
		for name, p := range one.InputSchema.Properties {
			if p.Description == "" || p.Type == "" && len(p.AnyOf) != 2 {
				t.Errorf("%s: argument %s has type %q, anyOf %v, description %q", one.Name, name, p.Type, p.AnyOf, p.Description)
			}
		}
	}
}
