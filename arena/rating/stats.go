package rating

import "math"

// Interval is a 95 % confidence interval.
type Interval struct{ Low, High float64 }

// Wilson is the interval of a probability of which hits in n tries were seen (Wilson
// 1927). Unlike the normal interval it holds for few tries and near 0 and 1. A draw is
// half a hit. Without a try it is everything.
func Wilson(hits float64, n int) Interval {
	if n <= 0 {
		return Interval{0, 1}
	}
	size, p := float64(n), hits/float64(n)
	z2 := float64(z975 * z975)
	centre := p + z2/(2*size)
	half := float64(z975 * math.Sqrt(float64(p*(1-p))/size+z2/(4*sq(size))))
	return Interval{max(0, (centre-half)/(1+z2/size)), min(1, (centre+half)/(1+z2/size))}
}

// Elo is the difference in points at which a score in 0…1 is expected; infinite at the
// ends.
func Elo(score float64) float64 { return 400 / math.Ln10 * (log(score) - log(1-score)) }

// WDL is what one side made of its games against another.
type WDL struct{ Wins, Draws, Losses int }

// Games is how many there were.
func (w WDL) Games() int { return w.Wins + w.Draws + w.Losses }

// Pentanomial counts pairs of games from one opening with colours swapped, by the points
// one side made of both: 0, ½, 1, 1½, 2. The opening's own advantage cancels within a
// pair, so pairs say more than their games one by one.
type Pentanomial [5]int

// Games is how many there were, two in each pair.
func (p Pentanomial) Games() int { return 2 * (p[0] + p[1] + p[2] + p[3] + p[4]) }

// A Match is a WDL or a Pentanomial.
type Match interface {
	Games() int
	// sample is the distribution of the score; empty is what a count of zero is taken for.
	sample(empty float64) sample
}

func (w WDL) sample(empty float64) sample {
	return newSample([]int{w.Losses, w.Draws, w.Wins}, empty)
}

func (p Pentanomial) sample(empty float64) sample { return newSample(p[:], empty) }

// sample is n independent scores in 0…1 by their mean and variance.
type sample struct{ n, mean, variance float64 }

// newSample reads counts of the scores 0 … 1 at even distances.
func newSample(counts []int, empty float64) sample {
	var s sample
	top := float64(len(counts) - 1)
	each := func(f func(score, n float64)) {
		for i, c := range counts {
			n := float64(c)
			if c <= 0 {
				n = empty
			}
			f(float64(i)/top, n)
		}
	}
	each(func(score, n float64) { s.n += n; s.mean += float64(score * n) })
	if s.n == 0 {
		return sample{mean: 0.5}
	}
	s.mean /= s.n
	each(func(score, n float64) { s.variance += float64(n * sq(score-s.mean)) })
	s.variance /= s.n
	return s
}

// normalFrom is how many games make the normal interval good enough.
const normalFrom = 20

// Difference is the Elo difference a match shows, with its interval. Below 20 games the
// interval is Wilson's, for the normal one may end beyond every score. Bounds are
// infinite where no score would be too extreme, and all of it without games is (0, ±∞).
func Difference(m Match) (elo float64, ci Interval) {
	s := m.sample(0)
	score := Wilson(float64(s.mean*float64(m.Games())), m.Games())
	if m.Games() >= normalFrom {
		half := float64(z975 * math.Sqrt(s.variance/s.n))
		score = Interval{max(0, s.mean-half), min(1, s.mean+half)}
	}
	return Elo(s.mean), Interval{Elo(score.Low), Elo(score.High)}
}

// LOS is the likelihood of superiority: the probability that the side is the stronger,
// given the match.
func LOS(m Match) float64 {
	s := m.sample(0)
	switch {
	case s.mean == 0.5:
		return 0.5
	case s.variance == 0:
		return math.Round(s.mean)
	}
	return normal((s.mean - 0.5) / math.Sqrt(s.variance/s.n))
}

// The two-sided normal quantiles of 95 % confidence and 80 % power, added, and the
// variance of a game's score where about three in ten are drawn.
const (
	confidenceAndPower = 1.959964 + 0.841621
	scoreVariance      = 0.2
)

// Needed is about how many games between two sides that differ by gap points tell with
// 95 % confidence which is the stronger, four times in five (ratings research §3). It
// is infinite for no gap.
func Needed(gap float64) float64 {
	edge := logistic(float64(q*math.Abs(gap))) - 0.5
	return float64(sq(confidenceAndPower/edge) * scoreVariance)
}

// ScoreOf is the score in 0…1 that a side expects who is gap points the stronger.
func ScoreOf(gap float64) float64 { return logistic(float64(q * gap)) }
