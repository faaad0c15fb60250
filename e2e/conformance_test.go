package e2e_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chessarena/arena"
	"chessarena/arena/hall"
	"chessarena/arena/web"
	"chessarena/mcpserver"
)

// conformance runs the official suite of the protocol with the given arguments, and fails
// the test when it does.
func conformance(t *testing.T, url string, args ...string) {
	t.Helper()
	out := npx(t, "@modelcontextprotocol/conformance", "conformance", append([]string{"server", "--url", url, "-o", t.TempDir()}, args...)...)
	t.Logf("%s", summary(out))
}

// npx runs a command of a package under node_modules, in a home of its own.
func npx(t *testing.T, pkg, command string, args ...string) []byte {
	t.Helper()
	node := needs(t, "node")
	needsPackage(t, pkg)
	bin, err := filepath.Abs(filepath.Join("node_modules", ".bin", command))
	if err != nil {
		t.Fatal(err)
	}
	run := exec.CommandContext(t.Context(), node, append([]string{bin}, args...)...)
	run.Env = append(os.Environ(), "HOME="+t.TempDir(), "NO_COLOR=1")
	var complaint bytes.Buffer
	run.Stderr = &complaint
	out, err := run.Output()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s%s", command, strings.Join(args, " "), err, tail(string(out), 6000), tail(complaint.String(), 3000))
	}
	return out
}

// summary is the end of the suite's report.
func summary(out []byte) []byte {
	for _, heading := range []string{"SUMMARY", "Test Results"} {
		if i := bytes.LastIndex(out, []byte(heading)); i >= 0 {
			return out[i:]
		}
	}
	return out
}

// TestConformanceOfTheProgram runs the scenarios that need no fixtures against the arena
// as it is shipped.
func TestConformanceOfTheProgram(t *testing.T) {
	a := serve(t)
	for _, scenario := range []string{"server-initialize", "ping", "tools-list", "resources-list", "prompts-list", "dns-rebinding-protection"} {
		t.Run(scenario, func(t *testing.T) { conformance(t, a.URL()+"/mcp", "--scenario", scenario) })
	}
}

// TestConformanceSuite runs all scenarios through the arena's own handlers, from the
// outermost to the SDK, with the suite's fixtures behind them. The suite fails too when
// a scenario of the baseline passes.
func TestConformanceSuite(t *testing.T) {
	settings := arena.DefaultSettings()
	settings.DB = filepath.Join(t.TempDir(), "arena.db")
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	h, err := hall.Open(t.Context(), settings, hall.Options{Log: log})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	handler, err := web.New(h, web.Options{MCP: mcpserver.Handler(fixtureServer(), log)})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	defer server.Close()
	conformance(t, server.URL+"/mcp", "--suite", "active", "--expected-failures", "testdata/conformance/baseline.yml")
}

// TestInspectorAcceptsTheTools lets the official inspector judge the tools' schemas by its
// strict rules: what it refuses, some client cannot use.
func TestInspectorAcceptsTheTools(t *testing.T) {
	a := serve(t)
	out := npx(t, "@modelcontextprotocol/inspector", "mcp-inspector", "--cli", a.URL()+"/mcp", "--transport", "http", "--method", "tools/list", "--strict", "--format", "json")
	var list struct {
		Result struct {
			Tools []struct {
				Name string `json:"name"`
			} `json:"tools"`
		} `json:"result"`
	}
	if err := json.Unmarshal(out, &list); err != nil {
		t.Fatalf("%v in %.500s", err, out)
	}
	var names []string
	for _, tool := range list.Result.Tools {
		names = append(names, tool.Name)
	}
	for _, name := range contractTools {
		if !slices.Contains(names, name) {
			t.Errorf("the inspector sees no tool %s, only %v", name, names)
		}
	}
}
