package rating

import "math"

// The natural logarithm of 2 in two parts. The first has so few digits that its product
// with any exponent of a float64 is exact.
const (
	ln2Hi = 0x1.62e42fee00000p-1
	ln2Lo = 0x1.a39ef35793c76p-33
)

// taylor are the coefficients 1/13!, 1/12! … 1/2! of the exponential series.
var taylor = [...]float64{
	1. / 6227020800, 1. / 479001600, 1. / 39916800, 1. / 3628800, 1. / 362880, 1. / 40320,
	1. / 5040, 1. / 720, 1. / 120, 1. / 24, 1. / 6, 1. / 2,
}

// exp is e to the power x, within one unit in the last place. The one in math is
// assembly on some processors and differs between them.
func exp(x float64) float64 {
	switch {
	case x != x || x > 709.782712893384:
		return x * math.Inf(1)
	case x < -745.2:
		return 0
	}
	// x = k·ln 2 + r with |r| ≤ ln 2 / 2, where the series ends quickly.
	k := math.Floor(float64(x*math.Log2E) + 0.5)
	hi, lo := x-float64(k*ln2Hi), float64(k*ln2Lo)
	r := hi - lo
	p := 0.0
	for _, c := range taylor {
		p = float64(p*r) + c
	}
	return math.Ldexp(1+(hi+(float64(sq(r)*p)-lo)), int(k))
}

// atanh are the coefficients 2/23, 2/21 … 2/3 of the series of 2·atanh.
var atanh = [...]float64{2. / 23, 2. / 21, 2. / 19, 2. / 17, 2. / 15, 2. / 13, 2. / 11, 2. / 9, 2. / 7, 2. / 5, 2. / 3}

// log is the natural logarithm of a positive x, within one unit in the last place.
func log(x float64) float64 {
	switch {
	case x < 0 || x != x:
		return math.NaN()
	case x == 0:
		return math.Inf(-1)
	case x > math.MaxFloat64:
		return x
	}
	m, e := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, e = m+m, e-1
	}
	// log(1+f) = 2·atanh(s), written so that f itself, which is exact, leads the sum.
	f, k := m-1, float64(e)
	s := f / (2 + f)
	p := 0.0
	for _, c := range atanh {
		p = float64(p*sq(s)) + c
	}
	half := float64(0.5 * sq(f))
	rest := float64(s * (half + float64(p*sq(s))))
	return float64(k*ln2Hi) - ((half - (rest + float64(k*ln2Lo))) - f)
}

// normal is the probability that a standard normal variable is below z, exact to about
// 1e-15 (Marsaglia 2004: a series of positive terms times the density).
func normal(z float64) float64 {
	if z != z {
		return z
	}
	if z > 8.5 || z < -8.5 {
		return math.Max(0, math.Copysign(1, z))
	}
	sum, term := z, z
	for i := 3.0; ; i += 2 {
		term = term * sq(z) / i
		if sum+term == sum {
			break
		}
		sum += term
	}
	const rootTau = 2.50662827463100050242 // √2π
	p := 0.5 + float64(sum*exp(-sq(z)/2))/rootTau
	return min(max(p, 0), 1)
}

// logistic is 1/(1+e⁻ˣ).
func logistic(x float64) float64 { return 1 / (1 + exp(-x)) }

// sq is x squared, rounded.
func sq(x float64) float64 { return float64(x * x) }

func clamp(x, low, high float64) float64 { return min(max(x, low), high) }
