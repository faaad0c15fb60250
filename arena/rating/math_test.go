package rating

import (
	"math"
	"testing"
)

// ulps is how many float64 lie between a and b, which have the same sign.
func ulps(a, b float64) int64 {
	d := int64(math.Float64bits(a)) - int64(math.Float64bits(b))
	return max(d, -d)
}

func TestExpIsWithinAnUlpOfTheLibrary(t *testing.T) {
	for i := range 400_000 {
		x := -745 + float64(i)*0.00363651
		got, want := exp(x), math.Exp(x)
		if want > 1e-300 && ulps(got, want) > 1 || math.Abs(got-want) > 1e-315 && want <= 1e-300 {
			t.Fatalf("exp(%v) = %v, the library has %v", x, got, want)
		}
	}
}

func TestLogIsWithinAnUlpOfTheLibrary(t *testing.T) {
	for i := range 400_000 {
		x := math.Ldexp(0.5+float64(i)/800_000, i%2000-1000)
		if i%2 == 0 {
			x = 0.5 + float64(i)/200_000 // around 1, where digits cancel
		}
		if got, want := log(x), math.Log(x); ulps(got, want) > 1 {
			t.Fatalf("log(%v) = %v, the library has %v", x, got, want)
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
