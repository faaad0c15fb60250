// Package search is the arena's built-in chess engine: its own bitboards, an exact
// generator of legal moves, and an alpha-beta search.
//
// It exists so that an arena without Stockfish still has opponents of known strength
// and somebody to judge positions, and so that the legal moves of package rules can be
// compared with a second implementation that shares no code with the first.
//
// Strength is set by nodes, never by time: with the same position, history and limit
// the answer is the same on every machine, because every search begins with an empty
// memory and the table of earlier results is only ever of this search. A search
// allocates nothing and looks for a cancelled context every 1,024 nodes, well under a
// millisecond.
//
// The values of pieces and squares follow from short formulas in this package; no
// table of another engine was copied. Positions come in as rules.Position and moves go
// out as UCI text, so callers never see the package's own representation.
package search
