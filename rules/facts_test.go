package rules

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The texts are the contract's own example, after 1. e4.
func TestFactsAreTheContractsExample(t *testing.T) {
	r := mustPlay(t, nil, "e4")
	p := r.Position()
	if got, want := p.FEN(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"; got != want {
		t.Errorf("FEN is %q, want %q", got, want)
	}
	f := p.Facts()
	you := Black
	want := "White pieces are uppercase, black lowercase. You are playing black.\n8 r n b q k b n r\n7 p p p p p p p p\n6 . . . . . . . .\n5 . . . . . . . .\n4 . . . . P . . .\n3 . . . . . . . .\n2 P P P P . P P P\n1 R N B Q K B N R\n  a b c d e f g h"
	if diff := cmp.Diff(want, f.BoardASCII(&you)); diff != "" {
		t.Errorf("board (-want +got):\n%s", diff)
	}
	if r.RepetitionCount() != 1 {
		t.Errorf("repetition_count is %d, want 1", r.RepetitionCount())
	}

	text, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if first := got["pieces"].(map[string]any)["white"].([]any)[0]; !cmp.Equal(first, any(map[string]any{"piece": "K", "square": "e1"})) {
		t.Errorf("the first white piece is %v", first)
	}
	delete(got, "board_ascii")
	delete(got, "pieces")
	if diff := cmp.Diff(map[string]any{
		"in_check": false, "castling_rights": "KQkq", "en_passant_square": "e3", "halfmove_clock": 0.0, "fullmove_number": 1.0,
	}, got); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
}

func TestFactsOfABarePosition(t *testing.T) {
	f := mustFEN(t, "k7/8/8/8/8/8/8/R3K2R b KQ - 12 40").Facts()
	want := Facts{
		Board: "8 k . . . . . . .\n7 . . . . . . . .\n6 . . . . . . . .\n5 . . . . . . . .\n4 . . . . . . . .\n3 . . . . . . . .\n2 . . . . . . . .\n1 R . . . K . . R\n  a b c d e f g h",
		Pieces: Pieces{
			White: []PieceAt{{"K", "e1"}, {"R", "a1"}, {"R", "h1"}},
			Black: []PieceAt{{"K", "a8"}},
		},
		InCheck: true, CastlingRights: "KQ", HalfMoveClock: 12, FullMoveNumber: 40,
	}
	if diff := cmp.Diff(want, f); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
	if got := f.BoardASCII(nil); got != f.Board {
		t.Errorf("for nobody in particular the board is\n%s", got)
	}
}

func TestPiecesAreOrderedByKindThenSquare(t *testing.T) {
	got := mustFEN(t, "1n1qk3/p7/8/8/8/2b5/8/q3K2b w - - 0 1").Facts().Pieces.Black
	want := []PieceAt{{"K", "e8"}, {"Q", "a1"}, {"Q", "d8"}, {"B", "h1"}, {"B", "c3"}, {"N", "b8"}, {"P", "a7"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("pieces (-want +got):\n%s", diff)
	}
}

func TestEmptyListsAreListsInJSON(t *testing.T) {
	mated := mustFEN(t, "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3")
	text, err := json.Marshal([]any{mated.LegalSAN(), mated.LegalUCI(), mated.Legal(), NewReplay(mated).SANs(), NewReplay(mated).UCIs(), NewReplay(mated).Moves()})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(text), "[[],[],[],[],[],[]]"; got != want {
		t.Errorf("JSON is %s, want %s", got, want)
	}
}

func TestLegalMovesAreSortedAndParallel(t *testing.T) {
	p := mustFEN(t, "2r1k3/1P6/8/8/8/8/8/4K3 w - - 0 1")
	wantUCI := []string{"b7b8b", "b7b8n", "b7b8q", "b7b8r", "b7c8b", "b7c8n", "b7c8q", "b7c8r", "e1d1", "e1d2", "e1e2", "e1f1", "e1f2"}
	wantSAN := []string{"b8=B", "b8=N", "b8=Q", "b8=R", "bxc8=B", "bxc8=N", "bxc8=Q+", "bxc8=R+", "Kd1", "Kd2", "Ke2", "Kf1", "Kf2"}
	if diff := cmp.Diff(wantUCI, p.LegalUCI()); diff != "" {
		t.Errorf("UCI (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(wantSAN, p.LegalSAN()); diff != "" {
		t.Errorf("SAN (-want +got):\n%s", diff)
	}
}

func TestColorText(t *testing.T) {
	text, err := json.Marshal(map[string]Color{"your_color": Black})
	if err != nil || string(text) != `{"your_color":"black"}` {
		t.Errorf("JSON is %s, %v", text, err)
	}
	var c Color
	if err := c.UnmarshalText([]byte("black")); err != nil || c != Black {
		t.Errorf("black reads as %v, %v", c, err)
	}
	if err := c.UnmarshalText([]byte("red")); err == nil {
		t.Error("red is a color")
	}
	if White.Other() != Black || Black.Other() != White {
		t.Error("Other is not the other side")
	}
}
