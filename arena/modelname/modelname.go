// Package modelname turns the way people spell a model into the one name the arena
// files it under.
//
// A Registry knows the models there are. Its Read puts a spelling through named rules
// in a fixed order, each noted in the reading when it changed something, and stops as
// soon as what is left is a known model. What is still unknown after the last rule may
// snap to a known name, but only over a typing error in an ordinary word: never across
// a differing number, size, or word that tells variants apart, and never out of its
// family. Everything else keeps its own name and is marked unverified: two entries
// for one model can be merged later, one entry for two models cannot be told apart.
//
// The package is pure. A Registry never changes; who adds a model or an alias makes
// another one with With. Nothing depends on the order in which models were listed. A
// canonical name reads as itself.
package modelname

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
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

	// Family and Provider are of the registered model; empty when it is not one.
	Family   string `json:"-"`
	Provider string `json:"-"`
	// Quantization is the level that a suffix of the name told, as the contract's word
	// for it; empty when none did.
	Quantization string `json:"-"`
	// Finetuned says that the name told of a fine-tuned copy.
	Finetuned bool `json:"-"`
}

// The last rules have names of their own, since they are not steps of the pipeline.
const (
	ruleAlias    = "alias"
	ruleSpelling = "registry_spelling"
	ruleSnap     = "fuzzy_snap"
)

// readMax is the longest spelling, in bytes, that the rules after hyphenation are tried on. A longer
// one is no model's name, and stays what it is.
const readMax = 160

// suggestions is how many close names a reading shows.
const suggestions = 3

// Read says which model raw names. An empty Canonical means that raw names nothing.
func (r *Registry) Read(raw string) Reading {
	n := &name{text: raw}
	model, known := r.reduce(n)
	// An unknown name is read again until it stays what it is, so that it reads as itself
	// from then on.
	for before := ""; !known && before != n.text; {
		before = n.text
		model, known = r.reduce(n)
	}
	if strings.IndexFunc(n.text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) < 0 {
		n.text = ""
	}
	reading := Reading{
		Canonical: n.text, Raw: raw, AppliedRules: n.rules, DidYouMean: []string{},
		Quantization: n.quantization, Finetuned: n.finetuned,
	}
	if n.version != "" {
		reading.Version = &n.version
	}
	snapped := false
	if !known && len(n.text) <= readMax {
		if model, snapped = r.snap(n.text); snapped {
			if pointer, ok := r.byKey[shapeOf(model.ID+"-latest").key()]; ok && n.latest {
				model = pointer
			}
			reading.AppliedRules = append(reading.AppliedRules, ruleSnap)
			known = true
		}
	}
	if known {
		reading.Canonical, reading.Verified = model.ID, model.Family != "" && !model.Reserved
		reading.Family, reading.Provider = model.Family, model.Provider
	}
	if reading.AppliedRules == nil {
		reading.AppliedRules = []string{}
	}
	if (snapped || !reading.Verified) && len(n.text) <= readMax {
		reading.DidYouMean = r.suggest(n.text, reading.Canonical)
	}
	reading.Message = message(&reading, model, snapped)
	return reading
}

// reduce applies the rules to n until it is a known model, or there are no more.
func (r *Registry) reduce(n *name) (Model, bool) {
	for _, rule := range rules {
		if rule.after {
			if len(n.text) > readMax {
				return Model{}, false
			}
			if model, ok := r.known(n); ok {
				return model, true
			}
		}
		if next := rule.apply(r, n); next != n.text && next != "" {
			n.text = next
			n.note(rule.name)
		}
	}
	if len(n.text) > readMax {
		return Model{}, false
	}
	return r.known(n)
}

// known looks the name up as it stands. An alias comes before everything: it is an
// operator's word.
func (r *Registry) known(n *name) (Model, bool) {
	text := n.text
	_, rest, org := cutLast(text)
	if org {
		text = rest
	}
	model, ok := r.aliased[shapeOf(n.text).key()]
	key := shapeOf(text).key()
	if !ok && org {
		model, ok = r.aliased[key]
	}
	if ok {
		n.note(ruleAlias)
	} else if model, ok = r.byKey[key]; !ok {
		if model, ok = r.byGlue[glueOf(text)]; !ok || model.ID == "" {
			return Model{}, false
		}
	}
	if org && !slices.Contains(n.rules, ruleAlias) {
		n.note(ruleProvider)
	}
	if text != model.ID {
		if !slices.Contains(n.rules, ruleAlias) {
			n.note(ruleSpelling)
		}
	}
	n.text = model.ID
	return model, true
}

// name is a spelling on its way through the rules.
type name struct {
	text         string
	version      string
	quantization string
	finetuned    bool
	latest       bool // it was a pointer to some latest model
	rules        []string
}

func (n *name) note(rule string) {
	if !slices.Contains(n.rules, rule) {
		n.rules = append(n.rules, rule)
	}
}

// message is a sentence about the reading for whoever submitted it.
func message(r *Reading, model Model, snapped bool) string {
	shown := Clip(r.Raw)
	switch {
	case snapped:
		return fmt.Sprintf("%s is not a registered spelling and was read as %s; if you mean another model, submit its full name.", shown, r.Canonical)
	case r.Verified && r.Raw == r.Canonical:
		return fmt.Sprintf("%s is a registered model.", r.Canonical)
	case r.Verified:
		return fmt.Sprintf("%s was read as the registered model %s.", shown, r.Canonical)
	case model.Reserved:
		return fmt.Sprintf("%s is the name of one of the arena's own players; another model of that name is marked unverified.", r.Canonical)
	}
	text := fmt.Sprintf("%q is not in the model registry; it is accepted as written and marked unverified.", Clip(r.Canonical))
	if len(r.DidYouMean) > 0 {
		text += " Close names are " + strings.Join(r.DidYouMean, ", ") + "."
	}
	return text
}

// Clip shortens a submitted text for a sentence.
func Clip(s string) string {
	const most = 80
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "?"))
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
