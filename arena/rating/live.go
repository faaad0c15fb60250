package rating

import "chessarena/arena"

// What a rating must reach before it is more than provisional.
const (
	ProvisionalRD    = 110 // points; the deviation must not be above
	ProvisionalGames = 10
)

// Provisional reports whether a rating still says little: its deviation (live RD or the
// fit's standard error) is above ProvisionalRD, or it has fewer than ProvisionalGames.
func Provisional(rd float64, games int) bool {
	return rd > ProvisionalRD || games < ProvisionalGames
}

// Conservative is what a rating is worth without the benefit of the doubt, R − 2·RD.
// A nickname's best bucket is the one with the highest. It rewards playing on, and does
// not reward trying many configs until one is lucky.
func Conservative(r arena.Rating) float64 { return r.R - float64(2*r.RD) }

// Peak returns the better of a peak so far (nil when there is none) and the live rating
// after one more game, the games-th. A provisional rating makes no peak: it may be
// hundreds of points too high after a single lucky win. Nor does a Rebase.
func Peak(best *float64, r arena.Rating, games int) *float64 {
	if Provisional(r.RD, games) || best != nil && *best >= r.R {
		return best
	}
	return &r.R
}

// MinRebasedRD is the least deviation a live rating has after a Rebase. It keeps it
// ready to move if the player behind the bucket is not what it was.
const MinRebasedRD = 45

// Rebase moves a live rating to where the fit sees it. An anchor does not move.
func Rebase(r arena.Rating, row Row) arena.Rating {
	if pinned(r) || row.Status == StatusAnchor {
		return r
	}
	r.R = clamp(row.Rating, MinR, MaxR)
	r.RD = clamp(row.SE, MinRebasedRD, MaxRD)
	return r
}
