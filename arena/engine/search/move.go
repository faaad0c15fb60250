package search

// move is a move in 16 bits: from, to, and the kind promoted to or none. What else it
// is (a capture, castling, en passant) follows from the board it is played on.
type move uint16

const noMove move = 0

func newMove(from, to uint8) move { return move(from&63) | move(to&63)<<6 }

func (m move) from() uint8           { return uint8(m & 63) }
func (m move) to() uint8             { return uint8(m >> 6 & 63) }
func (m move) promotion() uint8      { return uint8(m >> 12) }
func (m move) promotes(k uint8) move { return m | move(k)<<12 }

// uci returns the move as UCI text.
func (m move) uci() string {
	if m == noMove {
		return ""
	}
	b := []byte{
		'a' + m.from()&7, '1' + m.from()>>3,
		'a' + m.to()&7, '1' + m.to()>>3,
	}
	if k := m.promotion(); k != none {
		b = append(b, " pnbrqk"[k])
	}
	return string(b)
}

// maxMoves is more than any position has: 218 is the known maximum.
const maxMoves = 256

// moveList is a list that lives in memory its owner keeps.
type moveList struct {
	n     int
	moves [maxMoves]move
}

func (l *moveList) add(m move) {
	l.moves[l.n&(maxMoves-1)] = m
	l.n++
}

func (l *moveList) all() []move { return l.moves[:l.n] }
