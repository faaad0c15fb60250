package arena

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"chessarena/arena/modelname"
)

// Config says what is playing: the model and everything about its set-up that may
// change how well it plays. Two configs with the same members except Notes are one
// bucket and share a rating. Optional members are nil when left out.
type Config struct {
	Model         string   `json:"model"`
	Provider      string   `json:"provider"`
	Harness       string   `json:"harness"`
	Effort        *Effort  `json:"effort"`
	Temperature   *float64 `json:"temperature"`
	Quantization  *string  `json:"quantization"`
	ContextWindow *int64   `json:"context_window"`
	ToolsAllowed  *bool    `json:"tools_allowed"`
	Finetuned     *bool    `json:"finetuned"`
	Notes         string   `json:"notes"`
}

// Effort is a named level (low, medium, high, max) or a token budget.
type Effort struct {
	Level  string // "" when Budget is meant
	Budget int64  // tokens, from 1
}

// MarshalJSON writes the level as a string, the budget as a number.
func (e Effort) MarshalJSON() ([]byte, error) {
	if e.Level != "" {
		return json.Marshal(e.Level)
	}
	return json.Marshal(e.Budget)
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (e *Effort) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		return json.Unmarshal(b, &e.Level)
	}
	return json.Unmarshal(b, &e.Budget)
}

func (e Effort) String() string {
	if e.Level != "" {
		return e.Level
	}
	return strconv.FormatInt(e.Budget, 10)
}

// Limits on a config's members.
const (
	configTextMax  = 80
	notesMax       = 500
	temperatureMax = 10
	countMax       = 1 << 53 // token counts must survive a float64
)

// Efforts and Quantizations are the accepted words, in the order they are listed to
// a client.
var (
	Efforts       = []string{"low", "medium", "high", "max"}
	Quantizations = []string{"fp16", "bf16", "q8", "q6", "q5", "q4", "q4_k_m", "q3", "q2", "other"}
)

// ConfigFields lists the members of a config in the contract's order.
var ConfigFields = []string{"model", "provider", "harness", "effort", "temperature", "quantization",
	"context_window", "tools_allowed", "finetuned", "notes"}

// ParseConfig reads a submitted config object, checks every member and normalises it:
// text is trimmed and lower-cased, the model goes through read, which may also tell the
// quantization and finetuned. A null member counts as left out; a number or boolean may
// come as a string. Any fault is InvalidConfig.
func ParseConfig(raw json.RawMessage, read func(string) modelname.Reading) (Config, modelname.Reading, error) {
	members, err := configMembers(raw)
	if err != nil {
		return Config{}, modelname.Reading{}, err
	}
	p := configParser{members: members}
	p.text("model")
	c := Config{
		Provider:      strings.ToLower(p.text("provider")),
		Harness:       strings.ToLower(p.text("harness")),
		Effort:        p.effort(),
		Temperature:   p.temperature(),
		Quantization:  p.quantization(),
		ContextWindow: p.contextWindow(),
		ToolsAllowed:  p.boolean("tools_allowed"),
		Finetuned:     p.boolean("finetuned"),
		Notes:         p.notes(),
	}
	if p.err != nil {
		return Config{}, modelname.Reading{}, p.err
	}
	var model string // whole: the reading shows outer space too
	if err := json.Unmarshal(members["model"], &model); err != nil {
		return Config{}, modelname.Reading{}, Errorf(InvalidConfig, "config.model must be a string.").Because(err)
	}
	reading := read(model)
	c.Model = reading.Canonical
	// What the name itself tells fills in what was left out.
	if c.Quantization == nil && reading.Quantization != "" {
		c.Quantization = &reading.Quantization
	}
	if c.Finetuned == nil && reading.Finetuned {
		c.Finetuned = ptr(true)
	}
	if c.Model == "" {
		return Config{}, reading, Errorf(InvalidConfig, "config.model names nothing once spaces and separators are taken away.")
	}
	return c, reading, nil
}

func configMembers(raw json.RawMessage) (map[string]json.RawMessage, error) {
	var object map[string]json.RawMessage
	if err := json.Unmarshal(raw, &object); err != nil || object == nil {
		return nil, Errorf(InvalidConfig, "config must be a JSON object with model, provider and harness; known members: %s.", strings.Join(ConfigFields, ", "))
	}
	members := make(map[string]json.RawMessage, len(object))
	for name, value := range object {
		key := strings.ToLower(strings.TrimSpace(name))
		if !slices.Contains(ConfigFields, key) {
			return nil, Errorf(InvalidConfig, "config has no member %s; known members: %s.", Quote(name), strings.Join(ConfigFields, ", "))
		}
		if _, twice := members[key]; twice {
			return nil, Errorf(InvalidConfig, "config gives %s twice.", key)
		}
		if !bytes.Equal(bytes.TrimSpace(value), []byte("null")) {
			members[key] = value
		}
	}
	return members, nil
}

// configParser reads one member after another and keeps the first fault.
type configParser struct {
	members map[string]json.RawMessage
	err     error
}

func (p *configParser) fail(format string, args ...any) {
	if p.err == nil {
		p.err = Errorf(InvalidConfig, format, args...)
	}
}

// text reads a required string of the restricted alphabet. The alphabet is narrow
// because these texts are shown to other agents: no agent can write prose into them.
func (p *configParser) text(name string) string {
	raw, ok := p.members[name]
	if !ok {
		p.fail("config.%s is missing.", name)
		return ""
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		p.fail("config.%s must be a string.", name)
		return ""
	}
	untrimmed := len(s) // bounded too: the raw model is kept with its outer space
	s = strings.TrimSpace(s)
	if s == "" || len(s) > configTextMax || untrimmed > 2*configTextMax || strings.IndexFunc(s, func(r rune) bool { return !isConfigRune(r) }) >= 0 {
		p.fail("config.%s must be 1 to %d characters: letters A-Z a-z, digits, space and . _ - : / + @ ( ) ~ *.", name, configTextMax)
		return ""
	}
	return s
}

func isConfigRune(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-:/+@()~* ", r)
}

func (p *configParser) effort() *Effort {
	raw, ok := p.members["effort"]
	if !ok {
		return nil
	}
	s := strings.ToLower(scalar(raw))
	if slices.Contains(Efforts, s) {
		return &Effort{Level: s}
	}
	n, err := strconv.ParseFloat(s, 64)
	if err != nil || n != math.Trunc(n) || n < 1 || n > countMax {
		p.fail("config.effort must be %s or a whole number of tokens from 1.", strings.Join(Efforts, ", "))
		return nil
	}
	return &Effort{Budget: int64(n)}
}

func (p *configParser) temperature() *float64 {
	raw, ok := p.members["temperature"]
	if !ok {
		return nil
	}
	n, err := strconv.ParseFloat(scalar(raw), 64)
	if err != nil || math.IsNaN(n) || n < 0 || n > temperatureMax {
		p.fail("config.temperature must be a number from 0 to %d.", temperatureMax)
		return nil
	}
	n += 0 // no negative zero in a bucket key
	return &n
}

func (p *configParser) quantization() *string {
	raw, ok := p.members["quantization"]
	if !ok {
		return nil
	}
	s := strings.ToLower(scalar(raw))
	if !slices.Contains(Quantizations, s) {
		p.fail("config.quantization must be one of %s.", strings.Join(Quantizations, ", "))
		return nil
	}
	return &s
}

func (p *configParser) contextWindow() *int64 {
	raw, ok := p.members["context_window"]
	if !ok {
		return nil
	}
	f, err := strconv.ParseFloat(scalar(raw), 64)
	if err != nil || f != math.Trunc(f) || f < 1 || f > countMax {
		p.fail("config.context_window must be a whole number of tokens from 1.")
		return nil
	}
	n := int64(f)
	return &n
}

func (p *configParser) boolean(name string) *bool {
	raw, ok := p.members[name]
	if !ok {
		return nil
	}
	switch strings.ToLower(scalar(raw)) {
	case "true":
		return ptr(true)
	case "false":
		return ptr(false)
	}
	p.fail("config.%s must be true or false.", name)
	return nil
}

func (p *configParser) notes() string {
	raw, ok := p.members["notes"]
	if !ok {
		return ""
	}
	var s string
	if json.Unmarshal(raw, &s) != nil || utf8.RuneCountInString(s) > notesMax {
		p.fail("config.notes must be a text of at most %d characters.", notesMax)
		return ""
	}
	return s
}

// scalar returns the text of a JSON number or boolean, or of a string without its
// quotes; anything else reads as a text that no member accepts.
func scalar(raw json.RawMessage) string {
	raw = bytes.TrimSpace(raw)
	if len(raw) > 0 && raw[0] == '"' {
		var s string
		if json.Unmarshal(raw, &s) != nil {
			return "?"
		}
		return strings.TrimSpace(s)
	}
	return string(raw)
}

func ptr[T any](v T) *T { return &v }

// BucketKey is the hex sha256 of a config's canonical JSON; it names a bucket.
type BucketKey string

// Canonical returns the JSON that the bucket key hashes: every member but notes in
// alphabetical order, no spaces, null for what was left out, numbers in their
// shortest form (1.0 is 1).
func (c Config) Canonical() []byte {
	var b bytes.Buffer
	member := func(name string, value any) {
		if b.Len() == 0 {
			b.WriteByte('{')
		} else {
			b.WriteByte(',')
		}
		text, err := json.Marshal(value)
		if err != nil {
			panic(fmt.Sprintf("canonical config: %v", err)) // finite numbers and plain strings only
		}
		fmt.Fprintf(&b, "%q:%s", name, text)
	}
	member("context_window", c.ContextWindow)
	member("effort", c.Effort)
	member("finetuned", c.Finetuned)
	member("harness", c.Harness)
	member("model", c.Model)
	member("provider", c.Provider)
	member("quantization", c.Quantization)
	member("temperature", c.Temperature)
	member("tools_allowed", c.ToolsAllowed)
	b.WriteByte('}')
	return b.Bytes()
}

// BucketKey returns the key of the bucket c belongs to.
func (c Config) BucketKey() BucketKey {
	sum := sha256.Sum256(c.Canonical())
	return BucketKey(hex.EncodeToString(sum[:]))
}
