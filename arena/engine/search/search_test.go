package search

import (
	"bufio"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"chessarena/rules"
)

const tableBytes = 16 << 20

func mustFEN(t testing.TB, fen string) *rules.Position {
	t.Helper()
	p, err := rules.ParseFEN(fen)
	if err != nil {
		t.Fatalf("%s: %v", fen, err)
	}
	return p
}

func from(t testing.TB, fen string, moves ...string) *rules.Replay {
	t.Helper()
	g, err := rules.ReplayUCI(mustFEN(t, fen), moves)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// rows are the tab-separated fields of a file's lines, comments left out.
func rows(t testing.TB, path string) (list [][]string) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if line := lines.Text(); !strings.HasPrefix(line, "#") {
			list = append(list, strings.Split(line, "\t"))
		}
	}
	return list
}

func TestPerftOfRandomPositions(t *testing.T) {
	t.Parallel()
	list := rows(t, "../../../rules/testdata/perft.tsv")
	for _, row := range list {
		p := mustFEN(t, row[0])
		for i, count := range row[1:] {
			if want, _ := strconv.Atoi(count); Perft(p, i+1) != want {
				t.Errorf("%s: depth %d: %d, published %d", row[0], i+1, Perft(p, i+1), want)
			}
		}
	}
	if len(list) != 684 {
		t.Errorf("%d positions, want 684", len(list))
	}
}

// The counts are those published at chessprogramming.org (Perft Results) and in
// scalachess's tricky.perft.
func TestPerftOfTrickyPositions(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		fen   string
		depth int
		want  int
	}{
		{"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5, 4865609},
		{"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -", 4, 4085603},
		{"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -", 6, 11030083},
		{"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 4, 422333},
		{"r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ -", 4, 422333},
		{"rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ -", 4, 2103487},
		{"r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - -", 4, 3894594},
		{"8/8/8/5k2/3p4/8/4P3/4K3 w - -", 5, 19228},
		{"8/8/8/B2p3Q/2qPp1P1/b7/2P2PkP/4K2R b K -", 4, 366807},
		{"3R4/8/q4k2/2B5/1NK5/3b4/8/8 w - -", 3, 2854},
		{"2Nq4/2K5/1b6/8/7R/3k4/7P/8 w - -", 3, 1217},
		{"8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3", 3, 711},
	} {
		if got := Perft(mustFEN(t, test.fen), test.depth); got != test.want {
			t.Errorf("%s: depth %d: %d, published %d", test.fen, test.depth, got, test.want)
		}
	}
}

func TestBothGeneratorsAgreeInRandomGames(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(4, 4))
	for range 60 {
		g := rules.NewReplay(nil)
		b := newBoard(g.Position())
		for g.Ending(300) == "" {
			var list moveList
			b.legal(&list, b.checkers(), false)
			var ours []string
			for _, m := range list.all() {
				ours = append(ours, m.uci())
			}
			theirs := g.Position().LegalUCI()
			slices.Sort(ours)
			if !slices.Equal(ours, slices.Sorted(slices.Values(theirs))) {
				t.Fatalf("%s: %v, the library has %v", g.Position().FEN(), ours, theirs)
			}
			legal := g.Position().Legal()
			m := legal[rng.IntN(len(legal))]
			played, _ := b.find(m.UCI())
			b.play(played)
			g = g.Push(m)
			if fresh := newBoard(g.Position()); fresh != b {
				t.Fatalf("%s: the board after %s is not that of the position", g.Position().FEN(), m.UCI())
			}
		}
	}
}

// The positions are from real games; the distances are Stockfish 15.1's (see the file).
func TestMatesAreFound(t *testing.T) {
	t.Parallel()
	s := New(tableBytes)
	list := rows(t, "testdata/mates.tsv")
	for _, row := range list {
		want, _ := strconv.Atoi(row[1])
		r, err := s.Search(t.Context(), from(t, row[0]), Limit{Nodes: 400_000})
		if err != nil || r.Mate != want {
			t.Errorf("%s: mate in %d, want %d (%+v, %v)", row[0], r.Mate, want, r, err)
		}
	}
	if len(list) < 60 {
		t.Errorf("only %d mates", len(list))
	}
}

// The positions are from real games; the verdicts are Stockfish 15.1's (see the file).
func TestWonAndLostAreToldApart(t *testing.T) {
	t.Parallel()
	s := New(tableBytes)
	list := rows(t, "testdata/decided.tsv")
	for _, row := range list {
		r, err := s.Search(t.Context(), from(t, row[0]), Limit{Nodes: 20_000})
		won := r.CP > 150 || r.Mate > 0
		lost := r.CP < -150 || r.Mate < 0
		if err != nil || won != (row[1] == "won") || lost != (row[1] == "lost") {
			t.Errorf("%s: %+v (%v), want %s", row[0], r, err, row[1])
		}
	}
	if len(list) != 20 {
		t.Errorf("%d positions, want 20", len(list))
	}
}

func TestAnswersDependOnNothingElse(t *testing.T) {
	t.Parallel()
	middle := "r2q1rk1/1b2bppp/p1n1pn2/1p6/3P4/PBN2N2/1P2QPPP/R1B2RK1 w - - 0 13"
	s, warm := New(tableBytes), New(tableBytes)
	if _, err := warm.Search(t.Context(), from(t, "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -"), Limit{Nodes: 50_000}); err != nil {
		t.Fatal(err)
	}
	answers := map[string]bool{}
	for seed := range uint64(12) {
		limit := Limit{Nodes: 3_000, Seed: seed}
		one, err1 := s.Search(t.Context(), from(t, middle), limit)
		two, err2 := warm.Search(t.Context(), from(t, middle), limit)
		if err1 != nil || err2 != nil || one != two {
			t.Errorf("seed %d: %+v, then %+v", seed, one, two)
		}
		if one.Nodes > limit.Nodes {
			t.Errorf("%d nodes, allowed %d", one.Nodes, limit.Nodes)
		}
		answers[one.Move] = true
	}
	if len(answers) < 2 {
		t.Errorf("all seeds play %v", answers)
	}
}

func TestDepthIsABound(t *testing.T) {
	t.Parallel()
	r, err := New(tableBytes).Search(t.Context(), rules.NewReplay(nil), Limit{Nodes: 1e6, Depth: 4})
	if err != nil || r.Depth != 4 || r.Nodes > 50_000 {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestOneNodeIsEnoughForAMove(t *testing.T) {
	t.Parallel()
	for nodes := range 5 {
		r, err := New(64).Search(t.Context(), rules.NewReplay(nil), Limit{Nodes: nodes})
		if err != nil || !slices.Contains(rules.Start().LegalUCI(), r.Move) {
			t.Errorf("%d nodes: %+v, %v", nodes, r, err)
		}
	}
}

// White is a rook down and about to be mated, and has checks from e8 and h5 for ever:
// Stockfish 15.1 gives 0.00.
func TestAPerpetualIsADraw(t *testing.T) {
	t.Parallel()
	r, err := New(tableBytes).Search(t.Context(), from(t, "6k1/6p1/8/7Q/8/8/1qr3PP/7K w - - 0 1"), Limit{Nodes: 20_000})
	if err != nil || r.CP != 0 || r.Mate != 0 || r.Move != "h5e8" {
		t.Errorf("%+v, %v", r, err)
	}
}

// A rook up, White must not go back to where it has been, whatever the table says of it.
func TestTheGameSoFarCounts(t *testing.T) {
	t.Parallel()
	g := from(t, "7k/8/8/8/8/8/8/K6R b - - 0 1", "h8g8", "h1g1", "g8h8", "g1h1", "h8g8", "h1g1", "g8h8")
	r, err := New(tableBytes).Search(t.Context(), g, Limit{Nodes: 20_000})
	if err != nil || r.Move == "g1h1" || r.CP < 300 && r.Mate <= 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestTheEndOfTheGameIsNoMove(t *testing.T) {
	t.Parallel()
	for _, fen := range []string{"R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"} {
		if _, err := New(64).Search(t.Context(), from(t, fen), Limit{Nodes: 100}); !errors.Is(err, ErrOver) {
			t.Errorf("%s: %v", fen, err)
		}
	}
}

func TestSearchAllocatesNothing(t *testing.T) {
	s, g := New(tableBytes), from(t, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -")
	allocs := func(nodes int) float64 {
		return testing.AllocsPerRun(5, func() {
			if _, err := s.Search(t.Context(), g, Limit{Nodes: nodes}); err != nil {
				t.Fatal(err)
			}
		})
	}
	if few, many := allocs(1), allocs(30_000); many > few {
		t.Errorf("%v allocations for one node, %v for 30,000", few, many)
	}
}

func TestACancelledSearchEndsWithinTwoThousandNodes(t *testing.T) {
	t.Parallel()
	s := New(tableBytes)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r, err := s.Search(ctx, rules.NewReplay(nil), Limit{Nodes: 1e9})
	if !errors.Is(err, context.Canceled) || r.Nodes > 2048 || r.Move == "" {
		t.Errorf("%+v, %v", r, err)
	}
	// In a bubble the deadline passes only when everything waits, so a search that looks
	// at nothing but the clock would never end; one that looks at Done ends by cancel.
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		go cancel()
		if _, err := s.Search(ctx, rules.NewReplay(nil), Limit{Nodes: 20e6}); !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
	})
}

func BenchmarkSearch(b *testing.B) {
	for name, fen := range map[string]string{
		"start": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "middle": "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8",
		"end": "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -",
	} {
		b.Run(name, func(b *testing.B) {
			s, g, nodes := New(tableBytes), from(b, fen), 0
			for b.Loop() {
				r, err := s.Search(b.Context(), g, Limit{Nodes: 500_000})
				if err != nil {
					b.Fatal(err)
				}
				nodes += r.Nodes
			}
			b.ReportMetric(float64(nodes)/b.Elapsed().Seconds()/1e6, "Mnodes/s")
		})
	}
}

func BenchmarkPerft(b *testing.B) {
	p := mustFEN(b, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -")
	b.Run("ours", func(b *testing.B) {
		for b.Loop() {
			Perft(p, 3)
		}
	})
	b.Run("library", func(b *testing.B) {
		for b.Loop() {
			count(p, 3)
		}
	})
}

func count(p *rules.Position, depth int) int {
	if depth == 0 {
		return 1
	}
	legal, nodes := p.Legal(), 0
	if depth == 1 {
		return len(legal)
	}
	for _, m := range legal {
		nodes += count(p.Play(m), depth-1)
	}
	return nodes
}
