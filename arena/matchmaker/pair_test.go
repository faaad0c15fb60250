package matchmaker

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"
	"time"

	"chessarena/arena"
	"chessarena/arena/rating"
)

var standard = policy{placement, anchorShare, time.Minute}

func never(int64, int64) int { return 0 }

// crowd is n entrants with ratings of a normal spread, each of its own nickname.
func crowd(rng *rand.Rand, n int) []Entrant {
	list := make([]Entrant, n)
	for i := range list {
		id := int64(i + 1)
		list[i] = Entrant{Waiter: arena.Waiter{
			ConfigID: id, NicknameID: id, BucketID: id, Nickname: arena.AgentActive, Opponents: arena.AnyOpponents,
			Rating: arena.Rating{R: 1000 + 400*rng.NormFloat64(), RD: 40 + 260*rng.Float64(), Vol: 0.06},
		}, Wait: time.Duration(rng.IntN(60)) * time.Second}
	}
	return list
}

// told is what the games of couples are expected to tell.
func told(list []Entrant, couples []Couple) (sum float64) {
	for _, c := range couples {
		sum += rating.Gain(list[c.A].Rating, list[c.B].Rating)
	}
	return sum
}

// optimum is the most that any pairing of list tells, by trying them all: for each set
// of entrants the best pairing, from the smaller sets.
func optimum(list []Entrant) float64 {
	best := make([]float64, 1<<len(list))
	for set := 1; set < len(best); set++ {
		first := bits.TrailingZeros(uint(set))
		rest := set &^ (1 << first)
		best[set] = best[rest]
		for others := rest; others != 0; others &= others - 1 {
			j := bits.TrailingZeros(uint(others))
			if !allowed(&list[first], &list[j]) {
				continue
			}
			if v := rating.Gain(list[first].Rating, list[j].Rating) + best[rest&^(1<<j)]; v > best[set] {
				best[set] = v
			}
		}
	}
	return best[len(best)-1]
}

// allowed restates the conditions of a pairing, from ratings research §5.
func allowed(a, b *Entrant) bool {
	g := 1 / math.Sqrt(1+3*(sq(a.Rating.RD)+sq(b.Rating.RD))*sq(math.Ln10/400)/sq(math.Pi))
	e := 1 / (1 + math.Pow(10, -g*(a.Rating.R-b.Rating.R)/400))
	return a.NicknameID != b.NicknameID && 4*e*(1-e) >= 0.36*math.Exp(-min(a.Wait, b.Wait).Seconds()/300)
}

func sq(x float64) float64 { return x * x }

func TestFourteenTellAlmostAsMuchAsTheOptimum(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(14, 14))
	ours, best, worst := 0.0, 0.0, 1.0
	for range 60 {
		list := crowd(rng, 14)
		got, most := told(list, Pair(list, never)), optimum(list)
		ours, best = ours+got, best+most
		worst = min(worst, got/most)
	}
	t.Logf("%.2f %% of the optimum, at worst %.2f %%", 100*ours/best, 100*worst)
	if ours < 0.97*best {
		t.Errorf("%.4f of the optimum, want 0.97", ours/best)
	}
}

func TestEveryCoupleIsAllowedAndNobodyPlaysTwice(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 5))
	for range 200 {
		list := crowd(rng, 2+rng.IntN(60))
		for i := range list {
			list[i].NicknameID = int64(rng.IntN(len(list)/2) + 1)
			list[i].Opponents = []arena.Opponents{arena.AnyOpponents, arena.AnyOpponents, arena.AgentsOnly, arena.AnchorsOnly}[rng.IntN(4)]
			list[i].Anchor = rng.IntN(5) == 0
		}
		seen := make(map[int]bool)
		for _, c := range Pair(list, never) {
			a, b := &list[c.A], &list[c.B]
			if seen[c.A] || seen[c.B] || c.A == c.B {
				t.Fatalf("somebody plays twice: %v", c)
			}
			seen[c.A], seen[c.B] = true, true
			agents := a.Opponents == arena.AgentsOnly && b.Anchor || b.Opponents == arena.AgentsOnly && a.Anchor
			if !allowed(a, b) || agents || a.Opponents == arena.AnchorsOnly || b.Opponents == arena.AnchorsOnly {
				t.Fatalf("%+v must not meet %+v", a, b)
			}
		}
	}
}

func TestTheOrderOfTheQueueDoesNotMatter(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(6, 6))
	list := crowd(rng, 40)
	pairs := func() map[[2]int64]bool {
		set := make(map[[2]int64]bool)
		for _, c := range Pair(list, never) {
			a, b := arena.PairOf(list[c.A].ConfigID, list[c.B].ConfigID)
			set[[2]int64{a, b}] = true
		}
		return set
	}
	before := fmt.Sprint(pairs())
	rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	if after := fmt.Sprint(pairs()); after != before {
		t.Errorf("%v, then %v", before, after)
	}
}

func entrant(id int64, r, rd float64, wait time.Duration) Entrant {
	return Entrant{arena.Waiter{
		ConfigID: id, NicknameID: id, BucketID: id, Opponents: arena.AnyOpponents, Rating: arena.Rating{R: r, RD: rd, Vol: 0.06},
	}, wait}
}

func TestAFarOpponentIsTakenOnlyAfterAWait(t *testing.T) {
	t.Parallel()
	// With both known to ±30 the floor is at about 380 points, and 5 minutes later at
	// about 580 (ratings research §5).
	for _, c := range []struct {
		gap  float64
		wait time.Duration
		want int
	}{{350, 0, 1}, {420, 0, 0}, {540, 5 * time.Minute, 1}, {640, 5 * time.Minute, 0}, {2000, time.Hour, 1}} {
		list := []Entrant{entrant(1, 1000, 30, c.wait), entrant(2, 1000+c.gap, 30, c.wait)}
		if got := Pair(list, never); len(got) != c.want {
			t.Errorf("a gap of %v after %v: %d games, want %d", c.gap, c.wait, len(got), c.want)
		}
	}
}

func TestThoseWhoMetLatelyMakeRoomForOthers(t *testing.T) {
	t.Parallel()
	list := []Entrant{entrant(1, 1000, 100, 0), entrant(2, 1000, 100, 0), entrant(3, 1040, 100, 0), entrant(4, 1040, 100, 0)}
	met := func(a, b int64) int {
		if a+b == 3 || a+b == 7 { // 1 and 2, 3 and 4
			return 2
		}
		return 0
	}
	for _, c := range Pair(list, met) {
		if met(list[c.A].BucketID, list[c.B].BucketID) > 0 {
			t.Errorf("%d meets %d again", list[c.A].ConfigID, list[c.B].ConfigID)
		}
	}
}

func TestNewcomersMeetAnAnchorFirstAndThenNowAndThen(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		games, anchors int
		want           bool
	}{{0, 0, true}, {4, 4, true}, {5, 5, false}, {10, 3, false}, {20, 4, true}, {19, 4, false}} {
		e := entrant(1, 1000, 100, 0)
		e.Games, e.AnchorGames = c.games, c.anchors
		if standard.due(&e) != c.want {
			t.Errorf("after %d games, %d with anchors: due %v", c.games, c.anchors, !c.want)
		}
		if e.Opponents = arena.AgentsOnly; standard.due(&e) {
			t.Error("agents_only is given an anchor")
		}
		if e.Opponents = arena.AnchorsOnly; !standard.due(&e) {
			t.Error("anchors_only is not")
		}
	}
}

func TestWhoNobodyFitsGetsTheAnchorThatTellsMost(t *testing.T) {
	t.Parallel()
	anchors := []arena.Waiter{
		{ConfigID: 91, BucketID: 91, NicknameID: 9, Rating: rating.Anchor(-340), Anchor: true},
		{ConfigID: 92, BucketID: 92, NicknameID: 9, Rating: rating.Anchor(1320), Anchor: true},
		{ConfigID: 93, BucketID: 93, NicknameID: 9, Rating: rating.Anchor(2350), Anchor: true},
	}
	alone := entrant(1, 1400, 80, time.Minute)
	alone.Games, alone.AnchorGames = 20, 10
	if got := decide([]Entrant{alone}, anchors, never, standard); len(got) != 1 || got[0].b.ConfigID != 92 {
		t.Errorf("%+v", got)
	}
	alone.Wait--
	if got := decide([]Entrant{alone}, anchors, never, standard); len(got) != 0 {
		t.Errorf("before its time: %+v", got)
	}
	if got := decide([]Entrant{alone}, nil, never, policy{placement, anchorShare, 0}); len(got) != 0 {
		t.Errorf("without anchors: %+v", got)
	}
}

func BenchmarkPair(b *testing.B) {
	for _, n := range []int{100, 1_000, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			list := crowd(rand.New(rand.NewPCG(1, 1)), n)
			b.ReportAllocs()
			for b.Loop() {
				Pair(list, never)
			}
		})
	}
}
