package admin

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// member is one name and value of a JSON object, in the order it was written.
type member struct {
	name  string
	value json.RawMessage
}

// writeText prints an answer for a person: a line for each plain member that is there,
// a table for each list of objects, a PGN with its lines, and the sentence under
// "message" or "summary" last.
func writeText(w io.Writer, answer json.RawMessage) error {
	members, err := membersOf(answer)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	var message, pgn string
	for _, m := range members {
		switch {
		case m.name == "message" || m.name == "summary":
			message = plain(m.value)
		case m.name == "pgn":
			pgn = lines(m.value)
		case string(m.value) == "null":
		case m.value[0] == '[':
			if err := writeTable(table, m); err != nil {
				return err
			}
		default:
			fmt.Fprintf(table, "%s\t%s\n", m.name, plain(m.value))
		}
	}
	if err := table.Flush(); err != nil {
		return err
	}
	if pgn != "" {
		fmt.Fprintf(w, "\n%s\n", pgn)
	}
	if message != "" {
		fmt.Fprintln(w, message)
	}
	return nil
}

// lines is a text of several lines, each made harmless as plain does.
func lines(value json.RawMessage) string {
	var s string
	if json.Unmarshal(value, &s) != nil {
		return string(value)
	}
	parts := strings.Split(strings.TrimRight(s, "\n"), "\n")
	for i, part := range parts {
		parts[i] = harmless(part)
	}
	return strings.Join(parts, "\n")
}

// harmless replaces control characters: stored text must not drive a terminal.
func harmless(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return '\ufffd'
		}
		return r
	}, s)
}

// writeTable prints a list of objects, the first one's names as the head.
func writeTable(table *tabwriter.Writer, list member) error {
	var rows []json.RawMessage
	if err := json.Unmarshal(list.value, &rows); err != nil {
		return err
	}
	if len(rows) == 0 {
		fmt.Fprintf(table, "no %s\n", list.name)
		return nil
	}
	for i, row := range rows {
		if row[0] != '{' {
			fmt.Fprintln(table, plain(row))
			continue
		}
		members, err := membersOf(row)
		if err != nil {
			return err
		}
		var head, cells []string
		for _, m := range members {
			head = append(head, strings.ToUpper(m.name))
			cells = append(cells, clip(plain(m.value)))
		}
		if i == 0 {
			fmt.Fprintln(table, strings.Join(head, "\t"))
		}
		fmt.Fprintln(table, strings.Join(cells, "\t"))
	}
	return nil
}

// cellMax bounds a cell of a table; --json shows all.
const cellMax = 120

func clip(s string) string {
	if r := []rune(s); len(r) > cellMax {
		return string(r[:cellMax-1]) + "…"
	}
	return s
}

// plain is a value on one line: a string bare, null as a dash, an object as its
// members.
func plain(value json.RawMessage) string {
	switch value[0] {
	case '"':
		var s string
		if json.Unmarshal(value, &s) != nil {
			return string(value)
		}
		return harmless(s)
	case 'n':
		return "-"
	case '{':
		members, err := membersOf(value)
		if err != nil {
			return string(value)
		}
		parts := make([]string, len(members))
		for i, m := range members {
			parts[i] = m.name + " " + plain(m.value)
		}
		return strings.Join(parts, ", ")
	}
	return string(value)
}

// membersOf reads a JSON object without losing its order.
func membersOf(object json.RawMessage) ([]member, error) {
	d := json.NewDecoder(bytes.NewReader(object))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, fmt.Errorf("the answer is no JSON object: %.40s", object)
	}
	var list []member
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, err
		}
		m := member{name: fmt.Sprint(name)}
		if err := d.Decode(&m.value); err != nil {
			return nil, err
		}
		list = append(list, m)
	}
	return list, nil
}
