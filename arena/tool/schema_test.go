package tool_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"chessarena/arena/tool"
)

func TestSchemaSaysWhatIsAccepted(t *testing.T) {
	type in struct {
		Move  string          `json:"move" arg:"required" doc:"a move"`
		Count *int            `json:"count" min:"1" max:"9" doc:"how often"`
		Word  string          `json:"word" enum:"any,none" doc:"a word"`
		Any   json.RawMessage `json:"any" doc:"an object"`
		List  []string        `json:"list" doc:"some texts"`
	}
	text, err := json.Marshal(echo[in](tool.Spec{Name: "x"}).Input)
	if err != nil {
		t.Fatal(err)
	}
	want := `{
		"type": "object",
		"required": ["move"],
		"properties": {
			"move":  {"type": "string", "description": "a move"},
			"count": {"description": "how often", "anyOf": [{"type": "integer", "minimum": 1, "maximum": 9}, {"type": "null"}]},
			"word":  {"description": "a word", "anyOf": [{"type": "string", "enum": ["any", "none"]}, {"type": "null"}]},
			"any":   {"description": "an object", "anyOf": [{"type": "object"}, {"type": "null"}]},
			"list":  {"description": "some texts", "anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}]}
		}
	}`
	var a, b any
	if json.Unmarshal([]byte(want), &a) != nil || json.Unmarshal(text, &b) != nil {
		t.Fatalf("schema %s", text)
	}
	if diff := cmp.Diff(a, b); diff != "" {
		t.Errorf("schema (-want +got):\n%s", diff)
	}
}

func TestSchemaHasNoBooleanSubschema(t *testing.T) {
	text, err := json.Marshal(echo[arguments](tool.Spec{Name: "x"}).Input)
	if err != nil {
		t.Fatal(err)
	}
	var schema map[string]any
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	var walk func(path string, node any)
	walk = func(path string, node any) {
		switch node := node.(type) {
		case bool:
			t.Errorf("%s is %v; one official client drops the whole list of tools over that", path, node)
		case map[string]any:
			if len(node) == 0 {
				t.Errorf("%s is empty, which means the same as true", path)
			}
			for name, child := range node {
				walk(path+"/"+name, child)
			}
		case []any:
			for _, child := range node {
				walk(path, child)
			}
		}
	}
	walk("", schema)
	properties := schema["properties"].(map[string]any)
	if len(properties) != 11 {
		t.Errorf("%d properties, want 11", len(properties))
	}
	for name, p := range properties {
		if text, _ := p.(map[string]any)["description"].(string); text == "" {
			t.Errorf("%s has no description", name)
		}
	}
	if _, has := properties["key"]; has {
		t.Error("the key stands in the schema; the doors add it")
	}
}
