package rating

import "math"

// Part is what a bucket's games say when only one nickname's are looked at. A bucket is
// a description that anybody may register; where the parts disagree, somebody does not
// play what the description says.
type Part struct {
	Nickname int64
	Games    int
	Rating   float64 // points
	SE       float64
}

// disputeZ is how many standard errors two parts of a bucket must be apart to make it
// disputed.
const disputeZ = 3

// disputed reports whether any two parts contradict each other.
func disputed(parts []Part) bool {
	for i, a := range parts {
		for _, b := range parts[:i] {
			if math.Abs(a.Rating-b.Rating) > float64(disputeZ*math.Sqrt(sq(a.SE)+sq(b.SE))) {
				return true
			}
		}
	}
	return false
}

// split fills in the parts of every bucket that several nicknames have played. rows
// holds the ratings and standard errors of the fit, in the order of l.buckets.
func (l *league) split(rows []Row, prior Prior, white float64) {
	for groups := l.byNickname(); len(groups) > 0; {
		var of []group
		of, groups = sameBucket(groups)
		if len(of) < 2 {
			continue
		}
		for _, g := range of {
			rows[g.bucket].Parts = append(rows[g.bucket].Parts, l.part(g, rows, prior, white))
		}
	}
}

// part fits one group alone, its opponents as the whole fit sees them. What is not known
// of the opponents widens the error, those faced twice counting twice.
func (l *league) part(g group, rows []Row, prior Prior, white float64) Part {
	precision := 1 / sq(prior.SD)
	// slope is the gradient and the negated second derivative at r.
	slope := func(r float64) (grad, curve float64) {
		grad, curve = float64((prior.Mean-r)*precision), precision
		for _, i := range g.duels {
			_, score, lead := l.seen(i, g.bucket, rows, white)
			e := logistic(q * (r + lead))
			grad += float64(q * (score - e))
			curve += float64(q * q * e * (1 - e))
		}
		return grad, curve
	}
	// Newton's method, kept between bounds that close in; the gradient falls throughout.
	reach := float64(q * sq(prior.SD) * float64(len(g.duels)))
	low, high := prior.Mean-reach, prior.Mean+reach
	r := clamp(rows[g.bucket].Rating, low, high)
	for range 200 {
		grad, curve := slope(r)
		if grad > 0 {
			low = r
		} else {
			high = r
		}
		next := r + grad/curve
		if !(next >= low && next <= high) {
			next = low + float64((high-low)/2)
		}
		done := math.Abs(next-r) < 1e-7
		if r = next; done {
			break
		}
	}
	_, curve := slope(r)
	return Part{g.nickname, len(g.duels), r, math.Sqrt(1/curve + l.opponentsVariance(g, r, curve, rows, white))}
}

// seen is duel i from the view of bucket: its opponent, its score, and what is added to
// its rating to make its lead.
func (l *league) seen(i, bucket int, rows []Row, white float64) (opponent int, score, lead float64) {
	d := l.duels[i]
	if d.white == bucket {
		return d.black, d.score, white - rows[d.black].Rating
	}
	return d.white, 1 - d.score, -white - rows[d.white].Rating
}

// opponentsVariance is what the opponents' own errors add to the variance of a part at r.
// Duels of one opponent follow one another.
func (l *league) opponentsVariance(g group, r, curve float64, rows []Row, white float64) float64 {
	sum, pull, last := 0.0, 0.0, -1
	for _, i := range g.duels {
		opponent, _, lead := l.seen(i, g.bucket, rows, white)
		if opponent != last {
			if last >= 0 {
				sum += sq(pull / curve * rows[last].SE)
			}
			pull, last = 0, opponent
		}
		e := logistic(q * (r + lead))
		pull += float64(q * q * e * (1 - e))
	}
	return sum + sq(pull/curve*rows[last].SE)
}
