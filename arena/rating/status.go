package rating

// Status is how far the rating of a row can be trusted.
type Status string

// The statuses, each ruling out those below it (ratings research §3; DESIGN §6).
const (
	StatusAnchor      Status = "anchor"      // pinned, not rated
	StatusDisputed    Status = "disputed"    // nicknames playing the same bucket do not play alike
	StatusProvisional Status = "provisional" // see Provisional
	StatusRanked      Status = "ranked"      // sure, tested on many opponents and on the scale, and active
	StatusEstablished Status = "established" // what lies between the last two
)

// What a row needs to be ranked.
const (
	RankedSE          = 75 // points, at most
	RankedGames       = 20
	RankedOpponents   = 5
	RankedAnchorGames = 4
)

func status(r *Row, b *Bucket) Status {
	switch {
	case b.Anchor:
		return StatusAnchor
	case disputed(r.Parts):
		return StatusDisputed
	case Provisional(r.SE, r.Games):
		return StatusProvisional
	case b.Active && r.SE <= RankedSE && r.Games >= RankedGames &&
		r.Opponents >= RankedOpponents && r.AnchorGames >= RankedAnchorGames:
		return StatusRanked
	}
	return StatusEstablished
}

// Drifted reports whether an anchor no longer plays at its pin: over at least 50 games
// its score is more than three standard deviations off (ratings research §2).
func (r Row) Drifted() bool {
	return r.Status == StatusAnchor && r.Games >= 50 && (r.Surprise > 3 || r.Surprise < -3)
}
