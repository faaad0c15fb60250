package web

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"chessarena/arena"
	"chessarena/arena/tool"
	"chessarena/arena/wake"
)

// annsKey is the only key the fake gate knows.
const annsKey = "ann.a-secret-of-some-length"

type gate struct{}

func (gate) Admit(_ context.Context, spec *tool.Spec, c tool.Credentials) (tool.Principal, error) {
	if c.Secret == annsKey {
		return tool.Principal{Agent: arena.Agent{ID: 1, Nickname: "ann"}}, nil
	}
	if spec.Access == tool.Public {
		return tool.Principal{}, nil
	}
	return tool.Principal{}, arena.Errorf(arena.MalformedKey, "No key was given.")
}

type pieceInput struct {
	ID   string `json:"id" doc:"which" arg:"required"`
	Size int    `json:"size" doc:"how big" min:"0" max:"9"`
	Note string `json:"note" doc:"anything"`
}

type pieceOutput struct {
	You  arena.Nickname `json:"you"`
	Addr string         `json:"addr"`
	pieceInput
}

type waitInput struct {
	Seconds int `json:"wait_s" doc:"how long" min:"0" max:"600" clamp:"true"`
}

type waitOutput struct {
	Waited float64 `json:"waited_s"`
}

type failInput struct {
	Code string `json:"code" doc:"which failure" arg:"required"`
}

// fakeSet has a tool of each kind behind routes like the arena's.
func fakeSet(hub *wake.Hub) *tool.Set {
	set := &tool.Set{Gate: gate{}}
	piece := func(ctx context.Context, a arena.Agent, in pieceInput) (pieceOutput, error) {
		return pieceOutput{a.Nickname, tool.ScopeOf(ctx).Addr.String(), in}, nil
	}
	set.Add(
		tool.New(tool.Spec{Name: "piece", Doc: "Shows.", Route: "GET /v1/pieces/{id}"}, piece),
		tool.New(tool.Spec{Name: "set_piece", Doc: "Sets.", Access: tool.Agent, Level: tool.Write, Route: "POST /v1/pieces/{id}"}, piece),
		tool.New(tool.Spec{Name: "unseen", Doc: "Has no route."}, piece),
		tool.New(tool.Spec{Name: "fail", Doc: "Fails.", Route: "POST /v1/fail/{code}", Errors: []arena.Code{
			arena.NotFound, arena.NotYourGame, arena.StalePly, arena.IllegalMove, arena.NicknameTaken, arena.StorageUnavailable,
		}, Refusal: struct {
			Accepted bool `json:"accepted"`
		}{}}, func(_ context.Context, _ arena.Agent, in failInput) (struct{}, error) {
			e := arena.Errorf(arena.Code(in.Code), "It fails.")
			e.RetryAfter = 1500 * time.Millisecond
			return struct{}{}, e
		}),
		tool.New(tool.Spec{Name: "wait", Doc: "Waits.", Route: "GET /v1/wait", Access: tool.Agent, Errors: []arena.Code{arena.NotFound}},
			func(ctx context.Context, _ arena.Agent, in waitInput) (waitOutput, error) {
				w := tool.Wait{Hub: hub, Topic: "bell", Claim: "ann", Max: time.Duration(in.Seconds) * time.Second, Beat: 20 * time.Second}
				waited, err := w.Until(ctx, func() (bool, error) { return false, nil })
				if waited == 599*time.Second {
					return waitOutput{}, arena.Errorf(arena.NotFound, "It went away meanwhile.")
				}
				return waitOutput{waited.Seconds()}, err
			}),
	)
	return set
}

// fakeDoor is the REST door over set inside the guard, as New puts it together.
func fakeDoor(t *testing.T, set *tool.Set, log *bytes.Buffer) *guard {
	t.Helper()
	mux := http.NewServeMux()
	if err := routeTools(mux, set); err != nil {
		t.Fatal(err)
	}
	mux.HandleFunc("/boom", func(http.ResponseWriter, *http.Request) { panic("it fell over") })
	mux.HandleFunc("/cut", func(w http.ResponseWriter, _ *http.Request) {
		writeText(w, plainText, "half an ans")
		panic("it fell over")
	})
	logger := slog.New(slog.DiscardHandler)
	if log != nil {
		logger = slog.New(slog.NewTextHandler(log, nil))
	}
	return &guard{log: logger, hosts: hostsOf(arena.DefaultSettings()), origins: http.NewCrossOriginProtection(), next: mux}
}

// ask sends one request to h; each header is "Name: value".
func ask(h http.Handler, method, target, body string, headers ...string) *httptest.ResponseRecorder {
	var r *http.Request
	if body == "" {
		r = httptest.NewRequest(method, target, nil)
	} else {
		r = httptest.NewRequest(method, target, strings.NewReader(body))
	}
	r.Host = "localhost:8080"
	for _, header := range headers {
		name, value, _ := strings.Cut(header, ": ")
		if name == "Host" {
			r.Host = value
			continue
		}
		r.Header.Add(name, value)
	}
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, r)
	return rec
}
