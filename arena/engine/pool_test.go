package engine

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"chessarena/rules"
)

func TestRandomPlaysEveryMoveAlike(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(20_000) {
		m, err := Random{}.Move(t.Context(), rules.NewReplay(nil), seed)
		if err != nil {
			t.Fatal(err)
		}
		seen[m.UCI()]++
	}
	// 20 moves, 1,000 each expected; five standard deviations are 154.
	for move, n := range seen {
		if n < 846 || n > 1154 {
			t.Errorf("%s %d times", move, n)
		}
	}
	if len(seen) != 20 {
		t.Errorf("%d moves", len(seen))
	}
}

type fixed struct{ asked *int }

func (f fixed) Move(_ context.Context, g *rules.Replay, _ uint64) (rules.Move, error) {
	*f.asked++
	return g.Position().Legal()[0], nil
}

func TestMixedAsksTheOtherInItsShare(t *testing.T) {
	asked := 0
	for seed := range uint64(10_000) {
		if _, err := (Mixed{.75, fixed{&asked}}).Move(t.Context(), rules.NewReplay(nil), seed); err != nil {
			t.Fatal(err)
		}
	}
	if asked < 2285 || asked > 2715 { // 2,500 and five standard deviations
		t.Errorf("asked %d times of 10,000", asked)
	}
}

func TestTheGameIsOver(t *testing.T) {
	p, err := rules.ParseFEN("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
	if err != nil {
		t.Fatal(err)
	}
	pool := NewPool(1, nil, nil)
	for _, player := range []Player{Random{}, Mixed{.5, Random{}}, pool.Player(10)} {
		if _, err := player.Move(t.Context(), rules.NewReplay(p), 1); !errors.Is(err, ErrNoMove) {
			t.Errorf("%T: %v", player, err)
		}
	}
	if _, err := pool.Evaluator(Play, 10).Evaluate(t.Context(), p.FEN()); !errors.Is(err, ErrNoMove) {
		t.Error(err)
	}
}

func TestTheBuiltInEnginePlaysTheSameGameForTheSameSeeds(t *testing.T) {
	play := func(seed uint64) []string {
		pool := NewPool(1, nil, nil)
		g := rules.NewReplay(nil)
		for ply := range uint64(12) {
			m, err := pool.Player(300).Move(t.Context(), g, seed+ply)
			if err != nil {
				t.Fatal(err)
			}
			g = g.Push(m)
		}
		return g.UCIs()
	}
	one, again, other := play(7), play(7), play(1007)
	for i := range one {
		if one[i] != again[i] {
			t.Fatalf("%v and %v", one, again)
		}
	}
	same := true
	for i := range one {
		same = same && one[i] == other[i]
	}
	if same {
		t.Error("another seed plays the same game")
	}
}

func TestAnEvaluationIsFromWhitesView(t *testing.T) {
	judge := NewPool(1, nil, nil).Evaluator(Analyse, 2000)
	for _, c := range []struct {
		fen  string
		sign int
		mate bool
	}{
		{"8/7k/8/8/8/8/8/QK6 w - - 0 1", 1, false},
		{"8/7k/8/8/8/8/8/QK6 b - - 0 1", 1, false},
		{"qk6/8/8/8/8/8/7K/8 w - - 0 1", -1, false},
		{"7k/8/6K1/8/8/8/8/1Q6 w - - 0 1", 1, true},  // Qb8 mates
		{"1q6/8/8/8/8/6k1/8/7K b - - 0 1", -1, true}, // so they do for Black
	} {
		e, err := judge.Evaluate(t.Context(), c.fen)
		if err != nil {
			t.Errorf("%s: %v", c.fen, err)
			continue
		}
		if c.mate && e.Mate != c.sign || !c.mate && e.Mate == 0 && e.CP*c.sign < 500 {
			t.Errorf("%s: %+v", c.fen, e)
		}
		if e.Engine != BuiltIn || e.Nodes == 0 {
			t.Errorf("%s: %+v does not say by whom", c.fen, e)
		}
	}
}

// The desk goes to games before analysis, and among games to the first who came.
func TestGamesComeBeforeAnalysis(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := NewPool(1, nil, nil)
		d, err := p.take(t.Context(), Analyse)
		if err != nil {
			t.Fatal(err)
		}
		var order []string
		join := func(name string, lane Lane) {
			go func() {
				d, err := p.take(context.Background(), lane)
				if err != nil {
					t.Error(err)
					return
				}
				order = append(order, name)
				p.give(d)
			}()
			synctest.Wait()
		}
		join("analysis", Analyse)
		join("game 1", Play)
		join("game 2", Play)
		impatient, leave := context.WithCancel(t.Context())
		go p.take(impatient, Play)
		synctest.Wait()
		leave()
		synctest.Wait()
		p.give(d)
		synctest.Wait()
		if len(order) != 3 || order[0] != "game 1" || order[1] != "game 2" || order[2] != "analysis" {
			t.Errorf("%v", order)
		}
		if len(p.free) != 1 {
			t.Errorf("%d desks free", len(p.free))
		}
	})
}

func TestCloseSendsWaitersAway(t *testing.T) {
	p := NewPool(1, nil, nil)
	if _, err := p.take(t.Context(), Play); err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() {
		_, err := p.take(context.Background(), Play)
		done <- err
	}()
	for {
		p.mu.Lock()
		n := len(p.waiting[Play])
		p.mu.Unlock()
		if n == 1 {
			break
		}
	}
	p.Close()
	if err := <-done; !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
}
