package rating

import (
	"cmp"
	"math"
	"slices"

	"chessarena/arena"
)

// Input is what a fit is made of: the games that count on one track, and their buckets.
// Their order is of no consequence, to the last bit.
type Input struct {
	Buckets []Bucket // at least those that occur in Games
	Games   []Game
	// Uncapped gives every game its full weight, however often a pair has met: for a
	// calibration, in which nobody chose the opponents. The published fits are capped.
	Uncapped bool
}

// Bucket is one player of the fit.
type Bucket struct {
	ID     int64
	Anchor bool
	Pin    float64 // points; where an anchor stays, else without meaning
	Active bool    // played within ActiveDays before the fit, by the caller's clock
}

// ActiveDays is how long a bucket counts as active after its last rated game.
const ActiveDays = 90

// Game is the result of one game. Score is White's: 1, 0.5 or 0.
type Game struct {
	White, Black Side
	Score        float64
}

// Side says who had a seat: the bucket, and the nickname that played it.
type Side struct{ Bucket, Nickname int64 }

// Prior is what is believed of a bucket before its first game: a normal distribution,
// in points.
type Prior struct{ Mean, SD float64 }

// The prior a fit starts from, and what becomes of it: the mean and standard deviation
// of the ratings fitted, in which the start counts as much as startWeight buckets, so
// that an arena with two of them does not take those two for the world.
//
// It is then made priorWidth times as wide. The model takes strengths for independent,
// but pairing brings equals together: games tell neighbours apart and say little about
// the distance from the strongest to the weakest, which a prior of the true width
// therefore presses together. TestPriorWidth has the figures; ratings research §1.2 has
// the width 1.
const (
	startSD     = 400
	startWeight = 10
	minSD       = 150
	priorWidth  = 2
	priorPasses = 3
)

// whiteSD is the prior standard deviation, in points, of the advantage of the first
// move. Its mean is zero.
const whiteSD = 30

// Fit is the published state of one track.
type Fit struct {
	Rows  []Row   // the strongest first, anchors among the others
	Games int     // how many there were
	Prior Prior   // of the last pass
	White float64 // points that the first move is worth
	// Inputs is the SHA-256 of the input in canonical order: two fits with the same one
	// have the same rows.
	Inputs [32]byte
}

// Row is what the fit says about one bucket that has played.
type Row struct {
	Bucket int64
	Rating float64    // points
	SE     float64    // standard error; 0 for an anchor
	CI95   [2]float64 // Rating ± 1.96 SE
	// RankLo and RankHi are the best and the worst place among all free buckets that the
	// games allow at 95 %; both 0 for an anchor.
	RankLo, RankHi int
	// OverNext is the probability of being stronger than the next free bucket down; 0
	// for an anchor and for the last.
	OverNext float64

	Games       int
	Score       float64 // made
	Expected    float64 // of those games, by the fit
	EffGames    float64 // Σ 4E(1−E)·weight: what the games were worth in games between equals
	Opponents   int     // distinct buckets met
	AnchorGames int
	// Surprise is (Score − Expected) in standard deviations.
	Surprise float64

	Parts  []Part // by nickname, where several have played the bucket
	Status Status
}

// Refit fits one track: the ratings that maximise the posterior of a Bradley–Terry model
// in which a draw is half a win, White has a common advantage, anchors are constants
// (ratings research §1.2). It fails on input that makes no sense: a game of an unknown
// bucket or within one, a score that is none, a bucket given twice, a pin out of bounds.
//
// With n free buckets that have played it takes 8n² bytes and time in proportion to n³.
func Refit(in Input) (*Fit, error) {
	l, err := gather(in)
	if err != nil {
		return nil, err
	}
	w := slices.Repeat([]float64{1}, len(l.duels))
	if !in.Uncapped {
		w = weights(l)
	}
	p := l.problem(w)
	x, err := p.fit(priorWidth)
	if err != nil {
		return nil, err
	}
	fit := &Fit{Games: len(l.duels), Prior: p.prior, White: x[p.gamma], Inputs: l.hash()}
	cov := p.covariance(x)
	fit.Rows = l.rows(x)
	l.measure(fit.Rows, p, x)
	for i := range fit.Rows {
		if s := l.slot[i]; s < l.free {
			r := &fit.Rows[i]
			r.SE = math.Sqrt(cov.at(s, s))
			r.CI95 = [2]float64{r.Rating - float64(z975*r.SE), r.Rating + float64(z975*r.SE)}
		}
	}
	l.split(fit.Rows, p.prior, x[p.gamma])
	for i := range fit.Rows {
		fit.Rows[i].Status = status(&fit.Rows[i], &l.buckets[i])
	}
	rank(fit.Rows, l.slot, cov)
	slices.SortFunc(fit.Rows, byStrength)
	return fit, nil
}

// byStrength sorts the strongest first, and equals by their id.
func byStrength(a, b Row) int {
	return cmp.Or(cmp.Compare(b.Rating, a.Rating), cmp.Compare(a.Bucket, b.Bucket))
}

// fit solves the problem with a prior that is learnt from the solution, priorPasses
// times, and leaves the last prior in p. width is priorWidth, but for a test.
func (p *problem) fit(width float64) ([]float64, error) {
	start := Prior{arena.InitialRating.R, startSD}
	x := make([]float64, p.free+2)
	for i := range p.free {
		x[i] = start.Mean
	}
	p.prior = start
	for pass := range priorPasses {
		if pass > 0 {
			p.prior = learn(start, x[:p.free])
		}
		p.prior.SD *= width
		if err := p.solve(x); err != nil {
			return nil, err
		}
	}
	return x, nil
}

// learn is the prior that the fitted ratings suggest.
func learn(start Prior, fitted []float64) Prior {
	n := startWeight + float64(len(fitted))
	sum := float64(startWeight * start.Mean)
	for _, r := range fitted {
		sum += r
	}
	mean := sum / n
	squares := float64(startWeight * (sq(start.SD) + sq(start.Mean-mean)))
	for _, r := range fitted {
		squares += sq(r - mean)
	}
	return Prior{mean, max(minSD, math.Sqrt(squares/n))}
}

// rows are the rows of all buckets, in their order, with the ratings of x.
func (l *league) rows(x []float64) []Row {
	rows := make([]Row, len(l.buckets))
	for i, b := range l.buckets {
		rows[i] = Row{Bucket: b.ID, Rating: b.Pin, CI95: [2]float64{b.Pin, b.Pin}}
		if !b.Anchor {
			rows[i].Rating = x[l.slot[i]]
		}
	}
	return rows
}

// measure counts and sums what the games mean for either side. Duels are in canonical
// order, so all games of a pair follow one another.
func (l *league) measure(rows []Row, p *problem, x []float64) {
	variance := make([]float64, len(rows))
	for i, d := range l.duels {
		gap := float64(q * (rows[d.white].Rating - rows[d.black].Rating + x[p.gamma]))
		e, loss := logistic(gap), logistic(-gap) // 1−e would be zero for the hopeless
		v := float64(e * loss)
		met := i == 0 || !samePair(d, l.duels[i-1])
		for side, at := range [2]int{d.white, d.black} {
			r, score, expected := &rows[at], d.score, e
			other := d.black
			if side == 1 {
				score, expected, other = 1-score, loss, d.white
			}
			r.Games++
			r.Score += score
			r.Expected += expected
			r.EffGames += float64(4 * v * l.weight[i])
			variance[at] += v
			if met {
				r.Opponents++
			}
			if l.buckets[other].Anchor {
				r.AnchorGames++
			}
		}
	}
	for i := range rows {
		rows[i].Surprise = (rows[i].Score - rows[i].Expected) / math.Sqrt(variance[i])
	}
}
