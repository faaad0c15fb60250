package rules

import (
	"runtime"
	"strings"
	"testing"
)

// middlegame is a busy position of a real game: 42 legal moves.
const middlegame = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 4 8"

// BenchmarkMoveCycle is what the server does with rules for one submit_move:
// read the text, make the move, look for an ending, describe the new position
// and list its moves (DESIGN figure P7: at most 60 µs).
func BenchmarkMoveCycle(b *testing.B) {
	r := NewReplay(mustFEN(b, middlegame))
	b.ReportAllocs()
	for b.Loop() {
		m, refusal := r.Position().Resolve("Ne5")
		if refusal != nil {
			b.Fatal(refusal.Message())
		}
		next := r.Push(m)
		if next.Ending(400) != "" {
			b.Fatal("the game is over")
		}
		p := next.Position()
		you := p.Turn()
		f := p.Facts()
		if len(p.FEN())+len(f.BoardASCII(&you))+len(p.LegalSAN())+len(p.LegalUCI())+next.RepetitionCount() == 0 {
			b.Fatal("nothing to say")
		}
	}
}

func BenchmarkResolve(b *testing.B) {
	p := mustFEN(b, middlegame)
	b.ReportAllocs()
	for b.Loop() {
		if _, refusal := p.Resolve("Ng5"); refusal != nil {
			b.Fatal(refusal.Message())
		}
	}
}

func BenchmarkPlay(b *testing.B) {
	p := mustFEN(b, middlegame)
	m, _ := p.Resolve("O-O")
	b.ReportAllocs()
	for b.Loop() {
		p.Play(m)
	}
}

func BenchmarkLegalSAN(b *testing.B) {
	p := mustFEN(b, middlegame)
	b.ReportAllocs()
	for b.Loop() {
		texts(len(p.legal), func(text []byte, i int) []byte { return p.appendSAN(text, p.legal[i]) })
	}
}

// realGame is the longest game among some real ones, as UCI.
func realGame(b *testing.B) []string {
	var longest []string
	for g, err := range ReadPGN(strings.NewReader(string(someGames(b, "pgns/big.pgn", 50)))) {
		if err != nil {
			b.Fatal(err)
		}
		if g.Start == nil && len(g.Moves) > len(longest) {
			longest = nil
			for _, m := range g.Moves {
				longest = append(longest, m.Move.UCI())
			}
		}
	}
	return longest
}

func BenchmarkReplayUCI(b *testing.B) {
	moves := realGame(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ReplayUCI(nil, moves); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(moves)), "plies")
}

// BenchmarkReplayMemory reports what one live game keeps in memory.
func BenchmarkReplayMemory(b *testing.B) {
	moves := realGame(b)
	moves = moves[:min(120, len(moves))]
	var before, after runtime.MemStats
	for b.Loop() {
		const games = 500
		kept := make([]*Replay, games)
		runtime.GC()
		runtime.ReadMemStats(&before)
		for i := range kept {
			r, err := ReplayUCI(nil, moves)
			if err != nil {
				b.Fatal(err)
			}
			r.Position().LegalSAN()
			kept[i] = r
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		runtime.KeepAlive(kept)
		b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/games, "B/game")
	}
}
