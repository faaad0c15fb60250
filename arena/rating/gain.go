package rating

import "chessarena/arena"

// Gain is how much a game between a and b is expected to tell, before it is played: the
// logarithm of how much narrower the two ratings will be, summed over both (ratings
// research §5). With k the information of one game at the expected score E,
//
//	½ ln(1 + RDa²·k·g(RDb)²) + ½ ln(1 + RDb²·k·g(RDa)²), k = E(1−E)
//
// in Glicko-2's unit. An anchor has nothing to learn and adds nothing.
func Gain(a, b arena.Rating) float64 {
	_, gain := Prospect(a, b)
	return gain
}

// Prospect is Balance and Gain of a game at once.
func Prospect(a, b arena.Rating) (balance, gain float64) {
	balance = Balance(a, b)
	return balance, learned(a, b, balance/4) + learned(b, a, balance/4)
}

// Balance is 4E(1−E) for the expected score E of a game between a and b, uncertainty
// included: 1 between equals, near 0 when the result is known beforehand.
func Balance(a, b arena.Rating) float64 {
	e := Expected(a, b)
	return 4 * e * (1 - e)
}

// learned is what r learns from an opponent at information k.
func learned(r, opponent arena.Rating, k float64) float64 {
	if pinned(r) {
		return 0
	}
	return log(1+float64(sq(r.RD/scale)*k*sq(damping(opponent.RD/scale)))) / 2
}
