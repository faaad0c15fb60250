package search

// What moves are worth in the order in which they are tried. History lies within ±trust.
const (
	fromMemory int32 = 1 << 30
	goodTrade  int32 = 1 << 24
	killer     int32 = 1 << 22
	trust      int32 = 1 << 14
	badTrade   int32 = -1 << 24
)

// rank says how promising the moves of f are; first is the best one of an earlier visit.
func (s *Searcher) rank(f *frame, first move) {
	b := &f.board
	for i, m := range f.list.all() {
		f.order[i] = s.promise(f, b, m, first)
	}
}

func (s *Searcher) promise(f *frame, b *board, m, first move) int32 {
	man, k := b.men[m.from()]&15, m.promotion()
	switch {
	case m == first:
		return fromMemory
	case k != none && k != queen:
		return badTrade + int32(k) // one asks for it about once a lifetime
	case b.captures(m) || k == queen:
		value := int32(exchangeValue[b.men[m.to()]&7]+exchangeValue[k])*8 - int32(man&7)
		if b.exchangeGains(m) {
			return goodTrade + value
		}
		return badTrade + value
	case m == f.killers[0]:
		return killer + 1
	case m == f.killers[1]:
		return killer
	}
	return s.history[man][m.to()]
}

// next brings the most promising of the moves from i on to place i, and returns it.
func (f *frame) next(i int) move {
	top := i
	for j := i + 1; j < f.list.n; j++ {
		if f.order[j&(maxMoves-1)] > f.order[top&(maxMoves-1)] {
			top = j
		}
	}
	i &= maxMoves - 1
	top &= maxMoves - 1
	f.order[i], f.order[top] = f.order[top], f.order[i]
	f.list.moves[i], f.list.moves[top] = f.list.moves[top], f.list.moves[i]
	return f.list.moves[i]
}

// learn remembers a quiet move that refuted the position, and that those before it did
// not.
func (s *Searcher) learn(f *frame, m move, depth int, before []move) {
	if f.killers[0] != m {
		f.killers[1], f.killers[0] = f.killers[0], m
	}
	bonus := int32(min(16*depth*depth, 1600))
	s.adjust(&f.board, m, bonus)
	for _, poor := range before {
		s.adjust(&f.board, poor, -bonus)
	}
}

// adjust moves an entry of the history towards ±trust, by less the nearer it is.
func (s *Searcher) adjust(b *board, m move, bonus int32) {
	h := &s.history[b.men[m.from()]&15][m.to()]
	*h += bonus - *h*max(bonus, -bonus)/trust
}
