package modelname_test

import (
	"bufio"
	"os"
	"strings"
	"testing"

	"chessarena/arena/modelname"

	"github.com/google/go-cmp/cmp"
)

// registry is the one that the arena ships with.
func registry(t testing.TB) *modelname.Registry {
	t.Helper()
	r, err := modelname.New(shipped(t))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func shipped(t testing.TB) []modelname.Model {
	t.Helper()
	text, err := os.ReadFile("../../assets/models.json")
	if err != nil {
		t.Fatal(err)
	}
	models, err := modelname.Parse(string(text))
	if err != nil {
		t.Fatal(err)
	}
	return models
}

// lines reads a file of test data without its comments.
func lines(t testing.TB, file string) (list []string) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for scan := bufio.NewScanner(f); scan.Scan(); {
		if line := scan.Text(); line != "" && !strings.HasPrefix(line, "#") {
			list = append(list, line)
		}
	}
	return list
}

// spellings are the public ones.
func spellings(t testing.TB) (list []string) {
	for _, line := range lines(t, "testdata/spellings.tsv") {
		spelling, _, _ := strings.Cut(line, "\t")
		list = append(list, spelling)
	}
	return list
}

// labels maps the hand-labelled spellings to what they name; "?" is no model.
func labels(t testing.TB) map[string]string {
	m := make(map[string]string)
	for _, line := range lines(t, "testdata/labels.txt") {
		model, list, ok := strings.Cut(line, " | ")
		if !ok {
			t.Fatalf("labels: %q", line)
		}
		for _, spelling := range strings.Split(list, "; ") {
			m[spelling] = model
		}
	}
	return m
}

func TestSpellingsNameWhatPeopleSayTheyName(t *testing.T) {
	r := registry(t)
	labelled := labels(t)
	if len(labelled) < 400 {
		t.Fatalf("%d labels", len(labelled))
	}
	given := make(map[string]bool)
	for _, s := range spellings(t) {
		given[s] = true
	}
	wrong := 0
	for spelling, want := range labelled {
		if !given[spelling] {
			t.Errorf("%q is labelled and not given", spelling)
		}
		got := r.Read(spelling)
		switch {
		case want == "?" && got.Verified:
			t.Errorf("%q names no model and is read as %s", spelling, got.Canonical)
		case want == "?":
		case got.Verified && got.Canonical != want:
			t.Errorf("%q is read as %s, which is another model than %s", spelling, got.Canonical, want)
		case got.Canonical != want:
			wrong++
			t.Logf("%q is read as %s, want %s", spelling, got.Canonical, want)
		}
	}
	if share := 1 - float64(wrong)/float64(len(labelled)); share < 0.98 {
		t.Errorf("%.1f %% of the labels are right", 100*share)
	}
}

func TestPublicSpellingsAreKnown(t *testing.T) {
	r := registry(t)
	verified, all := 0, 0
	for _, s := range spellings(t) {
		all++
		reading := r.Read(s)
		if reading.Verified {
			verified++
			continue
		}
		// The current models of the large makers are all there. The exceptions are a model that its maker
		// never released, and one that writes music.
		low := strings.ToLower(s)
		if low == "databricks/databricks-claude-sonnet-4-1" || strings.Contains(low, "lyria") {
			continue
		}
		for _, maker := range []string{"claude", "gpt-", "gemini", "grok", "deepseek-", "kimi", "glm-", "minimax-", "qwen3.", "mistral-", "nova-"} {
			if strings.Contains(low, maker) {
				t.Errorf("%q is unverified, as %s", s, reading.Canonical)
			}
		}
	}
	if share := float64(verified) / float64(all); share < 0.85 {
		t.Errorf("%.1f %% of %d spellings are verified", 100*share, all)
	}
}

func TestReadTellsWhatItDid(t *testing.T) {
	r := registry(t)
	stamp := func(s string) *string { return &s }
	for _, c := range []struct {
		raw  string
		want modelname.Reading
	}{
		{"claude-sonnet-5", modelname.Reading{Canonical: "claude-sonnet-5", AppliedRules: []string{}}},
		{"Claude Sonnet 5", modelname.Reading{Canonical: "claude-sonnet-5", AppliedRules: []string{"lowercase", "spaces_underscores_to_hyphen"}}},
		{"claude_sonnet_5", modelname.Reading{Canonical: "claude-sonnet-5", AppliedRules: []string{"spaces_underscores_to_hyphen"}}},
		{"anthropic/claude-sonnet-5", modelname.Reading{Canonical: "claude-sonnet-5", AppliedRules: []string{"provider_prefix"}}},
		{"us.anthropic.claude-sonnet-5-20260115-v1:0", modelname.Reading{
			Canonical: "claude-sonnet-5", Version: stamp("20260115"),
			AppliedRules: []string{"region_prefix", "provider_prefix", "revision_suffix", "date_stamp"},
		}},
		{"claude-sonet-5", modelname.Reading{Canonical: "claude-sonnet-5", AppliedRules: []string{"misspelling"}}},
		{"openrouter/openai/gpt-oss-20b:free", modelname.Reading{
			Canonical: "gpt-oss-20b", AppliedRules: []string{"router_prefix", "provider_prefix", "routing_suffix"},
		}},
		{"accounts/fireworks/models/qwen2p5-72b-instruct", modelname.Reading{
			Canonical: "qwen2.5-72b-instruct", AppliedRules: []string{"host_path", "p_for_point"},
		}},
		{"Qwen3-8B-Q4_K_M.gguf", modelname.Reading{
			Canonical: "qwen3-8b", Quantization: "q4_k_m",
			AppliedRules: []string{"lowercase", "spaces_underscores_to_hyphen", "file_suffix", "quantization_suffix"},
		}},
		{"llama-3.1-8b-instruct-fp16", modelname.Reading{
			Canonical: "llama-3.1-8b-instruct", Quantization: "fp16", AppliedRules: []string{"quantization_suffix"},
		}},
		{"claude-4.5-sonnet", modelname.Reading{Canonical: "claude-sonnet-4-5", AppliedRules: []string{"registry_spelling"}}},
		{"ft:gpt-4o-mini:acme:chess:x1", modelname.Reading{Canonical: "gpt-4o-mini", Finetuned: true, AppliedRules: []string{"finetune_prefix"}}},
	} {
		got := r.Read(c.raw)
		c.want.Raw, c.want.Verified, c.want.DidYouMean, c.want.Message = c.raw, true, []string{}, got.Message
		c.want.Family, c.want.Provider = got.Family, got.Provider
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("Read(%q) (-want +got):\n%s", c.raw, diff)
		}
		if got.Family == "" || got.Provider == "" || !strings.Contains(got.Message, got.Canonical) {
			t.Errorf("Read(%q): family %q, provider %q, message %q", c.raw, got.Family, got.Provider, got.Message)
		}
	}
}

func TestDifferentModelsStayApart(t *testing.T) {
	r := registry(t)
	for _, pair := range [][2]string{
		{"claude-sonnet-4", "claude-sonnet-5"}, {"gpt-5", "gpt-5-mini"}, {"qwen3-8b", "qwen3-80b"}, {"gpt-4o", "gpt-4"},
		{"o1", "o1-preview"}, {"gpt-4.1", "gpt-4-1-mini"}, {"anthropic.claude-opus-4-v1", "claude-opus-4-1"},
		{"mistral-large-2407", "mistral-large-2512"}, {"deepseek-v3", "deepseek-v3-0324"}, {"gemma-7b", "gemma-7b-it"},
		{"qwen3-vl-8b-instruct", "qwen3-vl-8b-thinking"}, {"grok-4-fast-reasoning", "grok-4-fast-non-reasoning"},
		{"llama-3.1-8b", "llama-3.1-80b"}, {"claude-sonnet-6", "claude-sonnet-5"}, {"gpt-5-minni", "gpt-5-mini"},
		{"alice/chess-bot", "bob/chess-bot"}, {"mixtral-8x7b", "mixtral-8x22b"}, {"kimi-k2", "kimi-k2.5"},
	} {
		a, b := r.Read(pair[0]).Canonical, r.Read(pair[1]).Canonical
		if a == b {
			t.Errorf("%q and %q are both read as %s", pair[0], pair[1], a)
		}
	}
}

func TestTypingErrorsSnap(t *testing.T) {
	r := registry(t)
	for typed, want := range map[string]string{
		"claude-sonnit-5": "claude-sonnet-5", "calude-opsu-5": "claude-opus-5", "geminni-2.5-pro": "gemini-2.5-pro",
		"deepseeek-r1": "deepseek-r1", "codestrall-2508": "codestral-2508", "qwne3-8b": "qwen3-8b",
	} {
		got := r.Read(typed)
		if got.Canonical != want || !got.Verified {
			t.Errorf("Read(%q) = %s (verified %v), want %s", typed, got.Canonical, got.Verified, want)
		}
		if rules := strings.Join(got.AppliedRules, " "); !strings.HasSuffix(rules, "fuzzy_snap") {
			t.Errorf("Read(%q) applied %s", typed, rules)
		}
		if !strings.Contains(got.Message, "not a registered spelling") {
			t.Errorf("Read(%q) says %q", typed, got.Message)
		}
	}
}

func TestAnUnknownModelKeepsItsNameAndHearsOfItsNeighbours(t *testing.T) {
	got := registry(t).Read("Claude Sonnet 9.5")
	want := modelname.Reading{
		Canonical: "claude-sonnet-9-5", Raw: "Claude Sonnet 9.5", DidYouMean: got.DidYouMean, Message: got.Message,
		AppliedRules: []string{"lowercase", "spaces_underscores_to_hyphen", "point_to_hyphen"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(got.DidYouMean) != 3 || !strings.HasPrefix(got.DidYouMean[0], "claude-sonnet-") {
		t.Errorf("did you mean %q", got.DidYouMean)
	}
	if !strings.Contains(got.Message, "unverified") {
		t.Errorf("message %q", got.Message)
	}
}

func TestTheArenasOwnNamesAreNobodyElses(t *testing.T) {
	for _, name := range []string{"random", "Stockfish Skill 3", "house-100"} {
		got := registry(t).Read(name)
		if got.Verified || !strings.Contains(got.Message, "the arena's own players") {
			t.Errorf("Read(%q): verified %v, %q", name, got.Verified, got.Message)
		}
	}
	if got := registry(t).Read("stockfish-skil-3"); got.Verified || got.Canonical != "stockfish-skil-3" {
		t.Errorf("a typing error snaps to an anchor: %+v", got)
	}
}

func TestQuantizationWords(t *testing.T) {
	r := registry(t)
	for suffix, want := range map[string]string{
		"q8_0": "q8", "Q6_K": "q6", "q5_k_s": "q5", "Q5_1": "q5", "q4_0": "q4", "Q4_K_M": "q4_k_m", "iq4_xs": "q4", "q3_k_l": "q3", "q2_k": "q2",
		"int8": "q8", "4bit": "q4", "bf16": "bf16", "f16": "fp16", "fp8": "other", "awq": "other", "nvfp4": "other",
	} {
		got := r.Read("qwen3-8b-" + suffix)
		if got.Canonical != "qwen3-8b" || got.Quantization != want {
			t.Errorf("-%s: %s at %q, want %q", suffix, got.Canonical, got.Quantization, want)
		}
	}
}
