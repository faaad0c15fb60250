package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"
)

// statics serves files under names that hold their hash, so a browser may keep each
// for ever: changed bytes have another name. A name with a hash that is not ours is
// not found, rather than answered with other bytes.
type statics struct {
	byName map[string]*static // "arena.1f3a9c02b4.css"
	urls   map[string]string  // "arena.css" → "/static/arena.1f3a9c02b4.css"
}

type static struct {
	contentType string
	plain       []byte
	gzipped     []byte // nil where compressing gains nothing
}

const staticPath = "/static/"

// newStatics reads every file of files once and compresses it once.
func newStatics(files fs.FS) (*statics, error) {
	s := &statics{byName: make(map[string]*static), urls: make(map[string]string)}
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		return s.add(files, name)
	})
	return s, err
}

func (s *statics) add(files fs.FS, name string) error {
	plain, err := fs.ReadFile(files, name)
	if err != nil {
		return err
	}
	one := &static{contentType: mime.TypeByExtension(path.Ext(name)), plain: plain}
	if one.contentType == "" {
		return fmt.Errorf("static file %s: no content type for its ending", name)
	}
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := z.Write(plain); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	if b.Len() < len(plain) {
		one.gzipped = b.Bytes()
	}
	sum := sha256.Sum256(plain)
	ext := path.Ext(name)
	hashed := strings.TrimSuffix(name, ext) + "." + hex.EncodeToString(sum[:5]) + ext
	s.byName[hashed] = one
	s.urls[name] = staticPath + hashed
	return nil
}

// url returns the address of a file by its plain name. It panics on a name that is
// not there: names are written in this package.
func (s *statics) url(name string) string {
	u, ok := s.urls[name]
	if !ok {
		panic("web: no static file " + name)
	}
	return u
}

// ServeHTTP answers for paths below /static/.
func (s *statics) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	one, ok := s.byName[strings.TrimPrefix(r.URL.Path, staticPath)]
	if !ok {
		http.Error(w, "There is no such file.", http.StatusNotFound)
		return
	}
	h := w.Header()
	h.Set("Content-Type", one.contentType)
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("Vary", "Accept-Encoding")
	h.Set("X-Content-Type-Options", "nosniff")
	body := one.plain
	if one.gzipped != nil && acceptsGzip(r) {
		h.Set("Content-Encoding", "gzip")
		body = one.gzipped
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.Write(body)
}

// acceptsGzip reports whether the client takes gzip. A client that refuses it by
// "gzip;q=0" is rare enough to be sent plain bytes for any q it gives below 1.
func acceptsGzip(r *http.Request) bool {
	for part := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		coding, q, weighted := strings.Cut(strings.TrimSpace(part), ";")
		if strings.TrimSpace(coding) == "gzip" && (!weighted || strings.TrimSpace(q) == "q=1" || strings.TrimSpace(q) == "q=1.0") {
			return true
		}
	}
	return false
}
