package modelname

import (
	"regexp"
	"strings"
)

// rule is a step of the pipeline. apply returns what it makes of the name's text; with
// after it runs only on what is not known yet.
type rule struct {
	name  string
	after bool
	apply func(r *Registry, n *name) string
}

const ruleProvider = "provider_prefix"

// rules run in this order.
var rules = []rule{
	{"trim", false, text(strings.TrimSpace)},
	{"lowercase", false, text(strings.ToLower)},
	{"display_name", false, text(displayName)},
	{"spaces_underscores_to_hyphen", false, text(hyphenate)},
	{"finetune_prefix", true, finetunePrefix},
	{"host_path", true, text(hostPath)},
	{"router_prefix", true, text(routerPrefix)},
	{"region_prefix", true, text(regionPrefix)},
	{ruleProvider, true, providerPrefix},
	{"routing_suffix", true, text(routingSuffix)},
	{"revision_suffix", true, revisionSuffix},
	{"marks_to_hyphen", true, text(marksToHyphen)},
	{"p_for_point", true, text(func(s string) string { return pForPoint.ReplaceAllString(s, "$1.$2") })},
	{"misspelling", true, text(respell)},
	{"file_suffix", true, text(func(s string) string { return fileSuffix.ReplaceAllString(s, "") })},
	{"quantization_suffix", true, quantizationSuffix},
	{"serving_suffix", true, servingSuffix},
	{"floating_suffix", true, floatingSuffix},
	{"date_stamp", true, dateStamp},
	{"short_stamp", true, shortStamp},
	{"stage_suffix", true, stageSuffix},
	{"unknown_prefix_to_hyphen", true, text(func(s string) string { return hyphenate(strings.ReplaceAll(s, "/", "-")) })},
	{"point_to_hyphen", true, text(pointToHyphen)},
}

// text makes a step of a function that looks at nothing but the text.
func text(f func(string) string) func(*Registry, *name) string {
	return func(_ *Registry, n *name) string { return f(n.text) }
}

var displayed = regexp.MustCompile(`^([^:/]{1,40}):\s+(\S.*)$`)

// displayName turns the "Maker: Model" of catalogues into a path.
func displayName(s string) string {
	if m := displayed.FindStringSubmatch(s); m != nil {
		return m[1] + "/" + m[2]
	}
	return s
}

// hyphenate makes one hyphen of every run of spaces, underscores and hyphens, and
// leaves none at the ends of the parts of a path.
func hyphenate(s string) string {
	parts := strings.Split(s, "/")
	for i, part := range parts {
		parts[i] = strings.Join(strings.FieldsFunc(part, func(r rune) bool { return r == ' ' || r == '_' || r == '-' || r == '\t' }), "-")
	}
	return strings.Trim(strings.Join(parts, "/"), "/")
}

// finetunePrefix takes the base model out of "ft:base:organisation:suffix:id".
func finetunePrefix(_ *Registry, n *name) string {
	rest, ok := strings.CutPrefix(n.text, "ft:")
	if !ok {
		return n.text
	}
	n.finetuned = true
	base, _, _ := strings.Cut(rest, ":")
	return base
}

// hostPaths are how inference hosts file models: "accounts/fireworks/models/…".
var hostPaths = regexp.MustCompile(`(^|/)(?:accounts/[^/]+/(?:models|routers|deployedmodels|deployments)/|@[a-z]{2}/|publishers/[^/]+/models/|models/)`)

func hostPath(s string) string {
	s = strings.TrimLeft(s, "~")
	return hostPaths.ReplaceAllString(s, "$1")
}

// routerPrefix drops the hosts and routers that a path begins with.
func routerPrefix(s string) string {
	for {
		first, rest, ok := strings.Cut(s, "/")
		if !ok || !routers[first] || rest == "" {
			return s
		}
		s = rest
	}
}

var (
	regionPart = regexp.MustCompile(`^(?:[a-z]{2}(?:-gov|-iso[a-z]?)?-[a-z]+-\d|\*|\d+-month-commitment|us|eu|uk|au|jp|in|apac|emea|global|global-standard|datazone|data-zone|invoke|converse|converse-like)$`)
	regionDot  = regexp.MustCompile(`^(?:us|eu|uk|au|jp|in|sa|ca|me|apac|global|us-gov)\.([a-z0-9-]+)\.`)
)

// regionPrefix drops where a host runs the model.
func regionPrefix(s string) string {
	for {
		first, rest, ok := strings.Cut(s, "/")
		if !ok || rest == "" || !regionPart.MatchString(first) && !routers[first] {
			break
		}
		s = rest
	}
	if m := regionDot.FindStringSubmatch(s); m != nil && makers[m[1]] {
		_, s, _ = strings.Cut(s, ".")
	}
	return s
}

var lettered = regexp.MustCompile(`^[rv]\d`)

// providerPrefix drops the maker: "anthropic/…", "anthropic.…", and "anthropic-…" before
// what is a known family's name.
func providerPrefix(r *Registry, n *name) string {
	s := n.text
	for {
		first, rest, ok := strings.Cut(s, "/")
		if !ok || rest == "" || !makers[strings.TrimSuffix(first, "~")] {
			break
		}
		s = rest
	}
	if maker, rest, ok := strings.Cut(s, "."); ok && makers[maker] && rest != "" {
		if s = rest; lettered.MatchString(rest) { // deepseek.v3.2
			s = maker + "-" + rest
		}
	}
	for bare := s; ; {
		rest, ok := cutWord(bare)
		if !ok {
			return s
		}
		bare = rest
		if first := firstWord(rest); first != "" && r.first[first] {
			return rest
		}
	}
}

// cutWord cuts a maker's name and its hyphen off s.
func cutWord(s string) (rest string, ok bool) {
	for i, c := range s {
		if c == '-' && wordMakers[s[:i]] {
			rest, ok = s[i+1:], true
		}
	}
	return rest, ok
}

// routed are tags and remarks that choose a route or a price, not a model.
var routed = regexp.MustCompile(`(?::(?:free|beta|nitro|floor|online|extended|exacto|latest|default|cloud|batch|flex|priority|standard)|-?\((?:free|beta|older|online|extended|self-moderated|nitro)\)|:([0-9.]+[bm])-cloud)$`)

func routingSuffix(s string) string {
	for {
		m := routed.FindStringSubmatchIndex(s)
		if m == nil {
			return s
		}
		next := s[:m[0]]
		if m[2] >= 0 {
			next += "-" + s[m[2]:m[3]]
		}
		s = next
	}
}

var (
	oldRevision  = regexp.MustCompile(`-v0:(\d+)$`)
	zeroRevision = regexp.MustCompile(`-v\d+:0$`)
	bareRevision = regexp.MustCompile(`(?:-v1|-\d:0|:0)$`)
)

// revisionSuffix drops a host's own revision: "-v1:0", and "-v1" or ":0" from a name that
// is known without. Of "v0:2" it makes v0.2, which is the maker's.
func revisionSuffix(r *Registry, n *name) string {
	if oldRevision.MatchString(n.text) {
		return oldRevision.ReplaceAllString(n.text, "-v0.$1")
	}
	if zeroRevision.MatchString(n.text) {
		return zeroRevision.ReplaceAllString(n.text, "")
	}
	rest := bareRevision.ReplaceAllString(n.text, "")
	if _, last, _ := cutLast(rest); r.leadsToKnown(last) {
		return rest
	}
	return n.text
}

// marksToHyphen makes hyphens of what else separates words. Points and the slashes of a
// path stay.
func marksToHyphen(s string) string {
	return hyphenate(strings.Map(func(r rune) rune {
		if strings.ContainsRune(`:@()+*~,;|[]{}"'`, r) {
			return ' '
		}
		return r
	}, s))
}

var pForPoint = regexp.MustCompile(`(\d)p(\d)`)

var (
	respelled  = regexp.MustCompile(`[a-z]+`)
	missingDot = regexp.MustCompile(`\b(gpt|claude(?:-[a-z]+)?)-?([345])([1-9])\b`)
)

// respell puts known misspellings right, word by word, and the point back into the
// versions that are often written without it: gpt-35, claude-opus-41.
func respell(s string) string {
	s = respelled.ReplaceAllStringFunc(s, func(w string) string {
		if right, ok := misspelled[w]; ok {
			return right
		}
		return w
	})
	return missingDot.ReplaceAllString(s, "$1-$2.$3")
}

var fileSuffix = regexp.MustCompile(`(?:[.-](?:gguf|ggml|safetensors|bin|mlx|onnx|mtp|hf-gguf))+$`)

// floatingSuffix drops "latest" and "default", which name no model. Where such a pointer is
// a registered name of its own it does not come here.
func floatingSuffix(_ *Registry, n *name) string {
	rest, latest := strings.CutSuffix(n.text, "-latest")
	n.latest = n.latest || latest
	return strings.TrimSuffix(rest, "-default")
}

// pointToHyphen writes unknown members of a family as the known ones are written.
func pointToHyphen(s string) string {
	if strings.HasPrefix(s, "claude-") {
		return strings.ReplaceAll(s, ".", "-")
	}
	return s
}

// cutLast parts a path at its last slash.
func cutLast(s string) (before, after string, found bool) {
	i := strings.LastIndexByte(s, '/')
	if i < 0 {
		return "", s, false
	}
	return s[:i], s[i+1:], true
}
