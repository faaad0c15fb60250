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
	control := http.NewResponseController(w)
	// A recorder in a test has no deadline to set; a real connection always has.
	_ = control.SetReadDeadline(time.Now().Add(bodyTime))
	r.Body = &timedBody{ReadCloser: http.MaxBytesReader(w, r.Body, maxBody), control: control}
}

// timedBody lifts the deadline at the end of the body, or the connection would be taken
// for a dead one while its call waits.
type timedBody struct {
	io.ReadCloser
	control *http.ResponseController
}

func (b *timedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if errors.Is(err, io.EOF) {
		_ = b.control.SetReadDeadline(time.Time{})
	}
	return n, err
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
