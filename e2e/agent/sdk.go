package agent

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// SDK is MCP through the official Go client: one session for as long as it lives.
type SDK struct{ Session *mcp.ClientSession }

// Connect makes the handshake with the MCP endpoint at url.
func Connect(ctx context.Context, url string, client *http.Client) (*SDK, error) {
	c := mcp.NewClient(&mcp.Implementation{Name: "arena-e2e", Version: "1.0"}, nil)
	session, err := c.Connect(ctx, &mcp.StreamableClientTransport{
		Endpoint: url, HTTPClient: client, DisableStandaloneSSE: true,
		// A call that failed is repeated by the player, who knows whether it may be.
		MaxRetries: -1,
	}, nil)
	if err != nil {
		return nil, err
	}
	return &SDK{session}, nil
}

// Close ends the session.
func (s *SDK) Close() error { return s.Session.Close() }

// Call calls a tool.
func (s *SDK) Call(ctx context.Context, tool string, args Args) (json.RawMessage, error) {
	res, err := s.Session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		return nil, err
	}
	if len(res.Content) == 1 {
		if text, ok := res.Content[0].(*mcp.TextContent); ok {
			return json.RawMessage(text.Text), nil
		}
	}
	return nil, errors.New("the answer is not one text")
}
