package mcpserver

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"chessarena/arena/tool"
)

// withBeat gives the call its own copy of the request's scope, with a sign of life: a
// progress notification when the caller gave a token for it, else a comment.
func withBeat(ctx context.Context, req *mcp.CallToolRequest) context.Context {
	scope := *tool.ScopeOf(ctx)
	if token := req.Params.GetProgressToken(); token != nil {
		scope.Beat = func(waited, total time.Duration, note string) {
			// A notification that cannot be delivered means the client is gone, which
			// the scope says in its own way.
			_ = req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
				ProgressToken: token, Progress: waited.Seconds(), Total: total.Seconds(), Message: note,
			})
		}
	} else if w, ok := ctx.Value(writerKey{}).(*writer); ok {
		scope.Beat = func(time.Duration, time.Duration, string) { w.comment() }
	}
	return tool.WithScope(ctx, &scope)
}

type writerKey struct{}

// writer serialises what the SDK writes and the comments that go in between: the SDK
// writes each event at once, so a comment never lands inside one.
type writer struct {
	mu   sync.Mutex
	http http.ResponseWriter
	id   []byte // of the request, for a refusal
	// refused is set when the SDK answers with a sentence in plain text, which is then
	// sent as the JSON-RPC error that it means.
	refused bool
}

func (w *writer) Header() http.Header { return w.http.Header() }

func (w *writer) WriteHeader(status int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.refused = status >= http.StatusBadRequest && isPlain(w.http.Header())
	if w.refused {
		w.http.Header().Set("Content-Type", "application/json")
	}
	w.http.WriteHeader(status)
}

func (w *writer) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.refused {
		_, err := w.http.Write(refusal(w.id, codeInvalidRequest, string(b)))
		return len(b), err
	}
	return w.http.Write(b)
}

// FlushError is what http.ResponseController calls.
func (w *writer) FlushError() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return http.NewResponseController(w.http).Flush()
}

// comment sends a line that readers of an event stream skip.
func (w *writer) comment() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, err := w.http.Write([]byte(": waiting\n\n")); err == nil {
		_ = http.NewResponseController(w.http).Flush()
	}
}
