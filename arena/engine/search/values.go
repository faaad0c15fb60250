package search

// pair is a value in the middlegame and one in the endgame, in centipawns; the real
// value lies between them by how many pieces are left.
type pair struct{ mid, end int32 }

// What a man is worth wherever it stands.
var worth = [7]pair{
	pawn:   {85, 105},
	knight: {330, 300},
	bishop: {345, 320},
	rook:   {475, 540},
	queen:  {960, 1000},
}

// phaseOf is what each kind adds to the phase of the game: 24 with all men on the
// board, 0 with kings and pawns alone.
var phaseOf = [7]int16{knight: 1, bishop: 1, rook: 2, queen: 4}

const fullPhase = 24

// squareValues is worth plus place, for every man on every square, negative for Black.
var squareValues = func() (v [16][64]pair) {
	for kind := pawn; kind <= king; kind++ {
		for sq := range uint8(64) {
			p := place(kind, int32(sq&7), int32(sq>>3))
			p.mid += worth[kind].mid
			p.end += worth[kind].end
			v[manOf(kind, white)][sq] = p
			v[manOf(kind, black)][sq^56] = pair{-p.mid, -p.end}
		}
	}
	return v
}()

// place is what standing on a square adds to a white man. All of it comes from two
// distances from the middle of the board: side grows from 0 on the four central files
// to 3 on the edge files, rim from 0 in the centre to 6 in the corners.
func place(kind uint8, file, rank int32) pair {
	outward := func(x int32) int32 { return max(3-x, x-4) }
	side := outward(file)
	rim := side + outward(rank)
	switch kind {
	case pawn:
		p := pair{4 * (rank - 1), 3 * (rank - 1) * (rank - 1)}
		if side == 0 {
			p.mid += 9 * (min(rank, 3) - 1) // the centre wants to be occupied, not overrun
		}
		return p
	case knight:
		return pair{22 - 9*rim, 18 - 8*rim}
	case bishop:
		p := pair{12 - 4*rim, 9 - 3*rim}
		if rank == 0 {
			p.mid -= 6
		}
		return p
	case rook:
		p := pair{4 - 3*side, 0}
		if rank == 6 {
			p.mid, p.end = p.mid+14, p.end+12
		}
		return p
	case queen:
		return pair{2 - 2*rim, 22 - 9*rim}
	default:
		p := pair{-18 * min(rank, 4), 28 - 12*rim}
		if rank < 2 {
			p.mid += 14*side - 20 // into shelter
		}
		return p
	}
}
