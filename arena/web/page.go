package web

import (
	"bytes"
	"compress/gzip"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"html/template"
	"io/fs"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"chessarena/arena"
	"chessarena/arena/archive"
	"chessarena/arena/hall"
	"chessarena/arena/naming"
	"chessarena/assets"
	"chessarena/store"
)

// pages is what people see. Every page is whole without a script; its address says
// all of its state.
type pages struct {
	settings   arena.Settings
	archive    *archive.Archive
	db         *store.DB
	names      *naming.Names
	log        *slog.Logger
	version    string // of the program, for the footer
	templates  templates
	static     *statics
	rules      template.HTML // the rules text, made once
	rulesTitle string
	process    string // tells this process's data versions from another's
	gzips      sync.Pool
}

// pageCompression is the gzip level of pages: beyond it they take much longer and get
// hardly smaller (60 KB at level 5 about 1.3 ms).
const pageCompression = 5

// newPages parses the templates and reads the static files; it fails when a template
// is missing, broken or not declared.
func newPages(h *hall.Hall, version string) (*pages, error) {
	t, err := newTemplates(assets.Templates)
	if err != nil {
		return nil, err
	}
	files, err := fs.Sub(assets.Static, "static")
	if err != nil {
		return nil, err
	}
	static, err := newStatics(files)
	if err != nil {
		return nil, err
	}
	p := &pages{
		settings: h.Settings, archive: h.Archive, db: h.DB, names: h.Names, log: h.Log, version: version,
		templates: t, static: static, process: rand.Text(),
	}
	p.rulesTitle, p.rules = markdown(h.Settings.RulesText())
	p.gzips.New = func() any {
		z, _ := gzip.NewWriterLevel(nil, pageCompression)
		return z
	}
	return p, nil
}

// routes adds the pages to mux. The last pattern is everything nobody else answers.
func (p *pages) routes(mux *http.ServeMux) {
	mux.Handle("/{$}", p.page(p.home))
	mux.Handle("/games", p.page(p.games))
	mux.Handle("/games/{id}", p.page(p.game))
	mux.Handle("/rules", p.page(p.rulesText))
	mux.Handle("/connect", p.page(p.connect))
	mux.HandleFunc("POST /theme", p.setTheme)
	mux.Handle("GET "+staticPath, p.static)
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		p.fail(w, r, arena.Errorf(arena.NotFound, "There is no page at this address."))
	})
}

// view is a page ready to be written: which template, with what, and whether it shows
// something that changes by the clock alone, so that it must not be used again.
type view struct {
	template string
	data     any
	volatile bool
}

// page serves what f makes of a request. A page that the browser has already is
// answered without making it.
func (p *pages) page(f func(*http.Request) (view, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			p.fail(w, r, arena.Errorf(arena.MethodNotAllowed, "This page can only be read."))
			return
		}
		tag := p.tag(r)
		if strings.Contains(r.Header.Get("If-None-Match"), tag) {
			w.Header().Set("ETag", tag)
			pageHeaders(w.Header())
			w.WriteHeader(http.StatusNotModified)
			return
		}
		v, err := f(r)
		if err != nil {
			p.fail(w, r, err)
			return
		}
		if !v.volatile {
			w.Header().Set("ETag", tag)
		}
		p.write(w, r, http.StatusOK, v)
	})
}

// tag is the strong validator of a page: everything that what it shows depends on,
// and the coding it is sent in.
func (p *pages) tag(r *http.Request) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %d %d %q %q %q %t", p.process, p.db.Version(), p.names.Generation(), r.URL.RequestURI(), p.base(r), theme(r), acceptsGzip(r)))
	return `"` + hex.EncodeToString(sum[:10]) + `"`
}

// pageHeaders are those of every page. The policy allows our own files and nothing
// else: no script, no inline style, no other host, no frame.
func pageHeaders(h http.Header) {
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; img-src 'self' data:; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
	h.Set("Cache-Control", "no-cache")
	h.Set("Vary", "Accept-Encoding, Cookie")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "same-origin")
}

// write renders v into memory first, so that a template that fails sends no half page.
func (p *pages) write(w http.ResponseWriter, r *http.Request, status int, v view) {
	var b bytes.Buffer
	if err := p.templates.render(&b, v); err != nil {
		p.log.Error("page failed", "path", r.URL.Path, "err", err)
		w.Header().Del("ETag")
		http.Error(w, "The arena failed to draw this page.", http.StatusInternalServerError)
		return
	}
	body := b.Bytes()
	h := w.Header()
	pageHeaders(h)
	h.Set("Content-Type", "text/html; charset=utf-8")
	if acceptsGzip(r) {
		h.Set("Content-Encoding", "gzip")
		body = p.compress(body)
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	w.Write(body)
}

func (p *pages) compress(plain []byte) []byte {
	z := p.gzips.Get().(*gzip.Writer)
	defer p.gzips.Put(z)
	var b bytes.Buffer
	z.Reset(&b)
	z.Write(plain) // into memory: cannot fail
	z.Close()
	return b.Bytes()
}

// errorPage says what went wrong, in the words a client may read.
type errorPage struct {
	pageFrame
	Message string
}

// fail answers with an error page. What a client must not see goes to the log.
func (p *pages) fail(w http.ResponseWriter, r *http.Request, err error) {
	e := arena.Public(err)
	if e.Code.Info().Kind == arena.KindInternal {
		p.log.Error("page failed", "path", r.URL.Path, "err", err)
	}
	w.Header().Del("ETag")
	page := errorPage{pageFrame: p.bareFrame(r, errorTitle(e.Code)), Message: e.Message}
	p.write(w, r, statusOf(e.Code), view{template: "error", data: page})
}

func errorTitle(code arena.Code) string {
	switch code.Info().Kind {
	case arena.KindNotFound:
		return "Not found"
	case arena.KindInvalid:
		return "This request makes no sense"
	case arena.KindUnavailable:
		return "The arena cannot answer just now"
	}
	return "Something went wrong"
}
