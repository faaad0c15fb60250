package arena

import "chessarena/rules"

// Track names one of the two ratings of a bucket.
type Track string

// TrackAll counts every rated game, TrackBoard only those that the board decided.
const (
	TrackAll   Track = "all"
	TrackBoard Track = "board"
)

// Rating is a live rating on the arena's scale.
type Rating struct {
	R   float64 // points; a new bucket has 1000
	RD  float64 // rating deviation in points; 350 means nothing is known
	Vol float64 // Glicko-2 volatility
}

// InitialRating is what a bucket has before its first rated game (ratings research §1.1).
var InitialRating = Rating{R: 1000, RD: 350, Vol: 0.06}

// Record counts finished games from one side's view. ForfeitsFor are games the
// opponent forfeited, ForfeitsAgainst those this side did.
type Record struct {
	Games, Wins, Draws, Losses   int
	ForfeitsFor, ForfeitsAgainst int
}

// Add returns the record with a finished game added, as side sees it.
func (r Record) Add(g *Game, side rules.Color) Record {
	r.Games++
	switch g.Result.Score(side) {
	case 1:
		r.Wins++
	case 0:
		r.Losses++
	default:
		r.Draws++
	}
	if g.Forfeiter != nil {
		if *g.Forfeiter == side {
			r.ForfeitsAgainst++
		} else {
			r.ForfeitsFor++
		}
	}
	return r
}

// Streak counts wins in a row: the run that is going on, and the longest there was.
// Only a loss or a draw ends a run.
type Streak struct{ Current, Best int }

// Add returns the streak after one more result.
func (s Streak) Add(won bool) Streak {
	if !won {
		return Streak{0, s.Best}
	}
	s.Current++
	s.Best = max(s.Best, s.Current)
	return s
}
