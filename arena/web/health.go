package web

import (
	"encoding/json"
	"net/http"
	"strconv"

	"chessarena/arena"
	"chessarena/arena/tool"
)

// healthz says that the process answers.
func healthz(w http.ResponseWriter, _ *http.Request) {
	writeText(w, plainText, "ok\n")
}

// readyz says whether the arena can do its work: 503 while it cannot write, with the
// reason that degraded gives. A warning is for whoever looks after it; work goes on.
func readyz(degraded, warning func() string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		if reason := degraded(); reason != "" {
			fail(w, arena.Errorf(arena.StorageUnavailable, "%s", reason))
			return
		}
		text := json.RawMessage(`{"status":"ready"}`)
		if soon := warning(); soon != "" {
			text = json.RawMessage(`{"status":"ready","warning":` + strconv.Quote(soon) + `}`)
		}
		writeJSON(w, nil, text)
	}
}

// near serves a handler to callers on this machine only, or to all. A proxy on this
// machine is no excuse: what counts is the client behind it.
func near(all bool, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !all && (!tool.ScopeOf(r.Context()).Addr.IsLoopback() || r.Header.Get("X-Forwarded-For") != "") {
			fail(w, arena.Errorf(arena.NotFound, "There is nothing at this path."))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// plainText is the type of what people and models read as it is.
const plainText = "text/plain; charset=utf-8"

func writeText(w http.ResponseWriter, kind, text string) {
	w.Header().Set("Content-Type", kind)
	_, _ = w.Write([]byte(text))
}
