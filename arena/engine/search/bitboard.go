package search

import "math/bits"

// bitboard is a set of squares, bit 0 = a1 to bit 63 = h8, along the ranks.
type bitboard uint64

const (
	fileA bitboard = 0x0101010101010101
	fileH          = fileA << 7
	rank1 bitboard = 0xff
	rank3          = rank1 << 16
	rank6          = rank1 << 40
	lasts          = rank1 | rank1<<56 // where pawns promote
)

func bit(sq uint8) bitboard          { return 1 << (sq & 63) }
func (b bitboard) first() uint8      { return uint8(bits.TrailingZeros64(uint64(b))) }
func (b bitboard) count() int        { return bits.OnesCount64(uint64(b)) }
func (b bitboard) flip() bitboard    { return bitboard(bits.ReverseBytes64(uint64(b))) }
func (b bitboard) several() bool     { return b&(b-1) != 0 }
func (b bitboard) has(sq uint8) bool { return b>>(sq&63)&1 != 0 }
func (b bitboard) forward(c uint8) bitboard { // one rank on, as c sees it
	if c == white {
		return b << 8
	}
	return b >> 8
}

// beside returns the squares directly left and right of those in b.
func beside(b bitboard) bitboard { return b&^fileA>>1 | b&^fileH<<1 }

// lines are the squares on one line with a square, itself left out.
type lines struct{ file, diagonal, anti bitboard }

// direction is a step on the board, in files and ranks.
type direction struct{ file, rank int }

var (
	straights = []direction{{0, 1}, {1, 0}, {0, -1}, {-1, 0}}
	diagonals = []direction{{1, 1}, {1, -1}, {-1, -1}, {-1, 1}}
)

// leaps returns, for every square, where the given steps lead on the board.
func leaps(steps ...direction) (table [64]bitboard) {
	for sq := range table {
		for _, d := range steps {
			if f, r := sq&7+d.file, sq>>3+d.rank; f >= 0 && f < 8 && r >= 0 && r < 8 {
				table[sq] |= bit(uint8(r<<3 | f))
			}
		}
	}
	return table
}

// ray returns the squares from sq on in one direction, sq left out.
func ray(sq uint8, d direction) (squares bitboard) {
	for f, r := int(sq&7)+d.file, int(sq>>3)+d.rank; f >= 0 && f < 8 && r >= 0 && r < 8; f, r = f+d.file, r+d.rank {
		squares |= bit(uint8(r<<3 | f))
	}
	return squares
}

// What attacks what on an empty board, and geometry.
var (
	knightFrom = leaps(direction{1, 2}, direction{2, 1}, direction{2, -1}, direction{1, -2},
		direction{-1, -2}, direction{-2, -1}, direction{-2, 1}, direction{-1, 2})
	kingFrom = leaps(append(straights, diagonals...)...)
	pawnFrom = [2][64]bitboard{ // the squares a pawn of a colour attacks
		white: leaps(direction{-1, 1}, direction{1, 1}),
		black: leaps(direction{-1, -1}, direction{1, -1}),
	}
	linesOf     = everyLine()
	rankReach   = everyRank()      // by file and the six inner squares of the rank
	betweenOf   = pairs(strictly)  // between two squares of one line, else empty
	throughBoth = pairs(wholeLine) // the whole line of two squares, else empty
)

func everyLine() (table [64]lines) {
	for i := range table {
		sq := uint8(i)
		table[i] = lines{
			file:     ray(sq, direction{0, 1}) | ray(sq, direction{0, -1}),
			diagonal: ray(sq, direction{1, 1}) | ray(sq, direction{-1, -1}),
			anti:     ray(sq, direction{1, -1}) | ray(sq, direction{-1, 1}),
		}
	}
	return table
}

func everyRank() (table [8][64]uint8) {
	for file := range table {
		for inner := range table[file] {
			for _, step := range []int{1, -1} {
				for f := file + step; f >= 0 && f < 8; f += step {
					table[file][inner] |= 1 << f
					if inner<<1>>f&1 != 0 {
						break
					}
				}
			}
		}
	}
	return table
}

// pairs fills a table for all pairs of squares that share a line.
func pairs(of func(a, b uint8, d direction) bitboard) (table [64][64]bitboard) {
	for a := range uint8(64) {
		for _, d := range append(straights, diagonals...) {
			for rest := ray(a, d); rest != 0; rest &= rest - 1 {
				table[a][rest.first()] = of(a, rest.first(), d)
			}
		}
	}
	return table
}

func strictly(a, b uint8, d direction) bitboard {
	return ray(a, d) & ray(b, direction{-d.file, -d.rank})
}

func wholeLine(a, _ uint8, d direction) bitboard {
	return ray(a, d) | ray(a, direction{-d.file, -d.rank}) | bit(a)
}

// along returns what a slider on sq reaches on a line that crosses every rank at most
// once. Taking twice the slider's bit from the occupied squares of the line borrows up
// to the first one beyond it; with the ranks in reverse the same works downwards.
func along(sq uint8, occupied, line bitboard) bitboard {
	on, from := occupied&line, bit(sq)
	up := on - 2*from
	down := on.flip() - 2*from.flip()
	return (up ^ down.flip()) & line
}

func bishopReach(sq uint8, occupied bitboard) bitboard {
	l := &linesOf[sq&63]
	return along(sq, occupied, l.diagonal) | along(sq, occupied, l.anti)
}

func rookReach(sq uint8, occupied bitboard) bitboard {
	shift := sq & 56
	inner := uint8(occupied>>shift) >> 1 & 63
	return along(sq, occupied, linesOf[sq&63].file) | bitboard(rankReach[sq&7][inner])<<shift
}
