package rules

import (
	"fmt"
	"slices"
	"sync"

	"github.com/corentings/chess/v2"
)

// Position is a chess position with all its legal moves. It never changes
// after it is returned, so any number of goroutines may read it. Make one with
// Start, ParseFEN or Play; use it by pointer only.
type Position struct {
	board   chess.Position // never asked for moves: it would cache them, unlocked
	legal   []Move         // sorted by UCI text
	inCheck bool

	sanOnce sync.Once
	san     []string
}

// start is shared: a Position is immutable.
var start = newPosition(*chess.StartingPosition(), false)

// Start returns the initial position of chess (FIDE article 2.3).
func Start() *Position { return start }

// newPosition generates the legal moves of a position. They are generated on
// a copy, so that the library's own list (46 moves of 128 bytes, filled in
// without a lock) dies at once and later reads touch nothing that changes.
func newPosition(board chess.Position, inCheck bool) *Position {
	p := &Position{board: board, inCheck: inCheck}
	theirs := board.ValidMovesUnsafe()
	p.legal = make([]Move, len(theirs))
	for i := range theirs {
		p.legal[i] = fromLibraryMove(&theirs[i])
	}
	slices.SortFunc(p.legal, func(a, b Move) int { return int(a.order()) - int(b.order()) })
	return p
}

// FEN returns the position in Forsyth-Edwards notation, six fields. The en
// passant square is given after every double step of a pawn, whether or not a
// pawn can take there.
func (p *Position) FEN() string { return p.board.String() }

// Turn returns the side to move.
func (p *Position) Turn() Color {
	if p.board.Turn() == chess.Black {
		return Black
	}
	return White
}

// FullMove returns the number of the current move: 1 at the start, one more
// after each move of Black.
func (p *Position) FullMove() int {
	// The library gives this number only as the index of the next half-move.
	return (p.board.Ply() + 1) / 2
}

// HalfMoveClock returns the number of half-moves since the last capture or
// pawn move. 100 of them make fifty moves (FIDE articles 9.3 and 9.6.2).
func (p *Position) HalfMoveClock() int { return p.board.HalfMoveClock() }

// InCheck says whether the king of the side to move is attacked.
func (p *Position) InCheck() bool { return p.inCheck }

// CastlingRights returns the castling field of the FEN: the letters of KQkq
// that still hold, in that order, or "-".
func (p *Position) CastlingRights() string { return p.board.CastleRights().String() }

// PieceOn returns what stands on a square, a1 = 0 to h8 = 63.
func (p *Position) PieceOn(sq int) Piece {
	return fromLibrary[p.board.Board().Piece(chess.Square(sq))]
}

// Board returns all squares, a1 = 0 to h8 = 63.
func (p *Position) Board() [64]Piece {
	var squares [64]Piece
	board := p.board.Board()
	for sq := range squares {
		squares[sq] = fromLibrary[board.Piece(chess.Square(sq))]
	}
	return squares
}

// Legal returns every legal move, sorted by UCI text. The slice is the
// caller's own.
func (p *Position) Legal() []Move { return slices.Clone(p.legal) }

// LegalUCI returns the legal moves as UCI texts, in the order of Legal. It is
// never nil.
func (p *Position) LegalUCI() []string {
	return texts(len(p.legal), func(b []byte, i int) []byte { return p.legal[i].appendUCI(b) })
}

// LegalSAN returns the legal moves in standard algebraic notation, in the
// order of Legal. It is never nil; the slice is the caller's own.
func (p *Position) LegalSAN() []string { return slices.Clone(p.legalSAN()) }

// legalSAN computes the texts once: every state an agent reads carries them,
// but a position that is only replayed through never needs them.
func (p *Position) legalSAN() []string {
	p.sanOnce.Do(func() {
		p.san = texts(len(p.legal), func(b []byte, i int) []byte { return p.appendSAN(b, p.legal[i]) })
	})
	return p.san
}

// texts returns n strings that share one allocation.
func texts(n int, add func(b []byte, i int) []byte) []string {
	list := make([]string, n)
	ends := make([]int, n)
	buffer := make([]byte, 0, 6*n)
	for i := range n {
		buffer = add(buffer, i)
		ends[i] = len(buffer)
	}
	all, from := string(buffer), 0
	for i, end := range ends {
		list[i], from = all[from:end], end
	}
	return list
}

// Play returns the position after m. It panics if m is not legal here: moves
// come from Legal or Resolve of this very position.
func (p *Position) Play(m Move) *Position {
	p.mustBeLegal(m)
	theirs := m.library()
	return newPosition(*p.board.Update(&theirs), m.tags&tagCheck != 0)
}

func (p *Position) mustBeLegal(m Move) {
	if !slices.Contains(p.legal, m) {
		panic(fmt.Sprintf("rules: %q is not a legal move of %s", m.UCI(), p.FEN()))
	}
}

// enPassantSquare returns the en passant field of the FEN, or "" for none.
func (p *Position) enPassantSquare() string {
	if sq := p.board.EnPassantSquare(); sq != chess.NoSquare {
		return SquareName(int(sq))
	}
	return ""
}

// String returns the FEN, for test failures and logs.
func (p *Position) String() string { return p.FEN() }
