package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/netip"
	"reflect"
	"runtime/debug"
	"slices"
	"time"
	"unicode/utf8"

	"chessarena/arena"
)

// Credentials are what a caller presented.
type Credentials struct {
	Secret string // key or token; "" when none was given
	Addr   netip.Addr
}

// Gate says who is calling and whether they may call this tool now. A refusal is an
// *arena.Error.
type Gate interface {
	Admit(ctx context.Context, spec *Spec, c Credentials) (Principal, error)
}

// Set is the operations behind one gate, in the order they were added.
type Set struct {
	Gate Gate
	Log  *slog.Logger // nil is silent
	// Strict makes an undeclared code a panic; tests set it.
	Strict bool
	// Observe, when set, sees every call after it was answered; code is "" for a success.
	Observe func(name string, code arena.Code, took time.Duration)

	tools  []*Tool
	byName map[string]*Tool
}

// Add puts tools into the set. A name may be used once.
func (s *Set) Add(tools ...*Tool) {
	if s.byName == nil {
		s.byName = make(map[string]*Tool)
	}
	for _, t := range tools {
		if s.byName[t.Name] != nil {
			panic("tool: " + t.Name + " added twice")
		}
		for _, code := range t.Errors {
			if !code.Known() {
				panic(fmt.Sprintf("tool: %s declares the unknown code %q", t.Name, code))
			}
		}
		s.byName[t.Name] = t
		s.tools = append(s.tools, t)
	}
}

// Tools lists the set in order.
func (s *Set) Tools() []*Tool { return slices.Clone(s.tools) }

// Tool returns the tool of that name, or nil.
func (s *Set) Tool(name string) *Tool { return s.byName[name] }

// Answer is what a call came to: JSON either way.
type Answer struct {
	JSON json.RawMessage
	Err  *arena.Error // nil on success
}

// noTool stands for a tool that does not exist.
var noTool = new(Tool)

// Call runs the tool named name with args (a JSON object) for whoever ctx's Scope and
// the arguments' key say. It never panics and always has an answer.
func (s *Set) Call(ctx context.Context, name string, args json.RawMessage) Answer {
	t := s.byName[name]
	if t == nil {
		return s.refuse(noTool, arena.Errorf(arena.NotFound, "There is no tool %s.", arena.Quote(name)))
	}
	start := time.Now()
	answer := s.run(ctx, t, args)
	if s.Observe != nil {
		var code arena.Code
		if answer.Err != nil {
			code = answer.Err.Code
		}
		s.Observe(name, code, time.Since(start))
	}
	return answer
}

func (s *Set) run(ctx context.Context, t *Tool, args json.RawMessage) (answer Answer) {
	defer s.recovered(t, &answer)
	in, principal, err := s.prepare(ctx, t, args)
	if err != nil {
		return s.refuse(t, err)
	}
	out, err := t.call(ctx, principal, in)
	if err != nil {
		return s.refuse(t, err)
	}
	text, err := json.Marshal(out)
	if err != nil {
		return s.refuse(t, fmt.Errorf("encode the answer of %s: %w", t.Name, err))
	}
	return Answer{JSON: text}
}

// recovered turns a panic of t into an answer; it is deferred.
func (s *Set) recovered(t *Tool, answer *Answer) {
	if p := recover(); p != nil {
		if s.Strict {
			panic(p)
		}
		*answer = s.refuse(t, arena.Public(fmt.Errorf("panic in %s: %v\n%s", t.Name, p, debug.Stack())))
	}
}

// prepare is all of a call that comes before t's function: it decodes the arguments and
// asks the gate.
func (s *Set) prepare(ctx context.Context, t *Tool, args json.RawMessage) (in reflect.Value, p *Principal, err error) {
	if !utf8.Valid(args) {
		return in, nil, arena.Errorf(arena.InvalidArguments, "The arguments are not valid UTF-8.")
	}
	members, fault := object(args)
	if fault != nil {
		return in, nil, fault
	}
	scope := ScopeOf(ctx)
	secret, fault := liftKey(t, members, scope.Bearer)
	if fault != nil {
		return in, nil, fault
	}
	in, fault = t.decode(members)
	if fault != nil {
		return in, nil, fault
	}
	principal, err := s.Gate.Admit(ctx, &t.Spec, Credentials{Secret: secret, Addr: scope.Addr})
	return in, &principal, err
}

// liftKey takes the argument key out of members; it and the header must not disagree.
func liftKey(t *Tool, members map[string]json.RawMessage, bearer string) (string, *arena.Error) {
	raw, given := members["key"]
	if t.Access == Operator || !given {
		return bearer, nil
	}
	delete(members, "key")
	var key *string
	if json.Unmarshal(raw, &key) != nil {
		return "", arena.Errorf(arena.MalformedKey, "key must be a string, exactly as register returned it.")
	}
	switch {
	case key == nil || *key == "" && bearer != "":
		return bearer, nil
	case bearer != "" && bearer != *key:
		return "", arena.Errorf(arena.MalformedKey, "The argument key and the Authorization header hold different keys; send one.")
	}
	return *key, nil
}

// refuse encodes a failure and writes what the client must not see to the log.
func (s *Set) refuse(t *Tool, err error) Answer {
	e := arena.Public(err)
	if e.Code.Info().Kind == arena.KindInternal && s.Log != nil {
		s.Log.Error("call failed", "tool", t.Name, "err", err)
	}
	if t.Name != "" && !slices.Contains(t.Codes(), e.Code) {
		if s.Strict {
			panic(fmt.Sprintf("tool %s answered the undeclared code %s", t.Name, e.Code))
		}
		if s.Log != nil {
			s.Log.Error("undeclared code", "tool", t.Name, "code", e.Code)
		}
	}
	return Answer{JSON: Failure(e, t.Refusal), Err: e}
}
