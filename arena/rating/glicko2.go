package rating

import (
	"math"
	"time"

	"chessarena/arena"
)

// Bounds of live ratings, in points of the arena's scale (volatility in Glicko-2's own
// unit). The random mover stands near −340, so there is no floor near zero.
const (
	MinR, MaxR     = -2000, 4000
	MinRD, MaxRD   = 30, 350
	MinVol, MaxVol = 0.03, 0.10
	MaxChange      = 700 // by one game
)

// IdlePeriod is the time after which the deviation of an idle bucket has grown by its
// volatility once. It is long because a model, unlike a person, does not change.
const IdlePeriod = 30 * 24 * time.Hour

const (
	scale = 173.7178 // points in one unit of Glicko-2
	tau   = 0.5      // how freely the volatility moves
)

// Anchor is the live rating of an anchor pinned at r. Its volatility is zero, which no
// other rating's is, and that keeps Update and Idle from ever moving it.
func Anchor(r float64) arena.Rating { return arena.Rating{R: r, RD: MinRD} }

// pinned reports whether r is an Anchor.
func pinned(r arena.Rating) bool { return r.Vol == 0 }

// Update returns the ratings of a and b after a game in which a scored 1, 0.5 or 0.
// Both are computed from what they were before it, so swapping the sides swaps the
// answer. Colours do not enter: pairing balances them. Time without games is added
// before, by Idle.
func Update(a, b arena.Rating, score float64) (na, nb arena.Rating) {
	return played(a, b, score), played(b, a, 1-score)
}

// played is r after scoring against opponent.
func played(r, opponent arena.Rating, score float64) arena.Rating {
	if pinned(r) {
		return r
	}
	g := damping(opponent.RD / scale)
	e := logistic(g * (r.R - opponent.R) / scale)
	return advance(r, float64(sq(g)*e*(1-e)), float64(g*(score-e)))
}

// advance ends a rating period of r: info is Σ g²E(1−E) over its games, which the paper
// calls 1/v, and gain is Σ g(s−E).
func advance(r arena.Rating, info, gain float64) arena.Rating {
	phi2 := sq(r.RD / scale)
	vol := clamp(volatility(sq(gain/info), phi2+1/info, r.Vol, tau), MinVol, MaxVol)
	phi2 = 1 / (1/(phi2+sq(vol)) + info)
	return arena.Rating{
		R:   clamp(r.R+clamp(float64(scale*phi2*gain), -MaxChange, MaxChange), MinR, MaxR),
		RD:  clamp(scale*math.Sqrt(phi2), MinRD, MaxRD),
		Vol: vol,
	}
}

// Idle returns the rating after a time without games: less is known about it.
// A clock that stepped back changes nothing.
func Idle(r arena.Rating, idle time.Duration) arena.Rating {
	if pinned(r) || idle <= 0 {
		return r
	}
	periods := float64(idle) / float64(IdlePeriod)
	phi2 := sq(r.RD/scale) + float64(periods*sq(r.Vol))
	r.RD = clamp(scale*math.Sqrt(phi2), MinRD, MaxRD)
	return r
}

// Expected is the score a is expected to make against b, between 0 and 1, damped by the
// uncertainty of both: what to predict before a game. (Update is damped by the
// opponent's alone, as Glicko-2 demands.)
func Expected(a, b arena.Rating) float64 {
	g := damping(math.Sqrt(sq(a.RD)+sq(b.RD)) / scale)
	return logistic(g * (a.R - b.R) / scale)
}

// damping is the paper's g: how much of a result survives the uncertainty phi.
func damping(phi float64) float64 {
	return 1 / math.Sqrt(1+3*sq(phi)/(math.Pi*math.Pi))
}

// volatility solves step 5 of the paper by the Illinois method. delta2 is Δ², spread is
// φ²+v. The paper's tolerance holds on any input; should the search ever fail to end,
// the volatility stays as it was.
func volatility(delta2, spread, vol, tau float64) float64 {
	a := log(sq(vol))
	f := func(x float64) float64 {
		e := exp(x)
		return e*(delta2-spread-e)/(2*sq(spread+e)) - (x-a)/sq(tau)
	}
	const tolerance, limit = 1e-6, 1000
	low, high := a, a-tau
	if delta2 > spread {
		high = log(delta2 - spread)
	} else {
		for i := 0; f(high) < 0 && i < limit; i++ {
			high -= tau
		}
	}
	fl, fh := f(low), f(high)
	for range limit {
		if math.Abs(high-low) <= tolerance {
			return exp(low / 2)
		}
		next := low + float64((low-high)*fl)/(fh-fl)
		fn := f(next)
		if fn*fh <= 0 {
			low, fl = high, fh
		} else {
			fl /= 2
		}
		high, fh = next, fn
	}
	return vol
}
