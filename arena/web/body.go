package web

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"

	"chessarena/arena"
)

// bodyTime is how long a client may take to send a body. The server as a whole has no
// such limit, since it would also end calls that wait.
const bodyTime = 30 * time.Second

// limitBody bounds the size of a request's body and the time to send it.
func limitBody(w http.ResponseWriter, r *http.Request) {
	if r.Body == nil || r.Body == http.NoBody {
		return
	}
	// net/http lifts the deadline when the body has been read, before it begins to watch
	// for the client hanging up. A recorder in a test has no deadline to set.
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(bodyTime))
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
}

// readJSON reads a whole body. Without a Content-Type it is taken for JSON.
func readJSON(r *http.Request) ([]byte, *arena.Error) {
	body, err := io.ReadAll(r.Body)
	if e := (*http.MaxBytesError)(nil); errors.As(err, &e) {
		return nil, tooLarge()
	} else if err != nil {
		return nil, arena.Errorf(arena.InvalidArguments, "The body could not be read to its end.").Because(err)
	}
	if kind := r.Header.Get("Content-Type"); kind != "" && len(body) > 0 {
		media, _, err := mime.ParseMediaType(kind)
		if err != nil || media != "application/json" && !strings.HasSuffix(media, "+json") {
			return nil, arena.Errorf(arena.InvalidArguments, "The body must be JSON; send it with the header Content-Type: application/json.")
		}
	}
	return body, nil
}

func tooLarge() *arena.Error {
	return arena.Errorf(arena.PayloadTooLarge, "The body is over the limit of 1 MiB.")
}
