package admin

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"chessarena/arena"
	"chessarena/arena/hall"
	"chessarena/arena/tool"
	"chessarena/store"
)

// openHall opens an arena in which alice owns config 1 and bob config 2.
func openHall(t *testing.T) *hall.Hall {
	t.Helper()
	s := arena.DefaultSettings()
	s.DB = filepath.Join(t.TempDir(), "arena.db")
	h, err := hall.Open(t.Context(), s, hall.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
	register(t, h, "alice")
	register(t, h, "bob")
	return h
}

// register makes a nickname with one configuration and returns its key.
func register(t *testing.T, h *hall.Hall, name string) (key string) {
	t.Helper()
	args := fmt.Sprintf(`{"nickname":%q,"config":{"model":"model-%s","provider":"lab","harness":"test"}}`, name, name)
	a := h.Agents.Call(t.Context(), "register", json.RawMessage(args))
	if a.Err != nil {
		t.Fatal(a.Err)
	}
	var answer struct{ Key string }
	if err := json.Unmarshal(a.JSON, &answer); err != nil {
		t.Fatal(err)
	}
	return answer.Key
}

// beginGame begins a game between alice and bob.
func beginGame(t *testing.T, h *hall.Hall) arena.GameID {
	t.Helper()
	out, err := run(t, h, "create-game", "1", "2", "--json")
	if err != nil {
		t.Fatal(err)
	}
	var answer createGameOut
	if err := json.Unmarshal([]byte(out), &answer); err != nil {
		t.Fatal(err)
	}
	return answer.GameID
}

// run gives the command line to a fresh "arena" on h's database.
func run(t *testing.T, h *hall.Hall, words ...string) (stdout string, err error) {
	t.Helper()
	root := &cobra.Command{Use: "arena", SilenceErrors: true, SilenceUsage: true}
	root.AddCommand(NewCommand(func(*pflag.FlagSet) (arena.Settings, error) { return h.Settings, nil }))
	var out bytes.Buffer
	root.SetOut(&out)
	root.SetErr(&out)
	root.SetArgs(append([]string{"admin"}, words...))
	err = root.ExecuteContext(t.Context())
	return out.String(), err
}

// words splits a command line at spaces outside double quotes.
func words(line string) []string {
	var list []string
	for i, part := range strings.Split(line, `"`) {
		if i%2 == 1 {
			list = append(list, part)
		} else {
			list = append(list, strings.Fields(part)...)
		}
	}
	return list
}

func audits(t *testing.T, h *hall.Hall) []store.Audit {
	t.Helper()
	db, err := store.Open(t.Context(), h.Settings.DB, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var list []store.Audit
	err = db.View(t.Context(), func(tx *store.Tx) (err error) {
		list, err = tx.Audits(0, 0)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func mustRunOnly(t *testing.T, h *hall.Hall, words ...string) string {
	t.Helper()
	out, err := run(t, h, words...)
	if err != nil {
		t.Fatalf("%v: %v", words, err)
	}
	return out
}

func activeGames(t *testing.T, h *hall.Hall) int {
	t.Helper()
	totals, err := h.Archive.Totals(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return totals.Active
}

// groundwork is what some examples stand on.
var groundwork = map[string][]string{
	"models.unalias": {"models alias our-best-model claude-opus-5"},
	"models.rename":  {"models verify zonk-2-mini --provider zonk-labs"},
	"audit.undo":     {"nicknames freeze deep-thought"},
}

// Every tool's example is a command line that works; it leaves one audit row with an
// undo snapshot when the tool writes and none when it reads.
func TestExamples(t *testing.T) {
	for _, one := range Tools(nil, nil).Tools() {
		t.Run(one.Name, func(t *testing.T) {
			h := openHall(t)
			register(t, h, "deep-thought")
			example := strings.Replace(one.Example, "01k9zq3v7x2b", string(beginGame(t, h)), 1)
			for _, line := range groundwork[one.Name] {
				mustRunOnly(t, h, words(line)...)
			}
			before := len(audits(t, h))
			if err := h.Close(); err != nil { // restore swaps the file; no handle of the test may be on it
				t.Fatal(err)
			}
			t.Chdir(t.TempDir())
			if one.Name == "restore" {
				mustRunOnly(t, h, "backup", "arena-2026-12-01.db")
			}
			out, err := run(t, h, words(example)...)
			if err != nil {
				t.Fatal(err)
			}
			if out == "" {
				t.Error("it printed nothing")
			}
			rows := audits(t, h)
			if one.Level == tool.Read {
				if len(rows) != before {
					t.Errorf("a tool that reads left %d audit rows", len(rows)-before)
				}
				return
			}
			if len(rows) != before+1 {
				t.Fatalf("it left %d audit rows, want 1", len(rows)-before)
			}
			row := rows[0]
			var undo struct{ Undo string }
			if err := json.Unmarshal(row.Undo, &undo); err != nil || undo.Undo == "" {
				t.Errorf("undo snapshot %s names no verb", row.Undo)
			}
			if row.Tool != one.Name || !strings.HasPrefix(row.Actor, "shell") || row.Outcome != "ok" || !json.Valid(row.Args) {
				t.Errorf("audit row %+v", row)
			}
		})
	}
}

func TestWrite(t *testing.T) {
	type in struct {
		How string `json:"how" doc:"how it ends"`
	}
	h := openHall(t)
	d := &desk{hall: h}
	// The tool makes a real change and then ends in the way that it is told.
	set := &tool.Set{Gate: Shell("test")}
	set.Add(write(d, tool.Spec{Name: "change", Level: tool.Write}, func(tx *store.Tx, in in) (written[struct{}], error) {
		if _, err := tx.AddAudit(store.Audit{Actor: "the change itself", Tool: "change", Outcome: "ok"}); err != nil {
			return written[struct{}]{}, err
		}
		switch in.How {
		case "fails":
			return written[struct{}]{undo: struct{}{}}, errors.New("no")
		case "forgets the undo":
			return written[struct{}]{}, nil
		}
		return written[struct{}]{undo: struct{}{}}, nil
	}))
	for _, c := range []struct {
		how  string
		rows int
		code arena.Code
	}{
		{"fails", 0, arena.Internal},
		{"forgets the undo", 0, arena.Internal},
		{"works", 2, ""}, // the change and its audit row
	} {
		t.Run(strings.ReplaceAll(c.how, " ", "_"), func(t *testing.T) {
			answer := set.Call(t.Context(), "change", json.RawMessage(fmt.Sprintf(`{"how":%q}`, c.how)))
			var code arena.Code
			if answer.Err != nil {
				code = answer.Err.Code
			}
			if code != c.code {
				t.Errorf("code %q, want %q", code, c.code)
			}
			if n := len(audits(t, h)); n != c.rows {
				t.Errorf("%d rows, want %d", n, c.rows)
			}
		})
	}
}

func TestWriteRefusesAToolThatReads(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a read tool was made with write")
		}
	}()
	write(&desk{}, tool.Spec{Name: "look"}, func(*store.Tx, struct{}) (written[struct{}], error) { return written[struct{}]{}, nil })
}

func TestCreateGame(t *testing.T) {
	h := openHall(t)
	for name, c := range map[string]struct {
		args []string
		code arena.Code
	}{
		"unknown config":          {[]string{"1", "3"}, arena.ConfigNotFound},
		"a word for a config":     {[]string{"alice", "2"}, arena.InvalidConfigID},
		"zero for a config":       {[]string{"0", "2"}, arena.InvalidConfigID},
		"a huge config":           {[]string{"1", "99999999999999999999"}, arena.InvalidConfigID},
		"nonsense for a position": {[]string{"1", "2", "--fen", "nonsense"}, arena.InvalidFEN},
		"a mated position":        {[]string{"1", "2", "--fen", "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1"}, arena.InvalidFEN},
		"an unknown switch value": {[]string{"1", "2", "--unrated=perhaps"}, arena.InvalidArguments},
	} {
		t.Run("refuses "+name, func(t *testing.T) {
			_, err := run(t, h, append([]string{"create-game"}, c.args...)...)
			if got := arena.CodeOf(err); got != c.code {
				t.Errorf("%v: code %s, want %s", err, got, c.code)
			}
			if activeGames(t, h) != 0 || len(audits(t, h)) != 0 {
				t.Error("a refused call left something behind")
			}
		})
	}
	for i, c := range []struct {
		args  []string
		rated bool
	}{
		{[]string{"1", "2"}, true},
		{[]string{"1", "2"}, true}, // the same two may meet in several games at once
		{[]string{"1", "2", "--unrated"}, false},
		{[]string{"1", "1"}, false}, // one nickname with both seats
	} {
		out, err := run(t, h, append([]string{"create-game", "--json"}, c.args...)...)
		if err != nil {
			t.Fatal(err)
		}
		var got createGameOut
		if err := json.Unmarshal([]byte(out), &got); err != nil {
			t.Fatal(err)
		}
		if got.Rated != c.rated {
			t.Errorf("%v: rated %v", c.args, got.Rated)
		}
		if n := activeGames(t, h); n != i+1 {
			t.Errorf("%d games, want %d", n, i+1)
		}
	}
}

// The caps of agents do not bind an operator (DESIGN §3, "too many").
func TestCreateGameIgnoresTheCap(t *testing.T) {
	h := openHall(t)
	for range h.Settings.MaxActiveGames + 1 {
		if _, err := run(t, h, "create-game", "1", "2"); err != nil {
			t.Fatal(err)
		}
	}
}

func TestShellIsClosedToTheNetwork(t *testing.T) {
	set := Tools(openHall(t), Shell("test"))
	for name, scope := range map[string]tool.Scope{
		"an address": {Addr: netip.MustParseAddr("127.0.0.1")},
		"a token":    {Bearer: "secret"},
	} {
		ctx := tool.WithScope(context.Background(), &scope)
		if a := set.Call(ctx, "games.list", nil); a.Err == nil || a.Err.Code != arena.BadKey {
			t.Errorf("with %s: %s", name, a.JSON)
		}
	}
}

// Every argument of every tool can be given on the command line, and the commands are
// those of the Set: nothing is written twice.
func TestCommandsAreGenerated(t *testing.T) {
	root := NewCommand(nil)
	for _, one := range Tools(nil, nil).Tools() {
		c, rest, err := root.Find(strings.Split(one.Name, "."))
		if err != nil || len(rest) > 0 {
			t.Errorf("%s has no command: %v", one.Name, err)
			continue
		}
		if c.Short == "" || c.Long == "" || !strings.Contains(c.Example, one.Example) || one.Example == "" {
			t.Errorf("%s lacks help or an example", one.Name)
		}
		for name := range one.Input.Properties {
			positional := slices.Contains(one.Positional, name) && strings.Contains(c.Use, strings.ToUpper(name))
			if flag := c.Flags().Lookup(strings.ReplaceAll(name, "_", "-")); positional == (flag != nil) {
				t.Errorf("%s: argument %s is positional %v and a flag %v", one.Name, name, positional, flag != nil)
			}
			if root.PersistentFlags().Lookup(name) != nil {
				t.Errorf("%s: argument %s hides the flag of every command", one.Name, name)
			}
		}
	}
}
