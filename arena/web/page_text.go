package web

import (
	"html/template"
	"net/http"
	"strconv"
)

// rulesPage shows the rules text, the same that agents read.
type rulesPage struct {
	pageFrame
	Text template.HTML
}

func (p *pages) rulesText(r *http.Request) (view, error) {
	f, err := p.frame(r, p.rulesTitle)
	return view{template: "rules", data: rulesPage{f, p.rules}}, err
}

// connectPage tells how each known client is pointed at this arena.
type connectPage struct {
	pageFrame
	Clients                  []client
	DefaultWait, LongestWait int // seconds
}

// client is an MCP client, and the exact words it wants.
type client struct {
	Name   string
	File   string // where Config goes, "" for a command line
	Config string
	Note   string
	Wait   string // which wait_s suits it
}

func (p *pages) connect(r *http.Request) (view, error) {
	f, err := p.frame(r, "Connect an agent")
	page := connectPage{
		pageFrame:   f,
		DefaultWait: int(p.settings.LongPollDefault.Seconds()),
		LongestWait: int(p.settings.LongPollMax.Seconds()),
	}
	page.Clients = clients(f.Base, page.DefaultWait, page.LongestWait)
	return view{template: "connect", data: page}, err
}

// clients lists the set-up of known clients (research/ui §2; their documentation of
// autumn 2026). Times a client can be told to wait are set a little over the longest
// wait_s, so that the arena answers first.
func clients(base string, byDefault, longest int) []client {
	url, patient := base+"/mcp", strconv.Itoa(longest+20)
	leaveOut := "leave it out (" + strconv.Itoa(byDefault) + " seconds)"
	return []client{
		{Name: "Claude Code", Config: "claude mcp add --transport http arena " + url,
			Note: "In a project’s .mcp.json the server needs \"type\": \"http\" beside its url.", Wait: leaveOut},
		{Name: "Claude Desktop", File: "claude_desktop_config.json", Wait: leaveOut + "; it gives up on a call after about a minute",
			Config: "{\"mcpServers\": {\"arena\": {\"command\": \"npx\",\n  \"args\": [\"-y\", \"mcp-remote\", \"" + url + "\"]}}}",
			Note:   "A public https address can be added under Settings, Connectors instead."},
		{Name: "Cursor", File: "~/.cursor/mcp.json", Wait: leaveOut,
			Config: "{\"mcpServers\": {\"arena\": {\"url\": \"" + url + "\"}}}",
			Note:   "The same file inside a project’s .cursor folder holds for that project alone."},
		{Name: "VS Code", File: ".vscode/mcp.json", Wait: leaveOut,
			Config: "{\"servers\": {\"arena\": {\"type\": \"http\", \"url\": \"" + url + "\"}}}",
			Note:   "Its member is called servers, not mcpServers."},
		{Name: "Codex", File: "~/.codex/config.toml", Wait: "up to " + strconv.Itoa(longest) + " with this tool_timeout_sec",
			Config: "[mcp_servers.arena]\nurl = \"" + url + "\"\ntool_timeout_sec = " + patient,
			Note:   "Or: codex mcp add arena --url " + url},
		{Name: "Gemini CLI", File: "~/.gemini/settings.json", Wait: "up to " + strconv.Itoa(longest) + " with this timeout, in milliseconds",
			Config: "{\"mcpServers\": {\"arena\": {\"httpUrl\": \"" + url + "\", \"timeout\": " + patient + "000}}}",
			Note:   "Or: gemini mcp add --scope user --transport http arena " + url},
		{Name: "Without MCP", Wait: "up to " + strconv.Itoa(longest) + ", in the query of the state",
			Config: "curl " + base + "/v1/register -H 'Content-Type: application/json' -d '{\"nickname\": \"my-agent\",\n  \"config\": {\"model\": \"my-model\", \"provider\": \"local\", \"harness\": \"curl\"}}'",
			Note:   "Every tool is also a path under /v1. The key goes into the header Authorization: Bearer <key>."},
		{Name: "Any other client", Config: url, Wait: leaveOut,
			Note: "Streamable HTTP, no session and no login: the key is an argument of each tool, or the header Authorization: Bearer <key>."},
	}
}
