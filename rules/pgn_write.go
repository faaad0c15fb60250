package rules

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// pgnColumns is how long a line of movetext may be: the export format wants
// fewer than 80 columns (PGN standard 8.2.1).
const pgnColumns = 79

// WritePGN writes one game in PGN's export format and an empty line after it:
// the seven tags of the roster first and in their order, the others by name,
// the Result tag equal to the final token, SetUp and FEN exactly if the game
// began elsewhere than usual, lines under 80 columns. Result, SetUp and FEN
// among g.Tags are ignored; they follow from the game.
//
// Whatever text is in tags and comments, the output reads back as PGN: control
// characters become spaces and braces in comments become parentheses. An
// unknown result, an improper or repeated tag name, or a SAN no move has is
// an error, and nothing is written then.
func WritePGN(w io.Writer, g *Game) error {
	if !isResult(g.Result) {
		return fmt.Errorf("PGN: %.16q is not a result", g.Result)
	}
	tags, err := exportTags(g)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	for _, tag := range tags {
		escaped := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(withoutControls(tag.Value))
		fmt.Fprintf(&b, "[%s \"%s\"]\n", tag.Name, escaped)
	}
	b.WriteByte('\n')
	if err := writeMovetext(&b, g); err != nil {
		return err
	}
	b.WriteString("\n\n")
	_, err = w.Write(b.Bytes())
	return err
}

// exportTags returns the tags to be written, in order.
func exportTags(g *Game) ([]Tag, error) {
	derived := []Tag{{"Result", g.Result}}
	if g.Start != nil && g.Start.FEN() != Start().FEN() {
		derived = append(derived, Tag{"FEN", g.Start.FEN()}, Tag{"SetUp", "1"})
	}
	given := make(map[string]string, len(g.Tags))
	for _, tag := range g.Tags {
		if !isTagName(tag.Name) {
			return nil, fmt.Errorf("PGN: %.32q is not a tag name", tag.Name)
		}
		if _, twice := given[tag.Name]; twice {
			return nil, fmt.Errorf("PGN: tag %.32s appears twice", tag.Name)
		}
		given[tag.Name] = tag.Value
	}
	for _, name := range []string{"Result", "FEN", "SetUp"} {
		delete(given, name)
	}
	for _, tag := range derived {
		given[tag.Name] = tag.Value
	}
	tags := make([]Tag, 0, len(given)+len(roster))
	for _, tag := range roster {
		tags = append(tags, Tag{tag.Name, cmp.Or(given[tag.Name], tag.Value)})
		delete(given, tag.Name)
	}
	for name, value := range given {
		tags = append(tags, Tag{name, value})
	}
	slices.SortFunc(tags[len(roster):], func(a, b Tag) int { return cmp.Compare(a.Name, b.Name) })
	return tags, nil
}

// writeMovetext writes comments, moves and the result. Move numbers stand
// before each move of White, and before one of Black that is the first or
// follows a comment (PGN standard 8.2.2).
func writeMovetext(b *bytes.Buffer, g *Game) error {
	begin := cmp.Or(g.Start, Start())
	number, turn := begin.FullMove(), begin.Turn()
	out := &wrapper{b: b}
	out.comment(g.Comment)
	numbered := false
	for ply, m := range g.Moves {
		if !isSANText(m.SAN) {
			return fmt.Errorf("PGN: ply %d: %.16q is not a move", ply, m.SAN)
		}
		switch {
		case turn == White:
			out.word(strconv.Itoa(number) + ".")
		case !numbered:
			out.word(strconv.Itoa(number) + "...")
		}
		out.word(m.SAN)
		for _, nag := range m.NAGs {
			out.word("$" + strconv.Itoa(int(nag)))
		}
		out.comment(m.Comment)
		numbered = turn == White && m.Comment == ""
		if turn == Black {
			number++
		}
		turn = turn.Other()
	}
	out.word(g.Result)
	return nil
}

// isSANText says whether text has the shape of a move in export SAN; whether
// the move is legal is up to who made the Game.
func isSANText(text string) bool {
	return text != "" && len(text) <= len("Qa1xb2#") && strings.Trim(text, "abcdefghKQRBNxO-12345678=+#") == "" && text[0] != '-'
}

// wrapper writes words divided by spaces or, where the line is full, newlines.
type wrapper struct {
	b      *bytes.Buffer
	column int
}

// word writes one word. One too long for a line is cut into lines.
func (w *wrapper) word(text string) {
	for utf8.RuneCountInString(text) > pgnColumns-1 {
		cut := 0
		for range pgnColumns - 1 {
			_, size := utf8.DecodeRuneInString(text[cut:])
			cut += size
		}
		w.word(text[:cut])
		text = text[cut:]
	}
	size := utf8.RuneCountInString(text)
	switch {
	case w.column == 0:
	case w.column+1+size > pgnColumns:
		w.b.WriteByte('\n')
		w.column = 0
	default:
		w.b.WriteByte(' ')
		w.column++
	}
	if w.column == 0 && strings.HasPrefix(text, "%") {
		w.b.WriteByte(' ') // a % in the first column would hide the line (PGN standard 6)
		w.column++
	}
	w.b.WriteString(text)
	w.column += size
}

// comment writes text in braces, if there is any.
func (w *wrapper) comment(text string) {
	text = strings.NewReplacer("{", "(", "}", ")").Replace(withoutControls(text))
	words := strings.Fields(text)
	for i, word := range words {
		if i == 0 {
			word = "{" + word
		}
		if i == len(words)-1 {
			word += "}"
		}
		w.word(word)
	}
}

// withoutControls makes text one line of valid UTF-8.
func withoutControls(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == '\u0085' || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "\ufffd"))
}
