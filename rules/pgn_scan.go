package rules

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// pgnReader reads bytes and knows where it is.
type pgnReader struct {
	in        *bufio.Reader
	line      int
	lineStart bool  // the next byte is the first of its line
	inTags    bool  // the game being read has not come to its moves
	size      int   // bytes of the game so far
	failed    error // of the input, io.EOF included
}

// next returns the next byte, or 0 at the end of the input and when the game
// is too long.
func (r *pgnReader) next() byte {
	if r.failed != nil || r.size > MaxPGNGame {
		return 0
	}
	b, err := r.in.ReadByte()
	if err != nil {
		r.failed = err
		return 0
	}
	r.size++
	r.lineStart = b == '\n'
	if r.lineStart {
		r.line++
	}
	if b == 0 {
		return ' ' // 0 means the end here, and no game holds one
	}
	return b
}

// peek returns what next will return, without taking it.
func (r *pgnReader) peek() byte {
	if r.failed != nil || r.size > MaxPGNGame {
		return 0
	}
	b, err := r.in.Peek(1)
	switch {
	case len(b) == 0:
		r.failed = err
		return 0
	case b[0] == 0:
		return ' '
	}
	return b[0]
}

// skipSpace skips space and escape lines and returns the byte that follows,
// untaken.
func (r *pgnReader) skipSpace() byte {
	for {
		b := r.peek()
		switch {
		case b == '%' && r.lineStart:
			r.restOfLine()
		case b == ' ' || b == '\n' || b == '\r' || b == '\t' || b == '\v' || b == '\f':
			r.next()
		default:
			return b
		}
	}
}

func (r *pgnReader) restOfLine() string {
	var b strings.Builder
	for {
		switch c := r.next(); c {
		case 0, '\n':
			return b.String()
		default:
			b.WriteByte(c)
		}
	}
}

func (r *pgnReader) errorf(format string, args ...any) error {
	if r.failed != nil && r.failed != io.EOF {
		return fmt.Errorf("PGN: line %d: %w", r.line, r.failed)
	}
	if r.size > MaxPGNGame {
		return &PGNError{r.line, fmt.Sprintf("the game is longer than %d bytes", MaxPGNGame)}
	}
	return &PGNError{r.line, fmt.Sprintf(format, args...)}
}

// symbol reads a run of the bytes that numbers, moves and results are written
// with. Bytes over 127 belong to chess figures.
func (r *pgnReader) symbol() string {
	var b strings.Builder
	for {
		c := r.peek()
		letter := 'a' <= c|0x20 && c|0x20 <= 'z'
		if c == 0 || !letter && c < 0x80 && !strings.ContainsRune("0123456789_+#=:-/", rune(c)) {
			return b.String()
		}
		b.WriteByte(r.next())
	}
}

// comment reads {text} or ;text and returns the text.
func (r *pgnReader) comment() (string, error) {
	if r.next() == ';' {
		return r.restOfLine(), nil
	}
	first := r.line
	var text strings.Builder
	for {
		switch b := r.next(); b {
		case 0:
			return "", r.errorf("the comment that begins in line %d has no }", first)
		case '}':
			return text.String(), nil
		default:
			text.WriteByte(b)
		}
	}
}

// variation skips (…) with what is nested in it.
func (r *pgnReader) variation() error {
	first, depth := r.line, 0
	for {
		switch r.skipSpace() {
		case 0:
			return r.errorf("the variation that begins in line %d has no )", first)
		case '{', ';':
			if _, err := r.comment(); err != nil {
				return err
			}
			continue
		case '(':
			depth++
		case ')':
			depth--
		}
		r.next()
		if depth == 0 {
			return nil
		}
	}
}
