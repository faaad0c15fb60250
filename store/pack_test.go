package store

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"chessarena/arena"
)

// anyMoves draws n moves: ordinary ones, promotions, and texts that are no moves of chess.
func anyMoves(r *rand.Rand, n int) []arena.Move {
	moves := make([]arena.Move, n)
	at := noon
	for i := range moves {
		think := time.Duration(r.IntN(300_000)) * time.Millisecond
		at = at.Add(think + time.Duration(r.IntN(2)*r.IntN(50))*time.Millisecond)
		square := func() string { return string([]byte{'a' + byte(r.IntN(8)), '1' + byte(r.IntN(8))}) }
		m := arena.Move{UCI: square() + square(), SAN: []string{"e4", "Nf3", "O-O-O", "R1xd5+", "exd8=Q#"}[r.IntN(5)], At: at, Think: think}
		switch r.IntN(12) {
		case 0:
			m.UCI += string("nbrq"[r.IntN(4)])
		case 1:
			m.UCI, m.SAN = "0000", ""
		case 2:
			m.UCI, m.SAN = "B*16-d4?", "a text of more than fifteen bytes, é"
		case 3:
			m.UCI, m.At, m.Think = "", at.Add(-time.Hour), 0 // a wall clock that stepped back
		}
		m.Illegal, m.OverSoft, m.Book = r.IntN(2)*r.IntN(300), r.IntN(2) == 0, r.IntN(2) == 0
		moves[i] = m
	}
	return moves
}

func TestPack(t *testing.T) {
	t.Run("what was packed comes back", func(t *testing.T) {
		r := rand.New(rand.NewPCG(3, 4))
		for n := range 300 {
			want := anyMoves(r, n%90)
			got, err := unpack(pack(want))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("-packed +unpacked:\n%s", diff)
			}
		}
	})
	t.Run("a game of 85 plies takes at most 1200 bytes", func(t *testing.T) {
		// Morphy – Brunswick and Isouard, Paris 1858, again and again: what SAN weighs.
		san := strings.Fields(`e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 Qb3 Qe7 Nc3 c6 Bg5 b5 Nxb5 cxb5 Bxb5+ Nbd7
			O-O-O Rd8 Rxd7 Rxd7 Rd1 Qe6 Bxd7+ Nxd7 Qb8+ Nxb8 Rd8#`)
		moves := make([]arena.Move, 85)
		for i := range moves {
			think := time.Duration(1+i*i%240) * time.Second
			moves[i] = arena.Move{UCI: "g1f3", SAN: san[i%len(san)], At: noon.Add(time.Duration(i) * 4 * time.Minute), Think: think}
		}
		if n := len(pack(moves)); n > 1200 {
			t.Errorf("%d bytes", n)
		}
	})
}

// FuzzUnpack shows that a damaged history is an error, and that a whole one keeps its form.
func FuzzUnpack(f *testing.F) {
	r := rand.New(rand.NewPCG(5, 6))
	for n := range 5 {
		f.Add(pack(anyMoves(r, n)))
	}
	f.Add([]byte{packVersion, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01})
	f.Fuzz(func(t *testing.T, b []byte) {
		moves, err := unpack(b)
		if err != nil {
			return
		}
		again, err := unpack(pack(moves))
		if err != nil {
			t.Fatalf("packed again: %v", err)
		}
		if diff := cmp.Diff(moves, again); diff != "" {
			t.Fatalf("-first +again:\n%s", diff)
		}
	})
}
