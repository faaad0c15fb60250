package rating_test

import (
	"testing"

	"chessarena/arena"
	"chessarena/arena/rating"
)

func TestProvisional(t *testing.T) {
	for _, c := range []struct {
		rd    float64
		games int
		want  bool
	}{{350, 0, true}, {110, 10, false}, {110.1, 50, true}, {45, 9, true}} {
		if got := rating.Provisional(c.rd, c.games); got != c.want {
			t.Errorf("RD %v after %d games: %v", c.rd, c.games, got)
		}
	}
}

func TestConservativeFavoursTheSurer(t *testing.T) {
	lucky, proven := arena.Rating{R: 1600, RD: 300}, arena.Rating{R: 1500, RD: 60}
	if l, p := rating.Conservative(lucky), rating.Conservative(proven); l != 1000 || p != 1380 {
		t.Errorf("lucky %v, proven %v", l, p)
	}
}

func TestPeak(t *testing.T) {
	var best *float64
	for i, c := range []struct {
		r, rd float64
		games int
		want  float64 // 0 for none
	}{
		{1700, 340, 1, 0}, // one lucky win
		{1400, 105, 9, 0},
		{1380, 100, 10, 1380},
		{1350, 95, 11, 1380},
		{1420, 90, 12, 1420},
		{1900, 140, 13, 1420}, // after a long pause
	} {
		best = rating.Peak(best, arena.Rating{R: c.r, RD: c.rd}, c.games)
		if c.want == 0 && best != nil || c.want != 0 && (best == nil || *best != c.want) {
			t.Errorf("step %d: %v, want %v", i, best, c.want)
		}
	}
}

func TestRebase(t *testing.T) {
	live := arena.Rating{R: 1100, RD: 80, Vol: 0.061}
	for _, c := range []struct {
		name string
		row  rating.Row
		want arena.Rating
	}{
		{"takes the fit's value and error", rating.Row{Rating: 1250, SE: 93}, arena.Rating{R: 1250, RD: 93, Vol: 0.061}},
		{"stays ready to move", rating.Row{Rating: 1250, SE: 20}, arena.Rating{R: 1250, RD: 45, Vol: 0.061}},
		{"knows no less than nothing", rating.Row{Rating: 1250, SE: 500}, arena.Rating{R: 1250, RD: 350, Vol: 0.061}},
		{"stays on the scale", rating.Row{Rating: 9000, SE: 60}, arena.Rating{R: 4000, RD: 60, Vol: 0.061}},
	} {
		if got := rating.Rebase(live, c.row); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	if got := rating.Rebase(rating.Anchor(1320), rating.Row{Rating: 1400, SE: 30}); got != rating.Anchor(1320) {
		t.Errorf("an anchor moved to %v", got)
	}
}
