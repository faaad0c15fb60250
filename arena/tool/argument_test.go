package tool_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"chessarena/arena"
	"chessarena/arena/tool"
)

// arguments has a member of every kind that a tool can take.
type arguments struct {
	Text   string          `json:"text" doc:"a text"`
	Count  int             `json:"count" min:"0" max:"100" doc:"a number within bounds"`
	Wait   *int            `json:"wait" min:"0" max:"600" clamp:"true" doc:"a number that is moved into bounds"`
	Big    int64           `json:"big" doc:"any whole number"`
	Ratio  float64         `json:"ratio" doc:"any number"`
	Flag   *bool           `json:"flag" doc:"true or false"`
	Object json.RawMessage `json:"object" doc:"an object"`
	Game   *arena.GameID   `json:"game" code:"invalid_game_id" doc:"a game"`
	Config int64           `json:"config" code:"invalid_config_id" min:"1" doc:"a number with a code of its own"`
	List   []string        `json:"list" doc:"some texts"`
	Word   string          `json:"word" enum:"any,none" doc:"one of two words; the function refuses others"`
}

func echoSet() *tool.Set {
	s := &tool.Set{Gate: &gate{}, Strict: true}
	s.Add(echo[arguments](tool.Spec{Name: "echo"}))
	return s
}

func TestArgumentsAreReadWithPatience(t *testing.T) {
	set := echoSet()
	for _, c := range []struct{ name, args, member, want string }{
		{"a text", `{"text":"é"}`, "text", `"é"`},
		{"a text of digits stays one", `{"text":"12"}`, "text", `"12"`},
		{"a 10 kB text", `{"text":"` + strings.Repeat("x", 10_000) + `"}`, "text", `"` + strings.Repeat("x", 10_000) + `"`},
		{"a number", `{"count":12}`, "count", `12`},
		{"a number in a string", `{"count":"12"}`, "count", `12`},
		{"a number in a string with space", `{"count":" 12 "}`, "count", `12`},
		{"a whole number with a point", `{"count":12.0}`, "count", `12`},
		{"a whole number with an exponent", `{"count":"1.2e1"}`, "count", `12`},
		{"minus zero", `{"count":-0.0}`, "count", `0`},
		{"a number above its clamped maximum", `{"wait":100000}`, "wait", `600`},
		{"a number below its clamped minimum", `{"wait":"-5"}`, "wait", `0`},
		{"an absent number", `{}`, "wait", `null`},
		{"a null number", `{"wait":null}`, "wait", `null`},
		{"a number beyond float64's whole ones", `{"big":9007199254740993}`, "big", `9007199254740993`},
		{"the same in a string", `{"big":"9007199254740993"}`, "big", `9007199254740993`},
		{"a fraction", `{"ratio":"0.5"}`, "ratio", `0.5`},
		{"a whole fraction", `{"ratio":2}`, "ratio", `2`},
		{"true", `{"flag":true}`, "flag", `true`},
		{"true in a string", `{"flag":"true"}`, "flag", `true`},
		{"False in a string", `{"flag":"False"}`, "flag", `false`},
		{"1 for true", `{"flag":1}`, "flag", `true`},
		{"a null flag", `{"flag":null}`, "flag", `null`},
		{"an object", `{"object":{"a":1}}`, "object", `{"a":1}`},
		{"an object in a string", `{"object":" {\"a\":1} "}`, "object", `{"a":1}`},
		{"a text where an object is meant is left to the function", `{"object":"nonsense"}`, "object", `"nonsense"`},
		{"so is a broken object in a string", `{"object":"{\"a\":"}`, "object", `"{\"a\":"`},
		{"a game id", `{"game":"0123456789ab"}`, "game", `"0123456789ab"`},
		{"a config id in a string", `{"config":"7"}`, "config", `7`},
		{"a list", `{"list":["a","b"]}`, "list", `["a","b"]`},
		{"a list in a string", `{"list":"[\"a\"]"}`, "list", `["a"]`},
		{"a word that is not listed is left to the function", `{"word":"some"}`, "word", `"some"`},
		{"arguments in a string", `"{\"count\":3}"`, "count", `3`},
		{"arguments with space around", " \n{\"count\":3} ", "count", `3`},
		{"no arguments", ``, "count", `0`},
		{"null arguments", `null`, "count", `0`},
	} {
		t.Run(c.name, func(t *testing.T) {
			answer := set.Call(t.Context(), "echo", json.RawMessage(c.args))
			if answer.Err != nil {
				t.Fatal(answer.Err)
			}
			var got map[string]json.RawMessage
			if err := json.Unmarshal(answer.JSON, &got); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, string(got[c.member])); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.member, diff)
			}
		})
	}
}

func TestArgumentsAreRefused(t *testing.T) {
	set := echoSet()
	for _, c := range []struct {
		name, args string
		code       arena.Code
		says       string
	}{
		{"a list of arguments", `[1]`, arena.InvalidArguments, "object"},
		{"a number of arguments", `5`, arena.InvalidArguments, "object"},
		{"broken JSON", `{"count":`, arena.InvalidArguments, "object"},
		{"two objects", `{} {}`, arena.InvalidArguments, "object"},
		{"arguments in a string in a string", `"\"{}\""`, arena.InvalidArguments, "object"},
		{"deep nesting", strings.Repeat(`{"object":`, 20_000) + `1` + strings.Repeat(`}`, 20_000), arena.InvalidArguments, "object"},
		{"invalid UTF-8", "{\"text\":\"\xff\"}", arena.InvalidArguments, "UTF-8"},
		{"an unknown name", `{"cuont":1}`, arena.InvalidArguments, `"cuont"`},
		{"an unknown name gets the known ones", `{"cuont":1}`, arena.InvalidArguments, "Known arguments: key, text, count, wait,"},
		{"a name in other case", `{"Count":1}`, arena.InvalidArguments, `"Count"`},
		{"a 10 kB unknown name", `{"` + strings.Repeat("x", 10_000) + `":1}`, arena.InvalidArguments, "xxx..."},
		{"a number for a text", `{"text":5}`, arena.InvalidArguments, "text must be a string"},
		{"an object for a text", `{"text":{}}`, arena.InvalidArguments, "text must be a string"},
		{"words for a number", `{"count":"twelve"}`, arena.InvalidArguments, "count must be a whole number"},
		{"10 kB of digits", `{"count":"` + strings.Repeat("1", 10_000) + `"}`, arena.InvalidArguments, "count must be"},
		{"an empty string for a number", `{"count":""}`, arena.InvalidArguments, "count"},
		{"a fraction for a whole number", `{"count":1.5}`, arena.InvalidArguments, "whole"},
		{"true for a number", `{"count":true}`, arena.InvalidArguments, "whole"},
		{"an object for a number", `{"count":{}}`, arena.InvalidArguments, "whole"},
		{"a list for a number", `{"count":[1]}`, arena.InvalidArguments, "whole"},
		{"NaN", `{"count":"NaN"}`, arena.InvalidArguments, "whole"},
		{"infinity", `{"big":"Inf"}`, arena.InvalidArguments, "whole"},
		{"beyond the maximum", `{"count":101}`, arena.InvalidArguments, "at most 100"},
		{"below the minimum", `{"count":-1}`, arena.InvalidArguments, "at least 0"},
		{"beyond int64", `{"big":9223372036854775808}`, arena.InvalidArguments, "whole"},
		{"a clamped number must still be one", `{"wait":"long"}`, arena.InvalidArguments, "wait"},
		{"an infinite fraction", `{"ratio":"Infinity"}`, arena.InvalidArguments, "ratio must be a number"},
		{"a fraction that is no number", `{"ratio":"nan"}`, arena.InvalidArguments, "ratio must be a number"},
		{"maybe", `{"flag":"maybe"}`, arena.InvalidArguments, "true or false"},
		{"2 for a flag", `{"flag":2}`, arena.InvalidArguments, "true or false"},
		{"a text for a game", `{"game":"nope"}`, arena.InvalidGameID, "game_id"},
		{"a number for a game", `{"game":12}`, arena.InvalidGameID, "game must be"},
		{"zero for a config", `{"config":0}`, arena.InvalidConfigID, "at least 1"},
		{"words for a config", `{"config":"first"}`, arena.InvalidConfigID, "whole"},
		{"numbers in a list of texts", `{"list":[1]}`, arena.InvalidArguments, "list"},
		{"a text for a list", `{"list":"a"}`, arena.InvalidArguments, "list"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := mustRefuse(t, set.Call(t.Context(), "echo", json.RawMessage(c.args)), c.code)
			message := m["message"].(string)
			if !strings.Contains(message, c.says) {
				t.Errorf("%q does not say %q", message, c.says)
			}
			if len(message) > 400 {
				t.Errorf("the message has %d bytes", len(message))
			}
		})
	}
}

func TestRequiredArguments(t *testing.T) {
	set := &tool.Set{Gate: &gate{}, Strict: true}
	set.Add(echo[struct {
		Move string `json:"move" arg:"required" doc:"a move"`
	}](tool.Spec{Name: "play"}))
	for _, args := range []string{``, `{}`, `{"move":null}`} {
		m := mustRefuse(t, set.Call(t.Context(), "play", json.RawMessage(args)), arena.InvalidArguments)
		if !strings.Contains(m["message"].(string), "needs the argument move") {
			t.Errorf("%q: %v", args, m["message"])
		}
	}
	if a := set.Call(t.Context(), "play", json.RawMessage(`{"move":""}`)); a.Err != nil {
		t.Errorf("an empty text counts as missing: %v", a.Err)
	}
}

func TestAToolWithoutArgumentsSaysSo(t *testing.T) {
	set := &tool.Set{Gate: &gate{}, Strict: true}
	set.Add(failing(tool.Spec{Name: "ping"}, nil))
	set.Add(tool.NewOperator(tool.Spec{Name: "reboot"}, func(context.Context, arena.Operator, struct{}) (struct{}, error) { return struct{}{}, nil }))
	for name, says := range map[string]string{"ping": "Known arguments: key.", "reboot": "It takes none."} {
		m := mustRefuse(t, set.Call(t.Context(), name, json.RawMessage(`{"x":1}`)), arena.InvalidArguments)
		if !strings.HasSuffix(m["message"].(string), says) {
			t.Errorf("%s: %v, want %q at the end", name, m["message"], says)
		}
	}
}

func TestBadDeclarationsPanic(t *testing.T) {
	for name, declare := range map[string]func(){
		"arguments that are no struct": func() { echo[int](tool.Spec{Name: "x"}) },
		"an argument without doc": func() {
			echo[struct {
				A int `json:"a"`
			}](tool.Spec{Name: "x"})
		},
		"an argument without json name": func() {
			echo[struct {
				A int `doc:"a"`
			}](tool.Spec{Name: "x"})
		},
		"a bound that is no number": func() {
			echo[struct {
				A int `json:"a" doc:"a" min:"x"`
			}](tool.Spec{Name: "x"})
		},
		"a type without a schema": func() {
			echo[struct {
				A chan int `json:"a" doc:"a"`
			}](tool.Spec{Name: "x"})
		},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			declare()
		})
	}
}

func FuzzArguments(f *testing.F) {
	for _, s := range []string{`{"count":"12","wait":1e9,"flag":"t"}`, `"{\"object\":\"{}\"}"`, `{"big":1e400}`, `{"game":"0123456789ab","key":"a.b"}`, "\xff", `[`, `{"key":{}}`} {
		f.Add([]byte(s))
	}
	set := echoSet()
	codes := set.Tool("echo").Codes()
	f.Fuzz(func(t *testing.T, args []byte) {
		answer := set.Call(t.Context(), "echo", args)
		if !json.Valid(answer.JSON) || !utf8.Valid(answer.JSON) {
			t.Errorf("the answer to %q is not JSON: %q", args, answer.JSON)
		}
		if answer.Err == nil {
			return
		}
		if len(answer.Err.Message) > 400 || !cmp.Equal([]arena.Code{answer.Err.Code}, filter(codes, answer.Err.Code)) || answer.Err.Code == arena.Internal {
			t.Errorf("%q is answered with %v", args, answer.Err)
		}
	})
}

func filter(list []arena.Code, want arena.Code) (found []arena.Code) {
	for _, c := range list {
		if c == want {
			found = append(found, c)
		}
	}
	return found
}
