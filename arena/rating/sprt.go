package rating

// SPRT is Wald's sequential test of two Elo differences: it may be looked at after every
// game, and stops as soon as either is certain enough.
type SPRT struct {
	H0, H1      float64 // Elo differences, H0 < H1
	Alpha, Beta float64 // the risks of taking H1 for H0's truth and the reverse
}

// Stronger asks "is A stronger than B?": by nothing, or by 100 points.
var Stronger = SPRT{H0: 0, H1: 100, Alpha: 0.05, Beta: 0.05}

// Answer is what a test has found.
type Answer string

// The answers.
const (
	Undecided Answer = "undecided"
	AcceptH0  Answer = "h0"
	AcceptH1  Answer = "h1"
)

// minSPRT games (12 pairs) must be played before a test answers; with fewer the variance
// is a guess, and simulated false answers exceed Alpha.
const minSPRT = 24

// LLR is the log-likelihood ratio of H1 against H0, by the normal approximation of the
// generalised test. Outcomes that did not occur count as half a one, or the variance of
// a one-sided match would be nothing.
func (t SPRT) LLR(m Match) float64 {
	if m.Games() == 0 {
		return 0
	}
	s := m.sample(0.5)
	s0, s1 := logistic(float64(q*t.H0)), logistic(float64(q*t.H1))
	return s.n * (s1 - s0) * (float64(2*s.mean) - s0 - s1) / (2 * s.variance)
}

// Bounds are the ratios at which the test ends: H0 at or below low, H1 at or above high.
func (t SPRT) Bounds() (low, high float64) {
	return log(t.Beta / (1 - t.Alpha)), log((1 - t.Beta) / t.Alpha)
}

// Answer is what the match has shown so far.
func (t SPRT) Answer(m Match) Answer {
	if m.Games() < minSPRT {
		return Undecided
	}
	low, high := t.Bounds()
	switch llr := t.LLR(m); {
	case llr <= low:
		return AcceptH0
	case llr >= high:
		return AcceptH1
	}
	return Undecided
}
