package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// routes are the paths of DESIGN §10, by tool.
var routes = map[string]string{
	"register":     "POST /v1/register",
	"add_config":   "POST /v1/configs",
	"list_configs": "GET /v1/configs",
	"get_state":    "GET /v1/games/{game_id}/state",
	"submit_move":  "POST /v1/games/{game_id}/moves",
	"resign":       "POST /v1/games/{game_id}/resign",
	"offer_draw":   "POST /v1/games/{game_id}/draw/offer",
	"accept_draw":  "POST /v1/games/{game_id}/draw/accept",
	"get_result":   "GET /v1/games/{game_id}/result",
}

// REST is the plain HTTP door: the key in a header, arguments in path, query and body.
type REST struct {
	URL    string // of the arena, without a slash at its end
	Client *http.Client
}

// Close lets go of idle connections.
func (r *REST) Close() error {
	r.Client.CloseIdleConnections()
	return nil
}

// Call makes the HTTP request that stands for tool. A status of 400 or more is as good
// an answer as any: its body says what was wrong.
func (r *REST) Call(ctx context.Context, tool string, args Args) (json.RawMessage, error) {
	method, path, ok := strings.Cut(routes[tool], " ")
	if !ok {
		return nil, fmt.Errorf("no route for %s", tool)
	}
	rest, query, key := Args{}, url.Values{}, ""
	for name, value := range args {
		slot := "{" + name + "}"
		switch {
		case name == "key":
			key = fmt.Sprint(value)
		case strings.Contains(path, slot):
			path = strings.ReplaceAll(path, slot, url.PathEscape(fmt.Sprint(value)))
		case method == http.MethodGet:
			query.Set(name, fmt.Sprint(value))
		default:
			rest[name] = value
		}
	}
	var body io.Reader
	if method != http.MethodGet {
		text, err := json.Marshal(rest)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(text)
	}
	target := r.URL + path
	if len(query) > 0 {
		target += "?" + query.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, method, target, body)
	if err != nil {
		return nil, err
	}
	if key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := r.Client.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	return io.ReadAll(res.Body)
}
