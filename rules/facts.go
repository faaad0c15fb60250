package rules

import "strings"

// PieceAt is one entry of the contract's piece lists.
type PieceAt struct {
	Piece  string `json:"piece"`  // K, Q, R, B, N or P, for either side
	Square string `json:"square"` // "a1" to "h8"
}

// Pieces lists each side's men: king, queens, rooks, bishops, knights, pawns,
// and within a kind by square, a1 b1 … h8. Neither list is ever nil.
type Pieces struct {
	White []PieceAt `json:"white"`
	Black []PieceAt `json:"black"`
}

// Facts is what every state payload says about a position beside its FEN
// (contract, "Richer board representation"): the same position in forms a
// language model reads well, and no judgment about it. The repetition count
// belongs to the game, see Replay.RepetitionCount.
type Facts struct {
	Board           string  `json:"board_ascii"`
	Pieces          Pieces  `json:"pieces"`
	InCheck         bool    `json:"in_check"`
	CastlingRights  string  `json:"castling_rights"`
	EnPassantSquare *string `json:"en_passant_square"`
	HalfMoveClock   int     `json:"halfmove_clock"`
	FullMoveNumber  int     `json:"fullmove_number"`
}

// Facts describes the position. Board is the drawing alone; a payload with a
// your_color replaces it by BoardASCII of that color.
func (p *Position) Facts() Facts {
	f := Facts{
		Board:          p.drawing(),
		Pieces:         p.pieces(),
		InCheck:        p.inCheck,
		CastlingRights: p.CastlingRights(),
		HalfMoveClock:  p.HalfMoveClock(),
		FullMoveNumber: p.FullMove(),
	}
	if sq := p.enPassantSquare(); sq != "" {
		f.EnPassantSquare = &sq
	}
	return f
}

// BoardASCII returns the drawing for a reader who plays one side: a line comes
// first that says how to read the letters and which side that is. Nil is a
// reader who plays neither and gets the drawing alone.
func (f Facts) BoardASCII(you *Color) string {
	if you == nil {
		return f.Board
	}
	return "White pieces are uppercase, black lowercase. You are playing " + you.String() + ".\n" + f.Board
}

// drawing is eight lines, each begun by its rank, and a line with the files,
// White at the bottom.
func (p *Position) drawing() string {
	var b strings.Builder
	b.Grow(170)
	for rank := 7; rank >= 0; rank-- {
		b.WriteByte('1' + byte(rank))
		for file := range 8 {
			b.WriteByte(' ')
			b.WriteByte(p.PieceOn(8*rank + file).Letter())
		}
		b.WriteByte('\n')
	}
	b.WriteString("  a b c d e f g h")
	return b.String()
}

func (p *Position) pieces() Pieces {
	board := p.Board()
	list := func(c Color) []PieceAt {
		men := make([]PieceAt, 0, 16)
		for kind := King; kind <= Pawn; kind++ {
			for sq, piece := range board {
				if piece == (Piece{c, kind}) {
					men = append(men, PieceAt{kindLetters[kind : kind+1], SquareName(sq)})
				}
			}
		}
		return men
	}
	return Pieces{White: list(White), Black: list(Black)}
}
