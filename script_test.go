package main

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"arena": main})
}

// TestScripts runs the whole binary as a user would, one script a feature. Besides
// testscript's own commands the scripts have:
//
//	serve [FLAG...]           start "arena serve" on a free port; $URL and $ADDR say where,
//	                          $PROFILES where the profiler is
//	stop                      interrupt the server; it must end with status 0; standard
//	                          error is its log
//	http METHOD PATH [BODY]   ask the server ($KEY, when set, is the bearer); standard
//	                          output is the status and, on the next line, the answer
//	until PATH PATTERN        GET the path until the answer matches, for a second at most
//	capture NAME MEMBER       set $NAME to a member of the last JSON printed
//	patch FILE OFFSET HEX     overwrite bytes of a file
//	[needs:PROGRAM]           holds when it is installed; under ARENA_TEST_ALL=1 it must be
//
// readme.sh is the game that README.md tells people to play.
func TestScripts(t *testing.T) {
	game := readmeGame(t)
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("XDG_DATA_HOME", env.WorkDir+"/data")
			env.Setenv("HOME", env.WorkDir+"/home")
			env.Values["server"] = new(server)
			return os.WriteFile(filepath.Join(env.WorkDir, "readme.sh"), game, 0o644)
		},
		Condition: scriptNeeds,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"serve": scriptServe, "stop": scriptStop, "http": scriptHTTP, "until": scriptUntil, "capture": scriptCapture, "patch": scriptPatch,
		},
	})
}

// readmeGame is README.md's game from the shell, with the server and the program of a
// script.
func readmeGame(t *testing.T) []byte {
	t.Helper()
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	const begin = "```sh\narena=http://127.0.0.1:8080\n"
	_, rest, found := strings.Cut(string(text), begin)
	script, _, ended := strings.Cut(rest, "```")
	if !found || !ended {
		t.Fatalf("README.md has no block that begins with %q", begin)
	}
	return []byte("set -euo pipefail\narena=$URL\n" + strings.ReplaceAll(script, "go run . ", "arena "))
}

func scriptNeeds(cond string) (bool, error) {
	program, ok := strings.CutPrefix(cond, "needs:")
	if !ok {
		return false, fmt.Errorf("unknown condition %s", cond)
	}
	_, err := exec.LookPath(program)
	if err != nil && os.Getenv("ARENA_TEST_ALL") == "1" {
		return false, fmt.Errorf("ARENA_TEST_ALL=1 and %s is not installed", program)
	}
	return err == nil, nil
}

// server is the running "arena serve" of one script.
type server struct {
	cmd    *exec.Cmd // nil while none runs
	log    strings.Builder
	exited chan error
}

// What serve prints on its start.
var (
	look     = regexp.MustCompile(`Look at it: +http://(\S+)/`)
	profiles = regexp.MustCompile(`Profiles: (http://\S+)/debug/pprof/`)
)

func scriptServe(ts *testscript.TestScript, neg bool, args []string) {
	s := ts.Value("server").(*server)
	if neg || s.cmd != nil {
		ts.Fatalf("usage: serve [FLAG...], once at a time")
	}
	cmd := exec.Command(arenaBinary(ts), append([]string{"serve", "--addr", "127.0.0.1:0"}, args...)...)
	cmd.Dir = ts.Getenv("WORK")
	for _, name := range []string{"PATH", "HOME", "XDG_DATA_HOME", "TMPDIR"} {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	cmd.Stderr = &s.log
	out, err := cmd.StdoutPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	lines := bufio.NewScanner(out)
	var addr string
	for addr == "" && lines.Scan() {
		if m := look.FindStringSubmatch(lines.Text()); m != nil {
			addr = m[1]
		}
		if m := profiles.FindStringSubmatch(lines.Text()); m != nil {
			ts.Setenv("PROFILES", m[1])
		}
	}
	s.cmd, s.exited = cmd, make(chan error, 1)
	go func() {
		_, _ = io.Copy(io.Discard, out)
		s.exited <- cmd.Wait()
	}()
	if addr == "" {
		ts.Fatalf("serve ended before it was open: %v\n%s", <-s.exited, &s.log)
	}
	ts.Defer(func() { _ = s.end() })
	ts.Setenv("ADDR", addr)
	ts.Setenv("URL", "http://"+addr)
}

// arenaBinary is where testscript has put the command.
func arenaBinary(ts *testscript.TestScript) string {
	for _, dir := range filepath.SplitList(ts.Getenv("PATH")) {
		if path, err := exec.LookPath(filepath.Join(dir, "arena")); err == nil {
			return path
		}
	}
	ts.Fatalf("there is no arena on PATH")
	return ""
}

// end interrupts the server, kills it when that does not help, and returns its fate.
func (s *server) end() error {
	if s.cmd == nil {
		return nil
	}
	cmd := s.cmd
	s.cmd = nil
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		_ = cmd.Process.Kill() // gone already, or a system without interrupts
	}
	select {
	case err := <-s.exited:
		return err
	case <-time.After(20 * time.Second):
		_ = cmd.Process.Kill()
		<-s.exited
		return errors.New("the server did not end when interrupted")
	}
}

func scriptStop(ts *testscript.TestScript, neg bool, args []string) {
	s := ts.Value("server").(*server)
	if neg || len(args) > 0 || s.cmd == nil {
		ts.Fatalf("usage: stop, after serve")
	}
	if err := s.end(); err != nil {
		ts.Fatalf("stop: %v\n%s", err, &s.log)
	}
	fmt.Fprint(ts.Stderr(), s.log.String())
	s.log.Reset()
}

func scriptHTTP(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 || len(args) > 3 {
		ts.Fatalf("usage: http METHOD PATH [BODY]")
	}
	var body io.Reader
	if len(args) == 3 {
		body = strings.NewReader(args[2])
	}
	req, err := http.NewRequest(args[0], ts.Getenv("URL")+args[1], body)
	ts.Check(err)
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if key := ts.Getenv("KEY"); key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	fmt.Fprint(ts.Stdout(), ask(ts, req))
}

// ask returns the status and the answer of a request.
func ask(ts *testscript.TestScript, req *http.Request) string {
	res, err := http.DefaultClient.Do(req)
	ts.Check(err)
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	ts.Check(err)
	return fmt.Sprintf("%d\n%s\n", res.StatusCode, answer)
}

// scriptUntil gives a server that follows another process the second it may take.
func scriptUntil(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: until PATH PATTERN")
	}
	pattern, err := regexp.Compile(args[1])
	ts.Check(err)
	for deadline := time.Now().Add(time.Second); ; time.Sleep(20 * time.Millisecond) {
		req, err := http.NewRequest(http.MethodGet, ts.Getenv("URL")+args[0], nil)
		ts.Check(err)
		answer := ask(ts, req)
		if pattern.MatchString(answer) {
			fmt.Fprint(ts.Stdout(), answer)
			return
		}
		if time.Now().After(deadline) {
			ts.Fatalf("a second later the answer is still %s", answer)
		}
	}
}

func scriptCapture(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: capture NAME MEMBER")
	}
	text := ts.ReadFile("stdout")
	start := strings.IndexByte(text, '{')
	if start < 0 {
		ts.Fatalf("no JSON object was printed: %.200s", text)
	}
	var members map[string]any
	ts.Check(json.Unmarshal([]byte(text[start:]), &members))
	value, ok := members[args[1]]
	if !ok {
		ts.Fatalf("no member %s in %.200s", args[1], text[start:])
	}
	ts.Setenv(args[0], fmt.Sprint(value))
}

func scriptPatch(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: patch FILE OFFSET HEX")
	}
	offset, err := strconv.ParseInt(args[1], 10, 64)
	ts.Check(err)
	data, err := hex.DecodeString(args[2])
	ts.Check(err)
	f, err := os.OpenFile(ts.MkAbs(args[0]), os.O_WRONLY, 0)
	ts.Check(err)
	_, err = f.WriteAt(data, offset)
	ts.Check(errors.Join(err, f.Close()))
}
