package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
)

// maxBody is the largest message that is read, in bytes.
const maxBody = 1 << 20

// Codes of JSON-RPC 2.0 (section 5.1).
const (
	codeParse          = -32700
	codeInvalidRequest = -32600
)

// endpoint stands in front of the SDK's handler. It is patient where the SDK is strict
// (Accept, Content-Type) and answers in JSON-RPC where the SDK answers in plain text.
type endpoint struct{ sdk http.Handler }

func (e *endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		refuse(w, http.StatusMethodNotAllowed, codeInvalidRequest, "This endpoint keeps no session and opens no stream; POST a message to it.")
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
		refuse(w, http.StatusRequestEntityTooLarge, codeInvalidRequest, "The message is over the limit of 1 MiB.")
		return
	} else if err != nil {
		refuse(w, http.StatusBadRequest, codeParse, "The message could not be read to its end.")
		return
	}
	if !json.Valid(body) {
		refuse(w, http.StatusBadRequest, codeParse, "The message is not JSON.")
		return
	}
	if bytes.TrimSpace(body)[0] != '{' {
		// Later protocol versions have no batches; one would let a single request hold
		// thousands of waits.
		refuse(w, http.StatusBadRequest, codeInvalidRequest, "Send one message in a request, as a JSON object.")
		return
	}
	out := &writer{http: w, id: idOf(body)}
	e.sdk.ServeHTTP(out, forSDK(r, out, body))
}

// forSDK is r with the body read back in, the writer in the context, and the headers that
// plain HTTP clients leave out.
func forSDK(r *http.Request, w *writer, body []byte) *http.Request {
	r = r.WithContext(context.WithValue(r.Context(), writerKey{}, w))
	r.Body = io.NopCloser(bytes.NewReader(body))
	accept := strings.Join(r.Header.Values("Accept"), ",")
	lenient := !strings.Contains(accept, "application/json") || !strings.Contains(accept, "text/event-stream")
	if lenient || r.Header.Get("Content-Type") == "" {
		r.Header = r.Header.Clone()
		r.Header.Set("Accept", "application/json, text/event-stream")
		if r.Header.Get("Content-Type") == "" {
			r.Header.Set("Content-Type", "application/json")
		}
	}
	return r
}

// idOf is the request's id when it has one that may be given back, else null.
func idOf(body []byte) []byte {
	var message struct {
		ID json.RawMessage `json:"id"`
	}
	if json.Unmarshal(body, &message) != nil || len(message.ID) == 0 || message.ID[0] == '{' || message.ID[0] == '[' {
		return nil
	}
	return message.ID
}

// refuse answers a message that never reached the SDK.
func refuse(w http.ResponseWriter, status, code int, sentence string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(refusal(nil, code, sentence))
}

// refusal is a JSON-RPC error. A nil id is null.
func refusal(id json.RawMessage, code int, sentence string) []byte {
	type fault struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	}
	text, err := json.Marshal(struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   fault           `json:"error"`
	}{"2.0", id, fault{code, strings.TrimSpace(sentence)}})
	if err != nil {
		panic(err) // id was valid JSON
	}
	return append(text, '\n')
}

func isPlain(h http.Header) bool {
	kind, _, _ := mime.ParseMediaType(h.Get("Content-Type"))
	return kind == "text/plain"
}
