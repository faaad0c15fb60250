package rating

import "chessarena/arena"

// Decision says whether a game counts on a track, and if not, why not. It is the public
// reason code that such a game carries.
type Decision string

// The decisions. All but Counted mean that the game does not count, or not yet.
const (
	Counted   Decision = "counted"
	NotOver   Decision = "not_over"   // the game is going on
	VoidGame  Decision = "void"       // nothing counts
	Unrated   Decision = "unrated"    // so agreed when it was created
	OneBucket Decision = "one_bucket" // both seats share one rating
	Early     Decision = "early"      // given up or agreed before arena.EarlyPlies
	ByClock   Decision = "by_clock"   // a draw only because a flag fell
	Pending   Decision = "pending"    // a forfeit whose last position is not judged yet
	Ambiguous Decision = "ambiguous"  // a forfeit in a position that was not lost
)

// Counts says on which tracks g counts (DESIGN §3; ratings research §1.3). What the board
// decided counts on both, at any ply. The rest:
//
//	resignation          all; board from EarlyPlies
//	draw by agreement    both from EarlyPlies, else neither
//	illegal moves        all; board from EarlyPlies when the position was lost anyway
//	timeout              all; board when the position was lost anyway
//	timeout, but drawn   all
//
// Games that are void, unrated, or within one bucket count on neither.
func Counts(g *arena.Game) (all, board Decision) {
	switch {
	case g.Status == arena.Void:
		return VoidGame, VoidGame
	case g.Status != arena.Finished:
		return NotOver, NotOver
	case !g.Rated:
		return Unrated, Unrated
	case g.Seats[0].BucketID == g.Seats[1].BucketID:
		return OneBucket, OneBucket
	}
	early := g.Played() < arena.EarlyPlies
	switch g.Termination {
	case arena.Resignation:
		if early {
			return Counted, Early
		}
	case arena.DrawAgreed:
		if early {
			return Early, Early
		}
	case arena.IllegalMoves, arena.Timeout:
		return Counted, forfeited(g, early)
	}
	return Counted, Counted
}

// forfeited decides on the board track of a forfeit.
func forfeited(g *arena.Game, early bool) Decision {
	switch {
	case early:
		return Early
	case g.Result == arena.Draw:
		return ByClock
	case g.OnBoard == nil:
		return Pending
	case !*g.OnBoard:
		return Ambiguous
	}
	return Counted
}
