package rating

import (
	"math"
	"testing"

	"chessarena/arena"
)

// The expected values come from the formulas of ratings research §5, evaluated by a script
// in another language.
func TestGain(t *testing.T) {
	for _, c := range []struct {
		a, b arena.Rating
		e    float64 // expected score of a
		gain float64
	}{
		{arena.Rating{R: 1500, RD: 200, Vol: .06}, arena.Rating{R: 1500, RD: 30, Vol: .06}, .5, 0.14463472490083207},
		{arena.Rating{R: 1000, RD: 350, Vol: .06}, arena.Rating{R: 1200, RD: 80, Vol: .06}, 0.3187732457863001, 0.31184575490120886},
		{arena.Rating{R: 1000, RD: 350, Vol: .06}, arena.Rating{R: 2350, RD: 350, Vol: .06}, 0.015169651633276682, 0.0267853595399097},
	} {
		balance, gain := Prospect(c.a, c.b)
		if math.Abs(gain-c.gain) > 1e-9 || math.Abs(balance-4*c.e*(1-c.e)) > 1e-9 {
			t.Errorf("%v and %v: balance %v, gain %v; want %v and %v", c.a, c.b, balance, gain, 4*c.e*(1-c.e), c.gain)
		}
		if again := Gain(c.b, c.a); math.Abs(again-gain) > 1e-12 {
			t.Errorf("%v and %v: %v the other way round", c.a, c.b, again)
		}
	}
	free, anchor := arena.Rating{R: 1500, RD: 200, Vol: .06}, Anchor(1500)
	if alone, both := Gain(free, anchor), Gain(free, free); alone <= 0 || alone >= both {
		t.Errorf("one who learns gains %v, two gain %v", alone, both)
	}
	if g := Gain(anchor, Anchor(1600)); g != 0 {
		t.Errorf("two anchors learn %v", g)
	}
}
