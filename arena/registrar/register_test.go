package registrar

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"chessarena/arena"
	"chessarena/arena/modelname"
	"chessarena/arena/tool"
)

// names lists the members of an answer in order of the alphabet.
func names(t *testing.T, a tool.Answer) []string {
	t.Helper()
	return slices.Sorted(maps.Keys(decode[map[string]any](t, a)))
}

// sorted is the contract's list of members as it stands there, in order of the alphabet.
func sorted(list string) []string {
	words := strings.Fields(list)
	slices.Sort(words)
	return words
}

func TestRegisterAnswersAsTheContractSays(t *testing.T) {
	o := openOffice(t, nil)
	a := o.call("", "", "register", `{"nickname":"Deep-Thought","config":{"model":"Claude Sonnet 5","provider":"Anthropic","harness":"H 1","effort":"high"}}`)
	want := sorted(`key fingerprint nickname config_id bucket_key model_canonical model_raw model_version model_verified applied_rules did_you_mean model_message message`)
	if diff := cmp.Diff(want, names(t, a)); diff != "" {
		t.Fatalf("members (-contract +got):\n%s", diff)
	}
	r := decode[RegisterResult](t, a)
	name, secret, _ := strings.Cut(string(r.Key), ".")
	if len(r.Key) != 300 || name != "Deep-Thought" || strings.ContainsAny(secret, "0OlI.") {
		t.Errorf("a key of %d characters for %q", len(r.Key), name)
	}
	if r.Fingerprint != r.Key.Fingerprint() || r.Nickname != "Deep-Thought" || r.ConfigID < 1 || len(r.BucketKey) != 64 {
		t.Errorf("answer %+v", r)
	}
	wantReading := modelname.Reading{
		Canonical: "claude-sonnet-5", Raw: "Claude Sonnet 5", Verified: true,
		AppliedRules: []string{"lowercase", "spaces_underscores_to_hyphen"}, DidYouMean: []string{}, Message: r.Reading.Message,
	}
	if diff := cmp.Diff(wantReading, r.Reading); diff != "" || r.Reading.Message == "" {
		t.Errorf("reading (-want +got):\n%s", diff)
	}
	if !strings.Contains(r.Message, "Save this key") {
		t.Errorf("message %q", r.Message)
	}
	agent, hash := o.agent("Deep-Thought")
	if agent.Status != arena.AgentActive || agent.Fingerprint != r.Fingerprint || !strings.HasPrefix(hash, "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Errorf("stored: %+v with %s", agent, hash)
	}
}

func TestTheNewKeyWorksWithoutAnotherHash(t *testing.T) {
	o := openOffice(t, nil)
	r := o.mustRegister("alice")
	o.must("", r.Key)
	if n := o.keys.hashes.Load(); n != 1 {
		t.Errorf("%d hashes for registering and calling, want 1", n)
	}
}

func TestKeysComeFromTheEntropy(t *testing.T) {
	o := openOffice(t, nil)
	o.entropy = strings.NewReader(strings.Repeat("\x00", 1000))
	if r := o.mustRegister("alice"); r.Key != arena.Key("alice."+strings.Repeat("1", 294)) {
		t.Errorf("the key is not made of the entropy's zeros: %.20s…", string(r.Key))
	}
	o.entropy = strings.NewReader("")
	mustBe(t, o.call("", "", "register", `{"nickname":"bertha","config":`+plain+`}`), arena.Internal)
}

func TestRegisterUsesTheModelReader(t *testing.T) {
	o := openOffice(t, nil)
	o.readModel = func(raw string) modelname.Reading {
		return modelname.Reading{Canonical: "snapped", Raw: raw, Verified: true}
	}
	if r := o.mustRegister("alice"); r.Canonical != "snapped" || !r.Verified {
		t.Errorf("reading %+v", r.Reading)
	}
	rows := decode[ListConfigsResult](t, o.must("", o.mustRegister("bertha").Key)).Configs
	if rows[0].Model != "snapped" {
		t.Errorf("stored model %q", rows[0].Model)
	}
}

func TestRegisterRefuses(t *testing.T) {
	o := openOffice(t, nil)
	o.mustRegister("alice")
	for _, c := range []struct {
		name, args string
		code       arena.Code
	}{
		{"no arguments", `{}`, arena.InvalidArguments},
		{"no config", `{"nickname":"bertha"}`, arena.InvalidArguments},
		{"a short nickname", `{"nickname":"al","config":` + plain + `}`, arena.InvalidChars},
		{"a reserved nickname", `{"nickname":"H0use","config":` + plain + `}`, arena.Reserved},
		{"a config without model", `{"nickname":"bertha","config":{}}`, arena.InvalidConfig},
		{"a config that is a text", `{"nickname":"bertha","config":"gpt"}`, arena.InvalidConfig},
		{"a taken nickname", `{"nickname":"alice","config":` + plain + `}`, arena.NicknameTaken},
		{"a taken nickname in other case", `{"nickname":"ALICE","config":` + plain + `}`, arena.NicknameTaken},
		{"a look-alike", `{"nickname":"4l1-c_3","config":` + plain + `}`, arena.NicknameTaken},
		{"a bad nickname before a bad config", `{"nickname":"a b","config":{}}`, arena.InvalidChars},
	} {
		t.Run(c.name, func(t *testing.T) { mustBe(t, o.call("", "", "register", c.args), c.code) })
	}
	if n := o.keys.hashes.Load(); n != 1 {
		t.Errorf("%d hashes, want alice's only", n)
	}
}

func TestANicknameWhoseConfigIsRefusedStaysFree(t *testing.T) {
	o := openOffice(t, nil)
	mustBe(t, o.call("", "", "register", `{"nickname":"alice","config":{"model":"m"}}`), arena.InvalidConfig)
	// A config that is good and cannot be stored: the nickname must go with it.
	o.behind(`CREATE TRIGGER no_configs BEFORE INSERT ON configs BEGIN SELECT raise(ABORT, 'no'); END`)
	mustBe(t, o.call("", "", "register", `{"nickname":"alice","config":`+plain+`}`), arena.Internal)
	o.behind(`DROP TRIGGER no_configs`)
	o.mustRegister("alice")
}

func TestOfTwoRegistrationsOfANicknameOneWins(t *testing.T) {
	o := openOffice(t, nil)
	var (
		wg      sync.WaitGroup
		mu      sync.Mutex
		answers []tool.Answer
	)
	for _, nickname := range []string{"oslo", "0slo", "OSLO", "o-s-l-o", "os1o", "oslo"} {
		wg.Go(func() {
			a := o.call("", "", "register", `{"nickname":"`+nickname+`","config":`+plain+`}`)
			mu.Lock()
			defer mu.Unlock()
			answers = append(answers, a)
		})
	}
	wg.Wait()
	var winner arena.Key
	for _, a := range answers {
		if a.Err == nil && winner == "" {
			winner = decode[RegisterResult](t, a).Key
		} else {
			mustBe(t, a, arena.NicknameTaken)
		}
	}
	o.must("", winner)
}

func TestRegisterLimitsAddresses(t *testing.T) {
	o := openOffice(t, func(s *arena.Settings) { s.RegisterPerHour = 2 })
	register := func(addr, nickname string) tool.Answer {
		return o.call(addr, "", "register", `{"nickname":"`+nickname+`","config":`+plain+`}`)
	}
	mustBe(t, register("192.0.2.1", "first"), "")
	for range 5 { // none of these counts
		mustBe(t, register("192.0.2.1", "first"), arena.NicknameTaken)
		mustBe(t, register("192.0.2.1", "x"), arena.InvalidChars)
		mustBe(t, o.call("192.0.2.1", "", "register", `{"nickname":"other","config":{}}`), arena.InvalidConfig)
	}
	mustBe(t, register("::ffff:192.0.2.1", "second"), "")
	spent := o.keys.hashes.Load()
	refused := register("192.0.2.1", "third")
	mustBe(t, refused, arena.RateLimited)
	// Two an hour: the next one is due half an hour after the first, less what has passed.
	if after := decodeRefusal(t, refused).RetryAfter; after < 1700 || after > 1800 {
		t.Errorf("retry_after_s is %d, want about 1800", after)
	}
	if o.keys.hashes.Load() != spent {
		t.Error("a refused registration was hashed")
	}
	mustBe(t, register("192.0.2.2", "third"), "")
	for i, addr := range []string{"2001:db8::1", "2001:db8::2:2"} {
		mustBe(t, register(addr, "six"+string(rune('a'+i))), "")
	}
	mustBe(t, register("2001:db8::3:3:3", "sixc"), arena.RateLimited)
	mustBe(t, register("2001:db8:0:1::1", "sixc"), "")
}

func TestAFailureOfTheArenaUsesUpNoRegistration(t *testing.T) {
	o := openOffice(t, func(s *arena.Settings) { s.RegisterPerHour = 1 })
	o.behind(`CREATE TRIGGER no_names BEFORE INSERT ON nicknames BEGIN SELECT raise(ABORT, 'no'); END`)
	for range 3 {
		mustBe(t, o.call("192.0.2.1", "", "register", `{"nickname":"alice","config":`+plain+`}`), arena.Internal)
	}
	o.behind(`DROP TRIGGER no_names`)
	mustBe(t, o.call("192.0.2.1", "", "register", `{"nickname":"alice","config":`+plain+`}`), "")
}

type refusal struct {
	Error      arena.Code `json:"error"`
	Message    string     `json:"message"`
	RetryAfter int64      `json:"retry_after_s"`
}

func decodeRefusal(t *testing.T, a tool.Answer) (r refusal) {
	t.Helper()
	if err := json.Unmarshal(a.JSON, &r); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestKeysAreNowhereButInTheAnswer(t *testing.T) {
	o := openOffice(t, func(s *arena.Settings) { s.ToolsPerMinute = 3 })
	r := o.mustRegister("alice")
	_, secret, _ := strings.Cut(string(r.Key), ".")
	answers := []tool.Answer{
		o.must("", r.Key),
		o.must(arena.BadKey, r.Key+"x"),
		o.must(arena.MalformedKey, arena.Key(secret)),
		o.must(arena.UnknownKey, arena.Key("bertha."+secret)),
		o.call("", string(r.Key), "add_config", `{"config":{"model":"`+secret[:60]+`"}}`),
		o.call("", string(r.Key), "whoami", `{"key":"bertha.`+secret+`"}`),
		o.call("", string(r.Key), "whoami", `{}`),
		o.must(arena.RateLimited, r.Key),
	}
	o.behind(`UPDATE nicknames SET key_hash = 'damaged', key_generation = 2`)
	answers = append(answers, o.must(arena.Internal, r.Key))
	o.behind(`DROP TABLE configs`)
	answers = append(answers, o.call("", "", "register", `{"nickname":"bertha","config":`+plain+`}`))
	for _, a := range answers {
		if strings.Contains(string(a.JSON), secret[:40]) || a.Err != nil && strings.Contains(a.Err.Error(), secret[:40]) {
			t.Errorf("an answer holds the key: %s", a.JSON)
		}
	}
	if log := o.log.String(); strings.Contains(log, secret[:40]) || !strings.Contains(log, "call failed") {
		t.Errorf("the log holds the key, or no failure at all:\n%s", log)
	}
	for _, suffix := range []string{"", "-wal"} {
		file, err := os.ReadFile(o.path + suffix)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(file), secret[:16]) {
			t.Errorf("the key stands in arena.db%s", suffix)
		}
	}
}
