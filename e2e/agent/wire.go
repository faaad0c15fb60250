package agent

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
)

// Wire is MCP as bytes on HTTP: one POST a call and no handshake, as a stateless
// server allows. It costs little, so that a load program measures the server.
type Wire struct {
	URL    string // of the endpoint
	Client *http.Client
	ids    atomic.Int64
}

// Close lets go of idle connections.
func (w *Wire) Close() error {
	w.Client.CloseIdleConnections()
	return nil
}

// Call makes one tools/call.
func (w *Wire) Call(ctx context.Context, tool string, args Args) (json.RawMessage, error) {
	res, err := w.Post(ctx, "tools/call", Args{"name": tool, "arguments": args})
	if err != nil {
		return nil, err
	}
	var called struct {
		Structured json.RawMessage `json:"structuredContent"`
	}
	if err := json.Unmarshal(res, &called); err != nil {
		return nil, err
	}
	return called.Structured, nil
}

// Post sends one JSON-RPC request and returns its result. A JSON-RPC error is an error.
func (w *Wire) Post(ctx context.Context, method string, params any) (json.RawMessage, error) {
	body, err := json.Marshal(Args{"jsonrpc": "2.0", "id": w.ids.Add(1), "method": method, "params": params})
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, w.URL, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	req.Header.Set("MCP-Protocol-Version", "2025-06-18")
	res, err := w.Client.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	return ReadRPC(res.Body)
}

// ReadRPC reads the response of one request from a body that holds either a JSON
// object or an event stream. Comments and notifications are passed over.
func ReadRPC(body io.Reader) (json.RawMessage, error) {
	var response struct {
		ID     json.RawMessage `json:"id"`
		Result json.RawMessage `json:"result"`
		Error  *struct {
			Code    int    `json:"code"`
			Message string `json:"message"`
		} `json:"error"`
	}
	lines := bufio.NewReader(body)
	for {
		line, err := lines.ReadString('\n')
		text := strings.TrimSpace(line)
		if data, ok := strings.CutPrefix(text, "data:"); ok {
			text = data
		}
		text = strings.TrimSpace(text)
		if strings.HasPrefix(text, "{") {
			if err := json.Unmarshal([]byte(text), &response); err != nil {
				return nil, fmt.Errorf("%w in %.200s", err, text)
			}
			switch {
			case response.Error != nil:
				return nil, fmt.Errorf("JSON-RPC error %d: %s", response.Error.Code, response.Error.Message)
			case response.Result != nil:
				// To the end, or the connection cannot be used again.
				_, err := io.Copy(io.Discard, lines)
				return response.Result, err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil, errors.New("the answer ended without a response")
		}
		if err != nil {
			return nil, err
		}
	}
}
