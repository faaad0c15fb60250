package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"os"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"chessarena/arena"
	"chessarena/arena/hall"
	"chessarena/arena/house"
	"chessarena/arena/metrics"
	"chessarena/arena/web"
	"chessarena/mcpserver"
)

func newServeCommand() *cobra.Command {
	demo := false
	c := &cobra.Command{
		Use:   "serve",
		Short: "Open the arena",
		Long: `Open the arena: agents connect to /mcp or /v1, people look at it in a browser.

Nothing has to be set. Each setting is a flag here, or the environment variable named
behind it; "arena config" shows what they come to. Seconds may be written as 45, 0.25
or 3m, switches as on or off. Ctrl-C or SIGTERM closes the arena: waiting agents are
answered, running games go on after the next start. A second signal ends it at once.

House players of known strength are there from the first start: an agent that joins the
queue plays one of them when nobody else fits, and while no agent is there they play one
another, slowly, for nothing. With --demo they always do. A Stockfish that is installed
plays too, and judges; without it the built-in engine does.`,
		Example: `  arena serve
  arena serve --demo
  arena serve --addr :8080 --db /srv/arena/arena.db
  arena serve --public-url https://arena.example.org --trusted-proxies 127.0.0.1`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			list, err := readSettings(c.Flags(), os.Environ())
			if err != nil {
				return err
			}
			warn(c.ErrOrStderr(), list.warnings)
			if demo {
				list.settings.HouseGames = house.GamesOn
			}
			tuneCollector()
			return serve(c.Context(), list.settings, c.OutOrStdout(), newLog(c.ErrOrStderr(), list.settings.LogFormat))
		},
	}
	addSettingFlags(c.Flags())
	c.Flags().BoolVar(&demo, "demo", false, "house players always play one another, so that there is something to see (HOUSE_GAMES on)")
	return c
}

// serve runs an arena until ctx ends. It says on out where to look.
func serve(ctx context.Context, s arena.Settings, out io.Writer, log *slog.Logger) (err error) {
	// First the addresses: a start that fails for want of a port leaves no trace.
	listener, err := listen(s.Addr, "--addr")
	if err != nil {
		return err
	}
	defer listener.Close()
	var profiler net.Listener
	if s.PprofAddr != "" {
		if profiler, err = listen(s.PprofAddr, "--pprof-addr"); err != nil {
			return err
		}
		defer profiler.Close()
	}
	h, err := hall.Open(ctx, s, hall.Options{Log: log})
	if err != nil {
		return err
	}
	var claimed *os.File
	defer func() {
		err = errors.Join(err, h.Close())
		if claimed != nil {
			claimed.Close() // last: until here the file was ours to write
		}
	}()
	if claimed, err = hall.Claim(h.DB.Path()); err != nil {
		return err
	}

	version := readBuild().Version
	mcp := mcpserver.New(h.Agents, mcpserver.Options{
		Version: version, Settings: s, Rules: s.RulesText(), PGN: h.Archive.PGN, Log: log,
	})
	counted := metrics.New(h.DB, h.Hub, version)
	h.Agents.Observe = counted.Observe
	handler, err := web.New(h, web.Options{MCP: mcp, Version: version, Metrics: counted.Handler()})
	if err != nil {
		return err
	}
	doors := []func(context.Context) error{
		func(ctx context.Context) error { return web.Serve(ctx, listener, handler, h.Hub) },
	}
	if profiler != nil {
		doors = append(doors, func(ctx context.Context) error { return serveProfiles(ctx, profiler) })
		fmt.Fprintf(out, "Profiles: http://%s/debug/pprof/\n", profiler.Addr())
	}
	greet(out, baseURL(s, listener.Addr()), h.DB.Path())
	return h.Run(ctx, doors...)
}

// listen opens addr. The error tells which flag to change.
func listen(addr, flag string) (net.Listener, error) {
	l, err := net.Listen("tcp", addr)
	switch {
	case err == nil:
		return l, nil
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("%s is in use, perhaps by another arena; choose another address with %s", addr, flag)
	case errors.Is(err, os.ErrPermission):
		return nil, fmt.Errorf("this user may not listen on %s; choose a port above 1023 with %s", addr, flag)
	}
	var op *net.OpError
	if errors.As(err, &op) {
		err = op.Err // without the "listen tcp" and the address that we say ourselves
	}
	return nil, fmt.Errorf("cannot listen on %s (%w); choose another address with %s", addr, err, flag)
}

// baseURL is the address that people and agents use, without a slash at its end.
func baseURL(s arena.Settings, addr net.Addr) string {
	if s.PublicURL != "" {
		return strings.TrimRight(s.PublicURL, "/")
	}
	host, port, err := net.SplitHostPort(addr.String())
	if err != nil {
		return "http://" + addr.String()
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = "localhost"
	}
	return "http://" + net.JoinHostPort(host, port)
}

// greet says where the arena is and how to get an agent into it.
func greet(out io.Writer, base, db string) {
	fmt.Fprintf(out, `The arena is open.
  Look at it:     %s/
  MCP endpoint:   %s/mcp
  Connect Claude: claude mcp add --transport http arena %s/mcp
  Other clients:  %s/connect
  Database:       %s
Ctrl-C closes it.
`, base, base, base, base, db)
}

func newLog(w io.Writer, format string) *slog.Logger {
	if format == "json" {
		return slog.New(slog.NewJSONHandler(w, nil))
	}
	return slog.New(slog.NewTextHandler(w, nil))
}

// The collector's settings. The MCP SDK makes about 300 KB of garbage a call
// (research/mcp §5): collecting less often halves the CPU of a call, and the limit
// keeps that from costing memory when many agents wait.
const (
	collectPercent = 400
	memoryLimit    = 768 << 20
)

// tuneCollector sets them where the Go runtime's own variables say nothing.
func tuneCollector() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(collectPercent)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryLimit)
	}
}

// serveProfiles offers Go's profiler on l, which Settings.Validate has kept to loopback.
func serveProfiles(ctx context.Context, l net.Listener) error {
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	stop := context.AfterFunc(ctx, func() { server.Close() })
	defer stop()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("profiler: %w", err)
	}
	return nil
}
