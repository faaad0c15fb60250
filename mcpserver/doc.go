// Package mcpserver is the door for agents that speak the Model Context Protocol: it
// shows a tool.Set as an MCP server over streamable HTTP.
//
// Its rules. The server is stateless: a request carries everything, so a restart of the
// arena costs a client nothing, and there are no sessions to lose or to leak. An expected
// failure is an ordinary result whose JSON has the member error; the text content and the
// structured content of a result are the same JSON. Input schemas inform and never refuse;
// the Set is the one judge of arguments.
//
// Answers are event streams, because a waiting call must send something now and then or
// clients and proxies give up on it: a progress notification when the caller asked for
// progress, else a comment, which every event-stream reader skips.
//
// The package holds no key, decides nothing about chess and knows no other door. Who may
// connect (host names, origins) is decided in front of it.
package mcpserver
