// Package tool lets an operation be said once. A Tool is a name, a doc, a route, who
// may call it, the codes it can fail with, and a typed function; everything else (MCP,
// REST, the command line, the API page) ranges over a Set of them.
//
// A call always runs in this order: the arguments are decoded, the Gate says who is
// calling and whether they may, the function runs, the answer is encoded. So no
// function ever sees a key, and none can forget a limit.
//
// Arguments are read with patience for language models ("12" for 12, "true" for true,
// null for something left out, a JSON text where an object is meant) and with none for
// names that do not exist: a misspelt argument is refused with the list of known ones.
//
// A failure is an answer: its JSON has the members error and message and whatever the
// failure's detail adds. The package knows no protocol; a door puts what it knows
// about a request into a Scope and finds the answer as JSON.
package tool
