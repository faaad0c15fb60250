package admin

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWriteText(t *testing.T) {
	for name, c := range map[string]struct{ answer, want string }{
		"members keep their order and align": {
			`{"zebra":"a","b":12,"absent":null,"flag":true}`,
			"zebra  a\nb      12\nflag   true\n",
		},
		"the message comes last": {
			`{"message":"Well done.","id":1}`,
			"id  1\nWell done.\n",
		},
		"a list is a table": {
			`{"games":[{"id":1,"who":{"name":"x","n":2}},{"id":10,"who":null}]}`,
			"ID  WHO\n1   name x, n 2\n10  -\n",
		},
		"an empty list says so": {`{"games":[]}`, "no games\n"},
		"a list of words":       {`{"words":["a","b"]}`, "a\nb\n"},
		"control characters do not reach the terminal": {
			`{"a":"x\u001b[31m\ny\u009b"}`,
			"a  x\ufffd[31m\ufffdy\ufffd\n",
		},
		"a PGN keeps its lines": {
			`{"pgn":"[Event \"x\"]\n\n1. e4 \u001b*\n","id":1}`,
			"id  1\n\n[Event \"x\"]\n\n1. e4 \ufffd*\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := writeText(&b, []byte(c.answer)); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, b.String()); diff != "" {
				t.Error(diff)
			}
		})
	}
	if writeText(new(bytes.Buffer), []byte(`[1]`)) == nil {
		t.Error("an answer that is no object was printed")
	}
}
