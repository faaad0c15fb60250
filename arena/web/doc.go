// Package web is the HTTP door: everything that is reached by a URL goes through its one
// handler.
//
// A frame around all paths gives each request an id and a log line, turns panics into
// answers, bounds bodies, refuses foreign host names and other sites' pages, and finds out
// who is calling from where; the result travels in the context as a tool.Scope. Inside it
// the tool Set is spoken as REST under /v1, MCP is mounted at /mcp, and people get pages.
//
// Its rules. A key comes in a header or a body, never in a URL, and nothing of a header, a
// query or a body reaches the log. Every failure under /v1 is JSON with error and message,
// and this package alone knows which HTTP status a code has. A call that waits sends its
// headers and spaces before it is done, which JSON allows; its status is then 200 and the
// member error decides.
//
// The package has no queries and no rules of its own: handlers call the Set or the reading
// services and write down what they answer.
package web
