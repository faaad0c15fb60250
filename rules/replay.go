package rules

import (
	"fmt"
	"iter"
	"slices"

	"github.com/corentings/chess/v2"
)

// Replay is a game as far as it has been played: where it began, the moves,
// and the current position. It never changes; Push returns the longer game. A
// game of 120 plies takes about 3 KB.
type Replay struct {
	start *Position
	now   *Position
	steps []step

	// What has stood on the board since the last capture or pawn move, the
	// current position last. Nothing older can come back.
	seen []identity
}

// step is a move and its SAN, kept because every state an agent reads shows
// the whole history. No SAN is longer than seven bytes ("Qa1xb2#").
type step struct {
	move Move
	san  [7]byte
	size uint8
}

func (s *step) text() string { return string(s.san[:s.size]) }

// NewReplay returns the game that begins at start, with no move made. A nil
// start is the initial position.
func NewReplay(start *Position) *Replay {
	if start == nil {
		start = Start()
	}
	return &Replay{start: start, now: start, seen: []identity{start.identity()}}
}

// ReplayUCI replays stored moves. Each must be a UCI text exactly as Move.UCI
// writes it; the error names the first that is not a legal move, and its ply.
func ReplayUCI(start *Position, uci []string) (*Replay, error) {
	r := NewReplay(start)
	r.steps = make([]step, 0, len(uci))
	for ply, text := range uci {
		m, ok := r.now.moveByUCI(text)
		if !ok {
			return nil, fmt.Errorf("ply %d: %.8q is not a legal move of %s", ply, text, r.now.FEN())
		}
		r.push(m)
	}
	return r, nil
}

// moveByUCI finds a legal move by its exact text.
func (p *Position) moveByUCI(text string) (Move, bool) {
	var b [5]byte
	for _, m := range p.legal {
		if string(m.appendUCI(b[:0])) == text {
			return m, true
		}
	}
	return Move{}, false
}

// Push returns the game with one move more; r stays as it is. It panics if m
// is not legal in r's position. The history is copied, which for the longest
// game is some 8 KB and costs less than the new position's list of moves.
func (r *Replay) Push(m Move) *Replay {
	next := &Replay{
		start: r.start,
		now:   r.now,
		steps: append(make([]step, 0, len(r.steps)+1), r.steps...),
		seen:  append(make([]identity, 0, len(r.seen)+1), r.seen...),
	}
	next.push(m)
	return next
}

// push makes a move in place. Only for a Replay nobody else has seen.
func (r *Replay) push(m Move) {
	before := r.now
	r.now = before.Play(m)

	s := step{move: m}
	s.size = uint8(len(before.appendPlayedSAN(s.san[:0], m, r.now)))
	r.steps = append(r.steps, s)

	if r.now.HalfMoveClock() == 0 {
		r.seen = r.seen[:0]
	}
	r.seen = append(r.seen, r.now.identity())
}

// Position returns the current position.
func (r *Replay) Position() *Position { return r.now }

// StartPosition returns the position the game began from.
func (r *Replay) StartPosition() *Position { return r.start }

// Ply returns how many half-moves have been made, those of an opening book
// included.
func (r *Replay) Ply() int { return len(r.steps) }

// Moves returns the moves made. It is never nil.
func (r *Replay) Moves() []Move {
	moves := make([]Move, len(r.steps))
	for i := range r.steps {
		moves[i] = r.steps[i].move
	}
	return moves
}

// UCIs returns the moves made as UCI texts. It is never nil.
func (r *Replay) UCIs() []string {
	return texts(len(r.steps), func(b []byte, i int) []byte { return r.steps[i].move.appendUCI(b) })
}

// SANs returns the moves made in standard algebraic notation. It is never nil.
func (r *Replay) SANs() []string {
	return texts(len(r.steps), func(b []byte, i int) []byte { return append(b, r.steps[i].san[:r.steps[i].size]...) })
}

// LastMove returns the last move made and its SAN. Before the first move they
// are the zero Move and "".
func (r *Replay) LastMove() (Move, string) {
	if len(r.steps) == 0 {
		return Move{}, ""
	}
	last := &r.steps[len(r.steps)-1]
	return last.move, last.text()
}

// Positions yields every position of the game from the start to the current
// one, Ply()+1 of them. They are replayed, at some 15 µs each.
func (r *Replay) Positions() iter.Seq[*Position] {
	return func(yield func(*Position) bool) {
		p := r.start
		for i := range r.steps {
			if !yield(p) {
				return
			}
			p = p.Play(r.steps[i].move)
		}
		yield(p)
	}
}

// PositionAt returns the position after the given number of plies, from 0, the
// start, to Ply(). It panics beyond them. It replays up to there; whoever
// needs them all ranges over Positions.
func (r *Replay) PositionAt(ply int) *Position {
	if ply == len(r.steps) {
		return r.now
	}
	p := r.start
	for i := range r.steps[:ply] {
		p = p.Play(r.steps[i].move)
	}
	return p
}

// RepetitionCount returns how many times the current position has occurred in
// the game, 1 for the first (FIDE article 9.2.3).
func (r *Replay) RepetitionCount() int {
	current, count := &r.seen[len(r.seen)-1], 0
	for i := range r.seen {
		if r.seen[i] == *current {
			count++
		}
	}
	return count
}

// identity is what makes two positions the same for the repetition rules: men
// on squares, side to move, castling rights, and the file of an en passant
// capture that can really be made. It holds all of that, not a hash: equal
// identities are equal positions.
type identity struct {
	board [32]byte // four bits a square
	state uint16   // castling 4 bits, side 1, en passant file+1 4
}

// identity packs the position. FIDE article 9.2.3 lets an en passant square
// count only if a pawn can legally take there, so it is read off the legal
// moves: a pinned pawn, or a king in a check the capture does not parry, makes
// no difference between two positions.
func (p *Position) identity() (id identity) {
	board := p.board.Board()
	for i := range id.board {
		id.board[i] = byte(board.Piece(chess.Square(2*i)))<<4 | byte(board.Piece(chess.Square(2*i+1)))
	}
	for _, letter := range []byte(p.CastlingRights()) {
		switch letter {
		case 'K':
			id.state |= 1
		case 'Q':
			id.state |= 2
		case 'k':
			id.state |= 4
		case 'q':
			id.state |= 8
		}
	}
	id.state |= uint16(p.Turn()) << 4
	if i := slices.IndexFunc(p.legal, func(m Move) bool { return m.tags&tagEnPassant != 0 }); i >= 0 {
		id.state |= uint16(p.legal[i].to&7+1) << 5
	}
	return id
}
