package e2e_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The conformance suite calls tools, resources and prompts of fixed names, listed in its
// own scenarios. fixtureServer has them, so that the suite can go through the arena's
// handlers; none of them is in the program.

// Smallest files of their kind: one pixel, no sound.
var (
	pixel   = []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x00\x00\x00\x00:~\x9bU\x00\x00\x00\nIDATx\x9cc`\x00\x00\x00\x02\x00\x01H\xaf\xa4q\x00\x00\x00\x00IEND\xaeB`\x82")
	silence = []byte("RIFF\x24\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00@\x1f\x00\x00@\x1f\x00\x00\x01\x00\x08\x00data\x00\x00\x00\x00")
)

func fixtureServer() *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "arena-fixtures", Version: "1.0"}, &mcp.ServerOptions{
		CompletionHandler: func(context.Context, *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
			return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: []string{}}}, nil
		},
		SubscribeHandler:   func(context.Context, *mcp.SubscribeRequest) error { return nil },
		UnsubscribeHandler: func(context.Context, *mcp.UnsubscribeRequest) error { return nil },
	})
	addContentTools(server)
	addTalkingTools(server)
	addFixtureResources(server)
	addFixturePrompts(server)
	return server
}

// objectSchema is a tool's input that takes anything.
var objectSchema = json.RawMessage(`{"type":"object"}`)

// addContentTools adds the tools that answer with one kind of content or several.
func addContentTools(server *mcp.Server) {
	text := &mcp.TextContent{Text: "a text"}
	image := &mcp.ImageContent{Data: pixel, MIMEType: "image/png"}
	embedded := &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "test://embedded", MIMEType: "text/plain", Text: "an embedded text"}}
	for name, content := range map[string][]mcp.Content{
		"test_simple_text":            {text},
		"test_image_content":          {image},
		"test_audio_content":          {&mcp.AudioContent{Data: silence, MIMEType: "audio/wav"}},
		"test_embedded_resource":      {embedded},
		"test_multiple_content_types": {text, image, embedded},
	} {
		addFixture(server, name, objectSchema, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: content}, nil
		})
	}
	addFixture(server, "test_error_handling", objectSchema, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "it went wrong"}}, IsError: true}, nil
	})
	addFixture(server, "json_schema_2020_12_tool", json.RawMessage(`{
		"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object",
		"$defs": {"address": {"type": "object", "properties": {"street": {"type": "string"}, "city": {"type": "string"}}}},
		"properties": {"name": {"type": "string"}, "address": {"$ref": "#/$defs/address"}},
		"additionalProperties": false}`), nothing)
}

// addTalkingTools adds the tools that send something while they run, and those that ask
// the client, which an endpoint without sessions cannot.
func addTalkingTools(server *mcp.Server) {
	addFixture(server, "test_tool_with_logging", objectSchema, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		for i := range 3 {
			//lint:ignore SA1019 the suite still asks for log messages
			err := req.Session.Log(ctx, &mcp.LoggingMessageParams{Level: "info", Data: fmt.Sprintf("message %d", i)})
			if err != nil {
				return nil, err
			}
		}
		return nothing(ctx, req)
	})
	addFixture(server, "test_tool_with_progress", objectSchema, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		for i := range 3 {
			err := req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
				ProgressToken: req.Params.GetProgressToken(), Progress: float64(i * 50), Total: 100,
			})
			if err != nil {
				return nil, err
			}
		}
		return nothing(ctx, req)
	})
	addFixture(server, "test_sampling", objectSchema, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		//lint:ignore SA1019 the suite still asks for sampling
		_, err := req.Session.CreateMessage(ctx, &mcp.CreateMessageParams{MaxTokens: 1})
		return nil, errors.Join(err, errors.New("no sampling without a session"))
	})
	for _, name := range []string{"test_elicitation", "test_elicitation_sep1034_defaults", "test_elicitation_sep1330_enums"} {
		addFixture(server, name, objectSchema, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			_, err := req.Session.Elicit(ctx, &mcp.ElicitParams{Message: "?", RequestedSchema: objectSchema})
			return nil, errors.Join(err, errors.New("no elicitation without a session"))
		})
	}
}

func nothing(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "done"}}}, nil
}

func addFixture(server *mcp.Server, name string, schema json.RawMessage, f mcp.ToolHandler) {
	server.AddTool(&mcp.Tool{Name: name, Description: "A fixture of the conformance suite.", InputSchema: schema}, f)
}

func addFixtureResources(server *mcp.Server) {
	read := func(content mcp.ResourceContents) mcp.ResourceHandler {
		return func(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			content := content
			content.URI = req.Params.URI
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{&content}}, nil
		}
	}
	for uri, content := range map[string]mcp.ResourceContents{
		"test://static-text":      {MIMEType: "text/plain", Text: "a text"},
		"test://static-binary":    {MIMEType: "image/png", Blob: pixel},
		"test://watched-resource": {MIMEType: "text/plain", Text: "a text"},
	} {
		server.AddResource(&mcp.Resource{
			URI: uri, Name: strings.TrimPrefix(uri, "test://"), MIMEType: content.MIMEType, Description: "A fixture of the conformance suite.",
		}, read(content))
	}
	server.AddResourceTemplate(&mcp.ResourceTemplate{
		URITemplate: "test://template/{id}/data", Name: "template", MIMEType: "application/json", Description: "A fixture of the conformance suite.",
	}, func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		id := strings.TrimSuffix(strings.TrimPrefix(req.Params.URI, "test://template/"), "/data")
		return read(mcp.ResourceContents{MIMEType: "application/json", Text: fmt.Sprintf(`{"id":%q}`, id)})(ctx, req)
	})
}

func addFixturePrompts(server *mcp.Server) {
	answer := func(content func(args map[string]string) mcp.Content) mcp.PromptHandler {
		return func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: content(req.Params.Arguments)}}}, nil
		}
	}
	add := func(name string, args []string, content func(map[string]string) mcp.Content) {
		prompt := &mcp.Prompt{Name: name, Description: "A fixture of the conformance suite."}
		for _, arg := range args {
			prompt.Arguments = append(prompt.Arguments, &mcp.PromptArgument{Name: arg, Description: "a text", Required: true})
		}
		server.AddPrompt(prompt, answer(content))
	}
	add("test_simple_prompt", nil, func(map[string]string) mcp.Content { return &mcp.TextContent{Text: "a text"} })
	add("test_prompt_with_arguments", []string{"arg1", "arg2"}, func(args map[string]string) mcp.Content {
		return &mcp.TextContent{Text: args["arg1"] + " and " + args["arg2"]}
	})
	add("test_prompt_with_embedded_resource", []string{"resourceUri"}, func(args map[string]string) mcp.Content {
		return &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: args["resourceUri"], MIMEType: "text/plain", Text: "a text"}}
	})
	add("test_prompt_with_image", nil, func(map[string]string) mcp.Content {
		return &mcp.ImageContent{Data: pixel, MIMEType: "image/png"}
	})
}
