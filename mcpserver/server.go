package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"runtime/debug"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"chessarena/arena"
	"chessarena/arena/tool"
)

// Options say what the server shows besides its tools.
type Options struct {
	Version  string         // of the program, for the handshake
	Settings arena.Settings // the numbers in the texts
	Rules    string         // the text of arena://rules; "" leaves the resource out
	// PGN writes a game for arena://games/{game_id}/pgn; nil leaves the template out.
	// Its errors are those of archive.PGN.
	PGN func(context.Context, arena.GameID) (string, error)
	Log *slog.Logger // nil is silent
}

// New returns the handler of one MCP endpoint over set. Put the caller's tool.Scope into
// the request's context before it; the handler adds the signs of life to it.
func New(set *tool.Set, o Options) http.Handler {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	f := factsOf(set, o.Settings)
	server := mcp.NewServer(&mcp.Implementation{
		Name: "arena", Title: "Arena", Version: o.Version, WebsiteURL: o.Settings.PublicURL,
	}, &mcp.ServerOptions{
		Instructions: f.instructions(),
		// Said in full: the default would promise logging and change notifications,
		// which a stateless server cannot send.
		Capabilities: &mcp.ServerCapabilities{
			Tools: &mcp.ToolCapabilities{}, Resources: &mcp.ResourceCapabilities{}, Prompts: &mcp.PromptCapabilities{},
		},
		SetCacheable: cacheable,
	})
	for _, t := range set.Tools() {
		if !t.RESTOnly {
			addTool(server, set, t)
		}
	}
	addPrompt(server, f)
	addResources(server, set, o)
	return Handler(server, o.Log)
}

// Handler serves server the way New serves the arena's: without sessions, patient with
// plain HTTP clients, a panic answered. The conformance suite runs its fixtures behind it.
func Handler(server *mcp.Server, log *slog.Logger) http.Handler {
	server.AddReceivingMiddleware(recovered(log), answerable)
	return &endpoint{sdk: mcp.NewStreamableHTTPHandler(
		func(*http.Request) *mcp.Server { return server },
		&mcp.StreamableHTTPOptions{
			Stateless:                    true,
			PropagateRequestCancellation: true,
			// The SDK's own guard refuses every request behind a reverse proxy on the
			// same machine; the web door checks Host for all paths.
			DisableLocalhostProtection: true,
		})}
}

// recovered turns a panic into an answer. Handlers run on goroutines of the SDK, where
// net/http's recover does not reach and a panic would end the process.
func recovered(log *slog.Logger) mcp.Middleware {
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (res mcp.Result, err error) {
			defer func() {
				p := recover()
				if p == nil {
					return
				}
				log.Error("panic in an MCP call", "method", method, "panic", p, "stack", string(debug.Stack()))
				failure := arena.Public(nil)
				if method == "tools/call" {
					res, err = result(tool.Failure(failure, nil)), nil
					return
				}
				res, err = nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: failure.Message}
			}()
			return next(ctx, method, req)
		}
	}
}

// answerable drops an error's data when it is not JSON. The SDK quotes an unknown resource's
// address the Go way; for one with control characters the answer cannot be encoded, and the
// caller would get none.
func answerable(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		res, err := next(ctx, method, req)
		if e := (*jsonrpc.Error)(nil); errors.As(err, &e) && len(e.Data) > 0 && !json.Valid(e.Data) {
			return nil, &jsonrpc.Error{Code: e.Code, Message: e.Message}
		}
		return res, err
	}
}

// result is the answer of a tool: the same JSON twice, for models that read text and for
// programs that read structure.
func result(answer json.RawMessage) *mcp.CallToolResult {
	return &mcp.CallToolResult{
		Content:           []mcp.Content{&mcp.TextContent{Text: string(answer)}},
		StructuredContent: answer,
	}
}

// fresh is how long a client may keep a list or the rules: they change when the arena is
// restarted with other settings or a newer version, and a wrong minute does no harm.
const fresh = 5 * 60 * 1000 // ms

// cacheable gives lists and the rules a lifetime. Games change with every move.
func cacheable(_ context.Context, req mcp.Request, c *mcp.Cacheable) {
	if read, ok := req.(*mcp.ReadResourceRequest); ok && read.Params.URI != rulesURI {
		return
	}
	c.TTLMs, c.CacheScope = fresh, "public"
}
