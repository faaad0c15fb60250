package rules

import (
	"fmt"

	"github.com/corentings/chess/v2"
)

// Color is a side of the board. The zero value is White, who moves first.
type Color uint8

// The two sides.
const (
	White Color = iota
	Black
)

// Other returns the opponent of c.
func (c Color) Other() Color { return c ^ 1 }

// String returns "white" or "black", the words of the contract's your_color.
func (c Color) String() string {
	if c == Black {
		return "black"
	}
	return "white"
}

// MarshalText writes the color as "white" or "black".
func (c Color) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads "white" or "black" and refuses every other word.
func (c *Color) UnmarshalText(text []byte) error {
	switch string(text) {
	case "white":
		*c = White
	case "black":
		*c = Black
	default:
		return fmt.Errorf("color must be white or black, not %.16q", text)
	}
	return nil
}

// Kind is what a piece is, whoever owns it. The order is that of the
// contract's piece lists: king first, pawn last.
type Kind uint8

// The kinds of piece. NoKind is an empty square, or a promotion not made.
const (
	NoKind Kind = iota
	King
	Queen
	Rook
	Bishop
	Knight
	Pawn
)

const kindLetters = " KQRBNP"

// String returns the English name of the kind in lower case, for messages.
func (k Kind) String() string {
	return [...]string{"nothing", "king", "queen", "rook", "bishop", "knight", "pawn"}[k]
}

// Letter returns the SAN letter of the kind: K, Q, R, B, N or P. NoKind has
// none and returns a space.
func (k Kind) Letter() byte { return kindLetters[k] }

// kindOf returns the kind with this SAN letter in upper case, or NoKind.
func kindOf(letter byte) Kind {
	for k := King; k <= Pawn; k++ {
		if kindLetters[k] == letter {
			return k
		}
	}
	return NoKind
}

// Piece is what stands on a square. The zero value is an empty square.
type Piece struct {
	Color Color
	Kind  Kind
}

// Letter returns the piece as FEN writes it: upper case for White, lower case
// for Black, and '.' for an empty square.
func (p Piece) Letter() byte {
	switch {
	case p.Kind == NoKind:
		return '.'
	case p.Color == Black:
		return p.Kind.Letter() | 0x20
	}
	return p.Kind.Letter()
}

// SquareName returns the name of a square index, 0 (a1) to 63 (h8), counted
// along the ranks.
func SquareName(sq int) string {
	return squareNames[2*sq : 2*sq+2]
}

// SquareIndex returns the index of a square name such as "e4", and whether it
// is one.
func SquareIndex(name string) (int, bool) {
	if len(name) != 2 || !isFile(name[0]) || !isRank(name[1]) {
		return 0, false
	}
	return int(square(name[0], name[1])), true
}

// squareNames holds the 64 names end to end, a1 to h8.
var squareNames = func() string {
	var names [128]byte
	for sq := range 64 {
		names[2*sq], names[2*sq+1] = 'a'+byte(sq%8), '1'+byte(sq/8)
	}
	return string(names[:])
}()

func isFile(b byte) bool { return 'a' <= b && b <= 'h' }
func isRank(b byte) bool { return '1' <= b && b <= '8' }

// square returns the index of the square on a file 'a'..'h' and rank '1'..'8'.
func square(file, rank byte) uint8 { return file - 'a' + 8*(rank-'1') }

// fromLibrary translates the library's piece codes.
var fromLibrary = func() (table [16]Piece) {
	kinds := map[chess.PieceType]Kind{
		chess.King: King, chess.Queen: Queen, chess.Rook: Rook,
		chess.Bishop: Bishop, chess.Knight: Knight, chess.Pawn: Pawn,
	}
	for theirs, kind := range kinds {
		table[chess.NewPiece(theirs, chess.White)] = Piece{White, kind}
		table[chess.NewPiece(theirs, chess.Black)] = Piece{Black, kind}
	}
	return table
}()

// kindFromLibrary translates the library's promotion codes.
var kindFromLibrary = [...]Kind{
	chess.NoPieceType: NoKind, chess.King: King, chess.Queen: Queen, chess.Rook: Rook,
	chess.Bishop: Bishop, chess.Knight: Knight, chess.Pawn: Pawn,
}
