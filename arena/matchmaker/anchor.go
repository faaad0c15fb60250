package matchmaker

import (
	"time"

	"chessarena/arena"
	"chessarena/arena/rating"
)

// Who meets an anchor unasked. DESIGN §6 has three games and 15 %; with these the errors of
// the ratings are smaller and their intervals hold what they say (TestSimulation).
const (
	placement   = 5    // of a bucket's first games are against anchors
	anchorShare = 0.20 // of all its games
)

// anchorRepetition is how much less an anchor is worth for each of the last games with
// it, as repetition is between agents; more, for any other rung is as willing.
const anchorRepetition = 0.35

// policy is when somebody meets an anchor. The simulation tries others than ours.
type policy struct {
	placement int           // of a bucket's first games, how many are against anchors
	share     float64       // of all its games
	fallback  time.Duration // for whom nobody fits
}

// due says whether w should meet an anchor in this wave even if an agent would fit: its
// bucket is new, it is behind its share, or it asked for nobody else. So does whoever
// has waited for fallback, but only if no agent is found.
func (p policy) due(w *Entrant) bool {
	switch w.Opponents {
	case arena.AgentsOnly:
		return false
	case arena.AnchorsOnly:
		return true
	}
	return !w.Anchor && (w.Games < p.placement || float64(w.AnchorGames) < p.share*float64(w.Games+1))
}

// late says whether w, whom nobody fits, gets an anchor now.
func (p policy) late(w *Entrant) bool {
	return w.Opponents == arena.AnyOpponents && !w.Anchor && w.Wait >= p.fallback
}

// bestAnchor returns the place of the anchor from whom w's rating would learn most, the
// ones it met lately counting less; -1 when there is none of another nickname.
func bestAnchor(w *Entrant, anchors []arena.Waiter, met History) int {
	best, most := -1, 0.0
	for i := range anchors {
		a := &anchors[i]
		if a.NicknameID == w.NicknameID {
			continue
		}
		worth := rating.Gain(w.Rating, a.Rating) / (1 + anchorRepetition*float64(met(w.BucketID, a.BucketID)))
		if best < 0 || worth > most {
			best, most = i, worth
		}
	}
	return best
}
