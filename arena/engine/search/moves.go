package search

// generator holds what the legality of every move of one position depends on.
type generator struct {
	b        *board
	list     *moveList
	king     uint8
	occupied bitboard
	targets  bitboard // squares worth going to: not our own, and what parries a check
	pinned   bitboard
}

// legal appends the legal moves of b to list, which it empties first; checkers are
// those of b. With noisy set only captures and promotions are wanted, and list then
// holds at least all of these.
func (b *board) legal(list *moveList, checkers bitboard, noisy bool) {
	list.n = 0
	us := b.turn & 1
	g := generator{b: b, list: list, king: b.kingOf(us), occupied: b.occupied()}
	wanted := ^b.sides[us]
	if noisy {
		wanted = b.sides[us^1]
	}
	g.kingMoves(wanted)
	if checkers.several() {
		return // two at once can only be walked away from
	}
	g.targets = wanted
	parries := ^bitboard(0)
	if checkers != 0 {
		parries = checkers | betweenOf[g.king&63][checkers.first()]
		g.targets &= parries
	}
	g.findPins()
	g.pawnMoves(parries, noisy)
	g.pieceMoves()
	if checkers == 0 && !noisy {
		g.castling()
	}
}

func (g *generator) kingMoves(wanted bitboard) {
	without := g.occupied &^ bit(g.king) // a checked king does not hide behind itself
	for to := kingFrom[g.king&63] & wanted; to != 0; to &= to - 1 {
		if sq := to.first(); g.b.attackers(sq, g.b.turn^1, without) == 0 {
			g.list.add(newMove(g.king, sq))
		}
	}
}

// findPins finds our men that alone stand between the king and a slider.
func (g *generator) findPins() {
	b, us := g.b, g.b.turn&1
	theirs := b.sides[us^1]
	diagonal, straight := (b.kinds[bishop]|b.kinds[queen])&theirs, (b.kinds[rook]|b.kinds[queen])&theirs
	var snipers bitboard
	if diagonal != 0 {
		snipers |= bishopReach(g.king, theirs) & diagonal
	}
	if straight != 0 {
		snipers |= rookReach(g.king, theirs) & straight
	}
	for ; snipers != 0; snipers &= snipers - 1 {
		if hit := betweenOf[g.king&63][snipers.first()&63] & g.occupied; hit != 0 && !hit.several() {
			g.pinned |= hit
		}
	}
}

// free says whether the man on from may go to sq as far as pins are concerned.
func (g *generator) free(from, sq uint8) bool {
	return !g.pinned.has(from) || throughBoth[g.king&63][from&63].has(sq)
}

func (g *generator) pieceMoves() {
	b, us := g.b, g.b.turn&1
	for men := b.of(knight, us) &^ g.pinned; men != 0; men &= men - 1 {
		from := men.first()
		g.addAll(from, knightFrom[from&63])
	}
	for men := (b.kinds[bishop] | b.kinds[queen]) & b.sides[us]; men != 0; men &= men - 1 {
		from := men.first()
		g.addAll(from, g.onPin(from, bishopReach(from, g.occupied)))
	}
	for men := (b.kinds[rook] | b.kinds[queen]) & b.sides[us]; men != 0; men &= men - 1 {
		from := men.first()
		g.addAll(from, g.onPin(from, rookReach(from, g.occupied)))
	}
}

// onPin cuts reach to the line of a pin, if the man on from is pinned.
func (g *generator) onPin(from uint8, reach bitboard) bitboard {
	if g.pinned.has(from) {
		return reach & throughBoth[g.king&63][from&63]
	}
	return reach
}

func (g *generator) addAll(from uint8, reach bitboard) {
	for to := reach & g.targets; to != 0; to &= to - 1 {
		g.list.add(newMove(from, to.first()))
	}
}

// pawnMoves takes parries beside targets, since a promotion is noisy without a capture
// and an en passant capture parries by where the pawn taken stood.
func (g *generator) pawnMoves(parries bitboard, noisy bool) {
	b, us := g.b, g.b.turn&1
	pawns, empty := b.of(pawn, us), ^g.occupied
	theirs := b.sides[us^1] & parries

	back, third := int8(-8), rank3
	if us == black {
		back, third = 8, rank6
	}
	single := pawns.forward(us) & empty
	double := (single & third).forward(us) & empty & parries
	single &= parries
	if noisy {
		single &= lasts
		double = 0
	}
	g.addPawns(single, back)
	g.addPawns(double, 2*back)
	ahead := pawns.forward(us)
	g.addPawns(ahead&^fileA>>1&theirs, back+1)
	g.addPawns(ahead&^fileH<<1&theirs, back-1)

	if b.ep == noSquare {
		return
	}
	for takers := pawnFrom[us^1][b.ep&63] & pawns; takers != 0; takers &= takers - 1 {
		if from := takers.first(); b.mayTakeEnPassant(from, b.ep) {
			g.list.add(newMove(from, b.ep))
		}
	}
}

// addPawns adds the pawn moves to the squares of to; back is the way to where each
// came from.
func (g *generator) addPawns(to bitboard, back int8) {
	for ; to != 0; to &= to - 1 {
		sq := to.first()
		from := uint8(int8(sq) + back)
		if !g.free(from, sq) {
			continue
		}
		m := newMove(from, sq)
		if !lasts.has(sq) {
			g.list.add(m)
			continue
		}
		for k := queen; k >= knight; k-- {
			g.list.add(m.promotes(k))
		}
	}
}

// castling is possible with the right, an empty way, and no attacked square on the
// king's part of it; the caller has seen that there is no check.
func (g *generator) castling() {
	b, us := g.b, g.b.turn&1
	short, long := whiteShort, whiteLong
	if us == black {
		short, long = blackShort, blackLong
	}
	safe := func(sq uint8) bool { return b.attackers(sq, us^1, g.occupied) == 0 }
	k := g.king
	if b.castle&short != 0 && g.occupied&(bit(k+1)|bit(k+2)) == 0 && safe(k+1) && safe(k+2) {
		g.list.add(newMove(k, k+2))
	}
	if b.castle&long != 0 && g.occupied&(bit(k-1)|bit(k-2)|bit(k-3)) == 0 && safe(k-1) && safe(k-2) {
		g.list.add(newMove(k, k-2))
	}
}
