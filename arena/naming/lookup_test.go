package naming_test

import (
	"slices"
	"testing"

	"chessarena/arena"
	"chessarena/arena/arenatest"
)

// reading is what the model_* members of an answer say.
type reading struct {
	Canonical string   `json:"model_canonical"`
	Raw       string   `json:"model_raw"`
	Version   *string  `json:"model_version"`
	Verified  bool     `json:"model_verified"`
	Rules     []string `json:"applied_rules"`
	Close     []string `json:"did_you_mean"`
	Message   string   `json:"model_message"`
	Family    *string  `json:"family"`
	Provider  *string  `json:"provider"`
}

func config(model string) map[string]any {
	return map[string]any{"model": model, "provider": "p", "harness": "h-1.0"}
}

func TestLookUpAnswersAsRegistrationDoes(t *testing.T) {
	a := arenatest.New(t, arenatest.Settings())
	agent := a.Register("ann")
	for _, model := range []string{"us.anthropic.claude-sonnet-5-20260115-v1:0", "GPT 5 mini", "my own model", "claude-sonnit-5"} {
		var looked, added reading
		agent.Must("lookup_model", map[string]any{"model": model}, &looked)
		agent.Must("add_config", map[string]any{"config": config(model)}, &added)
		if looked.Canonical != added.Canonical || looked.Message != added.Message || looked.Verified != added.Verified ||
			!slices.Equal(looked.Rules, added.Rules) || looked.Raw != model || looked.Canonical == "" {
			t.Errorf("%q: looked up %+v, added %+v", model, looked, added)
		}
		if (looked.Family != nil) != looked.Verified || (looked.Provider != nil) != looked.Verified {
			t.Errorf("%q: family %v, provider %v, verified %v", model, looked.Family, looked.Provider, looked.Verified)
		}
	}
	for _, model := range []string{"", "  ", string(make([]byte, 161))} {
		if code := agent.Call("lookup_model", map[string]any{"model": model}, nil); code != arena.InvalidArguments {
			t.Errorf("%d bytes: %q", len(model), code)
		}
	}
}

func TestOneModelIsOneBucketHoweverItIsSpelled(t *testing.T) {
	a := arenatest.New(t, arenatest.Settings())
	keys := make(map[arena.BucketKey]bool)
	for i, model := range []string{"anthropic/claude-sonnet-5", "us.anthropic.claude-sonnet-5-20260115-v1:0", "Claude Sonnet 5", "claude_sonnet_5"} {
		agent := a.Register([]string{"ann", "bob", "cyd", "dan"}[i])
		var added struct {
			Bucket arena.BucketKey `json:"bucket_key"`
		}
		agent.Must("add_config", map[string]any{"config": config(model)}, &added)
		keys[added.Bucket] = true
	}
	if len(keys) != 1 {
		t.Errorf("%d buckets", len(keys))
	}
}

func TestANameTellsTheQuantizationThatWasLeftOut(t *testing.T) {
	a := arenatest.New(t, arenatest.Settings())
	agent := a.Register("ann")
	type stored struct {
		Config arena.Config `json:"normalized_config"`
	}
	var told, said, tuned stored
	agent.Must("add_config", map[string]any{"config": config("Qwen3-8B-Q4_K_M.gguf")}, &told)
	if told.Config.Model != "qwen3-8b" || told.Config.Quantization == nil || *told.Config.Quantization != "q4_k_m" {
		t.Errorf("from the name: %+v", told.Config)
	}
	c := config("Qwen3-8B-Q4_K_M.gguf")
	c["quantization"] = "q8"
	agent.Must("add_config", map[string]any{"config": c}, &said)
	if *said.Config.Quantization != "q8" {
		t.Errorf("what was said gives way to the name: %+v", said.Config)
	}
	agent.Must("add_config", map[string]any{"config": config("ft:gpt-4o-mini:acme::7")}, &tuned)
	if tuned.Config.Model != "gpt-4o-mini" || tuned.Config.Finetuned == nil || !*tuned.Config.Finetuned {
		t.Errorf("a fine-tuned copy: %+v", tuned.Config)
	}
}

func TestARegisteredNameIsSuggestedToTheNext(t *testing.T) {
	a := arenatest.New(t, arenatest.Settings())
	agent := a.Register("ann")
	agent.Must("add_config", map[string]any{"config": config("zonkulator-3-mini")}, nil)
	var r reading
	agent.Must("lookup_model", map[string]any{"model": "zonkulator-4-mini"}, &r)
	if r.Verified || !slices.Contains(r.Close, "zonkulator-3-mini") {
		t.Errorf("%+v", r)
	}
}

func TestTheRegistryListsEveryModel(t *testing.T) {
	a := arenatest.New(t, arenatest.Settings())
	var list struct {
		Models []struct {
			ID, Family, Provider string
			Reserved             bool
		}
	}
	a.Register("ann").Must("registry", nil, &list)
	if len(list.Models) < 1000 {
		t.Fatalf("%d models", len(list.Models))
	}
	reserved := 0
	for i, m := range list.Models {
		if i > 0 && list.Models[i-1].ID >= m.ID {
			t.Errorf("%s after %s", m.ID, list.Models[i-1].ID)
		}
		if m.Reserved {
			reserved++
		}
	}
	if reserved != 21 { // the random mover, 7 levels of Stockfish, 13 rungs of the built-in engine
		t.Errorf("%d reserved names", reserved)
	}
}
