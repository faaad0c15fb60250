package rules

// men counts the men of each color and kind, and the bishops by the color of
// their squares.
type men struct {
	of      [2][Pawn + 1]int
	bishops [2]int
}

func countMen(board *[64]Piece) (m men) {
	for sq, piece := range board {
		m.of[piece.Color][piece.Kind]++
		if piece.Kind == Bishop {
			m.bishops[(sq+sq/8)%2]++
		}
	}
	return m
}

// oneShade says whether no two bishops, of whichever side, stand on squares of
// different colors.
func (m *men) oneShade() bool { return m.bishops[0] == 0 || m.bishops[1] == 0 }

// canMate says whether a side could still deliver mate if the other helped,
// judged by material alone: not with the king alone; not with one knight
// unless the opponent has a man other than queens to get in his king's way;
// not with bishops of one shade unless the opponent has a knight, a pawn or a
// bishop of the other shade.
func (m *men) canMate(c Color) bool {
	own, other := &m.of[c], &m.of[c.Other()]
	switch {
	case own[Queen]+own[Rook]+own[Pawn] > 0:
		return true
	case own[Knight] == 0 && own[Bishop] == 0:
		return false
	case own[Bishop] == 0:
		return own[Knight] > 1 || other[Rook]+other[Bishop]+other[Knight]+other[Pawn] > 0
	case own[Knight] == 0:
		return other[Knight]+other[Pawn] > 0 || !m.oneShade()
	}
	return true
}

// CanMate says whether c has mating material: whether any series of legal
// moves could end in mate by c, judged by the men on the board. It decides a
// time forfeit: whoever runs out of time against a side that cannot mate
// draws (FIDE article 6.9, by the one-sided rule lichess uses).
func (p *Position) CanMate(c Color) bool {
	board := p.Board()
	m := countMen(&board)
	return m.canMate(c)
}

// insufficientMaterial says whether neither side can mate: bare kings, one
// minor piece against a bare king, or only bishops that all stand on one
// shade. Other dead positions (FIDE article 5.2.2), such as walls of pawns,
// are played on.
func (p *Position) insufficientMaterial() bool {
	board := p.Board()
	m := countMen(&board)
	return !m.canMate(White) && !m.canMate(Black)
}
