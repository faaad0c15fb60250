package web

import (
	"fmt"
	"html/template"
	"strings"

	"chessarena/rules"
)

// board is a position to be drawn. The drawing uses the piece symbols of the page's
// sprite (templates/part_sprite.html) and carries no style of its own.
type board struct {
	Position    *rules.Position
	Last        string // UCI of the last move, to be marked; "" for none
	Flip        bool   // black at the bottom
	Coordinates bool
	Label       string // what a screen reader says
}

const squareSize = 45 // units of the drawing; the board is 8 squares wide

// darkSquares is one path for all 32 dark squares. They are the same seen from either
// side.
var darkSquares = func() string {
	var b strings.Builder
	for i := range 64 {
		if x, y := i%8, i/8; (x+y)%2 == 1 {
			fmt.Fprintf(&b, "M%d %dh45v45h-45z", x*squareSize, y*squareSize)
		}
	}
	return b.String()
}()

// SVG draws the board, in some 3 KB. Everything in it is a number, a letter of a piece,
// or escaped.
func (b board) SVG() template.HTML {
	var s strings.Builder
	fmt.Fprintf(&s, `<svg class="board" viewBox="0 0 360 360" role="img" aria-label="%s">`, template.HTMLEscapeString(b.Label))
	s.WriteString(`<rect class="light" width="360" height="360"/><path class="dark" d="` + darkSquares + `"/>`)
	if len(b.Last) >= 4 {
		b.square(&s, "last", b.Last[:2])
		b.square(&s, "last", b.Last[2:4])
	}
	squares := b.Position.Board()
	for sq, piece := range squares {
		if b.Position.InCheck() && piece == (rules.Piece{Color: b.Position.Turn(), Kind: rules.King}) {
			b.square(&s, "check", rules.SquareName(sq))
		}
	}
	if b.Coordinates {
		b.coordinates(&s)
	}
	for sq, piece := range squares {
		if piece.Kind == rules.NoKind {
			continue
		}
		x, y := b.at(sq)
		fmt.Fprintf(&s, `<use href="#%c" class="%s" x="%d" y="%d" width="45" height="45"/>`, piece.Kind.Letter(), side(piece.Color), x, y)
	}
	s.WriteString(`</svg>`)
	return template.HTML(s.String())
}

// at returns the corner of a square in the drawing.
func (b board) at(sq int) (x, y int) {
	file, rank := sq%8, 7-sq/8
	if b.Flip {
		file, rank = 7-file, 7-rank
	}
	return file * squareSize, rank * squareSize
}

func (b board) square(s *strings.Builder, class, name string) {
	sq, ok := rules.SquareIndex(name)
	if !ok {
		return
	}
	x, y := b.at(sq)
	fmt.Fprintf(s, `<rect class="%s" x="%d" y="%d" width="45" height="45"/>`, class, x, y)
}

// coordinates writes ranks down the left edge and files along the bottom. Letters on a
// dark square take the light colour.
func (b board) coordinates(s *strings.Builder) {
	for i := range 8 {
		rank, file := 8-i, 'a'+rune(i)
		if b.Flip {
			rank, file = i+1, 'h'-rune(i)
		}
		left, bottom := "", ""
		if i%2 == 1 {
			left = ` class="on"`
		} else {
			bottom = ` class="on"`
		}
		fmt.Fprintf(s, `<text%s x="3" y="%d">%d</text>`, left, i*squareSize+10, rank)
		fmt.Fprintf(s, `<text%s x="%d" y="356" text-anchor="end">%c</text>`, bottom, i*squareSize+42, file)
	}
}

func side(c rules.Color) string {
	if c == rules.White {
		return "w"
	}
	return "b"
}

// describe is a position as a sentence: where each side's men stand, kings first.
func describe(p rules.Pieces) string {
	men := func(list []rules.PieceAt) string {
		words := make([]string, len(list))
		for i, man := range list {
			words[i] = strings.TrimPrefix(man.Piece, "P") + man.Square
		}
		return strings.Join(words, " ")
	}
	return "White: " + men(p.White) + ". Black: " + men(p.Black) + "."
}

// takenIcons draws the men that a side has lost, small.
func takenIcons(lost string, c rules.Color) template.HTML {
	if lost == "" {
		return ""
	}
	var s strings.Builder
	fmt.Fprintf(&s, `<span class="hidden">%s has lost %s</span>`, sideName(c), template.HTMLEscapeString(lost))
	for _, letter := range lost {
		s.WriteString(`<svg class="man" viewBox="0 0 45 45" aria-hidden="true"><use href="#` + string(letter) + `" class="` + side(c) + `"/></svg>`)
	}
	return template.HTML(s.String())
}
