package tool_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"chessarena/arena"
	"chessarena/arena/tool"
)

func TestCallTellsTheGateWhoIsCalling(t *testing.T) {
	addr := netip.MustParseAddr("192.0.2.7")
	for _, c := range []struct{ name, args, bearer, want string }{
		{"nobody", `{}`, "", ""},
		{"the argument", `{"key":"alice.k"}`, "", "alice.k"},
		{"the header", `{}`, "alice.k", "alice.k"},
		{"both, the same", `{"key":"alice.k"}`, "alice.k", "alice.k"},
		{"a null argument", `{"key":null}`, "alice.k", "alice.k"},
		{"an empty argument", `{"key":""}`, "alice.k", "alice.k"},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := &gate{}
			set := &tool.Set{Gate: g, Strict: true}
			set.Add(echo[arguments](tool.Spec{Name: "echo", Access: tool.Agent}))
			ctx := tool.WithScope(t.Context(), &tool.Scope{Addr: addr, Bearer: c.bearer})
			if a := set.Call(ctx, "echo", json.RawMessage(c.args)); a.Err != nil {
				t.Fatal(a.Err)
			}
			if len(g.seen) != 1 || g.seen[0] != (tool.Credentials{Secret: c.want, Addr: addr}) {
				t.Errorf("the gate saw %v, want %q", g.seen, c.want)
			}
		})
	}
}

func TestContradictingKeysNeverReachTheGate(t *testing.T) {
	for _, c := range []struct{ name, args, bearer string }{
		{"two keys", `{"key":"alice.s3cr3t"}`, "bob.s3cr3t"},
		{"a number", `{"key":5}`, ""},
		{"an object", `{"key":{"s3cr3t":1}}`, "bob.s3cr3t"},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := &gate{}
			set := &tool.Set{Gate: g, Strict: true}
			set.Add(echo[arguments](tool.Spec{Name: "echo", Access: tool.Agent}))
			a := set.Call(tool.WithScope(t.Context(), &tool.Scope{Bearer: c.bearer}), "echo", json.RawMessage(c.args))
			mustRefuse(t, a, arena.MalformedKey)
			if len(g.seen) != 0 || bytes.Contains(a.JSON, []byte("s3cr3t")) {
				t.Errorf("gate saw %d calls; answer %s", len(g.seen), a.JSON)
			}
		})
	}
}

func TestAnOperatorsToolTakesNoKeyArgument(t *testing.T) {
	set := &tool.Set{Gate: &gate{}, Strict: true}
	set.Add(tool.NewOperator(tool.Spec{Name: "reboot"}, func(context.Context, arena.Operator, struct{}) (struct{}, error) { return struct{}{}, nil }))
	mustRefuse(t, set.Call(t.Context(), "reboot", json.RawMessage(`{"key":"alice.k"}`)), arena.InvalidArguments)
}

func TestCallOrder(t *testing.T) {
	g := &gate{err: arena.Errorf(arena.Frozen, "No.")}
	ran := false
	set := &tool.Set{Gate: g, Strict: true}
	set.Add(tool.New(tool.Spec{Name: "f"}, func(context.Context, arena.Agent, struct{}) (struct{}, error) { ran = true; return struct{}{}, nil }))
	mustRefuse(t, set.Call(t.Context(), "f", json.RawMessage(`{"x":1}`)), arena.InvalidArguments)
	if len(g.seen) != 0 {
		t.Error("the gate was asked about arguments that cannot be read")
	}
	mustRefuse(t, set.Call(t.Context(), "f", nil), arena.Frozen)
	if ran {
		t.Error("the function ran for a caller that the gate refused")
	}
}

func TestCallHandsTheAgentOn(t *testing.T) {
	set := &tool.Set{Gate: &gate{agent: arena.Agent{ID: 7}}, Strict: true}
	set.Add(tool.New(tool.Spec{Name: "who"}, func(_ context.Context, a arena.Agent, _ struct{}) (map[string]int64, error) {
		return map[string]int64{"id": a.ID}, nil
	}))
	if a := set.Call(t.Context(), "who", nil); string(a.JSON) != `{"id":7}` {
		t.Errorf("answer %s", a.JSON)
	}
}

func TestUnknownToolIsNotFound(t *testing.T) {
	set := &tool.Set{Gate: &gate{}, Strict: true}
	m := mustRefuse(t, set.Call(t.Context(), strings.Repeat("x", 10_000), nil), arena.NotFound)
	if len(m["message"].(string)) > 100 {
		t.Errorf("message of %d bytes", len(m["message"].(string)))
	}
}

func TestFailureIsOneFlatObject(t *testing.T) {
	refusal := arena.Errorf(arena.IllegalMove, "Not legal.").With(struct {
		Reason string   `json:"reason"`
		Left   int      `json:"attempts_left"`
		None   struct{} `json:"-"`
	}{"no_such_move", 2, struct{}{}})
	refusal.RetryAfter = 1001 * time.Millisecond
	set := &tool.Set{Gate: &gate{}, Strict: true}
	set.Add(failing(tool.Spec{Name: "move", Errors: []arena.Code{arena.IllegalMove}, Refusal: struct {
		Accepted bool `json:"accepted"`
	}{}}, refusal))
	want := map[string]any{"accepted": false, "error": "illegal_move", "message": "Not legal.", "retry_after_s": 2.0, "reason": "no_such_move", "attempts_left": 2.0}
	if diff := cmp.Diff(want, members(t, set.Call(t.Context(), "move", nil))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	t.Run("and every failure of the tool has its refusal members", func(t *testing.T) {
		if m := mustRefuse(t, set.Call(t.Context(), "move", json.RawMessage(`{"x":1}`)), arena.InvalidArguments); m["accepted"] != false {
			t.Errorf("answer %v", m)
		}
	})
}

func TestFailureHidesTheCause(t *testing.T) {
	var out bytes.Buffer
	set := &tool.Set{Gate: &gate{}, Strict: true, Log: slog.New(slog.NewTextHandler(&out, nil))}
	set.Add(failing(tool.Spec{Name: "f"}, fmt.Errorf("game 12: %w", errors.New("disk on fire"))))
	a := set.Call(t.Context(), "f", nil)
	mustRefuse(t, a, arena.Internal)
	if bytes.Contains(a.JSON, []byte("fire")) || !strings.Contains(out.String(), "game 12: disk on fire") {
		t.Errorf("answer %s\nlog %s", a.JSON, out.String())
	}
}

func TestAnExpectedFailureIsNotLogged(t *testing.T) {
	var out bytes.Buffer
	set := &tool.Set{Gate: &gate{}, Strict: true, Log: slog.New(slog.NewTextHandler(&out, nil))}
	set.Add(failing(tool.Spec{Name: "f", Errors: []arena.Code{arena.StalePly}}, arena.Errorf(arena.StalePly, "Stale.")))
	mustRefuse(t, set.Call(t.Context(), "f", nil), arena.StalePly)
	if out.Len() > 0 {
		t.Errorf("log %s", out.String())
	}
}

func TestUndeclaredCode(t *testing.T) {
	f := failing(tool.Spec{Name: "f"}, arena.Errorf(arena.StalePly, "Stale."))
	t.Run("panics in a strict set", func(t *testing.T) {
		defer func() {
			if p := fmt.Sprint(recover()); !strings.Contains(p, "stale_ply") {
				t.Errorf("recovered %q", p)
			}
		}()
		set := &tool.Set{Gate: &gate{}, Strict: true}
		set.Add(f)
		set.Call(t.Context(), "f", nil)
	})
	t.Run("is answered and logged otherwise", func(t *testing.T) {
		var out bytes.Buffer
		set := &tool.Set{Gate: &gate{}, Log: slog.New(slog.NewTextHandler(&out, nil))}
		set.Add(f)
		mustRefuse(t, set.Call(t.Context(), "f", nil), arena.StalePly)
		if !strings.Contains(out.String(), "undeclared code") {
			t.Errorf("log %q", out.String())
		}
	})
}

func TestAPanicIsAnInternalFailure(t *testing.T) {
	var out bytes.Buffer
	set := &tool.Set{Gate: &gate{}, Log: slog.New(slog.NewTextHandler(&out, nil))}
	set.Add(tool.New(tool.Spec{Name: "f"}, func(context.Context, arena.Agent, struct{}) (struct{}, error) { panic("s3cr3t") }))
	a := set.Call(t.Context(), "f", nil)
	mustRefuse(t, a, arena.Internal)
	if bytes.Contains(a.JSON, []byte("s3cr3t")) {
		t.Errorf("answer %s", a.JSON)
	}
	if !strings.Contains(out.String(), "panic in f: s3cr3t") || !strings.Contains(out.String(), "set_test.go") {
		t.Errorf("the log lacks the panic or its place: %s", out.String())
	}
}

func TestAnAnswerThatCannotBeEncodedIsInternal(t *testing.T) {
	set := &tool.Set{Gate: &gate{}, Strict: true}
	set.Add(tool.New(tool.Spec{Name: "f"}, func(context.Context, arena.Agent, struct{}) (chan int, error) { return nil, nil }))
	mustRefuse(t, set.Call(t.Context(), "f", nil), arena.Internal)
}

func TestObserveSeesEveryCall(t *testing.T) {
	type call struct {
		Name string
		Code arena.Code
	}
	var calls []call
	set := &tool.Set{Gate: &gate{}, Strict: true, Observe: func(name string, code arena.Code, _ time.Duration) { calls = append(calls, call{name, code}) }}
	set.Add(failing(tool.Spec{Name: "ok"}, nil), failing(tool.Spec{Name: "no", Errors: []arena.Code{arena.StalePly}}, arena.Errorf(arena.StalePly, "Stale.")))
	set.Call(t.Context(), "ok", nil)
	set.Call(t.Context(), "no", nil)
	set.Call(t.Context(), "ok", json.RawMessage(`[]`))
	if diff := cmp.Diff([]call{{"ok", ""}, {"no", arena.StalePly}, {"ok", arena.InvalidArguments}}, calls); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAddPanics(t *testing.T) {
	for name, tools := range map[string][]*tool.Tool{
		"a name twice":    {failing(tool.Spec{Name: "f"}, nil), failing(tool.Spec{Name: "f"}, nil)},
		"an unknown code": {failing(tool.Spec{Name: "f", Errors: []arena.Code{"made_up"}}, nil)},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			new(tool.Set).Add(tools...)
		})
	}
}

func TestToolsKeepTheirOrder(t *testing.T) {
	set := &tool.Set{}
	set.Add(failing(tool.Spec{Name: "b"}, nil), failing(tool.Spec{Name: "a"}, nil))
	set.Add(failing(tool.Spec{Name: "c"}, nil))
	var names []string
	for _, one := range set.Tools() {
		names = append(names, one.Name)
	}
	if diff := cmp.Diff([]string{"b", "a", "c"}, names); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if set.Tool("a") == nil || set.Tool("d") != nil {
		t.Error("Tool finds the wrong ones")
	}
}
