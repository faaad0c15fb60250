package rules

import (
	"strings"
	"testing"
)

// drawn sets up men without asking whether a game could lead there, since the
// published cases put ten queens on the board.
func drawn(t *testing.T, board string) men {
	t.Helper()
	var squares [64]Piece
	for i, row := range strings.Split(board, "/") {
		sq := 8 * (7 - i)
		for _, b := range []byte(row) {
			switch upper := kindOf(b); {
			case '1' <= b && b <= '8':
				sq += int(b - '1')
			case upper != NoKind:
				squares[sq] = Piece{White, upper}
			default:
				squares[sq] = Piece{Black, kindOf(b - 0x20)}
			}
			sq++
		}
	}
	return countMen(&squares)
}

// The positions are those of scalachess's InsufficientMatingMaterialTest; the
// side asked about is the one that is not to move there.
func TestCanMate(t *testing.T) {
	for _, test := range []struct {
		board string
		side  Color
		want  bool
	}{
		{"8/6R1/K7/2NNN3/5NN1/4KN2/8/k7", Black, false},
		{"8/8/K7/8/1k6/8/8/8", Black, false},
		{"7k/5R2/5NQ1/8/3K4/8/8/8", Black, false},
		{"krq5/bqqq4/qqr5/1qq5/8/8/8/3qB2K", White, false},
		{"8/3k4/2q5/8/8/K1N5/8/8", White, false},
		{"7k/8/6Q1/8/3K4/8/1n6/8", Black, false},
		{"krq5/bqqq4/qqrp4/1qq5/8/8/8/3qB2K", White, true},
		{"8/7B/K7/2b5/1k6/8/8/8", White, true},
		{"8/8/K7/2b5/1k6/5N2/8/8", White, true},
		{"7k/5R2/5NQ1/8/3K4/8/1p6/8", Black, true},
		{"7k/5R2/5NQ1/8/3K4/8/2n5/8", Black, true},
		{"7k/5R2/5NQ1/8/3K4/1r6/8/8", Black, true},
		{"7k/8/8/5R2/3K4/8/1n6/8", Black, true},
		{"7k/8/6B1/8/3K4/8/1n6/8", Black, true},
		{"7k/5P2/8/8/3K4/8/1n6/8", Black, true},
		{"7k/6N1/8/8/3K4/8/1n6/8", Black, true},
	} {
		m := drawn(t, test.board)
		if got := m.canMate(test.side); got != test.want {
			t.Errorf("%s: can %s mate: %v, want %v", test.board, test.side, got, test.want)
		}
	}
}

// A draw by material is what python-chess and lichess call one.
func TestInsufficientMaterial(t *testing.T) {
	for fen, want := range map[string]bool{
		"4k3/8/8/8/8/8/8/4K3 w - - 0 1":               true,  // bare kings
		"4k3/8/8/8/8/8/8/4KN2 w - - 0 1":              true,  // one knight
		"4kb2/8/8/8/8/8/8/4K3 w - - 0 1":              true,  // one bishop
		"4kb2/8/8/8/8/8/8/2B1K3 w - - 0 1":            true,  // both on dark squares
		"4k3/8/8/8/8/B1B5/1B6/4K3 w - - 0 1":          true,  // three on dark squares
		"2b1k3/8/8/8/8/8/8/2B1K3 w - - 0 1":           false, // one on each shade
		"4k3/8/8/8/8/8/8/3NKN2 w - - 0 1":             false, // two knights can be helped to mate
		"4kn2/8/8/8/8/8/8/4KN2 w - - 0 1":             false,
		"4kn2/8/8/8/8/8/8/4KB2 w - - 0 1":             false,
		"4k3/8/8/8/8/8/P7/4K3 w - - 0 1":              false,
		"4k3/8/8/8/8/8/8/4K2R w - - 0 1":              false,
		"4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1": false, // dead, but not by material
	} {
		if got := NewReplay(mustFEN(t, fen)).Ending(0) == InsufficientMaterial; got != want {
			t.Errorf("%s: insufficient material %v, want %v", fen, got, want)
		}
	}
}
