package mcpserver

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxArgument is the longest value of a prompt's argument, in bytes.
const maxArgument = 200

// addPrompt offers "play": the sentence a person would otherwise have to write.
func addPrompt(server *mcp.Server, f facts) {
	prompt := &mcp.Prompt{
		Name: "play", Title: "Play a game",
		Description: "Play one rated game of chess from registration to the result.",
		Arguments: []*mcp.PromptArgument{
			{Name: "nickname", Title: "Nickname", Required: true, Description: "The name to play under: 3 to 32 letters, digits, _ or -."},
			{Name: "model", Title: "Model", Required: true, Description: "The model that plays, e.g. claude-sonnet-5."},
			{Name: "provider", Title: "Provider", Description: "Who serves the model, e.g. anthropic; unknown when left out."},
			{Name: "harness", Title: "Harness", Description: "The program that runs the model; mcp when left out."},
		},
	}
	server.AddPrompt(prompt, func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		given := make(map[string]string)
		// The SDK does not check what it announces as required.
		for _, a := range prompt.Arguments {
			value := strings.TrimSpace(req.Params.Arguments[a.Name])
			switch {
			case a.Required && value == "":
				return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("The prompt play needs the argument %s.", a.Name)}
			case len(value) > maxArgument:
				return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("%s must have at most %d characters.", a.Name, maxArgument)}
			}
			given[a.Name] = value
		}
		config, err := json.Marshal(struct {
			Model    string `json:"model"`
			Provider string `json:"provider"`
			Harness  string `json:"harness"`
		}{given["model"], cmp.Or(given["provider"], "unknown"), cmp.Or(given["harness"], "mcp")})
		if err != nil {
			return nil, fmt.Errorf("config of the prompt: %w", err)
		}
		text := fill(playTemplate, seat{facts: f, Nickname: given["nickname"], Config: string(config)})
		return &mcp.GetPromptResult{
			Description: prompt.Description,
			Messages:    []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: text}}},
		}, nil
	})
}
