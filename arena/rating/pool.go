package rating

import "math"

// Estimate is a value with its standard error, which is above zero.
type Estimate struct{ Value, SE float64 }

// Pool is the rating of a model that several buckets played, by random effects
// (DerSimonian and Laird 1986): the buckets are a sample of what can be made of the
// model, and differ by more than their errors. tau2 is the variance between them. The
// best bucket would be the wrong answer: it is the best partly by luck. Without a bucket
// nothing is known, and the error is infinite.
func Pool(buckets []Estimate) (pooled Estimate, tau2 float64) {
	if len(buckets) == 0 {
		return Estimate{SE: math.Inf(1)}, 0
	}
	fixed := mean(buckets, 0)
	weights, squares, excess := 0.0, 0.0, 1-float64(len(buckets))
	for _, b := range buckets {
		w := 1 / sq(b.SE)
		weights += w
		squares += sq(w)
		excess += float64(w * sq(b.Value-fixed.Value))
	}
	// One bucket, or several that agree better than their errors would have it: excess ≤ 0.
	if excess > 0 {
		tau2 = excess / (weights - squares/weights)
	}
	return mean(buckets, tau2), tau2
}

// mean weighs each estimate by its precision, with tau2 added to its variance.
func mean(list []Estimate, tau2 float64) Estimate {
	weights, sum := 0.0, 0.0
	for _, e := range list {
		w := 1 / (sq(e.SE) + tau2)
		weights += w
		sum += float64(w * e.Value)
	}
	return Estimate{sum / weights, 1 / math.Sqrt(weights)}
}
