package web

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"unicode/utf8"

	"chessarena/arena"
)

// arguments are what a request says in its path, its query and its body, as the one
// object a tool takes. A name may stand in several places when it says the same.
type arguments map[string]json.RawMessage

// readArguments collects them; path holds the names of the route's wildcards.
func readArguments(r *http.Request, path []string) (arguments, *arena.Error) {
	args := make(arguments)
	body, fault := readJSON(r)
	if fault != nil {
		return nil, fault
	}
	if fault := args.addBody(body); fault != nil {
		return nil, fault
	}
	for _, name := range path {
		if fault := args.addText(name, r.PathValue(name)); fault != nil {
			return nil, fault
		}
	}
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, arena.Errorf(arena.InvalidArguments, "The query is not name=value pairs joined by &.")
	}
	for name, values := range query {
		if name == "key" {
			return nil, arena.Errorf(arena.InvalidArguments, "The key must not stand in the URL, which is often logged on the way. Send it as the header Authorization: Bearer <key>.")
		}
		for _, value := range values {
			if fault := args.addText(name, value); fault != nil {
				return nil, fault
			}
		}
	}
	return args, nil
}

// addBody takes the members of a JSON object. An empty body and null have none.
func (a arguments) addBody(body []byte) *arena.Error {
	body = bytes.TrimSpace(body)
	if len(body) == 0 || bytes.Equal(body, []byte("null")) {
		return nil
	}
	notObject := arena.Errorf(arena.InvalidArguments, "The body must be one JSON object.")
	if !json.Valid(body) || body[0] != '{' {
		return notObject
	}
	if !utf8.Valid(body) {
		return arena.Errorf(arena.InvalidArguments, "The body is not valid UTF-8.")
	}
	// Member by member, since a map would silently keep the last of two with one name.
	dec := json.NewDecoder(bytes.NewReader(body))
	if _, err := dec.Token(); err != nil {
		return notObject
	}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return notObject
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return notObject
		}
		if fault := a.add(name.(string), value); fault != nil { // a member's name is a string
			return fault
		}
	}
	return nil
}

// addText takes a value that is plain text; the tool reads numbers and the like from it.
func (a arguments) addText(name, value string) *arena.Error {
	if !utf8.ValidString(name) || !utf8.ValidString(value) {
		return arena.Errorf(arena.InvalidArguments, "The URL is not valid UTF-8.")
	}
	text, err := json.Marshal(value)
	if err != nil {
		return arena.Public(err)
	}
	return a.add(name, text)
}

func (a arguments) add(name string, value json.RawMessage) *arena.Error {
	if before, given := a[name]; given && plain(before) != plain(value) {
		return arena.Errorf(arena.InvalidArguments, "%s is given twice, with different values.", arena.Quote(name))
	}
	a[name] = value
	return nil
}

// plain is a JSON value without the quotes that tell "12" from 12.
func plain(raw json.RawMessage) string {
	var s string
	if len(raw) > 0 && raw[0] == '"' && json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}
