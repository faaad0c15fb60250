package rules

// Ending is how a game came to its end on the board. The words are the
// contract's terminations; "" means that the game goes on.
type Ending string

// The endings that the board and the list of moves decide, in the order in
// which they are looked for: a mate always wins over a draw.
const (
	Checkmate            Ending = "checkmate"             // FIDE 5.1.1
	Stalemate            Ending = "stalemate"             // FIDE 5.2.1
	InsufficientMaterial Ending = "insufficient_material" // FIDE 5.2.2, by material only
	FivefoldRepetition   Ending = "fivefold_repetition"   // FIDE 9.6.1
	SeventyFiveMoves     Ending = "seventyfive_moves"     // FIDE 9.6.2
	ThreefoldRepetition  Ending = "threefold_repetition"  // FIDE 9.2, here without a claim
	FiftyMoves           Ending = "fifty_moves"           // FIDE 9.3, here without a claim
	MaxPlies             Ending = "max_plies"             // the arena's own cap
)

// Ending returns how the game has ended in the current position, or "" if it
// goes on. maxPlies caps the half-moves of the whole game, the opening's
// included; 0 or less is no cap.
//
// The draws by three occurrences and by fifty moves come without a claim, so
// the fivefold and seventy-five-move rules can only show when a game was set
// up from a position with a high half-move clock.
func (r *Replay) Ending(maxPlies int) Ending {
	p := r.now
	repeated, clock := r.RepetitionCount(), p.HalfMoveClock()
	switch {
	case len(p.legal) == 0 && p.inCheck:
		return Checkmate
	case len(p.legal) == 0:
		return Stalemate
	case p.insufficientMaterial():
		return InsufficientMaterial
	case repeated >= 5:
		return FivefoldRepetition
	case clock >= 150:
		return SeventyFiveMoves
	case repeated >= 3:
		return ThreefoldRepetition
	case clock >= 100:
		return FiftyMoves
	case maxPlies > 0 && r.Ply() >= maxPlies:
		return MaxPlies
	}
	return ""
}

// Winner returns the side that has mated, and whether one has. Every other
// Ending is a draw.
func (r *Replay) Winner() (Color, bool) {
	mated := len(r.now.legal) == 0 && r.now.inCheck
	return r.now.Turn().Other(), mated
}
