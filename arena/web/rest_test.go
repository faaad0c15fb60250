package web

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"chessarena/arena"
	"chessarena/arena/tool"
	"chessarena/arena/wake"
)

const bearerAnn = "Authorization: Bearer " + annsKey

func TestREST(t *testing.T) {
	h := fakeDoor(t, fakeSet(new(wake.Hub)), nil)
	for _, test := range []struct {
		name, method, target, body string
		headers                    []string
		status                     int
		want                       string // in the body
	}{
		{"path and query become arguments", "GET", "/v1/pieces/q1?size=3&note=a%20b", "", nil, 200,
			`{"you":"","addr":"192.0.2.1","id":"q1","size":3,"note":"a b"}`},
		{"a body and the path become arguments", "POST", "/v1/pieces/q1", `{"size":"4"}`, []string{bearerAnn, "Content-Type: application/json; charset=utf-8"}, 200,
			`{"you":"ann","addr":"192.0.2.1","id":"q1","size":4,"note":""}`},
		{"the key may stand in the body", "POST", "/v1/pieces/q1", `{"key":"` + annsKey + `"}`, nil, 200, `"you":"ann"`},
		{"the scheme Bearer is read in any case", "POST", "/v1/pieces/q1", "", []string{"Authorization: bearer  " + annsKey}, 200, `"you":"ann"`},
		{"HEAD is a GET", "HEAD", "/v1/pieces/q1", "", nil, 200, ""},
		{"null is no argument", "POST", "/v1/pieces/q1", `{"size":null}`, []string{bearerAnn}, 200, `"size":0`},
		{"a body of null is empty", "POST", "/v1/pieces/q1", "null", []string{bearerAnn}, 200, `"id":"q1"`},
		{"a name twice with one value", "POST", "/v1/pieces/7?size=5&size=5", `{"id":7,"size":5}`, []string{bearerAnn}, 200, `"id":"7","size":5`},
		{"a name in path and body, the same", "POST", "/v1/pieces/q1", `{"id":"q1"}`, []string{bearerAnn}, 200, `"id":"q1"`},

		{"a name in path and body, different", "POST", "/v1/pieces/q1", `{"id":"q2"}`, []string{bearerAnn}, 400, `\"id\" is given twice`},
		{"a name twice in the query", "GET", "/v1/pieces/q1?size=1&size=2", "", nil, 400, `\"size\" is given twice`},
		{"a name twice in the body", "POST", "/v1/pieces/q1", `{"size":1,"size":2}`, []string{bearerAnn}, 400, `\"size\" is given twice`},
		{"an unknown name", "GET", "/v1/pieces/q1?colour=red", "", nil, 400, `Known arguments: key, id, size, note.`},
		{"a word for a number", "GET", "/v1/pieces/q1?size=big", "", nil, 400, `size must be a whole number`},
		{"a key in the query", "GET", "/v1/pieces/q1?key=" + annsKey, "", nil, 400, `must not stand in the URL`},
		{"no key where one is needed", "POST", "/v1/pieces/q1", "", nil, 401, `"error":"malformed_key"`},
		{"two keys that differ", "POST", "/v1/pieces/q1", `{"key":"bob.x"}`, []string{bearerAnn}, 401, `"error":"malformed_key"`},
		{"a body that is not JSON", "POST", "/v1/pieces/q1", `size=4`, []string{bearerAnn}, 400, `must be one JSON object`},
		{"a body that is a list", "POST", "/v1/pieces/q1", `[1]`, []string{bearerAnn}, 400, `must be one JSON object`},
		{"two bodies", "POST", "/v1/pieces/q1", `{} {}`, []string{bearerAnn}, 400, `must be one JSON object`},
		{"a form", "POST", "/v1/pieces/q1", `size=4`, []string{bearerAnn, "Content-Type: application/x-www-form-urlencoded"}, 400, `Content-Type: application/json`},
		{"a Content-Type that is none", "POST", "/v1/pieces/q1", `{}`, []string{bearerAnn, "Content-Type: ;;"}, 400, `Content-Type: application/json`},
		{"invalid UTF-8 in the body", "POST", "/v1/pieces/q1", "{\"note\":\"\xff\"}", []string{bearerAnn}, 400, `not valid UTF-8`},
		{"invalid UTF-8 in the query", "GET", "/v1/pieces/q1?note=%ff", "", nil, 400, `not valid UTF-8`},
		{"invalid UTF-8 in the path", "GET", "/v1/pieces/%ff", "", nil, 400, `not valid UTF-8`},
		{"a broken query", "GET", "/v1/pieces/q1?note=%zz", "", nil, 400, `"error":"invalid_arguments"`},
		{"a body of 1 MiB and a byte", "POST", "/v1/pieces/q1", strings.Repeat(" ", 1<<20+1), []string{bearerAnn}, 413, `"error":"payload_too_large"`},
		{"a 10 kB name", "POST", "/v1/pieces/q1", `{"` + strings.Repeat("n", 10_000) + `":1}`, []string{bearerAnn}, 400, `"error":"invalid_arguments"`},
		{"deep nesting", "POST", "/v1/pieces/q1", `{"note":` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + `}`, []string{bearerAnn}, 400, `"error":"invalid_arguments"`},
		{"a path that does not exist", "GET", "/v1/nothing", "", nil, 404, `"error":"not_found"`},
		{"a tool without a route", "POST", "/v1/unseen", "", nil, 404, `"error":"not_found"`},
		{"another method", "DELETE", "/v1/pieces/q1", "", nil, 405, `This path takes GET, POST, HEAD.`},
		{"a GET of what is only posted", "GET", "/v1/fail/not_found", "", nil, 405, `This path takes POST.`},
	} {
		t.Run(test.name, func(t *testing.T) {
			rec := ask(h, test.method, test.target, test.body, test.headers...)
			if rec.Code != test.status || !strings.Contains(rec.Body.String(), test.want) {
				t.Errorf("%d %.400s\nwant %d with %s", rec.Code, rec.Body, test.status, test.want)
			}
			if got := rec.Header().Get("Content-Type"); got != "application/json" {
				t.Errorf("Content-Type is %q", got)
			}
			if rec.Body.Len() > 600 {
				t.Errorf("the answer has %d bytes", rec.Body.Len())
			}
			if allow := rec.Header().Get("Allow"); (rec.Code == 405) != (allow != "") {
				t.Errorf("status %d with Allow %q", rec.Code, allow)
			}
		})
	}
}

func TestAKindHasAStatus(t *testing.T) {
	h := fakeDoor(t, fakeSet(new(wake.Hub)), nil)
	for code, want := range map[arena.Code]int{
		arena.NotFound: 404, arena.NotYourGame: 403, arena.StalePly: 409, arena.NicknameTaken: 409, arena.IllegalMove: 400,
		arena.MalformedKey: 401, arena.Frozen: 403, arena.RateLimited: 429, arena.StorageUnavailable: 503, arena.Internal: 500,
	} {
		rec := ask(h, "POST", "/v1/fail/"+string(code), "")
		if rec.Code != want || !strings.HasPrefix(rec.Body.String(), `{"accepted":false,"error":"`+string(code)+`","message":"It fails."`) {
			t.Errorf("%s: %d %s, want %d", code, rec.Code, rec.Body, want)
		}
		if got, want := rec.Header().Get("Retry-After"), map[int]string{429: "2", 503: "2"}[rec.Code]; got != want {
			t.Errorf("%s: Retry-After is %q, want %q", code, got, want)
		}
		if got := rec.Header().Get("WWW-Authenticate"); (got == "Bearer") != (rec.Code == 401) {
			t.Errorf("%s: WWW-Authenticate is %q", code, got)
		}
	}
}

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

// wait calls the waiting tool on a goroutine of the bubble.
func wait(ctx context.Context, h http.Handler, seconds string) (rec *stamped, done chan struct{}) {
	rec, done = &stamped{ResponseRecorder: httptest.NewRecorder(), start: time.Now()}, make(chan struct{})
	r := httptest.NewRequest("GET", "/v1/wait?wait_s="+seconds, nil).WithContext(ctx)
	r.Host = "localhost"
	r.Header.Set("Authorization", "Bearer "+annsKey)
	go func() {
		defer close(done)
		h.ServeHTTP(rec, r)
	}()
	return rec, done
}

func TestALongPollBeginsItsAnswerWithinASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rec, done := wait(t.Context(), fakeDoor(t, fakeSet(new(wake.Hub)), nil), "45")
		<-done
		if got, want := rec.Body.String(), "\n\n\n"+`{"waited_s":45}`+"\n"; got != want {
			t.Errorf("the answer is %q, want %q", got, want)
		}
		if want := []time.Duration{time.Second, 21 * time.Second, 41 * time.Second, 45 * time.Second}; !slices.Equal(rec.at, want) {
			t.Errorf("its pieces were written at %v, want %v", rec.at, want)
		}
		if !rec.Flushed || rec.Header().Get("Content-Type") != "application/json" {
			t.Errorf("flushed %v, Content-Type %q", rec.Flushed, rec.Header().Get("Content-Type"))
		}
	})
}

func TestAShortWaitHasAStatus(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rec, done := wait(t.Context(), fakeDoor(t, fakeSet(new(wake.Hub)), nil), "0")
		<-done
		if got, want := rec.Body.String(), `{"waited_s":0}`+"\n"; got != want {
			t.Errorf("the answer is %q, want %q", got, want)
		}
	})
}

func TestALateFailureOfALongPollIsInItsBody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rec, done := wait(t.Context(), fakeDoor(t, fakeSet(new(wake.Hub)), nil), "599")
		<-done
		if rec.Code != 200 || !strings.HasSuffix(rec.Body.String(), "\n"+`{"error":"not_found","message":"It went away meanwhile."}`+"\n") {
			t.Errorf("%d %q", rec.Code, rec.Body)
		}
	})
}

func TestALongPollEndsWhenTheClientHangsUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, hangUp := context.WithCancel(t.Context())
		hub := new(wake.Hub)
		_, done := wait(ctx, fakeDoor(t, fakeSet(hub), nil), "600")
		time.Sleep(10 * time.Second)
		hangUp()
		synctest.Wait()
		select {
		case <-done:
		default:
			t.Fatal("the call still waits")
		}
		if n := hub.Waiting(); n != 0 {
			t.Errorf("%d watches are left", n)
		}
	})
}

func TestRoutesMustBeUnique(t *testing.T) {
	f := func(context.Context, arena.Agent, struct{}) (struct{}, error) { return struct{}{}, nil }
	for name, route := range map[string]string{"twice": "GET /v1/a", "no method": "/v1/b"} {
		set := &tool.Set{Gate: gate{}}
		set.Add(tool.New(tool.Spec{Name: "one", Doc: "x", Route: "GET /v1/a"}, f), tool.New(tool.Spec{Name: "two", Doc: "x", Route: route}, f))
		if err := routeTools(http.NewServeMux(), set); err == nil {
			t.Errorf("%s: a route %q is accepted", name, route)
		}
	}
}
