package web

import (
	"fmt"
	"net/http"
	"net/url"

	"chessarena/arena/hall"
)

// Options are what the door is given besides the hall.
type Options struct {
	MCP     http.Handler // mounted at /mcp; nil leaves the path out
	Version string       // of the program, as pages show it
	Metrics http.Handler // mounted at /metrics for whom the settings allow; nil leaves it out
}

// New returns the handler of everything the arena serves over HTTP.
func New(h *hall.Hall, o Options) (http.Handler, error) {
	origins := http.NewCrossOriginProtection()
	if h.Settings.PublicURL != "" {
		u, err := url.Parse(h.Settings.PublicURL)
		if err != nil {
			return nil, fmt.Errorf("PUBLIC_URL: %w", err)
		}
		// A proxy may pass on its own name in Host, while browsers name the public one.
		if err := origins.AddTrustedOrigin(u.Scheme + "://" + u.Host); err != nil {
			return nil, fmt.Errorf("PUBLIC_URL: %w", err)
		}
	}
	pages, err := newPages(h, o.Version)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	pages.routes(mux)
	if err := routeTools(mux, h.Agents); err != nil {
		return nil, err
	}
	if o.MCP != nil {
		mux.Handle("/mcp", o.MCP)
	}
	mux.HandleFunc("/v1/games/{game_id}/pgn", get(serveGame(h.Log, "application/vnd.chess-pgn", ".pgn", pgnOf(h.Archive))))
	mux.HandleFunc("/v1/games/{game_id}/log", get(serveGame(h.Log, "application/x-ndjson", ".jsonl", logOf(h.Archive))))
	rules := h.Settings.RulesText()
	mux.HandleFunc("/rules.txt", get(func(w http.ResponseWriter, _ *http.Request) { writeText(w, plainText, rules) }))
	if o.Metrics != nil && h.Settings.Metrics != "off" {
		mux.Handle("/metrics", near(h.Settings.Metrics == "on", o.Metrics))
	}
	mux.HandleFunc("/healthz", get(healthz))
	mux.HandleFunc("/readyz", get(readyz(h.Degraded, h.Warning)))
	return &guard{
		log: h.Log, hosts: hostsOf(h.Settings), proxies: h.Settings.TrustedProxies,
		origins: origins, next: mux,
	}, nil
}
