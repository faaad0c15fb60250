package mcpserver_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "rewrite the server's side of the transcripts")

// TestTranscripts plays the client's side of every testdata/*.txtar and compares the
// server's. The section "client" holds one message a paragraph, "server" the status and
// the messages of each answer.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("transcripts: %v, %v", files, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			script, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			h := handlerOf(fakeSet(silent()), nil)
			var out bytes.Buffer
			for _, message := range strings.Split(strings.TrimSpace(string(section(t, script, "client").Data)), "\n\n") {
				converse(t, h, message, &out)
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

func section(t *testing.T, script *txtar.Archive, name string) *txtar.File {
	t.Helper()
	for i := range script.Files {
		if script.Files[i].Name == name {
			return &script.Files[i]
		}
	}
	t.Fatalf("no section %s", name)
	return nil
}

// converse posts one paragraph of a transcript: lines "Name: value" are headers, the rest
// is the message.
func converse(t *testing.T, h http.Handler, paragraph string, out *bytes.Buffer) {
	t.Helper()
	r := httptest.NewRequest(http.MethodPost, "/mcp", nil)
	for !strings.HasPrefix(paragraph, "{") && !strings.HasPrefix(paragraph, "[") {
		line, rest, ok := strings.Cut(paragraph, "\n")
		name, value, isHeader := strings.Cut(line, ": ")
		if !ok || !isHeader {
			break
		}
		r.Header.Set(name, value)
		paragraph = rest
	}
	rec := post(h, r, paragraph)
	fmt.Fprintf(out, "%d %s\n", rec.Code, rec.Header().Get("Content-Type"))
	for _, message := range messages(t, rec) {
		var pretty bytes.Buffer
		if err := json.Indent(&pretty, message, "", "  "); err != nil {
			t.Fatalf("the answer is not JSON: %v: %s", err, message)
		}
		out.Write(pretty.Bytes())
		out.WriteByte('\n')
	}
	out.WriteByte('\n')
}

func post(h http.Handler, r *http.Request, body string) *httptest.ResponseRecorder {
	withBody := httptest.NewRequest(r.Method, r.URL.String(), strings.NewReader(body)).WithContext(r.Context())
	withBody.Header = r.Header
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, withBody)
	return rec
}

// messages are the JSON texts of an answer, out of events or a plain body.
func messages(t *testing.T, rec *httptest.ResponseRecorder) []json.RawMessage {
	t.Helper()
	if !strings.HasPrefix(rec.Header().Get("Content-Type"), "text/event-stream") {
		if body := bytes.TrimSpace(rec.Body.Bytes()); len(body) > 0 {
			return []json.RawMessage{body}
		}
		return nil
	}
	var list []json.RawMessage
	lines := bufio.NewScanner(rec.Body)
	lines.Buffer(nil, 8<<20)
	for lines.Scan() {
		if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
			list = append(list, json.RawMessage(data))
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return list
}
