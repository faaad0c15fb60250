package search

// Terms of the evaluation beside the men and their squares, in centipawns.
var (
	tempo      = pair{14, 8}
	bishopPair = pair{28, 48}
	doubled    = pair{-6, -18} // each pawn with one of its own in front of it
	isolated   = pair{-13, -11}
	openFile   = pair{30, 12} // a rook where no pawn stands
	halfOpen   = pair{14, 8}  // a rook where only their pawns stand

	// One more square to go to, counted from what is usual for the kind.
	mobility = [7]pair{knight: {5, 4}, bishop: {5, 5}, rook: {3, 5}, queen: {2, 4}}
	usual    = [7]int32{knight: 4, bishop: 5, rook: 6, queen: 11}

	// What a man that bears on the squares around their king counts.
	bearing = [7]int32{knight: 2, bishop: 2, rook: 3, queen: 5}

	shelter = int32(11) // each pawn right in front of the own king
)

// evaluate returns the value of the position for the side to move in centipawns,
// without looking ahead. It is 0 for what nobody can win.
func (b *board) evaluate() int {
	if b.drawnByMaterial() {
		return 0
	}
	e := b.psq
	b.pawns(&e, white, 1)
	b.pawns(&e, black, -1)
	b.pieces(&e, white, 1)
	b.pieces(&e, black, -1)

	phase := min(int32(b.phase), fullPhase)
	v := (e.mid*phase + e.end*(fullPhase-phase)) / fullPhase
	v = v * b.winnable(v) / 64
	if b.turn == black {
		v = -v
	}
	v += (tempo.mid*phase + tempo.end*(fullPhase-phase)) / fullPhase
	return int(v)
}

func (e *pair) add(p pair, times int32) {
	e.mid += p.mid * times
	e.end += p.end * times
}

// span is what pawns look at around a square.
type span struct {
	ahead [2]bitboard // the squares in front, as each colour sees it
	front [2]bitboard // those and their neighbours: without enemy pawns, the pawn is passed
	file  bitboard    // the whole file
	sides bitboard    // the files beside it
}

var spans = func() (table [64]span) {
	for i := range table {
		sq := uint8(i)
		file := fileA << (sq & 7)
		table[i] = span{file: file, sides: beside(file)}
		for c, d := range []direction{{0, 1}, {0, -1}} {
			table[i].ahead[c] = ray(sq, d)
			table[i].front[c] = ray(sq, d) | beside(ray(sq, d))
		}
	}
	return table
}()

func (b *board) pawns(e *pair, us uint8, sign int32) {
	ours, theirs := b.of(pawn, us), b.of(pawn, us^1)
	for rest := ours; rest != 0; rest &= rest - 1 {
		sq := rest.first() & 63
		s := &spans[sq]
		if s.ahead[us&1]&ours != 0 {
			e.add(doubled, sign)
		} else if s.front[us&1]&theirs == 0 {
			e.add(b.passed(sq, us), sign)
		}
		if s.sides&ours == 0 {
			e.add(isolated, sign)
		}
	}
}

// passed is the value of a passed pawn: by its rank as its owner sees it, and by what
// can stop it.
func (b *board) passed(sq, us uint8) pair {
	rank := int32(sq >> 3)
	if us == black {
		rank = 7 - rank
	}
	v := pair{2 * rank * rank, 6 + 5*rank*rank}
	next := (sq + 8 - 16*us) & 63
	if b.men[next] != none {
		v.end /= 2
		return v
	}
	v.end += rank * (2*distance(next, b.kingOf(us^1)) - distance(next, b.kingOf(us)))
	return v
}

// distance is the number of king's moves from a to b.
func distance(a, b uint8) int32 {
	f, r := int32(a&7)-int32(b&7), int32(a>>3)-int32(b>>3)
	return max(f, -f, r, -r)
}

func (b *board) pieces(e *pair, us uint8, sign int32) {
	occupied, ours := b.occupied(), b.sides[us&1]
	theirPawns := b.of(pawn, us^1)
	guarded := beside(theirPawns.forward(us ^ 1))
	room := ^ours &^ guarded
	theirKing := b.kingOf(us ^ 1)
	ring := kingFrom[theirKing&63]
	danger, attackers := int32(0), 0

	count := func(kind uint8, reach bitboard) {
		e.add(mobility[kind], sign*(int32((reach&room).count())-usual[kind]))
		if near := reach & ring; near != 0 {
			attackers++
			danger += bearing[kind] * int32(near.count())
		}
	}
	for men := b.of(knight, us); men != 0; men &= men - 1 {
		count(knight, knightFrom[men.first()&63])
	}
	bishops := b.of(bishop, us)
	if bishops.several() {
		e.add(bishopPair, sign)
	}
	for men := bishops; men != 0; men &= men - 1 {
		count(bishop, bishopReach(men.first(), occupied))
	}
	for men := b.of(rook, us); men != 0; men &= men - 1 {
		sq := men.first()
		count(rook, rookReach(sq, occupied))
		if file := spans[sq&63].file; file&b.kinds[pawn] == 0 {
			e.add(openFile, sign)
		} else if file&b.kinds[pawn]&ours == 0 {
			e.add(halfOpen, sign)
		}
	}
	for men := b.of(queen, us); men != 0; men &= men - 1 {
		sq := men.first()
		count(queen, bishopReach(sq, occupied)|rookReach(sq, occupied))
	}
	if attackers > 1 { // one alone rarely does harm
		e.mid += sign * min(danger*danger/4, 400)
	}
	k := b.kingOf(us)
	front := bit(k).forward(us)
	front |= beside(front)
	e.mid += sign * shelter * int32((front & ours & b.kinds[pawn]).count())
}

// drawnByMaterial says whether neither side has enough left to mate by any play: bare
// kings, or one bishop or knight besides.
func (b *board) drawnByMaterial() bool {
	return b.kinds[pawn]|b.kinds[rook]|b.kinds[queen] == 0 && !(b.kinds[knight] | b.kinds[bishop]).several()
}

// winnable is how much of an advantage v, White's when positive, can be had, in 64ths:
// without pawns a small one is worth little.
func (b *board) winnable(v int32) int32 {
	us := white
	if v < 0 {
		us = black
	}
	if b.of(pawn, us) != 0 {
		if b.phase == 2 && b.kinds[bishop].count() == 2 && b.oppositeBishops() {
			return 32
		}
		return 64
	}
	ours, theirs := b.force(us), b.force(us^1)
	switch {
	case ours < worth[rook].mid: // a minor piece cannot mate
		return 2
	case ours-theirs < worth[rook].mid && theirs > 0 || b.of(knight, us).count() == 2 && ours == 2*worth[knight].mid:
		return 12
	}
	return 64
}

// force is what a side's pieces are worth, pawns apart.
func (b *board) force(us uint8) int32 {
	v := int32(0)
	for kind := knight; kind <= queen; kind++ {
		v += worth[kind].mid * int32(b.of(kind, us).count())
	}
	return v
}

// oppositeBishops says whether the two bishops are one a side, on unlike colours.
func (b *board) oppositeBishops() bool {
	const dark bitboard = 0xaa55aa55aa55aa55
	return b.of(bishop, white).count() == 1 && (b.kinds[bishop]&dark).count() == 1
}
