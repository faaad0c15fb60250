package rules

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"
)

// What ReadPGN accepts of one game. Real games stay far below.
const (
	MaxPGNGame = 1 << 20 // bytes, comments and variations included
	MaxPGNTags = 100
)

// PGNError is why a game could not be read, and the line, from 1, where that
// showed.
type PGNError struct {
	Line   int
	Reason string
}

func (e *PGNError) Error() string { return fmt.Sprintf("PGN: line %d: %s", e.Line, e.Reason) }

// ReadPGN reads games one after the other. It follows PGN's import format: any
// layout, comments in braces or after a semicolon, escape lines (%), glyphs as
// $n or !?, move numbers anywhere, moves in any notation that Resolve reads,
// CRLF, a byte order mark. Variations are checked for balance and skipped.
//
// A game that is wrong yields a nil Game and a *PGNError, and reading goes on
// at the next game's tags. Wrong is an illegal or unreadable move, a bad FEN,
// a missing result, or one that differs from the Result tag. If the input
// itself fails, its error is yielded last.
func ReadPGN(in io.Reader) iter.Seq2[*Game, error] {
	return func(yield func(*Game, error) bool) {
		r := &pgnReader{in: bufio.NewReader(in), line: 1, lineStart: true}
		if mark, _ := r.in.Peek(3); string(mark) == "\ufeff" {
			_, _ = r.in.Discard(3) // just peeked
		}
		for {
			g, err := r.game()
			if errors.Is(err, errNoGame) {
				return
			}
			if !yield(g, err) {
				return
			}
			if err != nil && !r.skipGame() {
				return
			}
		}
	}
}

// errNoGame is the end of the input between two games.
var errNoGame = errors.New("no more games")

// skipGame goes to the start of the next game's tags: a line that begins with
// a bracket and a letter (a comment may begin with "[%clk"). False means that
// there is none.
func (r *pgnReader) skipGame() bool {
	for inTags := r.inTags; ; {
		r.size = 0
		if r.lineStart {
			head, err := r.in.Peek(2)
			isTag := len(head) == 2 && head[0] == '[' && isTagName(string(head[1:]))
			if isTag && !inTags {
				return true
			}
			if err != nil && len(head) == 0 {
				return false
			}
			inTags = inTags && isTag
		}
		if r.next() == 0 && r.failed != nil {
			return false
		}
	}
}

// game reads one game.
func (r *pgnReader) game() (*Game, error) {
	r.size, r.inTags = 0, true
	if err := r.skipStray(); err != nil {
		return nil, err
	}
	g := &Game{}
	for r.skipSpace() == '[' {
		tag, err := r.tag()
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(g.Tags, func(t Tag) bool { return t.Name == tag.Name }) {
			return nil, r.errorf("tag %.32s appears twice", tag.Name)
		}
		if len(g.Tags) == MaxPGNTags {
			return nil, r.errorf("a game has at most %d tags", MaxPGNTags)
		}
		g.Tags = append(g.Tags, tag)
		if tag.Name == "FEN" {
			if g.Start, err = ParseFEN(tag.Value); err != nil {
				return nil, r.errorf("%v", err)
			}
		}
	}
	r.inTags = false
	if err := r.movetext(g); err != nil {
		return nil, err
	}
	if tag := g.Tag("Result"); tag != "" && tag != g.Result {
		return nil, r.errorf("the game ends with %s, but its Result tag says %.16q", g.Result, tag)
	}
	return g, nil
}

// skipStray skips what may stand between two games: space and comments.
func (r *pgnReader) skipStray() error {
	for {
		switch r.skipSpace() {
		case 0:
			if r.failed == io.EOF {
				return errNoGame
			}
			return r.errorf("unreadable")
		case '{', ';':
			if _, err := r.comment(); err != nil {
				return err
			}
		default:
			return nil
		}
	}
}

// tag reads [Name "value"].
func (r *pgnReader) tag() (Tag, error) {
	r.next()
	r.skipSpace()
	name := r.symbol()
	if !isTagName(name) {
		return Tag{}, r.errorf("%.32q is not a tag name", name)
	}
	if r.skipSpace() != '"' {
		return Tag{}, r.errorf("tag %.32s has no value in quotes", name)
	}
	r.next()
	var value strings.Builder
	for {
		b := r.next()
		switch b {
		case 0, '\n':
			return Tag{}, r.errorf("the value of tag %.32s does not end on its line", name)
		case '\\':
			if c := r.peek(); c == '"' || c == '\\' {
				b = r.next()
			}
		case '"':
			if r.skipSpace() != ']' {
				return Tag{}, r.errorf("tag %.32s does not end with ]", name)
			}
			r.next()
			return Tag{name, strings.ToValidUTF8(value.String(), "\ufffd")}, nil
		}
		value.WriteByte(b)
	}
}

// movetext reads moves and annotations up to and with the result.
func (r *pgnReader) movetext(g *Game) error {
	position := g.Start
	if position == nil {
		position = Start()
	}
	var comments []string // since the last move
	for {
		switch c := r.skipSpace(); c {
		case 0, '[':
			return r.errorf("the game has no result at its end")
		case '{', ';':
			text, err := r.comment()
			if err != nil {
				return err
			}
			comments = append(comments, text)
		case '(':
			if err := r.variation(); err != nil {
				return err
			}
		case '.':
			r.next()
		case '*':
			r.next()
			g.Result = "*"
			g.comment(comments)
			return nil
		case '$', '!', '?':
			if err := r.glyph(g); err != nil {
				return err
			}
		default:
			token := r.symbol()
			switch {
			case token == "":
				return r.errorf("%q does not belong between moves", c)
			case isResult(token):
				g.Result = token
				g.comment(comments)
				return nil
			case strings.Trim(token, "0123456789") == "":
				continue // a move number
			}
			m, refusal := position.Resolve(token)
			if refusal != nil {
				return r.errorf("ply %d: %s", len(g.Moves), refusal.Message())
			}
			g.comment(comments)
			comments = nil
			next := position.Play(m)
			var san [8]byte
			g.Moves = append(g.Moves, GameMove{Move: m, SAN: string(position.appendPlayedSAN(san[:0], m, next))})
			position = next
		}
	}
}

// comment attaches the comments found so far to the last move, or to the game
// before the first.
func (g *Game) comment(texts []string) {
	text := words(strings.Join(texts, " "))
	if n := len(g.Moves); n > 0 {
		g.Moves[n-1].Comment = text
	} else {
		g.Comment = text
	}
}

// words makes text one line of words divided by single spaces.
func words(text string) string {
	return strings.Join(strings.Fields(strings.ToValidUTF8(text, "\ufffd")), " ")
}

// glyph reads $n or a run of ! and ?, which stand for $1 to $6.
func (r *pgnReader) glyph(g *Game) error {
	var n uint64
	if r.peek() == '$' {
		r.next()
		text := r.symbol()
		var err error
		if n, err = strconv.ParseUint(text, 10, 8); err != nil {
			return r.errorf("$%.8s is not a glyph; they are $0 to $255", text)
		}
	} else {
		var text strings.Builder
		for r.peek() == '!' || r.peek() == '?' {
			text.WriteByte(r.next())
		}
		n = uint64(slices.Index([]string{"", "!", "?", "!!", "??", "!?", "?!"}, text.String()))
		if n > 6 {
			return r.errorf("%.8q is not a glyph", text.String())
		}
	}
	if len(g.Moves) == 0 {
		return r.errorf("a glyph stands before the first move")
	}
	last := &g.Moves[len(g.Moves)-1]
	last.NAGs = append(last.NAGs, uint8(n))
	return nil
}
