package mcpserver_test

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"chessarena/arena"
	"chessarena/arena/tool"
	"chessarena/arena/wake"
	"chessarena/mcpserver"
)

// ann's key is the only one the fake gate knows.
const annsKey = "ann.a-secret-of-some-length"

type gate struct{}

func (gate) Admit(_ context.Context, spec *tool.Spec, c tool.Credentials) (tool.Principal, error) {
	switch {
	case c.Secret == annsKey:
		return tool.Principal{Agent: arena.Agent{ID: 1, Nickname: "ann"}}, nil
	case spec.Access == tool.Public:
		return tool.Principal{}, nil
	}
	return tool.Principal{}, arena.Errorf(arena.MalformedKey, "No key was given.")
}

type echoInput struct {
	Text  string `json:"text" doc:"what to say" arg:"required"`
	Times *int   `json:"times" doc:"how often" min:"1" max:"9"`
}

type echoOutput struct {
	You   arena.Nickname `json:"you"`
	Text  string         `json:"text"`
	Addr  string         `json:"addr"`
	Times int            `json:"times"`
}

type waitInput struct {
	Seconds int `json:"wait_s" doc:"how long to wait" min:"0" max:"600" clamp:"true"`
}

type waitOutput struct {
	Rang   bool    `json:"rang"`
	Waited float64 `json:"waited_s"`
}

// bell is what the tool wait waits for.
type bell struct {
	hub  *wake.Hub
	rung func() bool
}

func (b bell) wait(ctx context.Context, ann arena.Agent, in waitInput) (waitOutput, error) {
	w := tool.Wait{Hub: b.hub, Topic: "bell", Claim: string(ann.Nickname), Max: time.Duration(in.Seconds) * time.Second, Beat: 20 * time.Second, Note: "waiting for the bell"}
	var out waitOutput
	waited, err := w.Until(ctx, func() (bool, error) { out.Rang = b.rung(); return out.Rang, nil })
	out.Waited = waited.Seconds()
	return out, err
}

// fakeSet is a small arena: one tool of each kind.
func fakeSet(b bell) *tool.Set {
	set := &tool.Set{Gate: gate{}}
	set.Add(
		tool.New(tool.Spec{Name: "echo", Title: "Echo", Doc: "Says it again.", Idempotent: true},
			func(ctx context.Context, a arena.Agent, in echoInput) (echoOutput, error) {
				out := echoOutput{You: a.Nickname, Text: in.Text, Addr: tool.ScopeOf(ctx).Addr.String()}
				if in.Times != nil {
					out.Times = *in.Times
				}
				return out, nil
			}),
		tool.New(tool.Spec{Name: "move", Title: "Move", Doc: "Never works.", Access: tool.Agent, Level: tool.Write, Errors: []arena.Code{arena.StalePly}, Refusal: struct {
			Accepted bool `json:"accepted"`
		}{}},
			func(context.Context, arena.Agent, struct{}) (struct{}, error) {
				return struct{}{}, arena.Errorf(arena.StalePly, "The game is further on.").With(struct {
					CurrentPly int `json:"current_ply"`
				}{7})
			}),
		tool.New(tool.Spec{Name: "wait", Title: "Wait", Doc: "Waits for the bell.", Access: tool.Agent}, b.wait),
	)
	return set
}

func silent() bell { return bell{hub: new(wake.Hub), rung: func() bool { return false }} }

// handlerOf serves set with rules, and the PGN of one game.
func handlerOf(set *tool.Set, log *slog.Logger) http.Handler {
	return mcpserver.New(set, mcpserver.Options{
		Version: "1.2.3", Settings: arena.DefaultSettings(), Rules: "Play nicely.\n", Log: log,
		PGN: func(_ context.Context, id arena.GameID) (string, error) {
			switch id {
			case "000000000001":
				return "[Event \"One\"]\n\n*\n", nil
			case "000000000002":
				panic("a page fell out of the archive")
			}
			return "", arena.Errorf(arena.NotFound, "There is no such game.")
		},
	})
}
