package rules

import (
	"os"
	"strconv"
	"strings"
	"testing"
)

// perft counts the move sequences of a length: the measure by which move
// generators are compared.
func perft(p *Position, depth int) int {
	if depth == 1 {
		return len(p.legal)
	}
	nodes := 0
	for _, m := range p.legal {
		nodes += perft(p.Play(m), depth-1)
	}
	return nodes
}

// The counts are those published at chessprogramming.org (Perft Results) and in
// scalachess's tricky.perft.
func TestPerft(t *testing.T) {
	for _, test := range []struct {
		name, fen string
		counts    []int // from depth 1
	}{
		{"initial position", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", []int{20, 400, 8902, 197281}},
		{"position 2, kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -", []int{48, 2039, 97862}},
		{"position 3", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -", []int{14, 191, 2812, 43238, 674624}},
		{"position 4", "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", []int{6, 264, 9467, 422333}},
		{"position 4 mirrored", "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ -", []int{6, 264, 9467, 422333}},
		{"position 5", "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ -", []int{44, 1486, 62379}},
		{"position 6", "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - -", []int{46, 2079, 89890}},
		{"en passant evasion", "8/8/8/5k2/3p4/8/4P3/4K3 w - -", []int{6, 54, 343, 2810, 19228}},
		{"king walk", "8/8/8/B2p3Q/2qPp1P1/b7/2P2PkP/4K2R b K -", []int{26, 611, 14583, 366807}},
		{"pin on a diagonal", "3R4/8/q4k2/2B5/1NK5/3b4/8/8 w - -", []int{4, 125, 2854}},
		{"double check", "2Nq4/2K5/1b6/8/7R/3k4/7P/8 w - -", []int{3, 81, 1217}},
		{"en passant on an aligned king", "8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3", []int{6, 121, 711}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := mustFEN(t, test.fen)
			for i, want := range test.counts {
				if got := perft(p, i+1); got != want {
					t.Errorf("depth %d: %d nodes, published %d", i+1, got, want)
				}
			}
		})
	}
}

func TestPerftOfRandomPositions(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/perft.tsv")
	if err != nil {
		t.Fatal(err)
	}
	positions := 0
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Split(strings.TrimSpace(line), "\t")
		p := mustFEN(t, fields[0])
		for depth, field := range fields[1:] {
			want, err := strconv.Atoi(field)
			if err != nil {
				t.Fatal(err)
			}
			if depth == 2 && want > 12_000 {
				continue // the deep counts of busy positions would take most of the time
			}
			if got := perft(p, depth+1); got != want {
				t.Errorf("%s: depth %d: %d nodes, published %d", fields[0], depth+1, got, want)
			}
		}
		positions++
	}
	if positions != 684 {
		t.Errorf("%d positions, want 684", positions)
	}
}
