package rules

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestEnding(t *testing.T) {
	const shuffle = " Nf3 Nf6 Ng1 Ng8"
	for _, test := range []struct {
		name, fen, moves string
		maxPlies         int
		want             Ending
	}{
		{"the game goes on", "", "e4 e5", 0, ""},
		{"fool's mate", "", "f3 e5 g4 Qh4", 0, Checkmate},
		{"stalemate", "7k/5K2/8/6Q1/8/8/8/8 w - - 0 1", "Qg6", 0, Stalemate},
		{"Sam Loyd's ten-move stalemate", "", "e3 a5 Qh5 Ra6 Qxa5 h5 h4 Rah6 Qxc7 f6 Qxd7 Kf7 Qxb7 Qd3 Qxb8 Qh7 Qxc8 Kg6 Qe6", 0, Stalemate},
		{"the last pawn is taken", "4k3/8/8/8/8/8/3p4/4K3 w - - 0 1", "Kxd2", 0, InsufficientMaterial},
		{"the position for the second time", "", shuffle, 0, ""},
		{"the position for the third time", "", shuffle + shuffle, 0, ThreefoldRepetition},
		{"the position for the fifth time", "", shuffle + shuffle + shuffle + shuffle, 0, FivefoldRepetition},
		{"99 half-moves", "4k3/8/8/8/8/8/8/R3K3 w - - 98 80", "Ra2", 0, ""},
		{"fifty moves", "4k3/8/8/8/8/8/8/R3K3 w - - 99 80", "Ra2", 0, FiftyMoves},
		{"a pawn move at the last moment", "4k3/8/8/8/8/8/7P/R3K3 w - - 99 80", "h4", 0, ""},
		{"mate on the hundredth half-move", "7k/8/6K1/8/8/8/8/R7 w - - 99 80", "Ra8", 0, Checkmate},
		{"stalemate on the hundredth half-move", "7k/5K2/8/6Q1/8/8/8/8 w - - 99 80", "Qg6", 0, Stalemate},
		{"seventy-five moves", "4k3/8/8/8/8/8/8/R3K3 w - - 149 100", "Ra2", 0, SeventyFiveMoves},
		{"threefold before fifty", "4k3/8/8/8/8/8/8/R3K3 w - - 92 80", "Ra2 Kd8 Ra1 Ke8 Ra2 Kd8 Ra1 Ke8", 0, ThreefoldRepetition},
		{"seventy-five before threefold", "4k3/8/8/8/8/8/8/R3K3 w - - 142 80", "Ra2 Kd8 Ra1 Ke8 Ra2 Kd8 Ra1 Ke8", 0, SeventyFiveMoves},
		{"the cap", "", "e4 e5", 2, MaxPlies},
		{"before the cap", "", "e4 e5", 3, ""},
		{"mate on the cap", "", "f3 e5 g4 Qh4", 4, Checkmate},
		{"no negative cap", "", "e4 e5", -1, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			var start *Position
			if test.fen != "" {
				start = mustFEN(t, test.fen)
			}
			r := mustPlay(t, start, test.moves)
			if got := r.Ending(test.maxPlies); got != test.want {
				t.Errorf("ending %q, want %q", got, test.want)
			}
			if _, won := r.Winner(); won != (test.want == Checkmate) {
				t.Errorf("somebody has won: %v", won)
			}
		})
	}
}

func TestWinnerIsTheSideThatMoved(t *testing.T) {
	if c, ok := mustPlay(t, nil, "f3 e5 g4 Qh4").Winner(); !ok || c != Black {
		t.Errorf("winner %v, %v", c, ok)
	}
	if c, ok := mustPlay(t, nil, "e4 e5 Qh5 Nc6 Bc4 Nf6 Qxf7").Winner(); !ok || c != White {
		t.Errorf("winner %v, %v", c, ok)
	}
}

// The games are from the bug reports of other programs and from FIDE history.
func TestRepetitionCount(t *testing.T) {
	for _, test := range []struct {
		name, fen, moves string
		want             int
	}{
		{"cutechess#817: the pawn that could take is pinned", "6k1/1p2p1rp/rP1pR3/2pP1pP1/p1P2P1P/R5K1/8/8 b - - 0 1",
			"h5 Rh6 Rh7 Re6 Rg7 Rh6 Rh7 Re6 Rg7", 3},
		{"chesslib#39: nobody stands beside the pawn", "", "e4 e5 Be2 Be7 Bf1 Bf8 Bd3 Bd6 Bf1 Bf8", 3},
		{"chesslib#39: the king is in check", "8/8/8/8/4p3/8/R2P3k/K7 w - - 0 37",
			"d4 Kh3 Ra3 Kh2 Ra2 Kh1 Ra3 Kh2 Ra2", 3},
		{"a capture that can be made makes another position", "4k3/8/8/8/4p3/8/3P4/4K3 w - - 0 1",
			"d4 Ke7 Ke2 Ke8 Ke1 Ke7 Ke2 Ke8 Ke1", 2},
		{"chesslib#39: castling rights are lost on the way", "", "e4 e5 Nf3 Nf6 Ng1 Ng8 Ke2 Ke7 Ke1 Ke8 Na3 Na6 Nb1 Nb8", 2},
		{"Karpov-Miles 1986: Black could castle the first time", "r3kb1r/5ppp/4p3/1N6/4P3/8/Pn1BK1PP/R6R b kq - 2 23",
			"Ra4 Nc3 Ra8 Nb5 Ra4 Nc3 Ra8 Nb5", 2},
		{"the same men, the other side to move", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "Ra2 Kd8 Ra3 Ke8 Ra1", 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			var start *Position
			if test.fen != "" {
				start = mustFEN(t, test.fen)
			}
			if got := mustPlay(t, start, test.moves).RepetitionCount(); got != test.want {
				t.Errorf("count %d, want %d", got, test.want)
			}
		})
	}
}

func TestPushLeavesTheGameAsItWas(t *testing.T) {
	base := mustPlay(t, nil, "e4 e5 Nf3") // three, so that an append would find room
	var branches []*Replay
	for _, m := range base.Position().Legal() {
		branches = append(branches, base.Push(m))
	}
	if got := base.SANs(); !slices.Equal(got, []string{"e4", "e5", "Nf3"}) {
		t.Fatalf("the game is now %v", got)
	}
	want := base.Position().LegalSAN()
	for i, branch := range branches {
		if got := branch.SANs(); got[3] != want[i] {
			t.Errorf("branch %d ends with %s, want %s", i, got[3], want[i])
		}
	}
}

func TestReplayForgetsWhatCannotComeBack(t *testing.T) {
	r := mustPlay(t, nil, "Nf3 Nf6 Ng1 Ng8 e4 Nf6 Nf3 Nxe4 Bd3")
	if len(r.seen) != 2 { // after the capture, and now
		t.Errorf("%d positions are kept, want 2", len(r.seen))
	}
}

func TestReplayUCI(t *testing.T) {
	moves := []string{"e2e4", "d7d5", "e4e5", "f7f5", "e5f6", "e8f7", "f6g7", "f7e8", "g7h8q"}
	r, err := ReplayUCI(nil, moves)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(moves, r.UCIs()); diff != "" {
		t.Errorf("UCI (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(strings.Fields("e4 d5 e5 f5 exf6 Kf7 fxg7 Ke8 gxh8=Q"), r.SANs()); diff != "" {
		t.Errorf("SAN (-want +got):\n%s", diff)
	}
	if m, san := r.LastMove(); m.UCI() != "g7h8q" || san != "gxh8=Q" {
		t.Errorf("the last move is %s, %s", m.UCI(), san)
	}
	if m, san := NewReplay(nil).LastMove(); m != (Move{}) || m.UCI() != "" || san != "" {
		t.Errorf("before the first move the last is %q, %q", m.UCI(), san)
	}
	if r.Ply() != 9 || len(r.Moves()) != 9 || r.StartPosition() != Start() {
		t.Errorf("ply %d, %d moves, start %s", r.Ply(), len(r.Moves()), r.StartPosition())
	}
	ply := 0
	for p := range r.Positions() {
		if at := r.PositionAt(ply); at.FEN() != p.FEN() {
			t.Errorf("ply %d: PositionAt gives %s, Positions %s", ply, at, p)
		}
		ply++
	}
	if ply != 10 {
		t.Errorf("%d positions, want 10", ply)
	}
}

func TestReplayUCIRefuses(t *testing.T) {
	for _, test := range []struct{ moves, want string }{
		{"e2e4 e7e5 e4e5", "ply 2"},
		{"e2e4 E7E5", "ply 1"},
		{"a2i2", "ply 0"},
		{"e1g1", "ply 0"},
	} {
		_, err := ReplayUCI(nil, strings.Fields(test.moves))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want one that names %s", test.moves, err, test.want)
		}
	}
}

func TestPlayPanicsOnAForeignMove(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a move of another position was played")
		}
	}()
	m, _ := mustPlay(t, nil, "e4").Position().Resolve("e5")
	Start().Play(m)
}
