package rating

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"chessarena/arena"
)

// near fails unless got agrees with a number that a page gives to some digits.
func near(t *testing.T, name string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s = %.9f, want %.9f", name, got, want)
	}
}

func same(t *testing.T, name string, got, want arena.Rating) {
	t.Helper()
	near(t, name+" R", got.R, want.R, 1e-6)
	near(t, name+" RD", got.RD, want.RD, 1e-6)
	near(t, name+" Vol", got.Vol, want.Vol, 1e-9)
}

// The example of Glickman's paper, with the digits of ratings research §1.4 (the paper
// prints 1464.06, 151.52, 0.05999).
func TestPaper(t *testing.T) {
	r := arena.Rating{R: 1500, RD: 200, Vol: 0.06}
	var info, gain float64
	for _, o := range []struct{ r, rd, score, g, e float64 }{
		{1400, 30, 1, .995498006, .639467731},
		{1550, 100, 0, .953148978, .431842356},
		{1700, 300, 0, .724235478, .302840729},
	} {
		g := damping(o.rd / scale)
		e := logistic(g * (r.R - o.r) / scale)
		near(t, "g", g, o.g, 1e-9)
		near(t, "E", e, o.e, 1e-9)
		info += g * g * e * (1 - e)
		gain += g * (o.score - e)
	}
	near(t, "v", 1/info, 1.778977090, 1e-9)
	near(t, "Δ", gain/info, -0.483933261, 1e-9)
	vol := volatility(sq(gain/info), sq(r.RD/scale)+1/info, r.Vol, 0.5)
	near(t, "φ*", math.Sqrt(sq(r.RD/scale)+sq(vol)), 1.152854690, 1e-9)
	same(t, "after", advance(r, info, gain), arena.Rating{R: 1464.050670539, RD: 151.516524124, Vol: 0.059995984})
	near(t, "idle RD", Idle(r, IdlePeriod).RD, 200.271416699, 1e-9)

	// Glicko-1 is the same without a volatility; it has 173.7177928 points to the unit.
	phi2 := 1 / (1/sq(r.RD/scale) + info)
	near(t, "Glicko-1 R", r.R+scale*phi2*gain, 1464.106463, 1e-5)
	near(t, "Glicko-1 RD", scale*math.Sqrt(phi2), 151.398902, 1e-5)
}

// scalachess's cases, with τ 0.75, its advantage for White, and no growth of the
// deviation by the volatility; built from our parts, since our own rule differs.
func TestLichess(t *testing.T) {
	lichess := func(r, o arena.Rating, score, advantage float64) arena.Rating {
		g := damping(o.RD / scale)
		e := logistic(g * (r.R - o.R + advantage) / scale)
		info, gain := g*g*e*(1-e), g*(score-e)
		vol := volatility(sq(gain/info), sq(r.RD/scale)+1/info, r.Vol, 0.75)
		phi2 := 1 / (1/sq(r.RD/scale) + info)
		return arena.Rating{R: r.R + scale*phi2*gain, RD: scale * math.Sqrt(phi2), Vol: vol}
	}
	n := math.NaN() // the page does not give this digit
	fresh := arena.Rating{R: 1500, RD: 350, Vol: 0.06}
	a, b := arena.Rating{R: 1400, RD: 79, Vol: .06}, arena.Rating{R: 1550, RD: 110, Vol: .065}
	c, d := arena.Rating{R: 1200, RD: 60, Vol: .053}, arena.Rating{R: 1850, RD: 200, Vol: .062}
	for _, v := range []struct {
		name           string
		white, black   arena.Rating
		score, adv     float64
		white1, black1 arena.Rating
	}{
		{"equals, 1-0", fresh, fresh, 1, 0, arena.Rating{R: 1662.212001, RD: 290.230508, Vol: .059999270}, arena.Rating{R: 1337.787999, RD: 290.230508, Vol: .059999270}},
		{"equals, draw", fresh, fresh, .5, 0, arena.Rating{R: 1500, RD: 290.230508, Vol: .059997663}, arena.Rating{R: 1500, RD: 290.230508, Vol: .059997663}},
		{"with advantage, 1-0", fresh, fresh, 1, 11.782457, arena.Rating{R: 1658.557548, RD: 290.253840, Vol: n}, arena.Rating{R: n, RD: n, Vol: n}},
		{"1400 v 1550, 1-0", a, b, 1, 0, arena.Rating{R: 1422.626040, RD: 77.495577, Vol: n}, arena.Rating{R: 1506.319107, RD: 105.870645, Vol: n}},
		{"1400 v 1550, 0-1", a, b, 0, 0, arena.Rating{R: 1389.987022, RD: n, Vol: n}, arena.Rating{R: 1568.903839, RD: n, Vol: n}},
		{"1400 v 1550, draw", a, b, .5, 0, arena.Rating{R: 1406.306531, RD: n, Vol: n}, arena.Rating{R: 1537.611473, RD: n, Vol: n}},
		{"1200 v 1850, 1-0", c, d, 1, 0, arena.Rating{R: 1216.727954, RD: 59.900563, Vol: .053013066}, arena.Rating{R: 1635.990652, RD: 196.987296, Vol: .062028223}},
		{"1200 v 1850, 0-1", c, d, 0, 0, arena.Rating{R: 1199.289629, RD: n, Vol: n}, arena.Rating{R: 1855.421467, RD: n, Vol: n}},
		{"1200 v 1850, draw", c, d, .5, 0, arena.Rating{R: 1208.008791, RD: n, Vol: n}, arena.Rating{R: 1745.706060, RD: n, Vol: n}},
	} {
		t.Run(v.name, func(t *testing.T) {
			white := lichess(v.white, v.black, v.score, v.adv)
			black := lichess(v.black, v.white, 1-v.score, -v.adv)
			for _, p := range []struct {
				name      string
				got, want float64
			}{
				{"white R", white.R, v.white1.R}, {"white RD", white.RD, v.white1.RD}, {"white Vol", white.Vol, v.white1.Vol},
				{"black R", black.R, v.black1.R}, {"black RD", black.RD, v.black1.RD}, {"black Vol", black.Vol, v.black1.Vol},
			} {
				if !math.IsNaN(p.want) {
					near(t, p.name, p.got, p.want, 1e-6)
				}
			}
		})
	}
}

// L1 to L6 of ratings research §1.4.
func TestUpdate(t *testing.T) {
	at := func(r, rd float64) arena.Rating { return arena.Rating{R: r, RD: rd, Vol: 0.06} }
	t.Run("new beats new", func(t *testing.T) {
		a, b := Update(at(1500, 350), at(1500, 350), 1)
		same(t, "winner", a, arena.Rating{R: 1662.310894, RD: 290.318964, Vol: .059999675})
		same(t, "loser", b, arena.Rating{R: 1337.689106, RD: 290.318964, Vol: .059999675})
	})
	t.Run("new draws new", func(t *testing.T) {
		a, b := Update(at(1500, 350), at(1500, 350), 0.5)
		same(t, "one", a, arena.Rating{R: 1500, RD: 290.318962, Vol: .059998961})
		same(t, "other", b, a)
	})
	t.Run("new draws an anchor", func(t *testing.T) {
		a, b := Update(at(1500, 350), Anchor(1320), 0.5)
		same(t, "new", a, arena.Rating{R: 1406.370340, RD: 262.449397, Vol: .059998782})
		if b != Anchor(1320) {
			t.Errorf("the anchor moved to %v", b)
		}
	})
	t.Run("loss after ninety idle days", func(t *testing.T) {
		r := Idle(at(1600, 60), 90*24*time.Hour)
		near(t, "RD", r.RD, 62.657171, 1e-6)
		r, _ = Update(r, Anchor(1742), 0)
		same(t, "after", r, arena.Rating{R: 1593.094589, RD: 62.641282, Vol: .059998425})
	})
	t.Run("surprise", func(t *testing.T) {
		a, b := Update(at(1450, 62), at(1900, 180), 1)
		same(t, "winner", a, arena.Rating{R: 1467.720740, RD: 62.604010, Vol: .060007320})
		same(t, "loser", b, arena.Rating{R: 1740.948161, RD: 174.290327, Vol: .060008934})
	})
	t.Run("no game moves a rating by more than 700", func(t *testing.T) {
		a, _ := Update(at(800, 350), Anchor(2201), 1)
		near(t, "R", a.R, 1500, 0)
		near(t, "RD", a.RD, 349.925778, 1e-6)
	})
	t.Run("three games in order", func(t *testing.T) {
		r := at(1500, 350)
		r, _ = Update(r, Anchor(1320), 1)
		r, _ = Update(r, at(1500, 350), 0)
		r, _ = Update(r, Anchor(1742), 0.5)
		same(t, "after", r, arena.Rating{R: 1556.614246, RD: 209.207561, Vol: .059998373})
	})
}

func TestExpected(t *testing.T) {
	near(t, "new v anchor", Expected(arena.Rating{R: 1500, RD: 350}, arena.Rating{R: 1320.1, RD: 30}), .666295719, 1e-9)
	near(t, "known v unknown", Expected(arena.Rating{R: 1450, RD: 45}, arena.Rating{R: 1900, RD: 180}), .096899175, 1e-9)
}

func TestIdle(t *testing.T) {
	r := arena.Rating{R: 1600, RD: 60, Vol: 0.06}
	near(t, "a year", Idle(r, 365*24*time.Hour).RD, 70.2, 0.05) // research §1.1
	if got := Idle(r, -time.Hour); got != r {
		t.Errorf("a clock that stepped back: %v", got)
	}
	if got := Idle(r, math.MaxInt64).RD; got > MaxRD {
		t.Errorf("RD %v after 292 years", got)
	}
	if got := Idle(Anchor(-340), 365*24*time.Hour); got != Anchor(-340) {
		t.Errorf("an idle anchor became %v", got)
	}
}

// random is any rating within the bounds.
func random(rng *rand.Rand) arena.Rating {
	return arena.Rating{
		R:   MinR + rng.Float64()*(MaxR-MinR),
		RD:  MinRD + rng.Float64()*(MaxRD-MinRD),
		Vol: MinVol + rng.Float64()*(MaxVol-MinVol),
	}
}

func TestUpdateKeepsItsPromises(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	within := func(r arena.Rating) bool {
		return r.R >= MinR && r.R <= MaxR && r.RD >= MinRD && r.RD <= MaxRD && r.Vol >= MinVol && r.Vol <= MaxVol
	}
	for range 20_000 {
		a, b := random(rng), random(rng)
		for _, score := range []float64{0, 0.5, 1} {
			na, nb := Update(a, b, score)
			if mb, ma := Update(b, a, 1-score); ma != na || mb != nb {
				t.Fatalf("%v v %v, %v: the sides swapped give %v and %v", a, b, score, ma, mb)
			}
			if score == 1 && (na.R < a.R || nb.R > b.R) || score == 0 && (na.R > a.R || nb.R < b.R) {
				t.Fatalf("%v v %v, %v: moved the wrong way, to %v and %v", a, b, score, na, nb)
			}
			if !within(na) || !within(nb) || math.Abs(na.R-a.R) > MaxChange+1e-9 {
				t.Fatalf("%v v %v, %v: out of bounds: %v and %v", a, b, score, na, nb)
			}
		}
	}
}

func TestAnchorsStayBitIdenticalAfterAThousandGames(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	anchor := Anchor(1320)
	for range 1000 {
		opponent := random(rng)
		if rng.IntN(2) == 0 {
			anchor, _ = Update(Idle(anchor, time.Hour), opponent, float64(rng.IntN(3))/2)
		} else {
			_, anchor = Update(opponent, anchor, float64(rng.IntN(3))/2)
		}
	}
	if anchor != (arena.Rating{R: 1320, RD: 30}) {
		t.Errorf("the anchor is %v", anchor)
	}
}
