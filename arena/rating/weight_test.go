package rating

import (
	"math"
	"testing"
)

// Buckets of these tests: an anchor, the bucket in question, and opponents from 10 on.
const (
	anchorID, sharedID = 1, 2
	opponents          = 12
)

// shared is a track on which nicknames play sharedID, each so many games against the
// opponents in turn, and score as told. Each opponent is held by games with the anchor.
func shared(games map[int64]int, score func(nick int64, game int) float64) Input {
	in := Input{Buckets: []Bucket{{ID: anchorID, Anchor: true, Pin: 1000}, {ID: sharedID, Active: true}}}
	for i := int64(10); i < 10+opponents; i++ {
		in.Buckets = append(in.Buckets, Bucket{ID: i, Active: true})
		for n := range 20 { // ten wins, ten losses
			in.Games = append(in.Games, Game{Side{i, i}, Side{anchorID, 0}, float64(n % 2)})
		}
	}
	for nick := int64(100); nick < 200; nick++ {
		for n := range games[nick] {
			in.Games = append(in.Games, Game{Side{sharedID, nick}, Side{10 + int64(n%opponents), 10}, score(nick, n)})
		}
	}
	return in
}

func gathered(t *testing.T, in Input) *league {
	t.Helper()
	l, err := gather(in)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// shares is the weight that each nickname has in sharedID.
func shares(l *league, w []float64) map[int64]float64 {
	sums := make(map[int64]float64)
	for i, d := range l.duels {
		if l.buckets[d.white].ID == sharedID {
			sums[d.whiteNick] += w[i]
		}
	}
	return sums
}

func even(nick int64, game int) float64 { return float64(game % 2) }

func TestWeights(t *testing.T) {
	t.Run("a pair shares the weight of twenty games", func(t *testing.T) {
		in := Input{Buckets: []Bucket{{ID: 1}, {ID: 2}, {ID: 3}}}
		for n := range 50 {
			white, black := Side{1, 1}, Side{2, 2}
			if n%2 == 0 {
				white, black = black, white
			}
			in.Games = append(in.Games, Game{white, black, 1}, Game{Side{1, 1}, Side{3, 3}, 0})
		}
		in.Games = in.Games[:70] // 35 of each pair
		in.Games = append(in.Games, Game{Side{2, 2}, Side{3, 3}, 1})
		l := gathered(t, in)
		for i, w := range weights(l) {
			want := 20. / 35
			if low, _ := l.duels[i].pair(); low != 0 {
				want = 1
			}
			near(t, "weight", w, want, 1e-15)
		}
	})
	t.Run("games count equally while two nicknames play a bucket", func(t *testing.T) {
		l := gathered(t, shared(map[int64]int{100: 90, 101: 10}, even))
		got := shares(l, weights(l))
		if got[100] != 90 || got[101] != 10 {
			t.Errorf("%v", got)
		}
	})
	t.Run("and while a third has few games", func(t *testing.T) {
		l := gathered(t, shared(map[int64]int{100: 90, 101: 10, 102: 9}, even))
		if got := shares(l, weights(l)); got[100] != 90 {
			t.Errorf("%v", got)
		}
	})
	t.Run("of three with ten games none has more than half", func(t *testing.T) {
		l := gathered(t, shared(map[int64]int{100: 90, 101: 10, 102: 12}, even))
		got := shares(l, weights(l))
		near(t, "the heavy", got[100], 22, 1e-6)
		near(t, "the others", got[101]+got[102], 22, 0)
	})
	t.Run("the cap holds although caps meet", func(t *testing.T) {
		// Two shared buckets play each other, most games between their heaviest nicknames.
		in := Input{Buckets: []Bucket{{ID: 1}, {ID: 2}}}
		for i := range int64(20) {
			in.Buckets = append(in.Buckets, Bucket{ID: 10 + i})
			for b := int64(1); b <= 2; b++ {
				for nick := range int64(3) {
					in.Games = append(in.Games, Game{Side{b, nick + 1}, Side{10 + i, 99}, 0.5})
				}
			}
		}
		for range 18 {
			in.Games = append(in.Games, Game{Side{1, 1}, Side{2, 1}, 1})
		}
		for i := range int64(60) {
			in.Games = append(in.Games, Game{Side{1 + i%2, 1}, Side{10 + i%20, 99}, 0})
		}
		l := gathered(t, in)
		w := weights(l)
		for b := range 2 {
			total, heavy := 0.0, 0.0
			for i, d := range l.duels {
				if d.white == b || d.black == b {
					total += w[i]
					if d.white == b && d.whiteNick == 1 || d.black == b && d.blackNick == 1 {
						heavy += w[i]
					}
				}
			}
			if heavy > total/2*(1+1e-6) {
				t.Errorf("bucket %d: %v of %v", b, heavy, total)
			}
		}
	})
}

// row finds a bucket's row.
func row(t *testing.T, in Input, id int64) Row {
	t.Helper()
	fit, err := Refit(in)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range fit.Rows {
		if r.Bucket == id {
			return r
		}
	}
	t.Fatalf("no row of %d", id)
	return Row{}
}

func TestSabotageIsShown(t *testing.T) {
	honest := func(nick int64, game int) float64 { return float64(min(1, game%4)) } // three of four
	thrown := func(nick int64, game int) float64 {
		if nick == 101 {
			return 0
		}
		return honest(nick, game)
	}
	t.Run("one nickname throws its games", func(t *testing.T) {
		r := row(t, shared(map[int64]int{100: 60, 101: 30}, thrown), sharedID)
		if r.Status != StatusDisputed || len(r.Parts) != 2 {
			t.Fatalf("%s, parts %+v", r.Status, r.Parts)
		}
		if a, b := r.Parts[0], r.Parts[1]; a.Nickname != 100 || a.Games != 60 || b.Nickname != 101 || b.Games != 30 || a.Rating < b.Rating+300 {
			t.Errorf("parts %+v", r.Parts)
		}
	})
	t.Run("two who play alike are no dispute", func(t *testing.T) {
		if r := row(t, shared(map[int64]int{100: 60, 101: 32}, honest), sharedID); r.Status == StatusDisputed || len(r.Parts) != 2 {
			t.Errorf("%s, parts %+v", r.Status, r.Parts)
		}
	})
	t.Run("one lost game is no dispute", func(t *testing.T) {
		if r := row(t, shared(map[int64]int{100: 60, 101: 1}, thrown), sharedID); r.Status == StatusDisputed {
			t.Errorf("parts %+v", r.Parts)
		}
	})
	t.Run("a nickname alone has no parts", func(t *testing.T) {
		if r := row(t, shared(map[int64]int{100: 60}, honest), sharedID); r.Parts != nil {
			t.Errorf("parts %+v", r.Parts)
		}
	})
	t.Run("a part is what a fit of its games alone would say", func(t *testing.T) {
		// Against anchors only, so that the opponents do not depend on the fit.
		in := Input{Buckets: []Bucket{{ID: anchorID, Anchor: true, Pin: 1000}, {ID: sharedID}}}
		for n := range 18 {
			in.Games = append(in.Games, Game{Side{sharedID, 100 + int64(n%2)}, Side{anchorID, 0}, float64(n%3) / 2})
		}
		l := gathered(t, in)
		rows := []Row{{Rating: 1000}, {Rating: 1000}}
		prior := Prior{1000, 400}
		l.split(rows, prior, 0)
		for _, part := range rows[1].Parts {
			alone := in
			alone.Games = nil
			for _, g := range in.Games {
				if g.White.Nickname == part.Nickname {
					alone.Games = append(alone.Games, g)
				}
			}
			la := gathered(t, alone)
			p := la.problem(weights(la))
			p.prior, p.gamma = prior, p.free+1
			x := make([]float64, 3)
			if err := p.solve(x); err != nil {
				t.Fatal(err)
			}
			near(t, "rating", part.Rating, x[0], 1e-6)
			near(t, "SE", part.SE, math.Sqrt(p.covariance(x).at(0, 0)), 1e-6)
		}
	})
}
