package rating

import (
	"math"
	"testing"
)

// Vectors of ratings research §3.
func TestDifference(t *testing.T) {
	for _, c := range []struct {
		name                string
		m                   WDL
		elo, low, high, los float64
	}{
		{"12-4-4", WDL{12, 4, 4}, 147.190714, 17.174160, 338.523365, .987326},
		{"30-20-10", WDL{30, 20, 10}, 120.411998, 50.641957, 201.161731, .999734},
	} {
		t.Run(c.name, func(t *testing.T) {
			elo, ci := Difference(c.m)
			near(t, "Elo", elo, c.elo, 1e-6)
			near(t, "low", ci.Low, c.low, 1e-6)
			near(t, "high", ci.High, c.high, 1e-6)
			near(t, "LOS", LOS(c.m), c.los, 5e-7)
		})
	}
}

func TestFewGamesHaveFiniteBounds(t *testing.T) {
	// The normal interval of 5-0-1 ends beyond a score of 1. Wilson's bounds for 5 of 6 are
	// the roots of (p−5/6)² = z²p(1−p)/6, z² = 3.8414588: 0.4364972 and 0.9699466.
	elo, ci := Difference(WDL{5, 0, 1})
	near(t, "Elo", elo, 400*math.Log10(5), 1e-9)
	near(t, "low", ci.Low, 400*math.Log10(.4364971778/.5635028222), 1e-3)
	near(t, "high", ci.High, 400*math.Log10(.9699466303/.0300533697), 1e-2)
}

func TestOneSidedAndEmptyMatches(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		name          string
		m             Match
		elo, los      float64
		lowInf, hiInf bool
	}{
		{"no games", WDL{}, 0, 0.5, true, true},
		{"no pairs", Pentanomial{}, 0, 0.5, true, true},
		{"only wins", WDL{Wins: 30}, inf, 1, false, true},
		{"only losses", WDL{Losses: 3}, -inf, 0, true, false},
		{"only draws", WDL{Draws: 30}, 0, 0.5, false, false},
	} {
		elo, ci := Difference(c.m)
		if elo != c.elo || LOS(c.m) != c.los || c.lowInf && ci.Low != -inf || c.hiInf && ci.High != inf {
			t.Errorf("%s: Elo %v in %v, LOS %v", c.name, elo, ci, LOS(c.m))
		}
	}
}

func TestWilson(t *testing.T) {
	ci := Wilson(14, 20)
	near(t, "low", ci.Low, .481027, 1e-6)
	near(t, "high", ci.High, .854523, 1e-6)
	if ci := Wilson(0, 0); ci != (Interval{0, 1}) {
		t.Errorf("without a try: %v", ci)
	}
	if ci := Wilson(7, 7); ci.High != 1 || ci.Low < 0.6 || ci.Low > 0.7 {
		t.Errorf("7 of 7: %v", ci)
	}
}

func TestSPRT(t *testing.T) {
	low, high := Stronger.Bounds()
	near(t, "low", low, -2.944439, 1e-6)
	near(t, "high", high, 2.944439, 1e-6)
	for _, c := range []struct {
		name string
		m    WDL
		llr  float64
		want Answer
	}{
		{"12-4-4", WDL{12, 4, 4}, 2.275487, Undecided},
		{"30-20-10", WDL{30, 20, 10}, 5.847148, AcceptH1},
		{"16-4-0 is too few games", WDL{16, 4, 0}, 15.170462, Undecided},
		{"5-0-1", WDL{5, 0, 1}, 1.589855, Undecided},
	} {
		t.Run(c.name, func(t *testing.T) {
			near(t, "LLR", Stronger.LLR(c.m), c.llr, 1e-6)
			if got := Stronger.Answer(c.m); got != c.want {
				t.Errorf("answer %s, want %s", got, c.want)
			}
		})
	}
	if got := Stronger.Answer(WDL{10, 10, 30}); got != AcceptH0 {
		t.Errorf("10-10-30: %s, want h0", got)
	}
	if llr := Stronger.LLR(WDL{}); llr != 0 {
		t.Errorf("LLR of no games: %v", llr)
	}
}

// Every pair drawn 1:1 by a win each leaves no doubt that two sides are equal, while the
// same 40 games one by one look like coin flips.
func TestPairsSayMoreThanGames(t *testing.T) {
	if _, ci := Difference(Pentanomial{0, 0, 20, 0, 0}); ci != (Interval{0, 0}) {
		t.Errorf("pairs: %v", ci)
	}
	if _, ci := Difference(WDL{20, 0, 20}); ci.Low > -100 || ci.High < 100 {
		t.Errorf("games: %v", ci)
	}
	// 2, 3, 10, 9 and 6 pairs: the mean is (0.75+5+6.75+6)/30 = 37/60.
	p := Pentanomial{2, 3, 10, 9, 6}
	mean := 37.0 / 60
	variance := (2*math.Pow(0-mean, 2) + 3*math.Pow(.25-mean, 2) + 10*math.Pow(.5-mean, 2) + 9*math.Pow(.75-mean, 2) + 6*math.Pow(1-mean, 2)) / 30
	elo, ci := Difference(p)
	half := 1.959963984540054 * math.Sqrt(variance/30)
	near(t, "Elo", elo, 400*math.Log10(37.0/23), 1e-9)
	near(t, "low", ci.Low, 400*math.Log10((mean-half)/(1-mean+half)), 1e-9)
	near(t, "high", ci.High, 400*math.Log10((mean+half)/(1-mean-half)), 1e-9)
	near(t, "LOS", LOS(p), math.Erfc(-(mean-.5)/math.Sqrt(2*variance/30))/2, 1e-12)
	s1 := 1 / (1 + math.Pow(10, -.25))
	near(t, "LLR", Stronger.LLR(p), 30*(s1-.5)*(2*mean-.5-s1)/(2*variance), 1e-9)
	if n := p.Games(); n != 60 {
		t.Errorf("%d games", n)
	}
}

func TestPool(t *testing.T) {
	got, tau2 := Pool([]Estimate{{1500, 60}, {1600, 80}, {1450, 50}})
	near(t, "τ²", tau2, 1036.8, 0.05)
	near(t, "pooled", got.Value, 1498.909057, 1e-6)
	near(t, "SE", got.SE, 39.750392, 1e-6)
	t.Run("one bucket is itself", func(t *testing.T) {
		got, tau2 := Pool([]Estimate{{1234, 56}})
		near(t, "value", got.Value, 1234, 1e-9)
		near(t, "SE", got.SE, 56, 1e-9)
		near(t, "τ²", tau2, 0, 0)
	})
	t.Run("buckets that agree have no variance between them", func(t *testing.T) {
		got, tau2 := Pool([]Estimate{{1000, 50}, {1010, 50}})
		near(t, "τ²", tau2, 0, 0)
		near(t, "value", got.Value, 1005, 1e-9)
		near(t, "SE", got.SE, 50/math.Sqrt2, 1e-9)
	})
	t.Run("nothing", func(t *testing.T) {
		if got, _ := Pool(nil); !math.IsInf(got.SE, 1) {
			t.Errorf("SE %v", got.SE)
		}
	})
}

// The research's table: games to separate a gap at 80 % power.
func TestGamesNeeded(t *testing.T) {
	for _, c := range []struct{ gap, low, high float64 }{
		{200, 22, 32}, {100, 70, 100}, {50, 270, 390}, {25, 1070, 1520}, {-100, 70, 100},
	} {
		if n := Needed(c.gap); n < c.low || n > c.high {
			t.Errorf("a gap of %v needs %.0f games, want %v to %v", c.gap, n, c.low, c.high)
		}
	}
	if n := Needed(0); !math.IsInf(n, 1) {
		t.Errorf("no gap needs %v games", n)
	}
}
