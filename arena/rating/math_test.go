package rating

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// ulps is how many float64 lie between a and b, which have the same sign.
func ulps(a, b float64) int64 {
	d := int64(math.Float64bits(a)) - int64(math.Float64bits(b))
	return max(d, -d)
}

// bigExp is e to the power x to 240 bits: x = k·ln 2 + r, and the series for r.
func bigExp(x float64) *big.Float {
	number := func(x float64) *big.Float { return new(big.Float).SetPrec(240).SetFloat64(x) }
	ln2, _ := number(0).SetString("0.693147180559945309417232121458176568075500134360255254120680009493393621969694715605863327")
	k := math.Round(x / math.Ln2)
	r := number(x)
	r.Sub(r, ln2.Mul(ln2, number(k)))
	sum, term := number(1), number(1)
	for i := range 40 {
		term.Quo(term.Mul(term, r), number(float64(i+1)))
		sum.Add(sum, term)
	}
	return sum.SetMantExp(sum, int(k))
}

// miss is how far got is from want, in units of got's last place.
func miss(got float64, want *big.Float) float64 {
	d, _ := new(big.Float).Sub(want, big.NewFloat(got)).Float64()
	return math.Abs(d) / (math.Nextafter(math.Abs(got), math.Inf(1)) - math.Abs(got))
}

func TestExpAndLogAreWithinAnUlp(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for i := range 20_000 {
		x := (rng.Float64() - 0.5) * []float64{1, 40, 1400}[i%3]
		y := exp(x)
		if off := miss(y, bigExp(x)); off > 0.9 {
			t.Errorf("exp(%v) = %v is %.2f ulp off", x, y, off)
		}
		// log y is l + log(y/e^l), and the second term is nearly y/e^l − 1.
		l := log(y)
		ratio := bigExp(l)
		ratio.Quo(big.NewFloat(y), ratio)
		rest, _ := ratio.Sub(ratio, big.NewFloat(1)).Float64()
		if off := math.Abs(rest) / (math.Nextafter(math.Abs(l), math.Inf(1)) - math.Abs(l)); off > 0.9 {
			t.Errorf("log(%v) = %v is %.2f ulp off", y, l, off)
		}
	}
}

func TestExpAndLogAgreeWithTheLibrary(t *testing.T) {
	for i := range 200_000 {
		x := -700 + float64(i)*0.00700651
		if got, want := exp(x), math.Exp(x); ulps(got, want) > 2 {
			t.Fatalf("exp(%v) = %v, the library has %v", x, got, want)
		}
		y := math.Ldexp(0.5+float64(i)/400_000, i%2000-1000)
		if got, want := log(y), math.Log(y); ulps(got, want) > 1 {
			t.Fatalf("log(%v) = %v, the library has %v", y, got, want)
		}
	}
}

// The digits are those of tables.
func TestKnownDigits(t *testing.T) {
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"exp 0", exp(0), 1},
		{"exp 1", exp(1), 2.71828182845904523536},
		{"exp -1", exp(-1), 0.36787944117144232160},
		{"exp 10", exp(10), 22026.4657948067165170},
		{"exp ½", exp(0.5), 1.64872127070012814685},
		{"log 1", log(1), 0},
		{"log 2", log(2), 0.69314718055994530942},
		{"log 10", log(10), 2.30258509299404568402},
		{"log 3", log(3), 1.09861228866810969140},
		{"log of the least float64", log(5e-324), -744.440071921381262314},
	} {
		if ulps(c.got, c.want) > 1 {
			t.Errorf("%s = %.20g, want %.20g", c.name, c.got, c.want)
		}
	}
}

func TestEnds(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"exp ∞", exp(inf), inf}, {"exp -∞", exp(-inf), 0}, {"exp 710", exp(710), inf}, {"exp -746", exp(-746), 0},
		{"log 0", log(0), -inf}, {"log ∞", log(inf), inf}, {"exp NaN", exp(nan), nan}, {"log NaN", log(nan), nan}, {"log -1", log(-1), nan},
		{"normal ∞", normal(inf), 1}, {"normal -∞", normal(-inf), 0}, {"normal NaN", normal(nan), nan},
	} {
		if c.got != c.want && !(math.IsNaN(c.got) && math.IsNaN(c.want)) {
			t.Errorf("%s = %v, want %v", c.name, c.got, c.want)
		}
	}
}

func TestNormalAgreesWithTheErrorFunction(t *testing.T) {
	for z := -9.0; z < 9; z += 0.00117 {
		if got, want := normal(z), math.Erfc(-z/math.Sqrt2)/2; math.Abs(got-want) > 5e-15 {
			t.Fatalf("normal(%v) = %v, want %v", z, got, want)
		}
	}
	if p := normal(z975); math.Abs(p-0.975) > 1e-15 {
		t.Errorf("normal(z975) = %v", p)
	}
}
