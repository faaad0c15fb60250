package tool

import (
	"bytes"
	"encoding/json"
	"time"

	"chessarena/arena"
)

// failure is the part that all failures share.
type failure struct {
	Error      arena.Code `json:"error"`
	Message    string     `json:"message"`
	RetryAfter int64      `json:"retry_after_s,omitempty"`
}

// Failure encodes e for a client: error, message, retry_after_s when there is one, and
// the members of extra (the tool's Refusal) and of e's detail. The cause stays inside.
func Failure(e *arena.Error, extra any) json.RawMessage {
	head := failure{Error: e.Code, Message: e.Message, RetryAfter: RetrySeconds(e)}
	return merge(extra, head, e.Detail)
}

// RetrySeconds is e's RetryAfter in whole seconds, rounded up; 0 when it has none.
func RetrySeconds(e *arena.Error) int64 {
	return int64((e.RetryAfter + time.Second - 1) / time.Second)
}

// merge joins the members of several JSON objects into one, in order. A nil part adds
// nothing.
func merge(parts ...any) json.RawMessage {
	var b bytes.Buffer
	b.WriteByte('{')
	for _, part := range parts {
		if part == nil {
			continue
		}
		text, err := json.Marshal(part)
		if err != nil || len(text) < 2 || text[0] != '{' {
			panic("tool: a failure's detail must be a struct that encodes to an object")
		}
		if inner := text[1 : len(text)-1]; len(inner) > 0 {
			if b.Len() > 1 {
				b.WriteByte(',')
			}
			b.Write(inner)
		}
	}
	b.WriteByte('}')
	return b.Bytes()
}
