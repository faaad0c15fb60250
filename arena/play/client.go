package play

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// client asks one arena over REST.
type client struct {
	base string // without a slash at its end
	http *http.Client
}

const (
	askTimeout = 30 * time.Second
	// answerMax bounds what is read of an answer: the registry is about 200 KB.
	answerMax = 8 << 20
)

// newClient returns a client for the arena at address.
func newClient(address string) (*client, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("%q is no address of an arena; it looks like %s", address, defaultArena)
	}
	return &client{strings.TrimSuffix(u.String(), "/"), &http.Client{Timeout: askTimeout}}, nil
}

// refused is an arena's own error answer.
type refused struct {
	Code    string `json:"error"`
	Message string `json:"message"`
}

func (r *refused) Error() string { return r.Message }

// get asks for path and decodes the answer into out.
func (c *client) get(ctx context.Context, path string, out any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base+path, nil)
	if err != nil {
		return err
	}
	res, err := c.http.Do(req)
	if err != nil {
		var failed *url.Error
		if errors.As(err, &failed) {
			err = failed.Err
		}
		return fmt.Errorf("cannot reach the arena at %s: %w; start one with arena serve, or name another with --arena", c.base, err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, answerMax))
	if err != nil {
		return fmt.Errorf("the answer of %s broke off: %w", c.base, err)
	}
	if res.StatusCode != http.StatusOK {
		var r refused
		if json.Unmarshal(body, &r) == nil && r.Message != "" {
			return &r
		}
		return fmt.Errorf("%s answered %s; is it an arena?", c.base, res.Status)
	}
	if err := json.Unmarshal(body, out); err != nil {
		return fmt.Errorf("%s answered no JSON; is it an arena?", c.base)
	}
	return nil
}
