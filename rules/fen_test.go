package rules

import (
	"errors"
	"strings"
	"testing"
)

func TestParseFEN(t *testing.T) {
	for _, test := range []struct{ name, fen, want string }{
		{"the initial position", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"},
		{"four fields get counters 0 and 1", "4k3/8/8/8/8/8/8/4K3 w - -", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"},
		{"space around and between fields", "  4k3/8/8/8/8/8/8/4K3  b -\t- 7 33\n", "4k3/8/8/8/8/8/8/4K3 b - - 7 33"},
		{"castling letters in any order", "r3k2r/8/8/8/8/8/8/R3K2R w qkQK - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"},
		{"an en passant square nobody can take on stays", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"},
		{"a mated side", "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"},
		{"nine queens not giving check", "4k3/8/8/8/QQQ5/1QQ5/QQ6/QQ2K3 b - - 0 1", "4k3/8/8/8/QQQ5/1QQ5/QQ6/QQ2K3 b - - 0 1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p, err := ParseFEN(test.fen)
			if err != nil {
				t.Fatal(err)
			}
			if got := p.FEN(); got != test.want {
				t.Errorf("FEN is %q, want %q", got, test.want)
			}
		})
	}
}

func TestParseFENRefuses(t *testing.T) {
	const rest = " w - - 0 1"
	for _, test := range []struct{ name, fen, field string }{
		{"nothing", "", "fields"},
		{"five fields", "4k3/8/8/8/8/8/8/4K3 w - - 0", "fields"},
		{"seven fields", "4k3/8/8/8/8/8/8/4K3 w - - 0 1 x", "fields"},
		{"a long text", strings.Repeat("8/", 5_000_000), "length"},
		{"seven ranks", "4k3/8/8/8/8/8/4K3" + rest, "board"},
		{"a short rank", "4k3/8/8/7/8/8/8/4K3" + rest, "board"},
		{"nine men on a rank", "4k3/nnnnnnnnn/8/8/8/8/8/4K3" + rest, "board"},
		{"a rank over the edge by digits", "4k3/8/n8/8/8/8/8/4K3" + rest, "board"},
		{"two digits in a row", "4k3/44/8/8/8/8/8/4K3" + rest, "board"},
		{"digit 9", "4k3/9/8/8/8/8/8/4K3" + rest, "board"},
		{"digit 0", "4k3/80/8/8/8/8/8/4K3" + rest, "board"},
		{"an unknown piece", "4k3/8/8/8/8/8/8/4KX2" + rest, "board"},
		{"a byte over 127", "4k3/8/8/8/8/8/8/4K\xe92" + rest, "board"},
		{"no white king", "4k3/8/8/8/8/8/8/8" + rest, "board"},
		{"two black kings", "4k1k1/8/8/8/8/8/8/4K3" + rest, "board"},
		{"a pawn on rank 1", "4k3/8/8/8/8/8/8/4K2P" + rest, "board"},
		{"a pawn on rank 8", "4k2p/8/8/8/8/8/8/4K3" + rest, "board"},
		{"nine pawns", "4k3/pppppppp/p7/8/8/8/8/4K3" + rest, "board"},
		{"ten queens", "4k3/8/8/8/QQQ5/QQQ5/QQ6/QQ2K3" + rest, "board"},
		{"two queens with eight pawns", "4k3/8/8/8/8/8/PPPPPPPP/QQ2K3" + rest, "board"},
		{"a wrong side", "4k3/8/8/8/8/8/8/4K3 x - - 0 1", "turn"},
		{"a side in capitals", "4k3/8/8/8/8/8/8/4K3 W - - 0 1", "turn"},
		{"a right twice", "4k3/8/8/8/8/8/8/4K2R w KK - 0 1", "castling"},
		{"a right and a dash", "4k3/8/8/8/8/8/8/4K2R w K- - 0 1", "castling"},
		{"a right without its rook", "4k3/8/8/8/8/8/8/4K3 w K - 0 1", "castling"},
		{"a right with the king away", "r2k3r/8/8/8/8/8/8/4K3 w k - 0 1", "castling"},
		{"Shredder's letters", "4k3/8/8/8/8/8/8/4K2R w H - 0 1", "castling"},
		{"en passant without a pawn", "4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "en passant"},
		{"en passant on the mover's side", "4k3/8/8/8/4P3/8/8/4K3 w - e3 0 1", "en passant"},
		{"en passant with the pawn still home", "4k3/4p3/8/4p3/8/8/8/4K3 w - e6 0 1", "en passant"},
		{"en passant on an occupied square", "4k3/8/4n3/4p3/8/8/8/4K3 w - e6 0 1", "en passant"},
		{"en passant off the board", "4k3/8/8/8/8/8/8/4K3 w - z9 0 1", "en passant"},
		{"a negative clock", "4k3/8/8/8/8/8/8/4K3 w - - -1 1", "half-move clock"},
		{"a huge clock", "4k3/8/8/8/8/8/8/4K3 w - - 99999999999999999999 1", "half-move clock"},
		{"a clock with a sign", "4k3/8/8/8/8/8/8/4K3 w - - +1 1", "half-move clock"},
		{"move number 0", "4k3/8/8/8/8/8/8/4K3 w - - 0 0", "move number"},
		{"adjacent kings", "8/8/8/3k4/4K3/8/8/8" + rest, "position"},
		{"the waiting side in check", "4k3/8/8/8/8/8/8/4R1K1" + rest, "position"},
		{"the waiting side in check by a pawn", "8/8/8/8/3k4/4P3/8/6K1" + rest, "position"},
		{"the waiting side in check by a knight", "8/8/8/8/3k4/8/4N3/6K1" + rest, "position"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p, err := ParseFEN(test.fen)
			var wrong *FENError
			if !errors.As(err, &wrong) {
				t.Fatalf("got %v, %v; want a *FENError", p, err)
			}
			if wrong.Field != test.field {
				t.Errorf("blames %s (%s), want %s", wrong.Field, wrong.Reason, test.field)
			}
			if len(err.Error()) > 200 {
				t.Errorf("the error has %d bytes", len(err.Error()))
			}
		})
	}
}

func TestParseFENSetsCheck(t *testing.T) {
	for fen, want := range map[string]bool{
		"4k3/8/8/8/8/8/4r3/4K3 w - - 0 1":      true,
		"4k3/8/8/8/8/8/3p4/4K3 w - - 0 1":      true,
		"4k3/8/8/8/8/3n4/8/4K3 w - - 0 1":      true,
		"4k3/8/8/8/7b/8/8/4K3 w - - 0 1":       true,
		"4k3/8/8/8/7b/6P1/8/4K3 w - - 0 1":     false,
		"4k3/8/8/8/8/8/4p3/4K3 w - - 0 1":      false,
		"4k3/8/8/8/8/8/4P3/q3K3 w - - 0 1":     true,
		"4k3/3P4/8/8/8/8/8/4K3 b - - 0 1":      true,
		"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1": false,
	} {
		if got := mustFEN(t, fen).InCheck(); got != want {
			t.Errorf("%s: in check %v, want %v", fen, got, want)
		}
	}
}
