// Package modelname turns the way people spell a model into the one name the arena
// files it under.
//
// Read is a pure function: a fixed list of named rules, applied in order, each noted
// in the reading when it changed something. What a rule does it always does; nothing
// is guessed. A canonical name reads as itself.
//
// So far the rules are those of spelling (case, outer space, separators). There is no
// registry of known models yet, so no reading is verified and there is nothing to
// suggest; the fields that say so are present and true.
package modelname

import (
	"fmt"
	"strings"
)

// Reading is what the arena understood by a submitted model name. The JSON names are
// those of the contract's register and add_config answers.
type Reading struct {
	Canonical    string   `json:"model_canonical" doc:"the model name the arena stored"`
	Raw          string   `json:"model_raw" doc:"the model name as submitted"`
	Version      *string  `json:"model_version" doc:"a date stamp taken out of the name, or null"`
	Verified     bool     `json:"model_verified" doc:"whether the name is a registered model"`
	AppliedRules []string `json:"applied_rules" doc:"the rules that changed the submitted name, in order"`
	DidYouMean   []string `json:"did_you_mean" doc:"up to three close known names"`
	Message      string   `json:"model_message" doc:"one sentence on how the name was read"`
}

// rules run in this order. Each returns the text it makes of its input.
var rules = []struct {
	name  string
	apply func(string) string
}{
	{"trim", strings.TrimSpace},
	{"lowercase", strings.ToLower},
	{"spaces_underscores_to_hyphen", hyphenate},
}

// Read applies the rules to raw. An empty result means that raw names nothing.
func Read(raw string) Reading {
	r := Reading{Raw: raw, AppliedRules: []string{}, DidYouMean: []string{}}
	name := raw
	for _, rule := range rules {
		if next := rule.apply(name); next != name {
			name = next
			r.AppliedRules = append(r.AppliedRules, rule.name)
		}
	}
	r.Canonical = name
	r.Message = fmt.Sprintf("%q is not in the model registry; it is accepted as written and marked unverified.", name)
	return r
}

// hyphenate makes one hyphen of every run of spaces, underscores and hyphens, and
// leaves none at the ends.
func hyphenate(s string) string {
	parts := strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == '_' || r == '-' || r == '\t' })
	return strings.Join(parts, "-")
}
