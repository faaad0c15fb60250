package web

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"chessarena/arena"
	"chessarena/arena/tool"
	"chessarena/arena/wake"
)

func TestHosts(t *testing.T) {
	s := arena.DefaultSettings()
	s.Addr, s.PublicURL = "box.lan:8080", "https://Arena.Example.org:8443/"
	h := hostsOf(s)
	for host, want := range map[string]bool{
		"localhost": true, "localhost:8080": true, "LOCALHOST.:1": true, "arena.localhost": true,
		"127.0.0.1:8080": true, "[::1]:8080": true, "[::1]": true, "192.168.1.7": true,
		"box.lan": true, "arena.example.org": true, "arena.example.org:443": true,
		"evil.example": false, "arena.example.org.evil.example": false, "notlocalhost": false, "": false, "127.0.0.1.evil.example": false, "localhost@evil.example": false,
	} {
		if got := h.answer(host); got != want {
			t.Errorf("answer(%q) = %v, want %v", host, got, want)
		}
	}
}

func TestGuardRefuses(t *testing.T) {
	h := fakeDoor(t, fakeSet(new(wake.Hub)), nil)
	for _, test := range []struct {
		name, method, target, body, header string
		status                             int
		code                               string
	}{
		{"a rebound host name", "GET", "/v1/pieces/a", "", "Host: evil.example", 403, "wrong_host"},
		{"a page of another site", "POST", "/v1/pieces/a", "{}", "Origin: https://evil.example", 403, "cross_origin"},
		{"a sandboxed page", "POST", "/v1/pieces/a", "{}", "Origin: null", 403, "cross_origin"},
		{"a cross-site form", "POST", "/v1/pieces/a", "{}", "Sec-Fetch-Site: cross-site", 403, "cross_origin"},
		{"a body that says it is too large", "POST", "/v1/pieces/a", strings.Repeat(" ", 2<<20), "", 413, "payload_too_large"},
	} {
		t.Run(test.name, func(t *testing.T) {
			rec := ask(h, test.method, test.target, test.body, test.header)
			if rec.Code != test.status || !strings.Contains(rec.Body.String(), `"error":"`+test.code+`"`) {
				t.Errorf("%d %s, want %d %s", rec.Code, rec.Body, test.status, test.code)
			}
		})
	}
	t.Run("and lets our own pages through", func(t *testing.T) {
		rec := ask(h, "POST", "/v1/pieces/a", "{}", "Origin: http://localhost:8080", bearerAnn)
		if rec.Code != 200 {
			t.Errorf("%d %s", rec.Code, rec.Body)
		}
	})
}

func TestAPanicIsAnAnswerAndALogLine(t *testing.T) {
	var log bytes.Buffer
	h := fakeDoor(t, fakeSet(new(wake.Hub)), &log)
	rec := ask(h, "GET", "/boom", "")
	if rec.Code != 500 || !strings.Contains(rec.Body.String(), `"error":"internal"`) || strings.Contains(rec.Body.String(), "fell over") {
		t.Errorf("%d %s", rec.Code, rec.Body)
	}
	if !strings.Contains(log.String(), "it fell over") || !strings.Contains(log.String(), "status=500") {
		t.Errorf("the log is %s", &log)
	}
	defer func() {
		if recover() != http.ErrAbortHandler {
			t.Error("half an answer ends like a whole one")
		}
	}()
	ask(h, "GET", "/cut", "")
}

func TestTheLogTellsNoSecrets(t *testing.T) {
	var log bytes.Buffer
	h := fakeDoor(t, fakeSet(new(wake.Hub)), &log)
	long := "ann." + strings.Repeat("S3cret", 50)
	ask(h, "POST", "/v1/pieces/a", `{"key":"`+long+`"}`, "Authorization: Bearer "+long, "Cookie: "+long)
	ask(h, "GET", "/v1/pieces/"+long+"?key="+long, "")
	ask(h, long, "/v1/pieces/a", "")
	if strings.Contains(log.String(), "S3cret") {
		t.Errorf("the log holds a secret: %s", &log)
	}
	if got := strings.Count(log.String(), "msg=request"); got != 3 {
		t.Errorf("%d log lines for 3 requests: %s", got, &log)
	}
	for _, want := range []string{"method=POST path=/v1/pieces/a status=401 bytes=", "path=/v1/pieces/[long] status=400"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log has no %q: %s", want, &log)
		}
	}
}

func TestEveryAnswerIsGuardedByHeaders(t *testing.T) {
	h := fakeDoor(t, fakeSet(new(wake.Hub)), nil)
	for _, target := range []string{"/v1/pieces/a", "/v1/nothing", "/boom"} {
		rec := ask(h, "GET", target, "")
		for name, want := range map[string]string{
			"X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin",
			"Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
		} {
			if got := rec.Header().Get(name); got != want {
				t.Errorf("%s: %s is %q, want %q", target, name, got, want)
			}
		}
		if len(rec.Header().Get("X-Request-Id")) < 16 {
			t.Errorf("%s: no request id", target)
		}
	}
}

func TestClientAddr(t *testing.T) {
	s := arena.DefaultSettings()
	for _, one := range s.Each() {
		if one.Name == "TRUSTED_PROXIES" {
			if err := one.Set("127.0.0.1, 10.0.0.0/8, ::1"); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, test := range []struct {
		name, remote string
		forwarded    []string
		want         string
	}{
		{"straight", "203.0.113.5:999", nil, "203.0.113.5"},
		{"straight, with a header of its own making", "203.0.113.5:999", []string{"1.1.1.1"}, "203.0.113.5"},
		{"through a proxy", "127.0.0.1:999", []string{"203.0.113.5"}, "203.0.113.5"},
		{"through a proxy, with an invented hop", "127.0.0.1:999", []string{"1.1.1.1, 203.0.113.5"}, "203.0.113.5"},
		{"through two proxies", "127.0.0.1:999", []string{"1.1.1.1, 203.0.113.5, 10.1.2.3"}, "203.0.113.5"},
		{"in two headers", "127.0.0.1:999", []string{"203.0.113.5", "10.1.2.3"}, "203.0.113.5"},
		{"from the proxy's own network", "127.0.0.1:999", []string{"10.1.2.3"}, "10.1.2.3"},
		{"through a proxy that says nothing", "127.0.0.1:999", nil, "127.0.0.1"},
		{"through a proxy that says nonsense", "127.0.0.1:999", []string{"unknown"}, "127.0.0.1"},
		{"with a port", "[::1]:999", []string{"203.0.113.5:1234"}, "203.0.113.5"},
		{"over IPv6", "[::1]:999", []string{"[2001:db8::7]:1234"}, "2001:db8::7"},
		{"as IPv4 inside IPv6", "[::ffff:127.0.0.1]:999", []string{"::ffff:203.0.113.5"}, "203.0.113.5"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := httptest.NewRequest("GET", "/", nil)
			r.RemoteAddr = test.remote
			r.Header["X-Forwarded-For"] = test.forwarded
			if got := clientAddr(r, s.TrustedProxies).String(); got != test.want {
				t.Errorf("%s, want %s", got, test.want)
			}
		})
	}
}

func TestReadyzTellsWhyItIsNot(t *testing.T) {
	reason, warning := "", ""
	h := get(readyz(func() string { return reason }, func() string { return warning }))
	if rec := ask(h, "GET", "/readyz", ""); rec.Code != 200 || strings.TrimSpace(rec.Body.String()) != `{"status":"ready"}` {
		t.Errorf("%d %s", rec.Code, rec.Body)
	}
	warning = "the disk is almost full"
	if rec := ask(h, "GET", "/readyz", ""); rec.Code != 200 || strings.TrimSpace(rec.Body.String()) != `{"status":"ready","warning":"the disk is almost full"}` {
		t.Errorf("with a warning: %d %s", rec.Code, rec.Body)
	}
	reason = "The disk is full."
	rec := ask(h, "GET", "/readyz", "")
	if rec.Code != 503 || !strings.Contains(rec.Body.String(), reason) || rec.Header().Get("Retry-After") == "" {
		t.Errorf("%d %s", rec.Code, rec.Body)
	}
	if rec := ask(h, "POST", "/readyz", ""); rec.Code != 405 || rec.Header().Get("Allow") != "GET, HEAD" {
		t.Errorf("POST: %d, Allow %q", rec.Code, rec.Header().Get("Allow"))
	}
}

func TestMetricsAreForThisMachineUnlessTheSettingSaysMore(t *testing.T) {
	inner := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	for _, c := range []struct {
		addr, forwarded string
		all             bool
		want            int
	}{
		{"127.0.0.1", "", false, 204},
		{"::1", "", false, 204},
		{"192.0.2.7", "", false, 404},
		{"127.0.0.1", "192.0.2.7", false, 404}, // a proxy on this machine that nobody declared
		{"192.0.2.7", "", true, 204},
	} {
		r := httptest.NewRequest("GET", "/metrics", nil)
		if c.forwarded != "" {
			r.Header.Set("X-Forwarded-For", c.forwarded)
		}
		r = r.WithContext(tool.WithScope(r.Context(), &tool.Scope{Addr: netip.MustParseAddr(c.addr)}))
		rec := httptest.NewRecorder()
		near(c.all, inner).ServeHTTP(rec, r)
		if rec.Code != c.want {
			t.Errorf("%+v: status %d", c, rec.Code)
		}
	}
}
