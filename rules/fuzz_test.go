package rules

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// Whatever is sent as a move gives a legal move or a refusal, and a move that
// is read can be written and read again.
func FuzzResolve(f *testing.F) {
	fens := []string{Start().FEN(), kiwipete, promoting, passing, threeQueens, pinned}
	for i, text := range []string{"e4", "O-O", "b8=Q", "exd6 e.p.", "Qh4e1", "e1h1", "12... Nf6+!?", "♘f3", "b7c8(N)", "0-0-0", "B1C3", "e2\xffe", "Nbxd7#", "..", "1.", "ep", "=Q", "(Q)"} {
		f.Add(uint8(i), text)
	}
	f.Fuzz(func(t *testing.T, which uint8, text string) {
		p := mustFEN(t, fens[int(which)%len(fens)])
		m, refusal := p.Resolve(text)
		if refusal != nil {
			message := refusal.Message()
			if refusal.Reason == "" || len(refusal.Text) > 16 || len(message) > 400 || !utf8.ValidString(message) {
				t.Errorf("refusal %+v: %q", refusal, message)
			}
			if m != (Move{}) {
				t.Errorf("refused and yet %s", m.UCI())
			}
			return
		}
		if !slices.Contains(p.LegalUCI(), m.UCI()) {
			t.Errorf("%q is read as %s, which is not legal in %s", text, m.UCI(), p.FEN())
		}
		if again, refusal := p.Resolve(p.SAN(m)); refusal != nil || again != m {
			t.Errorf("%s is written %s and read as %s", m.UCI(), p.SAN(m), again.UCI())
		}
	})
}

// A FEN is refused by a *FENError or gives a position whose own FEN is stable
// and whose moves can all be played.
func FuzzParseFEN(f *testing.F) {
	for _, fen := range []string{Start().FEN(), kiwipete, passing, "4k3/8/8/8/8/8/8/4K3 w - -", "QQQQQQQQ/QQQQQQQQ/8/8/8/8/k7/7K w - - 0 1", "8/8/8/8/8/8/8/4K\xe92 w - - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R b qQ - 99 200"} {
		f.Add(fen)
	}
	f.Fuzz(func(t *testing.T, fen string) {
		p, err := ParseFEN(fen)
		if err != nil {
			var wrong *FENError
			if !errors.As(err, &wrong) || wrong.Field == "" || len(wrong.Reason) > 150 {
				t.Errorf("error %v", err)
			}
			return
		}
		again, err := ParseFEN(p.FEN())
		if err != nil || again.FEN() != p.FEN() || again.identity() != p.identity() {
			t.Errorf("%q becomes %q and then %v, %v", fen, p.FEN(), again, err)
		}
		p.Facts()
		sans := p.LegalSAN()
		for i, m := range p.Legal() {
			if got, refusal := p.Resolve(sans[i]); refusal != nil || got != m {
				t.Errorf("%s: %s is read as %s", p.FEN(), sans[i], got.UCI())
			}
			if _, err := ParseFEN(p.Play(m).FEN()); err != nil {
				t.Errorf("%s: after %s: %v", p.FEN(), sans[i], err)
			}
		}
	})
}

// Whatever is read as PGN comes to an end, and a game that is read can be
// written and read again.
func FuzzReadPGN(f *testing.F) {
	f.Add("[Event \"x\"]\n\n1. e4 {c} e5 $1 (1... c5) 2. Nf3! 1/2-1/2\n")
	f.Add("[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 12\"]\n12... Kd7 ;x\n% y\n13. e4 *")
	f.Add("\ufeff[A \"\\\"\\\\\"]\r\n1. f3 e5 2. g4 Qh4# 0-1 1. e4 *")
	f.Add("$1 FEN1 [")
	f.Fuzz(func(t *testing.T, pgn string) {
		answers := 0
		for g, err := range ReadPGN(strings.NewReader(pgn)) {
			answers++
			if answers > len(pgn)+1 {
				t.Fatal("more games than bytes")
			}
			if err != nil {
				continue
			}
			var text strings.Builder
			if err := WritePGN(&text, g); err != nil {
				t.Fatalf("what was read cannot be written: %v", err)
			}
			for back, err := range ReadPGN(strings.NewReader(text.String())) {
				if err != nil || sans(back) != sans(g) || back.Result != g.Result {
					t.Fatalf("%v: comes back as %v from\n%s", err, back, text.String())
				}
			}
		}
	})
}
