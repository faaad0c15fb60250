package rules

import (
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/corentings/chess/v2"
)

// The tests in this file are named after defects of the chess library that
// this package wraps. Each shows that the defect does not reach our callers.

func TestDefectDecoderRacesAcrossGames(t *testing.T) {
	// Its SAN decoder shares a pooled slice: other games' moves could make an
	// illegal move pass. -race sees it at once; without, the results tell.
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			p := mustPlay(t, nil, "e4 e5 Nf3 Nc6 Bb5 a6").Position()
			for range 200 {
				if m, refusal := p.Resolve("Qh5"); refusal == nil {
					t.Errorf("Qh5 is read as %s", m.UCI())
				}
				if m, refusal := p.Resolve("Ba4"); refusal != nil || m.UCI() != "b5a4" {
					t.Errorf("Ba4 is read as %s", m.UCI())
				}
			}
		})
	}
	group.Wait()
}

func TestDefectReadersOfOnePositionRace(t *testing.T) {
	// Its positions fill a cache when first read.
	p := mustPlay(t, nil, "e4 e5 Nf3 Nc6").Position()
	m, _ := p.Resolve("Bb5")
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			if len(p.LegalSAN()) != 27 || len(p.LegalUCI()) != 27 {
				t.Error("not the 27 moves there are")
			}
			if p.Play(m).FEN() == p.FEN() || p.SAN(m) != "Bb5" {
				t.Error("playing a move changed the position")
			}
			if _, refusal := p.Resolve("Kd4"); refusal.Reason != Illegal {
				t.Errorf("Kd4: %s", refusal.Reason)
			}
			p.Facts()
			NewReplay(p).Push(m)
		})
	}
	group.Wait()
}

func TestDefectWrongDisambiguationIsDropped(t *testing.T) {
	for text, fen := range map[string]string{
		"Nbf3": "", "Nhf3": "", "N8f3": "",
		"Na8d2": "4k3/8/8/8/8/5N2/8/4K3 w - - 0 1",
	} {
		p := Start()
		if fen != "" {
			p = mustFEN(t, fen)
		}
		if m, refusal := p.Resolve(text); refusal == nil {
			t.Errorf("%s is read as %s", text, m.UCI())
		}
	}
}

func TestDefectUCIChecksOnlyTheFirstSquare(t *testing.T) {
	for _, text := range []string{"a2i2", "e2\xffe", "a2a9", "a2\x00a"} {
		if m, refusal := Start().Resolve(text); refusal == nil || refusal.Reason != Unreadable {
			t.Errorf("%q is read as %s (%v)", text, m.UCI(), refusal)
		}
	}
}

func TestDefectFENWithHighBytesPanics(t *testing.T) {
	for b := 0x80; b <= 0xff; b++ {
		if _, err := ParseFEN("4k3/8/8/8/8/8/8/4K" + string([]byte{byte(b)}) + "2 w - - 0 1"); err == nil {
			t.Errorf("byte %#x is a piece", b)
		}
	}
}

func TestDefectMoreThan218MovesPanics(t *testing.T) {
	if _, err := ParseFEN("QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/8/8/8/k7/7K w - - 0 1"); err == nil {
		t.Error("24 queens are accepted")
	}
	// Petrović's position of 1964 has the most legal moves a game can reach.
	p := mustFEN(t, "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1")
	if got := len(p.LegalSAN()); got != 218 {
		t.Errorf("%d moves, want 218", got)
	}
}

func TestDefectUnsoundPositionStillAnswersWithAnError(t *testing.T) {
	// Past the validator, as if it had a hole: the decoder's panic is caught.
	for _, fen := range []string{"4k3/8/8/8/8/8/8/4K\xe92 w - - 0 1", "QQQQQQQQ/Q6Q/Q6Q/Q6Q/8/8/2K1k3/QQQQQQQQ w - - 0 1", "nonsense"} {
		_, err := decode(fen, false)
		var wrong *FENError
		if !errors.As(err, &wrong) {
			t.Errorf("%q: %v", fen, err)
		}
	}
}

func TestDefectCastlingWithoutARook(t *testing.T) {
	if _, err := ParseFEN("4k3/8/8/8/8/8/8/4K3 w KQ - 0 1"); err == nil {
		t.Error("castling rights without rooks are accepted")
	}
	// A rook taken at home takes the right with it.
	p := mustPlay(t, mustFEN(t, "4k3/8/8/8/8/6n1/8/R3K2R b KQ - 0 1"), "Nf5").Position()
	r := mustPlay(t, p, "Ke2 Nd4")
	if got := r.Position().CastlingRights(); got != "-" {
		t.Errorf("rights are %s after the king moved", got)
	}
	p = mustPlay(t, mustFEN(t, "4k3/8/8/8/8/8/6b1/R3K2R b KQ - 0 1"), "Bxh1").Position()
	if got := p.CastlingRights(); got != "Q" {
		t.Errorf("rights are %s after the rook on h1 was taken", got)
	}
}

func TestDefectCastlingOutOfCheckAfterFEN(t *testing.T) {
	p := mustFEN(t, "4k3/8/8/8/4r3/8/8/R3K2R w KQ - 0 1")
	for _, san := range p.LegalSAN() {
		if strings.HasPrefix(san, "O-O") {
			t.Errorf("%s is legal in check", san)
		}
	}
}

func TestDefectCastlingOrderBreaksRepetition(t *testing.T) {
	a := mustFEN(t, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
	b := mustFEN(t, "r3k2r/8/8/8/8/8/8/R3K2R w qkQK - 0 1")
	if a.FEN() != b.FEN() || a.identity() != b.identity() {
		t.Error("the order of the castling letters makes another position")
	}
}

func TestDefectInsufficientMaterialHidesFivefold(t *testing.T) {
	// There the last of several draws won. Here the order is stated; with
	// bare kings the draw comes long before any repetition.
	r := NewReplay(mustFEN(t, "4k3/8/8/8/8/8/8/4K3 w - - 0 1"))
	if got := r.Ending(0); got != InsufficientMaterial {
		t.Errorf("ending %q", got)
	}
}

func TestDefectBlackPawnPromotesToAShoutedPiece(t *testing.T) {
	p := mustFEN(t, "4k3/8/8/8/8/8/1p6/4K3 b - - 0 1")
	for _, text := range []string{"b2b1Q", "b2b1=q", "b1Q", "b1=q"} {
		if m, refusal := p.Resolve(text); refusal != nil || m.UCI() != "b2b1q" {
			t.Errorf("%s is read as %q (%v)", text, m.UCI(), refusal)
		}
	}
}

func TestDefectPGNLosesDraws(t *testing.T) {
	text := string(someGames(t, "pgns/big.pgn", 5))
	want := strings.Count(text, "[Result \"1/2-1/2\"]")
	got := 0
	for _, g := range mustRead(t, text) {
		if g.Result == "1/2-1/2" {
			got++
		}
	}
	if got != want || want == 0 {
		t.Errorf("%d draws are read, the tags say %d", got, want)
	}
}

func TestDefectPGNReaderPanics(t *testing.T) {
	for _, pgn := range []string{"$1", "FEN1", "1. FEN1 *", "[FEN \"4k3/8/8/8/8/8/8/4K\xe92 w - - 0 1\"]\n*", "[FEN \"♔\"]\n*"} {
		for g, err := range ReadPGN(strings.NewReader(pgn)) {
			if err == nil {
				t.Errorf("%q gives %v", pgn, g)
			}
		}
	}
}

func TestDefectPGNReaderCastlesOutOfCheck(t *testing.T) {
	for _, err := range ReadPGN(strings.NewReader("[FEN \"4k3/8/8/8/4r3/8/8/R3K2R w KQ - 0 1\"]\n1. O-O *")) {
		if err == nil {
			t.Error("castling out of check is read")
		}
	}
}

func TestDefectPGNWriterDoesNotReadBack(t *testing.T) {
	moves := mustPlay(t, nil, "e4 e5").GameMoves()
	moves[0].Comment = "} 1-0 {"
	text := mustWrite(t, &Game{Tags: []Tag{{"Event", "a\n\n1. d4 *"}}, Moves: moves, Result: "1/2-1/2"})
	games := mustRead(t, text)
	if len(games) != 1 || sans(games[0]) != "e4 e5" || games[0].Result != "1/2-1/2" {
		t.Errorf("comes back otherwise:\n%s", text)
	}
}

// Our SAN must be the library's, whose encoder is known to be right, over
// every move of many real positions.
func TestSANIsTheLibrarys(t *testing.T) {
	moves := 0
	for g, err := range ReadPGN(strings.NewReader(string(someGames(t, "pgns/big.pgn", 40)))) {
		if err != nil {
			t.Fatal(err)
		}
		p := g.Start
		if p == nil {
			p = Start()
		}
		for _, played := range g.Moves {
			theirs := p.board
			want := make(map[string]string)
			for _, m := range theirs.ValidMoves() {
				want[chess.UCINotation{}.Encode(nil, &m)] = chess.AlgebraicNotation{}.Encode(&theirs, &m)
			}
			sans := p.LegalSAN()
			for i, uci := range p.LegalUCI() {
				if sans[i] != want[uci] {
					t.Fatalf("%s: %s is %s, want %s", p.FEN(), uci, sans[i], want[uci])
				}
				moves++
			}
			p = p.Play(played.Move)
		}
	}
	if moves < 40_000 {
		t.Errorf("only %d moves were compared", moves)
	}
}
