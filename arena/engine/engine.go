// Package engine is chess engines as the arena uses them: to play for the house, and to
// judge positions.
//
// A Player chooses moves, an Evaluator judges. Behind both stand the built-in search and,
// where one is installed, Stockfish, driven as a process of its own. The Pool decides who
// may think when: so many at once as the host allows, games before analysis, first come
// first served. Whoever thinks is bounded by depth or nodes, never by time, so that a
// slow host plays as strongly as a fast one; the wall clock only catches what hangs.
//
// A process is never trusted: every step has a limit, whatever it says is checked, and
// one that is silent, deaf, dead or talks nonsense is killed, reaped and started again
// after a pause that grows. No process outlives its Pool.
//
// An Evaluation is always from White's view and says by which engine and with how much
// work it was made, because numbers of different engines or depths must never be mixed.
//
// An engine may take seconds, so no caller holds a lock or a transaction while it asks.
// The package knows nothing of ratings, of the arena's games or of storage.
package engine

import (
	"context"
	"errors"

	"chessarena/rules"
)

// ErrNoMove says that the side to move has no legal move, or that the engine knew none.
var ErrNoMove = errors.New("engine: no move")

// ErrDown says that an engine cannot be used now: its process does not start, does not
// answer, or was ended for what it answered. Another try may succeed.
var ErrDown = errors.New("engine: not available")

// Player chooses the next move of a game. Its randomness comes from seed: whoever wants
// another game gives another one. ErrNoMove when the game is over, ErrDown, or ctx's
// error.
type Player interface {
	Move(ctx context.Context, g *rules.Replay, seed uint64) (rules.Move, error)
}

// Evaluation is an engine's judgement of a position.
type Evaluation struct {
	CP     int    // centipawns from White's view; meaningless when Mate is not 0
	Mate   int    // moves to mate: positive when White mates, negative when Black does, 0 for none
	Engine string // name and version
	Nodes  int    // searched
}

// Evaluator judges a position. It returns when it has an answer, or ctx's error.
// ErrNoMove when the side to move is mated or stalemated.
type Evaluator interface {
	Evaluate(ctx context.Context, fen string) (Evaluation, error)
}
