package search

import (
	"strings"

	"chessarena/rules"
)

const (
	white uint8 = iota
	black
)

// Kinds of men. A man on a square is kind | colour<<3.
const (
	none uint8 = iota
	pawn
	knight
	bishop
	rook
	queen
	king
)

func manOf(kind, colour uint8) uint8 { return kind | colour<<3 }

// Castling rights, a set.
const (
	whiteShort uint8 = 1 << iota
	whiteLong
	blackShort
	blackLong
)

// noSquare is the en passant square of most positions.
const noSquare uint8 = 64

// board is a position. Moves are made on a copy, so nothing is ever taken back; the
// whole value is 160 bytes and contains no pointer.
type board struct {
	kinds  [7]bitboard // by kind; index 0 is unused
	sides  [2]bitboard
	men    [64]uint8
	key    uint64
	psq    pair  // values of all men on their squares, White's less Black's
	phase  int16 // how much there is of the pieces, 24 at the start
	fifty  uint8 // half-moves since the last capture or pawn move, at most 255
	turn   uint8
	castle uint8
	ep     uint8 // set only if an en passant capture is legal, so that equal keys repeat
}

// keeps says which castling rights survive a move from or to a square.
var keeps = func() (k [64]uint8) {
	for sq := range k {
		k[sq] = 15
	}
	k[0], k[4], k[7] = 15&^whiteLong, 15&^(whiteLong|whiteShort), 15&^whiteShort
	k[56], k[60], k[63] = 15&^blackLong, 15&^(blackLong|blackShort), 15&^blackShort
	return k
}()

// newBoard returns the board of a position.
func newBoard(p *rules.Position) board {
	kinds := map[rules.Kind]uint8{rules.Pawn: pawn, rules.Knight: knight, rules.Bishop: bishop, rules.Rook: rook, rules.Queen: queen, rules.King: king}
	b := board{ep: noSquare}
	for sq, piece := range p.Board() {
		if piece.Kind != rules.NoKind {
			b.put(uint8(sq), manOf(kinds[piece.Kind], uint8(piece.Color)))
		}
	}
	for i, letter := range []string{"K", "Q", "k", "q"} {
		if strings.Contains(p.CastlingRights(), letter) {
			b.castle |= 1 << i
		}
	}
	b.key ^= keys.castle[b.castle]
	if p.Turn() == rules.Black {
		b.turn = black
		b.key ^= keys.turn
	}
	b.fifty = uint8(min(p.HalfMoveClock(), 255))
	if name := p.Facts().EnPassantSquare; name != nil {
		sq, _ := rules.SquareIndex(*name)
		b.offerEnPassant(uint8(sq))
	}
	return b
}

func (b *board) occupied() bitboard { return b.sides[0] | b.sides[1] }

// of returns the men of one kind and colour.
func (b *board) of(kind, colour uint8) bitboard { return b.kinds[kind] & b.sides[colour&1] }

func (b *board) kingOf(colour uint8) uint8 { return b.of(king, colour).first() }

func (b *board) put(sq, man uint8) {
	sq &= 63
	man &= 15
	b.kinds[man&7] |= bit(sq)
	b.sides[man>>3] |= bit(sq)
	b.men[sq] = man
	b.key ^= keys.men[man][sq]
	v := &squareValues[man][sq]
	b.psq.mid += v.mid
	b.psq.end += v.end
	b.phase += phaseOf[man&7]
}

func (b *board) take(sq uint8) {
	sq &= 63
	man := b.men[sq] & 15
	b.kinds[man&7] &^= bit(sq)
	b.sides[man>>3] &^= bit(sq)
	b.men[sq] = none
	b.key ^= keys.men[man][sq]
	v := &squareValues[man][sq]
	b.psq.mid -= v.mid
	b.psq.end -= v.end
	b.phase -= phaseOf[man&7]
}

// captures says whether m takes something, en passant included.
func (b *board) captures(m move) bool {
	return b.men[m.to()] != none || m.to() == b.ep && b.men[m.from()]&7 == pawn
}

// play makes a legal move.
func (b *board) play(m move) {
	from, to, us := m.from(), m.to(), b.turn
	man := b.men[from]
	ep := b.ep
	b.pass()
	b.fifty = min(b.fifty, 254) + 1

	if b.men[to] != none {
		b.take(to)
		b.fifty = 0
	}
	b.take(from)
	if k := m.promotion(); k != none {
		b.put(to, manOf(k, us))
	} else {
		b.put(to, man)
	}
	if castle := b.castle & keeps[from] & keeps[to]; castle != b.castle {
		b.key ^= keys.castle[b.castle] ^ keys.castle[castle]
		b.castle = castle
	}
	switch man & 7 {
	case pawn:
		b.fifty = 0
		switch {
		case to == ep:
			b.take(to ^ 8)
		case from^to == 16:
			b.offerEnPassant((from + to) / 2)
		}
	case king:
		switch {
		case to == from+2:
			b.take(to + 1)
			b.put(to-1, manOf(rook, us))
		case from == to+2:
			b.take(to - 2)
			b.put(to+1, manOf(rook, us))
		}
	}
}

// pass gives the turn to the other side and forgets the en passant square.
func (b *board) pass() {
	b.turn ^= 1
	b.key ^= keys.turn
	if b.ep != noSquare {
		b.key ^= keys.file[b.ep&7]
		b.ep = noSquare
	}
}

// offerEnPassant sets the en passant square if the side to move has a legal capture
// there: only then does it make a different position (FIDE article 9.2.3).
func (b *board) offerEnPassant(sq uint8) {
	for takers := pawnFrom[b.turn^1][sq&63] & b.of(pawn, b.turn); takers != 0; takers &= takers - 1 {
		if b.mayTakeEnPassant(takers.first(), sq) {
			b.ep = sq
			b.key ^= keys.file[sq&7]
			return
		}
	}
}

// mayTakeEnPassant says whether the king is safe after the pawn on from takes en
// passant on sq: two pawns leave one rank at once, which no pin accounts for.
func (b *board) mayTakeEnPassant(from, sq uint8) bool {
	taken := bit(sq ^ 8)
	occupied := b.occupied()&^(bit(from)|taken) | bit(sq)
	return b.attackers(b.kingOf(b.turn), b.turn^1, occupied)&^taken == 0
}

// attackers returns the men of one colour that attack a square, with the given squares
// occupied.
func (b *board) attackers(sq, by uint8, occupied bitboard) bitboard {
	sq &= 63
	by &= 1
	a := pawnFrom[by^1][sq]&b.kinds[pawn] | knightFrom[sq]&b.kinds[knight] | kingFrom[sq]&b.kinds[king]
	if d := b.kinds[bishop] | b.kinds[queen]; d&b.sides[by] != 0 {
		a |= bishopReach(sq, occupied) & d
	}
	if s := b.kinds[rook] | b.kinds[queen]; s&b.sides[by] != 0 {
		a |= rookReach(sq, occupied) & s
	}
	return a & b.sides[by]
}

// checkers returns what gives check to the side to move.
func (b *board) checkers() bitboard {
	return b.attackers(b.kingOf(b.turn), b.turn^1, b.occupied())
}
