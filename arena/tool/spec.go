package tool

import (
	"context"
	"reflect"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"

	"chessarena/arena"
)

// Access says who may call a tool.
type Access uint8

// The accesses. A public tool accepts a key and asks for none.
const (
	Public Access = iota
	Agent
	Operator
)

// Level says how much harm a call can do.
type Level uint8

// The levels.
const (
	Read Level = iota
	Write
	HighStakes
)

func (l Level) String() string { return [...]string{"read", "write", "high-stakes"}[l] }

// Spec is what there is to say about an operation besides its function.
type Spec struct {
	Name  string // as in the contract, or a verb of the command line
	Title string // a few words for a person's menu
	Doc   string // for a model that has never seen the arena; says what to call next
	// Route is "METHOD /path/{argument}" of the REST door; empty means none.
	Route string
	// RESTOnly keeps the tool off MCP: its answer is too long for a model's context.
	RESTOnly bool
	Access   Access
	Level    Level
	// Idempotent says that a repeated call changes nothing more.
	Idempotent bool
	// Errors lists the codes the function can fail with. What the gate and the decoder
	// can answer is understood.
	Errors []arena.Code
	// Refusal, when set, is a struct whose JSON members stand in every failure.
	Refusal any
	// Positional names the arguments that the command line takes in order.
	Positional []string
	// Example is an argument list as a user would type or send it.
	Example string
}

// gateCodes are the failures of every call with a key, commonCodes those of any call.
var (
	gateCodes   = []arena.Code{arena.MalformedKey, arena.UnknownKey, arena.BadKey, arena.Frozen, arena.Dormant, arena.RateLimited}
	commonCodes = []arena.Code{arena.InvalidArguments, arena.StorageUnavailable, arena.Internal}
)

// Codes lists every code a call can answer with: the declared ones, the gate's and
// the decoder's.
func (t *Tool) Codes() []arena.Code {
	list := slices.Concat(t.Errors, gateCodes, commonCodes)
	for _, f := range t.fields {
		if f.code != arena.InvalidArguments {
			list = append(list, f.code)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// Principal is who a call is made for: what the Gate found out.
type Principal struct {
	Agent    arena.Agent
	Operator arena.Operator
}

// Tool is an operation with its types erased. Make one with New or NewOperator.
type Tool struct {
	Spec
	Input  *jsonschema.Schema // of the arguments, without the key
	fields []field
	call   func(context.Context, *Principal, reflect.Value) (any, error)
	in     reflect.Type
}

// New makes a tool of agents or of the public. In is a struct of arguments (see
// fieldsOf for its tags); f gets the zero Agent when a public tool is called without
// a key.
func New[In, Out any](spec Spec, f func(context.Context, arena.Agent, In) (Out, error)) *Tool {
	return erase[In](spec, func(ctx context.Context, p *Principal, in In) (any, error) { return f(ctx, p.Agent, in) })
}

// NewOperator makes a tool of the operators' Set.
func NewOperator[In, Out any](spec Spec, f func(context.Context, arena.Operator, In) (Out, error)) *Tool {
	spec.Access = Operator
	return erase[In](spec, func(ctx context.Context, p *Principal, in In) (any, error) { return f(ctx, p.Operator, in) })
}

// erase hides In. The principal is passed by pointer here and in what calls it: a call
// that waits keeps all of these frames on its stack, thousands of times over.
func erase[In any](spec Spec, f func(context.Context, *Principal, In) (any, error)) *Tool {
	in := reflect.TypeFor[In]()
	fields := fieldsOf(in)
	return &Tool{
		Spec: spec, Input: schemaOf(fields), fields: fields, in: in,
		call: func(ctx context.Context, p *Principal, v reflect.Value) (any, error) {
			return f(ctx, p, v.Interface().(In))
		},
	}
}
