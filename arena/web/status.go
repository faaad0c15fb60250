package web

import (
	"encoding/json"
	"net/http"
	"strconv"

	"chessarena/arena"
	"chessarena/arena/tool"
)

// statusOf is the HTTP status of a code: its Kind's, save where HTTP has a status for
// exactly this.
func statusOf(code arena.Code) int {
	switch code {
	case arena.MethodNotAllowed:
		return http.StatusMethodNotAllowed
	case arena.PayloadTooLarge:
		return http.StatusRequestEntityTooLarge
	}
	switch code.Info().Kind {
	case arena.KindInvalid:
		return http.StatusBadRequest
	case arena.KindUnauthenticated:
		return http.StatusUnauthorized
	case arena.KindForbidden:
		return http.StatusForbidden
	case arena.KindNotFound:
		return http.StatusNotFound
	case arena.KindConflict:
		return http.StatusConflict
	case arena.KindLimited:
		return http.StatusTooManyRequests
	case arena.KindUnavailable:
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}

// fail answers a request that reached no tool.
func fail(w http.ResponseWriter, e *arena.Error) {
	writeJSON(w, e, tool.Failure(e, nil))
}

// writeJSON answers with text, under the status of e; nil is a success.
func writeJSON(w http.ResponseWriter, e *arena.Error, text json.RawMessage) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	status := http.StatusOK
	if e != nil {
		status = statusOf(e.Code)
	}
	switch status {
	case http.StatusUnauthorized: // RFC 9110, section 15.5.2
		h.Set("WWW-Authenticate", "Bearer")
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		h.Set("Retry-After", strconv.FormatInt(max(1, tool.RetrySeconds(e)), 10))
	}
	w.WriteHeader(status)
	writeLine(w, text)
}

// writeLine writes text and a newline. Who hung up does not get it, and that is all.
func writeLine(w http.ResponseWriter, text []byte) {
	_, _ = w.Write(append(text, '\n'))
}
