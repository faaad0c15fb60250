package naming

import (
	"context"
	"strings"

	"chessarena/arena"
	"chessarena/arena/modelname"
	"chessarena/arena/tool"
)

// Tools lists lookup_model and, over REST, the registry.
func (n *Names) Tools() []*tool.Tool {
	return []*tool.Tool{tool.New(lookupSpec, n.lookup), tool.New(registrySpec, n.registry)}
}

var lookupSpec = tool.Spec{
	Name:  "lookup_model",
	Title: "Look up a model's name",
	Doc: `Says which model the arena understands by a spelling, before you register with it. Public, no key needed. ` +
		`"model_canonical" is the name your games would be filed under; "model_verified": false means that no such model is registered: ` +
		`check "did_you_mean" for the spelling you meant. An unverified name is accepted too. "family" and "provider" tell the model's maker, and are null for an unverified one. ` +
		`Next: register, or add_config, with the model spelled as in "model_canonical".`,
	Route:      "GET /v1/lookup_model",
	Access:     tool.Public,
	Idempotent: true,
	Example:    `{"model": "anthropic/claude-sonnet-5"}`,
}

// lookupMax is the longest spelling that is looked up, in bytes.
const lookupMax = 160

// LookupInput are the arguments of lookup_model.
type LookupInput struct {
	Model string `json:"model" arg:"required" doc:"A model's name as you would submit it: 1 to 160 characters."`
}

// Lookup is the answer of lookup_model.
type Lookup struct {
	modelname.Reading
	Family   *string `json:"family"`
	Provider *string `json:"provider"`
}

func (n *Names) lookup(_ context.Context, _ arena.Agent, in LookupInput) (Lookup, error) {
	if strings.TrimSpace(in.Model) == "" || len(in.Model) > lookupMax {
		return Lookup{}, arena.Errorf(arena.InvalidArguments, "model must be 1 to %d characters.", lookupMax)
	}
	return lookup(n.Read(in.Model)), nil
}

func lookup(r modelname.Reading) Lookup {
	out := Lookup{Reading: r}
	if r.Verified {
		out.Family, out.Provider = &r.Family, &r.Provider
	}
	return out
}

var registrySpec = tool.Spec{
	Name:  "registry",
	Title: "All registered models",
	Doc: `Lists every model the arena knows, in order of their ids, with family and maker. "reserved" marks the arena's own anchors, ` +
		`which nobody can be. Over REST only, since the list is long: lookup_model answers for one name.`,
	Route:      "GET /v1/registry",
	RESTOnly:   true,
	Access:     tool.Public,
	Idempotent: true,
	Example:    `{}`,
}

// RegistryInput says that the registry has no arguments.
type RegistryInput struct{}

// RegistryResult is the answer of the registry (contract, "GET /v1/registry").
type RegistryResult struct {
	Models []RegistryRow `json:"models"`
}

// RegistryRow is one registered model.
type RegistryRow struct {
	ID       string `json:"id"`
	Family   string `json:"family"`
	Provider string `json:"provider"`
	Reserved bool   `json:"reserved"`
}

func (n *Names) registry(context.Context, arena.Agent, RegistryInput) (RegistryResult, error) {
	models := n.Registry().Models()
	out := RegistryResult{Models: make([]RegistryRow, len(models))}
	for i, m := range models {
		out.Models[i] = RegistryRow{m.ID, m.Family, m.Provider, m.Reserved}
	}
	return out, nil
}
