package search

import "chessarena/rules"

// Perft returns the number of sequences of depth legal moves from p: the measure by
// which move generators are compared. Depth 0 is 1.
func Perft(p *rules.Position, depth int) int {
	b := newBoard(p)
	return b.perft(depth)
}

func (b *board) perft(depth int) int {
	if depth <= 0 {
		return 1
	}
	var list moveList
	b.legal(&list, b.checkers(), false)
	if depth == 1 {
		return list.n
	}
	nodes := 0
	for _, m := range list.all() {
		next := *b
		next.play(m)
		nodes += next.perft(depth - 1)
	}
	return nodes
}
