package engine

import (
	"os"
	"strings"
	"testing"

	"chessarena/rules"
)

// stockfish is the installed one; the test is skipped without.
func stockfish(t testing.TB) *Program {
	t.Helper()
	path, err := Find("")
	if err != nil || path == "" {
		if os.Getenv("ARENA_TEST_ALL") == "1" {
			t.Fatal("Stockfish is not installed")
		}
		t.Skip("Stockfish is not installed")
	}
	pr, err := Identify(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	return pr
}

func TestStockfishPlaysAndJudges(t *testing.T) {
	pr := stockfish(t)
	if !strings.HasPrefix(pr.Name, "Stockfish ") {
		t.Errorf("it calls itself %q", pr.Name)
	}
	p := NewPool(1, pr, nil)
	defer p.Close()
	g := rules.NewReplay(nil)
	for range 10 {
		m, err := p.ProgramPlayer(0, 1).Move(t.Context(), g, 0)
		if err != nil {
			t.Fatal(err)
		}
		g = g.Push(m)
	}
	for fen, want := range map[string]int{
		"7k/8/6K1/8/8/8/8/1Q6 w - - 0 1": 1,
		"1q6/8/8/8/8/6k1/8/7K b - - 0 1": -1,
	} {
		e, err := p.Evaluator(Play, 20_000).Evaluate(t.Context(), fen)
		if err != nil || e.Mate != want || e.Engine != pr.Name {
			t.Errorf("%s: %+v, %v", fen, e, err)
		}
	}
	e, err := p.Evaluator(Play, 20_000).Evaluate(t.Context(), "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1")
	if err != nil || e.CP < 400 || e.Nodes < 10_000 {
		t.Errorf("Black without queen: %+v, %v", e, err)
	}
}
