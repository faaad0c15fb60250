package mcpserver_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"chessarena/arena"
	"chessarena/arena/tool"
	"chessarena/arena/wake"
)

const waitCall = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wait","arguments":{"wait_s":120,"key":"` + annsKey + `"}%s}}`

// stamped notes when each piece of an answer was written. It is read after the call.
type stamped struct {
	*httptest.ResponseRecorder
	start time.Time
	at    []time.Duration
}

func (s *stamped) Write(b []byte) (int, error) {
	s.at = append(s.at, time.Since(s.start))
	return s.ResponseRecorder.Write(b)
}

// start posts body on a goroutine of the bubble; done is closed when the handler returned.
func start(ctx context.Context, h http.Handler, body string) (rec *stamped, done chan struct{}) {
	rec, done = &stamped{ResponseRecorder: httptest.NewRecorder(), start: time.Now()}, make(chan struct{})
	r := httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(body)).WithContext(ctx)
	go func() {
		defer close(done)
		h.ServeHTTP(rec, r)
	}()
	return rec, done
}

func finished(done chan struct{}) bool {
	synctest.Wait()
	select {
	case <-done:
		return true
	default:
		return false
	}
}

func TestAWaitWithoutTokenSendsComments(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rec, done := start(t.Context(), handlerOf(fakeSet(silent()), nil), fmt.Sprintf(waitCall, ""))
		<-done
		var want []time.Duration
		for _, second := range []int{1, 21, 41, 61, 81, 101, 120} {
			want = append(want, time.Duration(second)*time.Second)
		}
		if !slices.Equal(rec.at, want) || !rec.Flushed {
			t.Errorf("the answer's pieces were written at %v, flushed %v, want %v", rec.at, rec.Flushed, want)
		}
		if n := strings.Count(rec.Body.String(), ": waiting\n\n"); n != 6 {
			t.Errorf("%d comments, want 6", n)
		}
		if list := messages(t, rec.ResponseRecorder); len(list) != 1 || !bytes.Contains(list[0], []byte(`"waited_s":120`)) {
			t.Errorf("the answer is %s, want one message with waited_s 120", list)
		}
	})
}

func TestAWaitWithTokenSendsGrowingProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rec, done := start(t.Context(), handlerOf(fakeSet(silent()), nil), fmt.Sprintf(waitCall, `,"_meta":{"progressToken":"tok"}`))
		<-done
		if strings.Contains(rec.Body.String(), ": waiting") {
			t.Error("a comment was sent beside the progress")
		}
		list := messages(t, rec.ResponseRecorder)
		for i, progress := range []int{1, 21, 41, 61, 81, 101} {
			want := fmt.Sprintf(`"progressToken":"tok","message":"waiting for the bell","progress":%d,"total":120`, progress)
			if i >= len(list)-1 || !bytes.Contains(list[i], []byte(want)) {
				t.Fatalf("message %d of %s, want %s", i, list, want)
			}
		}
		if len(list) != 7 {
			t.Errorf("%d messages, want 6 of progress and the answer", len(list))
		}
	})
}

func TestAWaitEndsEarly(t *testing.T) {
	for _, test := range []struct {
		name string
		end  func(hub *wake.Hub, ring, hangUp func())
		want string // in the answer; "" when nobody is there to read it
	}{
		{"when what it waits for happens", func(hub *wake.Hub, ring, _ func()) { ring(); hub.Wake("bell") }, `"rang":true`},
		{"when the arena shuts down", func(hub *wake.Hub, _, _ func()) { hub.Close() }, `"rang":false,"waited_s":30`},
		{"when a newer wait takes its place", func(hub *wake.Hub, _, _ func()) { hub.Claim("ann") }, `"rang":false,"waited_s":30`},
		{"when the client hangs up", func(_ *wake.Hub, _, hangUp func()) { hangUp() }, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				rung := false
				b := bell{hub: new(wake.Hub), rung: func() bool { return rung }}
				ctx, hangUp := context.WithCancel(t.Context())
				defer hangUp()
				scoped := tool.WithScope(ctx, &tool.Scope{Gone: ctx.Done()})
				rec, done := start(scoped, handlerOf(fakeSet(b), nil), fmt.Sprintf(waitCall, ""))
				time.Sleep(30 * time.Second)
				if finished(done) {
					t.Fatal("the call did not wait")
				}
				test.end(b.hub, func() { rung = true }, hangUp)
				if !finished(done) {
					t.Fatal("the call still waits")
				}
				if !strings.Contains(rec.Body.String(), test.want) {
					t.Errorf("the answer is %s, want it to have %s", rec.Body, test.want)
				}
				if n := b.hub.Waiting(); n != 0 {
					t.Errorf("%d watches are left behind", n)
				}
			})
		})
	}
}

func TestTheScopeReachesTheTool(t *testing.T) {
	scope := &tool.Scope{Addr: netip.MustParseAddr("203.0.113.9"), Bearer: annsKey}
	r := httptest.NewRequest(http.MethodPost, "/mcp", nil)
	rec := post(handlerOf(fakeSet(silent()), nil), r.WithContext(tool.WithScope(r.Context(), scope)),
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"x"}}}`)
	if want := `{"you":"ann","text":"x","addr":"203.0.113.9","times":0}`; !strings.Contains(rec.Body.String(), `"structuredContent":`+want) {
		t.Errorf("the answer is %s, want %s", rec.Body, want)
	}
}

func TestAPanicIsAnAnswerAndALogLine(t *testing.T) {
	for _, strict := range []bool{false, true} { // a strict Set lets its panics through
		var logged bytes.Buffer
		log := slog.New(slog.NewTextHandler(&logged, nil))
		set := fakeSet(silent())
		set.Strict, set.Log = strict, log
		set.Add(tool.New(tool.Spec{Name: "boom", Doc: "Panics."}, func(context.Context, arena.Agent, struct{}) (struct{}, error) {
			panic("the board fell over")
		}))
		rec := post(handlerOf(set, log), httptest.NewRequest(http.MethodPost, "/mcp", nil),
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"boom"}}`)
		if !strings.Contains(rec.Body.String(), `"structuredContent":{"error":"internal"`) || strings.Contains(rec.Body.String(), "fell over") {
			t.Errorf("strict %v: the answer is %s", strict, rec.Body)
		}
		if !strings.Contains(logged.String(), "the board fell over") {
			t.Errorf("strict %v: the log does not tell: %s", strict, &logged)
		}
	}
}
