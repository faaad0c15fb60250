package rating

import (
	"math"
	"testing"
)

// diagonal is the covariance of independent errors.
func diagonal(se ...float64) *matrix {
	m := newMatrix(len(se))
	for i, s := range se {
		m.row(i)[i] = s * s
	}
	return m
}

func TestRank(t *testing.T) {
	rows := func() []Row {
		return []Row{{Bucket: 1, Rating: 1000}, {Bucket: 2, Rating: 1300}, {Bucket: 3, Rating: 1250, Status: StatusAnchor}, {Bucket: 4, Rating: 1250}}
	}
	slot := []int{0, 1, 99, 2} // the anchor has no covariance, and must not be asked for one
	check := func(t *testing.T, got []Row, want [4][2]int) {
		t.Helper()
		for i, r := range got {
			if r.RankLo != want[i][0] || r.RankHi != want[i][1] {
				t.Errorf("bucket %d: ranks %d…%d, want %v", r.Bucket, r.RankLo, r.RankHi, want[i])
			}
		}
	}
	t.Run("independent errors", func(t *testing.T) {
		// 1300 and 1250 differ by 50/71 = 0.7 standard errors; 1000 by 250/71 = 3.5 and more.
		got := rows()
		rank(got, slot, diagonal(50, 50, 50))
		check(t, got, [4][2]int{{3, 3}, {1, 2}, {0, 0}, {1, 2}})
		near(t, "over the next", got[1].OverNext, math.Erfc(-1/2.)/2, 1e-12) // z = 1/√2
		near(t, "over the next", got[3].OverNext, math.Erfc(-5/2.)/2, 1e-12)
		if got[0].OverNext != 0 || got[2].OverNext != 0 {
			t.Errorf("the last and the anchor: %v, %v", got[0].OverNext, got[2].OverNext)
		}
	})
	t.Run("errors that are shared do not blur", func(t *testing.T) {
		cov := diagonal(50, 50, 50)
		for i := range 3 {
			for j := range i {
				cov.row(i)[j] = 2400 // of 2500: the difference has a standard error of 14
			}
		}
		got := rows()
		rank(got, slot, cov)
		check(t, got, [4][2]int{{3, 3}, {1, 1}, {0, 0}, {2, 2}})
	})
	t.Run("nothing is known", func(t *testing.T) {
		got := rows()
		rank(got, slot, diagonal(900, 900, 900))
		check(t, got, [4][2]int{{1, 3}, {1, 3}, {0, 0}, {1, 3}})
	})
}

func TestStatus(t *testing.T) {
	good := Row{SE: 75, Games: 20, Opponents: 5, AnchorGames: 4}
	apart := []Part{{1, 30, 1000, 50}, {2, 30, 1300, 50}} // z = 4.2
	close := []Part{{1, 30, 1000, 50}, {2, 30, 1200, 50}} // z = 2.8
	change := func(f func(*Row)) Row { r := good; f(&r); return r }
	for _, c := range []struct {
		name string
		row  Row
		b    Bucket
		want Status
	}{
		{"just enough", good, Bucket{Active: true}, StatusRanked},
		{"an anchor", good, Bucket{Active: true, Anchor: true}, StatusAnchor},
		{"not active", good, Bucket{}, StatusEstablished},
		{"error above 75", change(func(r *Row) { r.SE = 76 }), Bucket{Active: true}, StatusEstablished},
		{"error of 110", change(func(r *Row) { r.SE = 110 }), Bucket{Active: true}, StatusEstablished},
		{"error above 110", change(func(r *Row) { r.SE = 111 }), Bucket{Active: true}, StatusProvisional},
		{"19 games", change(func(r *Row) { r.Games = 19 }), Bucket{Active: true}, StatusEstablished},
		{"10 games", change(func(r *Row) { r.Games = 10 }), Bucket{Active: true}, StatusEstablished},
		{"9 games", change(func(r *Row) { r.Games = 9 }), Bucket{Active: true}, StatusProvisional},
		{"4 opponents", change(func(r *Row) { r.Opponents = 4 }), Bucket{Active: true}, StatusEstablished},
		{"3 anchor games", change(func(r *Row) { r.AnchorGames = 3 }), Bucket{Active: true}, StatusEstablished},
		{"parts far apart", change(func(r *Row) { r.Parts = apart; r.Games = 3 }), Bucket{Active: true}, StatusDisputed},
		{"parts near", change(func(r *Row) { r.Parts = close }), Bucket{Active: true}, StatusRanked},
	} {
		if got := status(&c.row, &c.b); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestAnAnchorThatPlaysBelowItsPinHasDrifted(t *testing.T) {
	play := func(games, score int) Row {
		in := Input{Buckets: []Bucket{{ID: 1, Anchor: true, Pin: 1000}, {ID: 2, Anchor: true, Pin: 1000}}}
		for n := range games {
			s := 0.0
			if n < score {
				s = 1
			}
			white, black := Side{1, 0}, Side{2, 0}
			if n%2 == 1 { // so that the colours explain nothing
				white, black, s = black, white, 1-s
			}
			in.Games = append(in.Games, Game{white, black, s})
		}
		return row(t, in, 1)
	}
	for _, c := range []struct {
		name         string
		games, score int
		want         bool
	}{
		// Half of n games ± √n/2 is expected.
		{"as expected", 100, 50, false},
		{"2.6 deviations", 100, 37, false},
		{"3.6 deviations", 100, 32, true},
		{"3.6 deviations above", 100, 68, true},
		{"too few games", 49, 5, false},
	} {
		if r := play(c.games, c.score); r.Drifted() != c.want {
			t.Errorf("%s: %v, surprise %v", c.name, r.Drifted(), r.Surprise)
		}
	}
}

// Scores, opponents and the worth of games are added up by hand for two anchors, whose
// expected score is exactly one half when White's advantage cannot be told.
func TestRowsAddUp(t *testing.T) {
	in := Input{Buckets: []Bucket{{ID: 1, Anchor: true, Pin: 1000}, {ID: 2, Anchor: true, Pin: 1000}, {ID: 3, Anchor: true, Pin: 1000}}}
	in.Games = []Game{
		{Side{1, 0}, Side{2, 0}, 1}, {Side{2, 0}, Side{1, 0}, 1}, {Side{1, 0}, Side{3, 0}, 0.5}, {Side{2, 0}, Side{3, 0}, 0}, {Side{3, 0}, Side{2, 0}, 0},
	}
	// White scores 1+1+½+0+0 of 5, exactly half.
	r := row(t, in, 2)
	if r.Games != 4 || r.Score != 2 || r.Opponents != 2 || r.AnchorGames != 4 {
		t.Errorf("%+v", r)
	}
	near(t, "expected", r.Expected, 2, 1e-9)
	near(t, "effective games", r.EffGames, 4, 1e-9)
	near(t, "surprise", r.Surprise, 0, 1e-9)
}
