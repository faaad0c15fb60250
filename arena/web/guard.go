package web

import (
	"crypto/rand"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"runtime/debug"
	"strings"
	"time"

	"chessarena/arena"
	"chessarena/arena/tool"
)

// maxBody is the largest body that is read, in bytes, on any path.
const maxBody = 1 << 20

// guard is what every request passes before it meets a path.
type guard struct {
	log     *slog.Logger
	hosts   hosts
	proxies []netip.Prefix
	origins *http.CrossOriginProtection
	next    http.Handler
}

func (g *guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	start := time.Now()
	seen := &meter{ResponseWriter: w}
	id := rand.Text()
	secure(seen.Header())
	seen.Header().Set("X-Request-Id", id)
	defer func() {
		p := recover()
		cut := p != nil && seen.status != 0 // half an answer is on its way
		if p != nil && p != http.ErrAbortHandler {
			g.log.Error("panic in a request", "id", id, "panic", p, "stack", string(debug.Stack()))
			if !cut {
				fail(seen, arena.Public(fmt.Errorf("panic: %v", p)))
			}
		}
		g.record(r, seen, id, time.Since(start))
		if cut || p == http.ErrAbortHandler {
			panic(http.ErrAbortHandler) // the client must see that its answer was cut short
		}
	}()
	g.admit(seen, r)
}

// admit lets a request through to its path, or says why not.
func (g *guard) admit(w http.ResponseWriter, r *http.Request) {
	if e := g.refusal(r); e != nil {
		fail(w, e)
		return
	}
	limitBody(w, r)
	g.next.ServeHTTP(w, g.scoped(r))
}

// refusal says why a request gets no further, nil when it does.
func (g *guard) refusal(r *http.Request) *arena.Error {
	if !g.hosts.answer(r.Host) {
		return arena.Errorf(arena.WrongHost, "This arena does not answer to the host name %s. Use the address it was opened with; behind a proxy its operator sets PUBLIC_URL.", arena.Quote(r.Host))
	}
	if err := g.origins.Check(r); err != nil {
		return arena.Errorf(arena.CrossOrigin, "A page of another site may not send this request.").Because(err)
	}
	if r.ContentLength > maxBody {
		return tooLarge()
	}
	return nil
}

// scoped is r with what is known about it in its context.
func (g *guard) scoped(r *http.Request) *http.Request {
	return r.WithContext(tool.WithScope(r.Context(), &tool.Scope{
		Addr:   clientAddr(r, g.proxies),
		Bearer: bearer(r),
		Gone:   r.Context().Done(),
	}))
}

// bearer is the token of the Authorization header; the scheme is read in any case
// (RFC 9110, section 11.1).
func bearer(r *http.Request) string {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}

// secure sets the headers that every answer has. Pages replace the policy by their own.
func secure(h http.Header) {
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
}

// record writes the one log line of a request: no header, no query, no body.
func (g *guard) record(r *http.Request, m *meter, id string, took time.Duration) {
	level := slog.LevelInfo
	if r.URL.Path == "/healthz" || r.URL.Path == "/readyz" {
		level = slog.LevelDebug // asked every few seconds by whoever watches the process
	}
	g.log.LogAttrs(r.Context(), level, "request",
		slog.String("id", id), slog.String("method", loggable(r.Method)), slog.String("path", loggable(r.URL.Path)),
		slog.Int("status", m.status), slog.Int64("bytes", m.bytes), slog.Duration("took", took))
}

// loggable hides what is too long for any route: somebody may paste a key into a path.
func loggable(path string) string {
	const longest = 64
	if len(path) <= longest {
		return path
	}
	segments := strings.Split(path, "/")
	for i, s := range segments {
		if len(s) > longest {
			segments[i] = "[long]"
		}
	}
	path = strings.Join(segments, "/")
	return path[:min(len(path), 4*longest)]
}

// meter counts what is answered.
type meter struct {
	http.ResponseWriter
	status int // 0 until the header is written
	bytes  int64
}

func (m *meter) WriteHeader(status int) {
	if m.status == 0 && status >= http.StatusOK {
		m.status = status
	}
	m.ResponseWriter.WriteHeader(status)
}

func (m *meter) Write(b []byte) (int, error) {
	if m.status == 0 {
		m.status = http.StatusOK
	}
	n, err := m.ResponseWriter.Write(b)
	m.bytes += int64(n)
	return n, err
}

// Unwrap lets http.ResponseController flush and set deadlines.
func (m *meter) Unwrap() http.ResponseWriter { return m.ResponseWriter }
