package mcpserver

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"chessarena/arena"
	"chessarena/arena/tool"
)

// The addresses of what can be read.
const (
	rulesURI  = "arena://rules"
	boardURI  = "arena://leaderboard/configs"
	boardTool = "leaderboard"
	pgnPrefix = "arena://games/"
	pgnSuffix = "/pgn"
	pgnType   = "application/vnd.chess-pgn"
)

func addResources(server *mcp.Server, set *tool.Set, o Options) {
	if slices.ContainsFunc(set.Tools(), func(t *tool.Tool) bool { return t.Name == boardTool }) {
		server.AddResource(&mcp.Resource{
			URI: boardURI, Name: "leaderboard", Title: "Configurations board", MIMEType: "application/json",
			Description: "The leaderboard of configurations with all defaults: what the tool leaderboard answers without arguments.",
		}, func(ctx context.Context, _ *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			answer := set.Call(ctx, boardTool, json.RawMessage(`{}`))
			if answer.Err != nil {
				return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: answer.Err.Message}
			}
			return contents(boardURI, "application/json", string(answer.JSON)), nil
		})
	}
	if o.Rules != "" {
		server.AddResource(&mcp.Resource{
			URI: rulesURI, Name: "rules", Title: "Rules", MIMEType: "text/plain", Size: int64(len(o.Rules)),
			Description: "The rules of the arena: how a game runs, clocks, illegal moves, draws, forfeits, and what is rated.",
		}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			return contents(rulesURI, "text/plain", o.Rules), nil
		})
	}
	if o.PGN != nil {
		server.AddResourceTemplate(&mcp.ResourceTemplate{
			URITemplate: pgnPrefix + "{game_id}" + pgnSuffix, Name: "pgn", Title: "Game as PGN", MIMEType: pgnType,
			Description: "A game as PGN, to its latest move when it is still in progress.",
		}, o.readPGN)
	}
}

func (o Options) readPGN(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	uri := req.Params.URI
	id, err := arena.ParseGameID(strings.TrimSuffix(strings.TrimPrefix(uri, pgnPrefix), pgnSuffix))
	if err != nil {
		return nil, mcp.ResourceNotFoundError(uri)
	}
	text, err := o.PGN(ctx, id)
	if err != nil {
		failure := arena.Public(err)
		if failure.Code == arena.NotFound {
			return nil, mcp.ResourceNotFoundError(uri)
		}
		if failure.Code.Info().Kind == arena.KindInternal {
			o.Log.Error("resource failed", "uri", uri, "err", err)
		}
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: failure.Message}
	}
	return contents(uri, pgnType, text), nil
}

func contents(uri, kind, text string) *mcp.ReadResourceResult {
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: kind, Text: text}}}
}
