package matchmaker

import (
	"cmp"
	"hash/fnv"

	"chessarena/arena"
	"chessarena/rules"
)

// maxImbalance is how many games more with one colour than with the other nobody may
// come to have, where the opponent leaves a choice (as FIDE's rules for the Dutch
// system have it, which also forbid a third game in a row with one colour).
const maxImbalance = 2

// whiteFirst says whether the first of two configurations gets White. pairBalance is
// how many games more its bucket had White against the other's. Whoever would break a
// limit of colours comes first; then the balance against this opponent decides, then
// that of all games, then the last two, then a toss by the game's id.
func whiteFirst(id arena.GameID, pairBalance int, a, b arena.Colors) bool {
	if d := limit(a, b, rules.White) - limit(a, b, rules.Black); d != 0 {
		return d < 0
	}
	order := cmp.Or(
		pairBalance,
		cmp.Compare(a.Balance(), b.Balance()),
		cmp.Compare(a.Recent(rules.White), b.Recent(rules.White)),
	)
	if order == 0 {
		return toss(id)%2 == 0
	}
	return order < 0
}

// limit counts the limits that are broken when a gets color.
func limit(a, b arena.Colors, color rules.Color) (broken int) {
	for _, c := range []arena.Colors{a.Add(color), b.Add(color.Other())} {
		if d := c.Balance(); d > maxImbalance || d < -maxImbalance {
			broken++
		}
	}
	if a.Recent(color) == 2 {
		broken++
	}
	if b.Recent(color.Other()) == 2 {
		broken++
	}
	return broken
}

// toss is a number that the game's id decides: anyone can repeat it, nobody foresee it.
func toss(id arena.GameID) uint64 {
	h := fnv.New64a()
	h.Write([]byte(id))
	return h.Sum64()
}
