package modelname_test

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"chessarena/arena/modelname"

	"github.com/google/go-cmp/cmp"
)

func TestTheRegistryFileIsInOrder(t *testing.T) {
	models := shipped(t)
	var text strings.Builder
	text.WriteString("[\n")
	submitted := 0
	for i, m := range models {
		if i > 0 && models[i-1].ID >= m.ID {
			t.Errorf("%s stands after %s", m.ID, models[i-1].ID)
		}
		if !regexp.MustCompile(`^[a-z0-9]+(?:[.-][a-z0-9]+)*$`).MatchString(m.ID) {
			t.Errorf("the id %q", m.ID)
		}
		if !regexp.MustCompile(`^[a-z0-9]+(?:-[a-z0-9]+)*$`).MatchString(m.Family) || !regexp.MustCompile(`^[a-z0-9]+(?:-[a-z0-9]+)*$`).MatchString(m.Provider) {
			t.Errorf("%s has family %q, provider %q", m.ID, m.Family, m.Provider)
		}
		if m.Reserved != (m.Provider == "arena") {
			t.Errorf("%s: reserved %v, provider %s", m.ID, m.Reserved, m.Provider)
		}
		if !m.Reserved {
			submitted++
		}
		line, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		text.WriteString(" " + strings.NewReplacer(`":`, `": `, `,"`, `, "`).Replace(string(line)))
		if i < len(models)-1 {
			text.WriteString(",")
		}
		text.WriteString("\n")
	}
	text.WriteString("]\n")
	if submitted < 1000 {
		t.Errorf("%d models", submitted)
	}
	file, err := os.ReadFile("../../assets/models.json")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(text.String(), string(file)); diff != "" {
		t.Errorf("the file is not one model a line (-want +got):\n%s", diff)
	}
}

func TestEveryIDAndAliasReadsAsItsModel(t *testing.T) {
	r := registry(t)
	for _, m := range shipped(t) {
		for _, spelling := range append([]string{m.ID, strings.ToUpper(m.ID), strings.ReplaceAll(m.ID, "-", " ")}, m.Aliases...) {
			got := r.Read(spelling)
			if got.Canonical != m.ID || got.Verified == m.Reserved {
				t.Errorf("%q reads as %s, verified %v; want %s", spelling, got.Canonical, got.Verified, m.ID)
			}
		}
		if got := r.Read(m.ID); len(got.AppliedRules) != 0 {
			t.Errorf("%s needs the rules %q", m.ID, got.AppliedRules)
		}
	}
}

func TestModelsThatMeetAreRefused(t *testing.T) {
	a := modelname.Model{ID: "foo-1.5", Family: "foo", Provider: "p"}
	for name, b := range map[string]modelname.Model{
		"the same id":       a,
		"another separator": {ID: "foo-1-5", Family: "foo", Provider: "p"},
		"an alias":          {ID: "bar", Family: "bar", Provider: "p", Aliases: []string{"Foo 1.5"}},
		"no family":         {ID: "baz", Provider: "p"},
		"no provider":       {ID: "baz", Family: "baz"},
	} {
		if _, err := modelname.New([]modelname.Model{a, b}); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}

var (
	sizes    = regexp.MustCompile(`(?:^|[^a-z0-9.])(\d+x\d+b|[ae]?\d+(?:\.\d+)?[bt])(?:$|[^a-z0-9])`)
	variants = regexp.MustCompile(`mini|nano|lite|flash|pro|max|high|thinking|coder|vision|instruct|turbo|non-reasoning|plus|micro|fast|distill|chat`)
)

// TestNoSpellingCrossesASizeOrVariant is a second opinion on wrong merges, by plain text
// and none of the package's own notions: what reads as a model has the model's sizes and
// variant words, unless the registry's file says otherwise in so many words.
func TestNoSpellingCrossesASizeOrVariant(t *testing.T) {
	r := registry(t)
	checked := 0
	for _, s := range spellings(t) {
		got := r.Read(s)
		m, ok := r.Model(got.Canonical)
		if !ok || len(m.Aliases) > 0 {
			continue
		}
		checked++
		plain := strings.ToLower(s[strings.LastIndexAny(s, "/")+1:])
		plain = regexp.MustCompile(`^(?:[a-z][a-z-]*\.)+`).ReplaceAllString(plain, "")
		plain = regexp.MustCompile(`(\d)p(\d)`).ReplaceAllString(plain, "$1.$2")
		plain = strings.NewReplacer("instruct-turbo", "instruct", "_", "-", " ", "-", "-fp8-fast", "").Replace(plain)
		if _, rest, ok := strings.Cut(plain, ":-"); ok {
			plain = rest // a display name without its maker
		}
		if a, b := variants.FindAllString(plain, -1), variants.FindAllString(m.ID, -1); !sameWords(a, b) {
			t.Errorf("%q (%q) reads as %s (%q)", s, a, m.ID, b)
		}
		if a, b := sizesOf(plain), sizesOf(m.ID); !sameWords(a, b) {
			t.Errorf("%q (%q) reads as %s (%q)", s, a, m.ID, b)
		}
	}
	if checked < 1000 {
		t.Errorf("only %d spellings were checked", checked)
	}
}

func sizesOf(s string) (list []string) {
	for _, part := range strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune("-_/:@ ()", r) }) {
		if m := sizes.FindStringSubmatch(part); m != nil {
			list = append(list, m[1])
		}
	}
	return list
}

func sameWords(a, b []string) bool {
	a, b = slices.Clone(a), slices.Clone(b)
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(a, b)
}

// TestAChangedDigitNeverLeadsBack changes each digit of every fourth id: the result is another
// known model or unknown, and never the one it was made from.
func TestAChangedDigitNeverLeadsBack(t *testing.T) {
	r := registry(t)
	for n, m := range shipped(t) {
		if n%4 != 0 {
			continue
		}
		for i, c := range m.ID {
			if c < '0' || c > '9' {
				continue
			}
			for _, other := range []string{string('0' + (c-'0'+1)%10), string(c) + "0"} {
				changed := m.ID[:i] + other + m.ID[i+1:]
				if got := r.Read(changed); got.Canonical == m.ID {
					t.Errorf("%s, made from %s, reads as it: %q", changed, m.ID, got.AppliedRules)
				}
			}
		}
	}
}

// TestATypingErrorNeverLeadsElsewhere leaves out, doubles, changes and swaps the letters of every
// fifteenth id. What snaps must snap to where it came from.
func TestATypingErrorNeverLeadsElsewhere(t *testing.T) {
	r := registry(t)
	snapped := 0
	for n, m := range shipped(t) {
		if m.Reserved || n%15 != 0 {
			continue
		}
		for i := 0; i < len(m.ID); i++ {
			if m.ID[i] < 'a' || m.ID[i] > 'z' {
				continue
			}
			typed := []string{m.ID[:i] + m.ID[i+1:], m.ID[:i] + m.ID[i:i+1] + m.ID[i:], m.ID[:i] + "q" + m.ID[i+1:]}
			if i+1 < len(m.ID) {
				typed = append(typed, m.ID[:i]+m.ID[i+1:i+2]+m.ID[i:i+1]+m.ID[i+2:])
			}
			for _, s := range typed {
				got := r.Read(s)
				if !slices.Contains(got.AppliedRules, "fuzzy_snap") {
					continue
				}
				snapped++
				if got.Canonical != m.ID {
					t.Errorf("%s, made from %s, snaps to %s", s, m.ID, got.Canonical)
				}
			}
		}
	}
	if snapped < 400 {
		t.Errorf("only %d typing errors snapped", snapped)
	}
}

func TestTheOrderOfTheFileDoesNotMatter(t *testing.T) {
	r := registry(t)
	models := shipped(t)
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(models), func(i, j int) { models[i], models[j] = models[j], models[i] })
	other, err := modelname.New(models)
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range append([]string{"claude-sonnit-5", "gpt-9-mini", "qwen", "llama"}, spellings(t)...) {
		if i%5 != 0 && i > 3 {
			continue
		}
		if diff := cmp.Diff(r.Read(s), other.Read(s)); diff != "" {
			t.Errorf("%q (-file's order +shuffled):\n%s", s, diff)
		}
	}
}

func TestAdditions(t *testing.T) {
	r := registry(t).With(modelname.Additions{
		Models: []modelname.Model{
			{ID: "zonk-1-mini", Family: "zonk", Provider: "zonk-labs"},
			{ID: "GPT 5", Family: "gpt", Provider: "somebody"}, // is known already
		},
		Aliases: map[string]string{
			"our-best-model": "claude-opus-5", "gpt-5-chat": "gpt-5", "first": "second", "second": "zonk-1-mini",
			"house-brand": "brand-x", "round": "about", "about": "round",
		},
		Seen: []string{"zonk-2-mini"},
	})
	for spelling, want := range map[string]string{
		"Zonk 1 Mini": "zonk-1-mini", "gpt-5": "gpt-5", "Our Best Model": "claude-opus-5", "openai/gpt-5-chat": "gpt-5",
		"first": "zonk-1-mini", "house-brand": "brand-x",
	} {
		got := r.Read(spelling)
		if got.Canonical != want || got.Verified != (want != "brand-x") {
			t.Errorf("%q reads as %s, verified %v; want %s", spelling, got.Canonical, got.Verified, want)
		}
	}
	if got := r.Read("openai/gpt-5-chat"); !slices.Contains(got.AppliedRules, "alias") {
		t.Errorf("an alias is not told: %q", got.AppliedRules)
	}
	if got := r.Read("zonk-3-mini"); !slices.Contains(got.DidYouMean, "zonk-2-mini") || !slices.Contains(got.DidYouMean, "zonk-1-mini") {
		t.Errorf("suggestions for an unknown name: %q", got.DidYouMean)
	}
	if got := r.Read("zonk-2-mini"); got.Verified {
		t.Error("a name that somebody plays under became a registered one")
	}
	if m, ok := r.Model("gpt-5"); !ok || m.Provider != "openai" {
		t.Errorf("an addition changed a known model: %+v", m)
	}
	if got := registry(t).Read("zonk-1-mini"); got.Verified {
		t.Error("With changed the registry it was called on")
	}
}

func TestClosest(t *testing.T) {
	r := registry(t)
	if got := r.Closest("clod sonet 4", 3); len(got) != 3 || got[0] != "claude-sonnet-4" {
		t.Errorf("closest to a mangled name: %q", got)
	}
	if got := r.Closest("zzzz", 3); len(got) != 0 {
		t.Errorf("closest to nothing: %q", got)
	}
}

func FuzzRead(f *testing.F) {
	r := registry(f)
	for _, s := range []string{
		"Claude Sonnet 5", "a__b--c", "\u00a0x", "İ", "", "us.anthropic.claude-sonnet-5-20260115-v1:0", "x/y/z", "ft:a:b", "gpt/5", "a-v1:0:0",
		"azure/azure/", ":free:free", "q4-q4-q4", "2025-01-02", "claude-45", "google-google-gemma", "~a/b", "models/models/x", "a.gguf.gguf", "us.us.meta.llama",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		once := r.Read(raw)
		twice := r.Read(once.Canonical)
		if twice.Canonical != once.Canonical {
			t.Errorf("Read(%q) = %q, read again %q", raw, once.Canonical, twice.Canonical)
		}
		if once.Verified && !twice.Verified {
			t.Errorf("Read(%q) = %q is verified, and not when read again", raw, once.Canonical)
		}
		if len(once.DidYouMean) > 3 || len(once.AppliedRules) > 30 || len(once.Message) > 1000 {
			t.Errorf("Read(%q): %d suggestions, %d rules, a message of %d bytes", raw, len(once.DidYouMean), len(once.AppliedRules), len(once.Message))
		}
	})
}

// BenchmarkRead reads the longest names that a config may have.
func BenchmarkRead(b *testing.B) {
	r := registry(b)
	for name, raw := range map[string]string{
		"known":   "openrouter/anthropic/claude-sonnet-4-5-20250929",
		"unknown": "some-host.example/accounts/somebody/models/claude-like-thing-70b-instruct-20260101-q4_k_m"[:80],
		"dashes":  strings.Repeat("a-", 40),
		"digits":  strings.Repeat("20250101-", 9)[:80],
		"slashes": strings.Repeat("azure/", 13),
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				r.Read(raw)
			}
		})
	}
}
