package web

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"chessarena/arena"
	"chessarena/arena/tool"
)

// resource is one path of the REST door: the tools behind its methods.
type resource struct {
	set    *tool.Set
	names  []string // of the path's wildcards
	byVerb map[string]*tool.Tool
}

// wildcard matches a {name} of a route.
var wildcard = regexp.MustCompile(`\{(\w+)\}`)

// routeTools registers every tool that has a route, and JSON answers for the rest of /v1.
func routeTools(mux *http.ServeMux, set *tool.Set) error {
	paths := make(map[string]resource)
	for _, t := range set.Tools() {
		if t.Route == "" {
			continue
		}
		verb, path, ok := strings.Cut(t.Route, " ")
		if !ok {
			return fmt.Errorf("route %q of %s is not METHOD /path", t.Route, t.Name)
		}
		res, known := paths[path]
		if !known {
			res = resource{set: set, byVerb: make(map[string]*tool.Tool)}
			for _, m := range wildcard.FindAllStringSubmatch(path, -1) {
				res.names = append(res.names, m[1])
			}
			paths[path] = res
		}
		if other := res.byVerb[verb]; other != nil {
			return fmt.Errorf("%s and %s have the same route %s", other.Name, t.Name, t.Route)
		}
		res.byVerb[verb] = t
	}
	for path, res := range paths {
		mux.Handle(path, res)
	}
	mux.HandleFunc("/v1/", func(w http.ResponseWriter, _ *http.Request) {
		fail(w, arena.Errorf(arena.NotFound, "There is nothing at this path."))
	})
	return nil
}

func (s resource) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	verb := r.Method
	if verb == http.MethodHead {
		verb = http.MethodGet
	}
	t := s.byVerb[verb]
	if t == nil {
		verbs := slices.Sorted(maps.Keys(s.byVerb))
		if s.byVerb[http.MethodGet] != nil {
			verbs = append(verbs, http.MethodHead)
		}
		notAllowed(w, verbs...)
		return
	}
	args, fault := readArguments(r, s.names)
	if fault != nil {
		writeJSON(w, fault, tool.Failure(fault, t.Refusal))
		return
	}
	text, err := json.Marshal(args)
	if err != nil {
		panic(err) // members were checked one by one
	}
	waiting := &patience{w: w}
	scope := *tool.ScopeOf(r.Context())
	scope.Beat = waiting.beat
	answer := s.set.Call(tool.WithScope(r.Context(), &scope), t.Name, text)
	if waiting.begun {
		writeLine(w, answer.JSON)
		return
	}
	writeJSON(w, answer.Err, answer.JSON)
}

// patience keeps the connection of a waiting call alive. Its status has to be sent before
// the outcome is known, so it is 200.
type patience struct {
	w     http.ResponseWriter
	begun bool
}

func (p *patience) beat(time.Duration, time.Duration, string) {
	if !p.begun {
		p.begun = true
		p.w.Header().Set("Content-Type", "application/json")
		p.w.Header().Set("Cache-Control", "no-store")
		p.w.WriteHeader(http.StatusOK)
	}
	// Who hung up is noticed by the wait itself.
	_, _ = p.w.Write([]byte{'\n'})
	_ = http.NewResponseController(p.w).Flush()
}

// notAllowed names the methods a path has.
func notAllowed(w http.ResponseWriter, verbs ...string) {
	list := strings.Join(verbs, ", ")
	w.Header().Set("Allow", list)
	fail(w, arena.Errorf(arena.MethodNotAllowed, "This path takes %s.", list))
}

// get serves a path that can only be read.
func get(f http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			notAllowed(w, http.MethodGet, http.MethodHead)
			return
		}
		f(w, r)
	}
}
