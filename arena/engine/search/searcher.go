package search

import (
	"context"
	"errors"
	"fmt"

	"chessarena/rules"
)

// Scores are centipawns for the side to move. A mate is mateScore less the plies to it.
const (
	infinite  = 32000
	mateScore = 31000
	mateSoon  = mateScore - 2*maxPly // beyond it a score means a mate
	maxPly    = 100
)

// ErrOver says that the side to move has no legal move.
var ErrOver = errors.New("search: the game is over")

// Limit bounds a search; the first bound that is met ends it.
type Limit struct {
	Nodes int // positions looked at, at least 1
	Depth int // iterations; 0 for as many as the nodes allow

	// Seed other than 0 adds up to a sixth of a pawn to each evaluation, drawn from the
	// seed and the position: other seeds play other games, and one seed the same again.
	Seed uint64
}

// Result is what a search found, from the view of the side to move.
type Result struct {
	Move  string // UCI
	CP    int    // centipawns; meaningless when Mate is not 0
	Mate  int    // moves to mate: positive to give it, negative to suffer it, 0 for none
	Depth int    // iterations completed
	Nodes int    // positions looked at
}

// frame is what a search keeps for one ply of the line it looks at.
type frame struct {
	board   board
	list    moveList
	order   [maxMoves]int32 // how promising each move of list is
	killers [2]move         // quiet moves that refuted a sister position
	quiets  [64]move        // those tried so far, to be trusted less if another refutes
}

// Searcher holds the memory of a search, reused by the next one. It serves one
// goroutine at a time.
type Searcher struct {
	table   table
	frames  [maxPly + 2]frame
	history [16][64]int32 // how often a man's move to a square refuted, within ±trust
	keys    []uint64      // of the positions before the one at hand, game and line
	best    move          // at the root, so far
	done    <-chan struct{}
	nodes   int
	limit   int
	seed    uint64
	stopped bool
}

// New returns a Searcher with a table of at most tableBytes, which must be positive.
func New(tableBytes int) *Searcher {
	return &Searcher{table: newTable(tableBytes), keys: make([]uint64, 0, 1024)}
}

// Search looks for the best move of the side to move in g, whose earlier positions count
// as repeated when they come again. ErrOver when there is no legal move; when ctx ends
// first, its error, with what was found by then.
func (s *Searcher) Search(ctx context.Context, g *rules.Replay, limit Limit) (Result, error) {
	b := newBoard(g.StartPosition())
	s.keys = s.keys[:0]
	for _, played := range g.Moves() {
		m, ok := b.find(played.UCI())
		if !ok {
			return Result{}, fmt.Errorf("search: the two move generators disagree about %s", played.UCI())
		}
		s.keys = append(s.keys, b.key)
		b.play(m)
	}
	root := &s.frames[0]
	root.board = b
	b.legal(&root.list, b.checkers(), false)
	if root.list.n == 0 {
		return Result{}, ErrOver
	}
	s.prepare(ctx, limit)
	s.best = root.list.moves[0]
	depth, score := s.deepen(limit.Depth)
	r := Result{Move: s.best.uci(), CP: score, Depth: depth, Nodes: s.nodes}
	switch {
	case score > mateSoon:
		r.CP, r.Mate = 0, (mateScore-score+1)/2
	case score < -mateSoon:
		r.CP, r.Mate = 0, -(mateScore+score+1)/2
	}
	return r, ctx.Err()
}

// prepare empties the memory, so that no search depends on the one before.
func (s *Searcher) prepare(ctx context.Context, limit Limit) {
	s.table.forget()
	clear(s.history[:])
	for i := range s.frames {
		s.frames[i].killers = [2]move{}
	}
	s.done, s.stopped = ctx.Done(), ctx.Err() != nil
	s.nodes, s.limit, s.seed = 0, max(limit.Nodes, 1), limit.Seed
}

// find returns the legal move that text means.
func (b *board) find(text string) (move, bool) {
	var list moveList
	b.legal(&list, b.checkers(), false)
	for _, m := range list.all() {
		if m.uci() == text {
			return m, true
		}
	}
	return noMove, false
}

// deepen searches to depth 1, 2, … until a bound is met, each time with what the last
// one learned, and returns the last depth that was completed with its score.
func (s *Searcher) deepen(limit int) (depth, score int) {
	if limit <= 0 || limit > maxPly/2 {
		limit = maxPly / 2
	}
	for d := 1; d <= limit; d++ {
		v := s.aspire(d, score)
		if s.stopped {
			if depth == 0 {
				score = v
			}
			break
		}
		depth, score = d, v
		if plies := mateScore - max(v, -v); 2*plies <= d {
			break // so deep that even a line searched less deep would have shown a shorter mate
		}
	}
	return depth, score
}

// aspire searches the root with a narrow window around the score that is expected, and
// a wider one when the score lies outside.
func (s *Searcher) aspire(depth, expected int) int {
	if depth < 5 {
		return s.search(0, depth, -infinite, infinite, false)
	}
	for width := 25; ; width *= 4 {
		alpha, beta := max(expected-width, -infinite), min(expected+width, infinite)
		v := s.search(0, depth, alpha, beta, false)
		if s.stopped || v > alpha && v < beta {
			return v
		}
		if width > 1000 {
			return s.search(0, depth, -infinite, infinite, false)
		}
	}
}

// spend counts a node, and reports whether the search is over.
func (s *Searcher) spend() bool {
	s.nodes++
	if s.nodes >= s.limit {
		s.stopped = true
	}
	if s.nodes&1023 == 0 {
		select {
		case <-s.done:
			s.stopped = true
		default:
		}
	}
	return s.stopped
}

// repeated says whether the position stood before, in the game or in the line.
func (s *Searcher) repeated(b *board) bool {
	for back := 2; back <= int(b.fifty) && back <= len(s.keys); back += 2 {
		if s.keys[len(s.keys)-back] == b.key {
			return true
		}
	}
	return false
}

// judge is the board's evaluation, with the seed's share.
func (s *Searcher) judge(b *board) int {
	v := b.evaluate()
	if s.seed != 0 {
		v += int((b.key^s.seed)*0x9e3779b97f4a7c15>>59) - 16
	}
	return v
}
