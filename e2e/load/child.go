package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"chessarena/arena"
	"chessarena/arena/hall"
	"chessarena/arena/web"
	"chessarena/mcpserver"
	"chessarena/store"
)

// children are the servers that this program runs as processes of their own.
var children = map[string]func(context.Context, []string) error{
	"child-sdk": childSDK, "child-http": childHTTP, "child-arena": childArena,
}

// payload is what the baselines answer with: 5 KB of JSON, an object as the arena's.
func payload() json.RawMessage {
	var list []string
	for i := range 560 {
		list = append(list, fmt.Sprintf("Nf%d-e%d", i%8+1, (i+1)%8+1))
	}
	text, err := json.Marshal(map[string]any{"accepted": true, "state": list})
	if err != nil {
		panic(err)
	}
	return text
}

// childSDK is the SDK's own stateless server with one tool that does nothing.
func childSDK(ctx context.Context, args []string) error {
	server := mcp.NewServer(&mcp.Implementation{Name: "nothing", Version: "1"}, nil)
	answer := payload()
	server.AddTool(&mcp.Tool{Name: "submit_move", InputSchema: json.RawMessage(`{"type":"object"}`)},
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(answer)}}, StructuredContent: answer}, nil
		})
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: true})
	mux := http.NewServeMux()
	mux.Handle("/mcp", handler)
	return serveChild(ctx, args, mux)
}

// childHTTP reads a JSON object and answers with one; a GET blocks.
func childHTTP(ctx context.Context, args []string) error {
	mux := http.NewServeMux()
	answer := payload()
	mux.HandleFunc("POST /v1/games/{game_id}/moves", func(w http.ResponseWriter, r *http.Request) {
		var in struct {
			Ply  int    `json:"ply"`
			Move string `json:"move"`
		}
		body, err := io.ReadAll(r.Body)
		if err == nil {
			err = json.Unmarshal(body, &in)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(answer)
	})
	mux.HandleFunc("GET /v1/games/{game_id}/state", func(w http.ResponseWriter, r *http.Request) {
		// Like a waiting call of the arena: a byte at once, then nothing.
		_, _ = w.Write([]byte{'\n'})
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})
	return serveChild(ctx, args, mux)
}

// serveChild serves a baseline with the collector's settings of the program.
func serveChild(ctx context.Context, args []string, mux *http.ServeMux) error {
	flags := flag.NewFlagSet("child", flag.ContinueOnError)
	addr := flags.String("addr", "", "")
	if err := flags.Parse(args); err != nil {
		return err
	}
	tuneCollector()
	mux.HandleFunc("/readyz", func(http.ResponseWriter, *http.Request) {})
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGTERM)
	defer stop()
	go freeOnSignal(ctx)
	server := &http.Server{Addr: *addr, Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	context.AfterFunc(ctx, func() { server.Close() })
	if err := server.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// tuneCollector is what main.go does.
func tuneCollector() {
	debug.SetGCPercent(400)
	debug.SetMemoryLimit(768 << 20)
}

// childArena is the program with two switches more: a delay in each commit, and a
// collection with everything given back to the system on SIGUSR1, after which it writes a
// heap profile to the file that LOAD_HEAP_PROFILE names. It logs nothing.
func childArena(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("child-arena", flag.ContinueOnError)
	addr := flags.String("addr", "", "")
	delay := flags.Duration("commit-delay", 0, "")
	if err := flags.Parse(args); err != nil {
		return err
	}
	tuneCollector()
	settings := arena.DefaultSettings()
	for _, one := range settings.Each() {
		if text, ok := os.LookupEnv(one.Env); ok {
			if err := one.Set(text); err != nil {
				return fmt.Errorf("%s: %w", one.Env, err)
			}
		}
	}
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGTERM)
	defer stop()
	go freeOnSignal(ctx)
	h, err := hall.Open(ctx, settings, hall.Options{Store: store.Options{CommitDelay: *delay}})
	if err != nil {
		return err
	}
	defer h.Close()
	handler, err := web.New(h, web.Options{MCP: mcpserver.New(h.Agents, mcpserver.Options{
		Settings: settings, Rules: settings.RulesText(), PGN: h.Archive.PGN, Log: slog.New(slog.DiscardHandler),
	})})
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", *addr)
	if err != nil {
		return err
	}
	return h.Run(ctx, func(ctx context.Context) error { return web.Serve(ctx, listener, handler, h.Hub) })
}

// freeOnSignal collects on SIGUSR1, twice, so that stacks shrink and finalisers run, and
// says so on standard error.
func freeOnSignal(ctx context.Context) {
	wanted := make(chan os.Signal, 1)
	signal.Notify(wanted, syscall.SIGUSR1)
	for {
		select {
		case <-wanted:
			debug.FreeOSMemory()
			debug.FreeOSMemory()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			fmt.Fprintf(os.Stderr, "%s heap=%d stacks=%d\n", freed, m.HeapInuse, m.StackInuse)
			if path := os.Getenv("LOAD_HEAP_PROFILE"); path != "" {
				if err := writeHeap(path); err != nil {
					fmt.Fprintln(os.Stderr, err)
				}
			}
		case <-ctx.Done():
			return
		}
	}
}

// writeHeap writes a profile for go tool pprof, over the one before.
func writeHeap(path string) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(pprof.Lookup("heap").WriteTo(file, 0), file.Close())
}

// freed begins the line that a collected child writes.
const freed = "collected"
