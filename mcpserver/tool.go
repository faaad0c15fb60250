package mcpserver

import (
	"context"
	"maps"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"chessarena/arena/tool"
)

// addTool shows one tool of the Set. It goes through the SDK's untyped door: the typed one
// refuses bad arguments as plain text before the Set can answer with a code.
func addTool(server *mcp.Server, set *tool.Set, t *tool.Tool) {
	no := false
	server.AddTool(&mcp.Tool{
		Name: t.Name, Title: t.Title, Description: t.Doc,
		InputSchema: withKey(t),
		Annotations: &mcp.ToolAnnotations{
			Title:        t.Title,
			ReadOnlyHint: t.Level == tool.Read, IdempotentHint: t.Idempotent || t.Level == tool.Read,
			// Left out, these two would read as true.
			DestructiveHint: &no, OpenWorldHint: &no,
		},
	}, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return result(set.Call(withBeat(ctx, req), t.Name, req.Params.Arguments).JSON), nil
	})
}

// withKey is the schema of t's arguments with the key in front, which is where a model
// should meet it. Operators' tools have none: a token never travels as an argument.
func withKey(t *tool.Tool) *jsonschema.Schema {
	if t.Access == tool.Operator {
		return t.Input
	}
	doc := "Your key, exactly as register returned it. Leave it out when the client sends it as the header Authorization: Bearer <key>."
	if t.Access == tool.Public {
		doc = "Not needed for this tool."
	}
	s := *t.Input
	s.Properties = maps.Clone(s.Properties)
	s.Properties["key"] = &jsonschema.Schema{
		Description: doc,
		AnyOf:       []*jsonschema.Schema{{Type: "string"}, {Type: "null"}},
	}
	s.PropertyOrder = append([]string{"key"}, s.PropertyOrder...)
	return &s
}
