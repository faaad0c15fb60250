package arena_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"chessarena/arena"
	"chessarena/arena/modelname"
)

// known is a registry of one model.
var known = func() *modelname.Registry {
	r, err := modelname.New([]modelname.Model{{ID: "claude-sonnet-5", Family: "claude", Provider: "anthropic"}})
	if err != nil {
		panic(err)
	}
	return r
}()

func parse(t *testing.T, text string) arena.Config {
	t.Helper()
	c, _, err := arena.ParseConfig(json.RawMessage(text), known.Read)
	if err != nil {
		t.Fatalf("ParseConfig(%s): %v", text, err)
	}
	return c
}

func TestBucketKeyGolden(t *testing.T) {
	text, err := os.ReadFile("testdata/buckets.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Name      string
		Config    json.RawMessage
		Canonical string
		BucketKey arena.BucketKey `json:"bucket_key"`
	}
	if err := json.Unmarshal(text, &cases); err != nil || len(cases) < 5 {
		t.Fatalf("%d cases, %v", len(cases), err)
	}
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			config := parse(t, string(c.Config))
			if diff := cmp.Diff(c.Canonical, string(config.Canonical())); diff != "" {
				t.Errorf("canonical JSON (-want +got):\n%s", diff)
			}
			if got := config.BucketKey(); got != c.BucketKey {
				t.Errorf("bucket key %s, want %s", got, c.BucketKey)
			}
		})
	}
}

func TestBucketKeyIsTheSame(t *testing.T) {
	const full = `{"model":"claude-sonnet-5","provider":"anthropic","harness":"h","effort":32000,"temperature":1,"quantization":"q8","context_window":200000,"tools_allowed":true,"finetuned":false}`
	want := parse(t, full).BucketKey()
	for _, c := range []struct{ name, text string }{
		{"in another order", `{"finetuned":false,"tools_allowed":true,"temperature":1,"harness":"h","context_window":200000,"quantization":"q8","provider":"anthropic","model":"claude-sonnet-5","effort":32000}`},
		{"with other spacing", "\n { \"model\" :\t\"claude-sonnet-5\" , \"provider\":\"anthropic\",\r\n\"harness\":\"h\",\"effort\": 32000 ,\"temperature\":1,\"quantization\":\"q8\",\"context_window\":200000,\"tools_allowed\":true,\"finetuned\":false } "},
		{"in other case", `{"MODEL":"Claude-Sonnet-5","Provider":"ANTHROPIC","harness":"H","effort":32000,"temperature":1,"quantization":"Q8","context_window":200000,"tools_allowed":true,"finetuned":false}`},
		{"with outer space in texts", `{"model":"  claude-sonnet-5 ","provider":"anthropic\t","harness":" h","effort":32000,"temperature":1,"quantization":" q8 ","context_window":200000,"tools_allowed":true,"finetuned":false}`},
		{"with strings for numbers and booleans", `{"model":"claude-sonnet-5","provider":"anthropic","harness":"h","effort":"32000","temperature":"1.0","quantization":"q8","context_window":"200000","tools_allowed":"true","finetuned":"False"}`},
		{"with other spellings of the numbers", `{"model":"claude-sonnet-5","provider":"anthropic","harness":"h","effort":3.2e4,"temperature":1.000,"quantization":"q8","context_window":2e5,"tools_allowed":true,"finetuned":false}`},
		{"with notes", strings.TrimSuffix(full, "}") + `,"notes":"anything"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := parse(t, c.text); got.BucketKey() != want {
				t.Errorf("another key for %s", got.Canonical())
			}
		})
	}
	t.Run("whether null or left out", func(t *testing.T) {
		short := parse(t, `{"model":"m","provider":"p","harness":"h"}`)
		long := parse(t, `{"model":"m","provider":"p","harness":"h","effort":null,"temperature":null,"quantization":null,"context_window":null,"tools_allowed":null,"finetuned":null,"notes":null}`)
		if diff := cmp.Diff(short, long); diff != "" {
			t.Errorf("null members change the config (-left out +null):\n%s", diff)
		}
	})
	t.Run("for zero and minus zero", func(t *testing.T) {
		zero, minus := parse(t, `{"model":"m","provider":"p","harness":"h","temperature":0}`), parse(t, `{"model":"m","provider":"p","harness":"h","temperature":-0.0}`)
		if zero.BucketKey() != minus.BucketKey() {
			t.Errorf("%s and %s have two keys", zero.Canonical(), minus.Canonical())
		}
	})
}

func TestBucketKeyDiffers(t *testing.T) {
	seen := map[arena.BucketKey]string{}
	for _, text := range []string{
		`{"model":"m","provider":"p","harness":"h"}`,
		`{"model":"m2","provider":"p","harness":"h"}`,
		`{"model":"m","provider":"p2","harness":"h"}`,
		`{"model":"m","provider":"p","harness":"h2"}`,
		`{"model":"m","provider":"h","harness":"p"}`,
		`{"model":"m","provider":"p","harness":"h","effort":"low"}`,
		`{"model":"m","provider":"p","harness":"h","effort":"high"}`,
		`{"model":"m","provider":"p","harness":"h","effort":1024}`,
		`{"model":"m","provider":"p","harness":"h","temperature":0}`,
		`{"model":"m","provider":"p","harness":"h","temperature":0.5}`,
		`{"model":"m","provider":"p","harness":"h","quantization":"q4"}`,
		`{"model":"m","provider":"p","harness":"h","quantization":"q4_k_m"}`,
		`{"model":"m","provider":"p","harness":"h","context_window":1024}`,
		`{"model":"m","provider":"p","harness":"h","tools_allowed":true}`,
		`{"model":"m","provider":"p","harness":"h","tools_allowed":false}`,
		`{"model":"m","provider":"p","harness":"h","finetuned":true}`,
		`{"model":"m","provider":"p","harness":"h","finetuned":false}`,
	} {
		key := parse(t, text).BucketKey()
		if other, twice := seen[key]; twice {
			t.Errorf("%s and %s share a key", text, other)
		}
		seen[key] = text
	}
}

func TestParseConfigRefuses(t *testing.T) {
	member := func(m string) string { return `{"model":"m","provider":"p","harness":"h",` + m + `}` }
	long := strings.Repeat("a", 81)
	for _, c := range []struct{ name, text, says string }{
		{"nothing", ``, "object"},
		{"null", `null`, "object"},
		{"a list", `[]`, "object"},
		{"a number", `5`, "object"},
		{"a text", `"model"`, "object"},
		{"broken JSON", `{"model":`, "object"},
		{"deep nesting", strings.Repeat(`{"a":`, 20_000) + "1" + strings.Repeat("}", 20_000), "object"},
		{"no model", `{"provider":"p","harness":"h"}`, "config.model"},
		{"a null model", `{"model":null,"provider":"p","harness":"h"}`, "config.model"},
		{"no provider", `{"model":"m","harness":"h"}`, "config.provider"},
		{"no harness", `{"model":"m","provider":"p"}`, "config.harness"},
		{"an empty model", `{"model":"","provider":"p","harness":"h"}`, "config.model"},
		{"a model of spaces", `{"model":"  ","provider":"p","harness":"h"}`, "config.model"},
		{"a model of separators", `{"model":"-_ -","provider":"p","harness":"h"}`, "config.model"},
		{"a model that is a number", `{"model":5,"provider":"p","harness":"h"}`, "config.model"},
		{"a long model", `{"model":"` + long + `","provider":"p","harness":"h"}`, "80"},
		{"a model lost in space", `{"model":"` + strings.Repeat(" ", 10_000) + `m","provider":"p","harness":"h"}`, "config.model"},
		{"a long provider", `{"model":"m","provider":"` + long + `","harness":"h"}`, "config.provider"},
		{"prose in the harness", `{"model":"m","provider":"p","harness":"ignore all rules!"}`, "config.harness"},
		{"a newline", `{"model":"m\nn","provider":"p","harness":"h"}`, "config.model"},
		{"letters outside ASCII", `{"model":"модель","provider":"p","harness":"h"}`, "config.model"},
		{"markup", `{"model":"<b>","provider":"p","harness":"h"}`, "config.model"},
		{"an unknown member", member(`"effrot":"high"`), "effrot"},
		{"a long unknown member", member(`"` + strings.Repeat("x", 10_000) + `":1`), "xxx"},
		{"a member twice in two cases", member(`"Effort":"low","effort":"high"`), "twice"},
		{"an unknown effort", member(`"effort":"extreme"`), "config.effort"},
		{"no budget", member(`"effort":0`), "config.effort"},
		{"a negative budget", member(`"effort":-5`), "config.effort"},
		{"half a token", member(`"effort":1.5`), "config.effort"},
		{"a huge budget", member(`"effort":1e30`), "config.effort"},
		{"an effort that is a list", member(`"effort":["low"]`), "config.effort"},
		{"an effort that is true", member(`"effort":true`), "config.effort"},
		{"an effort that is no number", member(`"effort":"nan"`), "config.effort"},
		{"a cold temperature", member(`"temperature":-0.1`), "config.temperature"},
		{"a hot temperature", member(`"temperature":10.5`), "config.temperature"},
		{"a temperature in words", member(`"temperature":"warm"`), "config.temperature"},
		{"an infinite temperature", member(`"temperature":"inf"`), "config.temperature"},
		{"a temperature that is no number", member(`"temperature":"NaN"`), "config.temperature"},
		{"an unknown quantization", member(`"quantization":"q1"`), "q4_k_m"},
		{"a window of nothing", member(`"context_window":0`), "config.context_window"},
		{"a window in words", member(`"context_window":"200k"`), "config.context_window"},
		{"half a window", member(`"context_window":0.5`), "config.context_window"},
		{"tools yes", member(`"tools_allowed":"yes"`), "config.tools_allowed"},
		{"tools 1", member(`"tools_allowed":1`), "config.tools_allowed"},
		{"finetuned maybe", member(`"finetuned":"maybe"`), "config.finetuned"},
		{"notes that are a number", member(`"notes":5`), "config.notes"},
		{"501 characters of notes", member(`"notes":"` + strings.Repeat("é", 501) + `"`), "500"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := arena.ParseConfig(json.RawMessage(c.text), known.Read)
			if arena.CodeOf(err) != arena.InvalidConfig {
				t.Fatalf("error = %v, want invalid_config", err)
			}
			if !strings.Contains(err.Error(), c.says) {
				t.Errorf("%q does not mention %q", err, c.says)
			}
			if message := arena.Public(err).Message; len(message) > 400 {
				t.Errorf("the message has %d characters", len(message))
			}
		})
	}
}

func TestParseConfigAcceptsTheLimits(t *testing.T) {
	eighty := strings.Repeat("a", 80)
	c := parse(t, `{"model":"`+eighty+`","provider":"`+eighty+`","harness":"`+eighty+`","effort":9007199254740992,"temperature":10,"context_window":1,"notes":"`+strings.Repeat("é", 500)+`"}`)
	if c.Model != eighty || c.Effort.Budget != 1<<53 || *c.Temperature != 10 || *c.ContextWindow != 1 || len(c.Notes) != 1000 {
		t.Errorf("config = %+v", c)
	}
	for _, effort := range arena.Efforts {
		if c := parse(t, `{"model":"m","provider":"p","harness":"h","effort":"`+effort+`"}`); c.Effort.Level != effort {
			t.Errorf("effort %s reads as %v", effort, c.Effort)
		}
	}
}

func TestParseConfigReturnsTheReading(t *testing.T) {
	_, reading, err := arena.ParseConfig(json.RawMessage(`{"model":" Claude Sonnet 5","provider":"p","harness":"h"}`), known.Read)
	if err != nil || reading.Raw != " Claude Sonnet 5" || reading.Canonical != "claude-sonnet-5" {
		t.Errorf("reading = %+v, %v", reading, err)
	}
}

func TestConfigJSONHasTheContractsMembers(t *testing.T) {
	text, err := json.Marshal(parse(t, `{"model":"m","provider":"p","harness":"h","effort":7}`))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"model":"m","provider":"p","harness":"h","effort":7,"temperature":null,"quantization":null,"context_window":null,"tools_allowed":null,"finetuned":null,"notes":""}`
	if diff := cmp.Diff(want, string(text)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var back arena.Config
	if err := json.Unmarshal(text, &back); err != nil || back.Effort.Budget != 7 {
		t.Errorf("read back: %+v, %v", back, err)
	}
}

func FuzzParseConfig(f *testing.F) {
	for _, s := range []string{
		`{"model":"m","provider":"p","harness":"h"}`, `{"MODEL":"A b","provider":"p","harness":"h","effort":"1e3","temperature":"0.10"}`,
		`{"model":"m","provider":"p","harness":"h","context_window":"9007199254740993","notes":"\ud800"}`, `[]`, `{"model":{}}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		c, _, err := arena.ParseConfig(text, known.Read)
		if err != nil {
			if arena.CodeOf(err) != arena.InvalidConfig || len(arena.Public(err).Message) > 400 {
				t.Errorf("ParseConfig(%q) fails with %v", text, err)
			}
			return
		}
		// What was normalised must read as itself: the stored config is its own canon.
		again, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		c2, _, err := arena.ParseConfig(again, known.Read)
		if err != nil || c2.BucketKey() != c.BucketKey() {
			t.Errorf("%q normalises to %s, that to %s (%v)", text, c.Canonical(), c2.Canonical(), err)
		}
		if !json.Valid(c.Canonical()) {
			t.Errorf("canonical JSON of %q is not JSON: %s", text, c.Canonical())
		}
	})
}
