// Package engine is chess engines as the arena uses them: to judge positions, and to
// play for the house.
//
// So far it holds the contract of judging only. An Evaluation is always from White's
// view and says by which engine and with how much work it was made, because numbers of
// different engines or depths must never be mixed.
//
// An engine may take seconds, so no caller holds a lock or a transaction while it asks.
// The package knows nothing of games, players or storage.
package engine

import "context"

// Evaluation is an engine's judgement of a position.
type Evaluation struct {
	CP     int    // centipawns from White's view; meaningless when Mate is not 0
	Mate   int    // moves to mate: positive when White mates, negative when Black does, 0 for none
	Engine string // name and version
	Nodes  int    // searched
}

// Evaluator judges a position. It returns when it has an answer, or ctx's error.
type Evaluator interface {
	Evaluate(ctx context.Context, fen string) (Evaluation, error)
}
