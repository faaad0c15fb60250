package modelname

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Model is a model that the arena knows.
type Model struct {
	ID       string   `json:"id"`
	Family   string   `json:"family"`             // within which a typing error may be forgiven
	Provider string   `json:"provider"`           // who made it
	Reserved bool     `json:"reserved,omitempty"` // the arena's own player
	Aliases  []string `json:"aliases,omitempty"`  // spellings that differ by more than separators and order
}

// Additions are what an arena knows beyond the registry file.
type Additions struct {
	Models  []Model           // that operators verified
	Aliases map[string]string // the operators': a spelling and the id it means
	Seen    []string          // names that somebody plays under, registered or not; they are only ever suggested
}

// Registry is what the arena knows of models: those there are, and the operators'
// aliases. It is immutable and safe for concurrent use.
type Registry struct {
	models  []Model // by id
	aliased map[string]Model
	byKey   map[string]Model
	byGlue  map[string]Model    // names written without any separator; none where two models meet
	words   map[string]bool     // that occur in known names
	first   map[string]bool     // that known names begin with
	bySigns map[string][]target // by signature: where a typing error may lead
	names   []suggestion        // by name
}

// Parse reads the registry file: a JSON array of models.
func Parse(text string) ([]Model, error) {
	var models []Model
	if err := json.Unmarshal([]byte(text), &models); err != nil {
		return nil, fmt.Errorf("model registry: %w", err)
	}
	return models, nil
}

// New makes a registry of models, in any order. That two of them have a spelling in
// common is an error.
func New(models []Model) (*Registry, error) {
	r := &Registry{
		models:  slices.SortedFunc(slices.Values(models), func(a, b Model) int { return cmp.Compare(a.ID, b.ID) }),
		aliased: make(map[string]Model), byKey: make(map[string]Model), byGlue: make(map[string]Model),
		words: make(map[string]bool), first: make(map[string]bool), bySigns: make(map[string][]target),
	}
	for _, m := range r.models {
		if m.ID == "" || m.Family == "" || m.Provider == "" {
			return nil, fmt.Errorf("model registry: %q lacks an id, a family or a provider", m.ID)
		}
		for _, spelling := range append([]string{m.ID}, m.Aliases...) {
			if other, taken := r.byKey[shapeOf(spelling).key()]; taken {
				return nil, fmt.Errorf("model registry: %s and %s are both spelled like %q", other.ID, m.ID, spelling)
			}
			r.spell(m, spelling)
		}
		r.names = append(r.names, suggestionOf(m.ID))
	}
	return r, nil
}

// spell enters one spelling of m.
func (r *Registry) spell(m Model, spelling string) {
	s := shapeOf(spelling)
	r.byKey[s.key()] = m
	glue := glueOf(spelling)
	if other, taken := r.byGlue[glue]; taken && other.ID != m.ID {
		r.byGlue[glue] = Model{}
	} else {
		r.byGlue[glue] = m
	}
	for _, word := range s.words {
		r.words[word] = true
	}
	r.first[firstWord(spelling)] = true
	if !m.Reserved {
		r.bySigns[s.signature()] = append(r.bySigns[s.signature()], target{m, s.ordinary()})
	}
}

// With returns a registry that also knows a. A model whose spelling is known already is
// left out. An alias may lead to another; one that leads to no known model means an
// unregistered one of that name.
func (r *Registry) With(a Additions) *Registry {
	next := &Registry{
		models: slices.Clone(r.models), names: slices.Clone(r.names),
		aliased: make(map[string]Model), byKey: maps.Clone(r.byKey), byGlue: maps.Clone(r.byGlue),
		words: maps.Clone(r.words), first: maps.Clone(r.first), bySigns: make(map[string][]target, len(r.bySigns)),
	}
	for signature, list := range r.bySigns {
		next.bySigns[signature] = slices.Clip(list)
	}
	for _, m := range slices.SortedFunc(slices.Values(a.Models), func(a, b Model) int { return cmp.Compare(a.ID, b.ID) }) {
		if _, taken := next.byKey[shapeOf(m.ID).key()]; !taken {
			next.spell(m, m.ID)
			next.models = append(next.models, m)
			next.names = append(next.names, suggestionOf(m.ID))
		}
	}
	slices.SortFunc(next.models, func(a, b Model) int { return cmp.Compare(a.ID, b.ID) })
	for _, name := range a.Seen {
		next.names = append(next.names, suggestionOf(name))
	}
	slices.SortFunc(next.names, func(a, b suggestion) int { return cmp.Compare(a.name, b.name) })
	next.names = slices.CompactFunc(next.names, func(a, b suggestion) bool { return a.name == b.name })

	targets := make(map[string]string, len(a.Aliases))
	for _, alias := range slices.Sorted(maps.Keys(a.Aliases)) {
		targets[shapeOf(alias).key()] = a.Aliases[alias]
	}
	for key, id := range targets {
		for range targets { // a ring ends where it began
			further, ok := targets[shapeOf(id).key()]
			if !ok || further == id {
				break
			}
			id = further
		}
		m, ok := next.byKey[shapeOf(id).key()]
		if !ok {
			m = Model{ID: id}
		}
		next.aliased[key] = m
	}
	return next
}

// Models lists the known models in the order of their ids. It must not be changed.
func (r *Registry) Models() []Model { return r.models }

// Model returns the known model with this id.
func (r *Registry) Model(id string) (Model, bool) {
	i, ok := slices.BinarySearchFunc(r.models, id, func(m Model, id string) int { return cmp.Compare(m.ID, id) })
	if !ok {
		return Model{}, false
	}
	return r.models[i], true
}

// Same reports whether two spellings differ in separators and the order of words, and in
// nothing that could tell two models apart.
func Same(a, b string) bool { return shapeOf(a).key() == shapeOf(b).key() }

// firstWord is the run of letters that s begins with.
func firstWord(s string) string {
	return s[:len(s)-len(strings.TrimLeft(s, "abcdefghijklmnopqrstuvwxyz"))]
}

// Saw returns a registry that also suggests name.
func (r *Registry) Saw(name string) *Registry {
	i, found := slices.BinarySearchFunc(r.names, name, func(s suggestion, name string) int { return cmp.Compare(s.name, name) })
	if found {
		return r
	}
	next := *r
	next.names = slices.Insert(slices.Clone(r.names), i, suggestionOf(name))
	return &next
}
