package search

// reductions is by how much moves that look poor are searched less deep, by depth and
// by their place in the order: it grows with the logarithm of both.
var reductions = func() (table [64][64]int8) {
	log := func(x int) (l int) { // base 2, in quarters
		for v := x * x * x * x; v > 1; v /= 2 {
			l++
		}
		return l
	}
	for depth := 1; depth < 64; depth++ {
		for place := 1; place < 64; place++ {
			table[depth][place] = int8((20 + log(depth)*log(place)) / 64)
		}
	}
	return table
}()

// search returns the score of the position at ply, exact between alpha and beta, else
// a bound: fail-soft principal variation search. mayPass forbids two passes in a row.
func (s *Searcher) search(ply, depth, alpha, beta int, mayPass bool) int {
	f := &s.frames[ply]
	b := &f.board
	checkers := b.checkers()
	if ply > 0 {
		if s.repeated(b) || b.drawnByMaterial() || b.fifty >= 100 && checkers == 0 {
			return 0
		}
		// No line from here can be better than mating at once, or worse than being mated.
		alpha, beta = max(alpha, ply-mateScore), min(beta, mateScore-ply-1)
		if alpha >= beta {
			return alpha
		}
	}
	if checkers != 0 {
		depth++
	}
	if depth <= 0 || ply >= maxPly {
		return s.quiesce(ply, alpha, beta, checkers)
	}
	if s.spend() {
		return 0
	}
	wide := beta-alpha > 1
	found, known := s.table.find(b.key)
	first := noMove
	if known {
		first = found.best
		if !wide && int(found.depth) >= depth {
			if v := fromTable(int(found.score), ply); found.bound == exact || found.bound == atLeast && v >= beta || found.bound == atMost && v <= alpha {
				return v
			}
		}
	}
	static := -infinite
	if checkers == 0 {
		static = s.judge(b)
		if v, ok := s.hopeless(ply, depth, beta, static, mayPass && !wide); ok {
			return v
		}
	}
	b.legal(&f.list, checkers, false)
	switch {
	case f.list.n == 0 && checkers != 0:
		return ply - mateScore
	case f.list.n == 0 || b.fifty >= 100 && ply > 0:
		return 0
	}
	s.rank(f, first)
	return s.try(f, ply, depth, alpha, beta, static)
}

// hopeless says that the side that just moved will not allow this position: it is good
// enough for the side to move even less a margin, or even after passing.
func (s *Searcher) hopeless(ply, depth, beta, static int, mayPass bool) (int, bool) {
	if !mayPass || beta < -mateSoon || beta > mateSoon {
		return 0, false
	}
	if depth <= 6 && static-80*depth >= beta {
		return static, true
	}
	b := &s.frames[ply].board
	us := b.turn & 1
	pieces := b.sides[us] &^ (b.kinds[pawn] | b.kinds[king])
	if depth < 3 || static < beta || pieces == 0 { // pawns alone may be in zugzwang
		return 0, false
	}
	next := &s.frames[ply+1].board
	*next = *b
	next.pass()
	next.fifty = 0 // no repetition reaches across a pass
	s.keys = append(s.keys, b.key)
	v := -s.search(ply+1, depth-4-depth/4-min(2, (static-beta)/200), -beta, 1-beta, false)
	s.keys = s.keys[:len(s.keys)-1]
	if s.stopped {
		return 0, true
	}
	return min(v, mateSoon), v >= beta
}

// try searches the moves of f in their order.
func (s *Searcher) try(f *frame, ply, depth, alpha, beta, static int) int {
	b := &f.board
	calm, wide, start := static > -infinite, beta-alpha > 1, alpha
	best, bestMove, quiets := -infinite, noMove, 0
	s.keys = append(s.keys, b.key)
	defer func() { s.keys = s.keys[:len(s.keys)-1] }()
	for i := range f.list.n {
		m := f.next(i)
		quiet := !b.captures(m) && m.promotion() == none
		if quiet && calm && ply > 0 && best > -mateSoon && alpha < mateSoon &&
			(depth <= 4 && i > 3+3*depth*depth || depth <= 5 && i > 0 && static+70+80*depth <= alpha) {
			continue // too late or too poor to matter
		}
		child := &s.frames[ply+1].board
		*child = *b
		child.play(m)
		less := 0
		if quiet && calm && depth >= 3 && i >= 3 {
			less = int(reductions[min(depth, 63)][min(i, 63)])
			if wide || m == f.killers[0] || m == f.killers[1] {
				less--
			}
			less -= int(s.history[b.men[m.from()]&15][m.to()] / (trust / 2))
			less = max(0, min(less, depth-2))
		}
		v := 0
		if i == 0 {
			v = -s.search(ply+1, depth-1, -beta, -alpha, true)
		} else {
			v = -s.search(ply+1, depth-1-less, -alpha-1, -alpha, true)
			if v > alpha && less > 0 && !s.stopped {
				v = -s.search(ply+1, depth-1, -alpha-1, -alpha, true)
			}
			if v > alpha && v < beta && wide && !s.stopped {
				v = -s.search(ply+1, depth-1, -beta, -alpha, true)
			}
		}
		if s.stopped {
			return max(best, -mateScore)
		}
		if v > best {
			best = v
			if v > alpha {
				alpha, bestMove = v, m
				if ply == 0 {
					s.best = m
				}
			}
		}
		if v >= beta {
			if quiet {
				s.learn(f, m, depth, f.quiets[:quiets])
			}
			break
		}
		if quiet && quiets < len(f.quiets) {
			f.quiets[quiets] = m
			quiets++
		}
	}
	kind := exact
	switch {
	case best >= beta:
		kind = atLeast
	case best <= start:
		kind = atMost
	}
	s.table.store(b.key, bestMove, toTable(best, ply), depth, kind)
	return best
}

// quiesce follows captures and promotions, and all answers to checks, until the
// position is quiet enough for its evaluation to be believed.
func (s *Searcher) quiesce(ply, alpha, beta int, checkers bitboard) int {
	f := &s.frames[ply]
	b := &f.board
	if s.spend() {
		return 0
	}
	if ply >= maxPly {
		return s.judge(b)
	}
	best, calm := ply-mateScore, checkers == 0
	static := 0
	if calm {
		static = s.judge(b)
		best = static
		if best >= beta {
			return best
		}
		alpha = max(alpha, best)
	}
	b.legal(&f.list, checkers, calm)
	s.rank(f, noMove)
	for i := range f.list.n {
		m := f.next(i)
		if calm {
			if f.order[i] < 0 {
				break // only exchanges that lose are left
			}
			if gain := exchangeValue[b.men[m.to()]&7]; m.promotion() == none && static+gain+150 <= alpha {
				best = max(best, static+gain+150)
				continue // not even winning it for nothing would do
			}
		}
		child := &s.frames[ply+1].board
		*child = *b
		child.play(m)
		v := -s.quiesce(ply+1, -beta, -alpha, child.checkers())
		if s.stopped {
			return best
		}
		if v > best {
			best = v
			alpha = max(alpha, v)
			if v >= beta {
				break
			}
		}
	}
	return best
}
