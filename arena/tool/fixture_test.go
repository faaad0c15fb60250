package tool_test

import (
	"context"
	"encoding/json"
	"testing"

	"chessarena/arena"
	"chessarena/arena/tool"
)

// gate admits everybody as the agent with the given id and remembers what it was told.
type gate struct {
	agent arena.Agent
	err   error
	seen  []tool.Credentials
}

func (g *gate) Admit(_ context.Context, _ *tool.Spec, c tool.Credentials) (tool.Principal, error) {
	g.seen = append(g.seen, c)
	return tool.Principal{Agent: g.agent}, g.err
}

// echo is a tool that answers with its arguments.
func echo[In any](spec tool.Spec) *tool.Tool {
	return tool.New(spec, func(_ context.Context, _ arena.Agent, in In) (In, error) { return in, nil })
}

// failing is a tool without arguments that fails with err.
func failing(spec tool.Spec, err error) *tool.Tool {
	return tool.New(spec, func(context.Context, arena.Agent, struct{}) (struct{}, error) { return struct{}{}, err })
}

// members decodes an answer, which must be a JSON object.
func members(t *testing.T, a tool.Answer) map[string]any {
	t.Helper()
	var m map[string]any
	if err := json.Unmarshal(a.JSON, &m); err != nil {
		t.Fatalf("the answer %s is not an object: %v", a.JSON, err)
	}
	return m
}

// mustRefuse checks that a is a failure with code, and that its JSON says the same.
func mustRefuse(t *testing.T, a tool.Answer, code arena.Code) map[string]any {
	t.Helper()
	m := members(t, a)
	if a.Err == nil || a.Err.Code != code || m["error"] != string(code) {
		t.Fatalf("answer %s with %v, want %s", a.JSON, a.Err, code)
	}
	if m["message"] == "" || m["message"] == nil {
		t.Errorf("no message in %s", a.JSON)
	}
	return m
}
