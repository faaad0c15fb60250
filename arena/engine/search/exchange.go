package search

// exchangeValue is what men count in an exchange on one square.
var exchangeValue = [8]int{pawn: 100, knight: 325, bishop: 335, rook: 500, queen: 975, king: 20000}

// exchangeGains says whether the captures on m's square, each side taking with its
// cheapest man and stopping when it likes, leave the side to move at least even.
func (b *board) exchangeGains(m move) bool {
	from, to := m.from(), m.to()
	if m.promotion() != none || b.men[from]&7 == king || to == b.ep && b.men[from]&7 == pawn {
		return true // never a loss worth looking for
	}
	balance := exchangeValue[b.men[to]&7] - exchangeValue[b.men[from]&7]
	if balance >= 0 {
		return true // even if it is taken back
	}
	occupied := b.occupied() &^ bit(from)
	diagonal, straight := b.kinds[bishop]|b.kinds[queen], b.kinds[rook]|b.kinds[queen]
	attackers := b.attackers(to, white, occupied) | b.attackers(to, black, occupied)
	side := b.turn ^ 1

	// Each round, side must take to bring the balance back to its favour, or has lost
	// the exchange. The balance is what the side that just took has if it is retaken.
	for {
		attackers &= occupied
		ours := attackers & b.sides[side&1]
		if ours == 0 {
			break
		}
		kind := pawn
		for ours&b.kinds[kind] == 0 {
			kind++
		}
		if kind == king && attackers&b.sides[(side^1)&1] != 0 {
			break // the king may not take what is guarded
		}
		occupied &^= bit((ours & b.kinds[kind]).first())
		if kind == pawn || kind == bishop || kind == queen {
			attackers |= bishopReach(to, occupied) & diagonal
		}
		if kind == rook || kind == queen {
			attackers |= rookReach(to, occupied) & straight
		}
		side ^= 1
		balance = -balance - 1 - exchangeValue[kind]
		if balance >= 0 {
			break
		}
	}
	return side != b.turn
}
