package rules

import "github.com/corentings/chess/v2"

// Move is one legal move of one position. It is a small comparable value; the
// zero value is no move. Two moves of the same position are the same move
// exactly if they are equal; across positions compare UCI texts, since a Move
// also remembers whether it captures or gives check.
type Move struct {
	from, to  uint8
	promotion Kind
	tags      uint8
}

// What a move does besides going somewhere, in the library's own bits so that
// a move can be handed back to it unchanged.
const (
	tagShort     = uint8(chess.KingSideCastle)
	tagLong      = uint8(chess.QueenSideCastle)
	tagCapture   = uint8(chess.Capture)
	tagEnPassant = uint8(chess.EnPassant)
	tagCheck     = uint8(chess.Check)

	tagCastle = tagShort | tagLong
	tagTakes  = tagCapture | tagEnPassant
)

// UCI returns the move in the notation of the Universal Chess Interface:
// "e2e4", "e7e8q", castling as the king's two squares "e1g1". No move is "".
func (m Move) UCI() string {
	if m.from == m.to {
		return ""
	}
	var text [5]byte
	return string(m.appendUCI(text[:0]))
}

func (m Move) appendUCI(b []byte) []byte {
	b = append(b, SquareName(int(m.from))...)
	b = append(b, SquareName(int(m.to))...)
	if m.promotion != NoKind {
		b = append(b, m.promotion.Letter()|0x20)
	}
	return b
}

// From and To return the squares of the move as indexes, a1 = 0 to h8 = 63.
// Castling goes from the king's square to the one where it lands.
func (m Move) From() int { return int(m.from) }

// To returns the square where the moving piece lands; see From.
func (m Move) To() int { return int(m.to) }

// Capture says whether the move takes a piece, en passant included.
func (m Move) Capture() bool { return m.tags&tagTakes != 0 }

// order sorts moves like their UCI texts.
func (m Move) order() uint32 {
	const promotions = "\x00\x00\x04\x05\x01\x03\x00" // b < n < q < r, by Kind
	file := func(sq uint8) uint32 { return uint32(sq & 7) }
	rank := func(sq uint8) uint32 { return uint32(sq >> 3) }
	return file(m.from)<<15 | rank(m.from)<<12 | file(m.to)<<9 | rank(m.to)<<6 | uint32(promotions[m.promotion])
}

// fromLibraryMove keeps the six facts of a generated move, 4 bytes instead of
// the library's 128.
func fromLibraryMove(theirs *chess.Move) Move {
	m := Move{
		from:      uint8(theirs.S1()),
		to:        uint8(theirs.S2()),
		promotion: kindFromLibrary[theirs.Promo()],
	}
	for tag := chess.KingSideCastle; tag <= chess.Check; tag <<= 1 {
		if theirs.HasTag(tag) {
			m.tags |= uint8(tag)
		}
	}
	return m
}

// library returns the move as the library's Update wants it. A polyglot move
// is the only public way there from two squares to a library move.
func (m Move) library() chess.Move {
	const promotions = "\x00\x00\x04\x03\x02\x01\x00" // knight 1 … queen 4, by Kind
	theirs := chess.PolyglotMove{
		FromFile: int(m.from & 7), FromRank: int(m.from >> 3),
		ToFile: int(m.to & 7), ToRank: int(m.to >> 3),
		Promotion: int(promotions[m.promotion]),
	}.ToMove()
	theirs.AddTag(chess.MoveTag(m.tags))
	return theirs
}
