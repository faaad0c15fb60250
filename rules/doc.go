// Package rules is chess as the arena plays it: which moves are legal, how a
// move is read and written, what a position looks like to an agent, when a
// game is over, and how a game is kept as PGN. It also carries rules.md, the
// text that agents and people read before they play.
//
// A Position is immutable and may be read by any number of goroutines. A
// Replay is a game so far: a start, the moves, and what repetition and the
// move counters need. Both are values to decide on: playing a move returns a
// new one and leaves the old one as it was.
//
// Legal moves and their effect on the board come from the chess library this
// package wraps; nothing else in the program may import it. What that library
// gets wrong is done here instead: reading moves (Resolve accepts a move only
// if every fact in the text is true and exactly one legal move is left),
// judging a FEN before it is decoded, repetition, draws, and PGN both ways.
//
// The package has no clock, no randomness, no I/O of its own and no state that
// changes after start-up. Time forfeits, illegal-move caps, resignation and
// agreed draws belong to the arena; only what the board and the move list
// alone decide is decided here.
package rules
