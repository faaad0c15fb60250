package arena_test

import (
	"testing"

	"chessarena/arena"
	"chessarena/rules"
)

func TestDrawOfferStandsUntilThePlyChanges(t *testing.T) {
	g := &arena.Game{Ply: 10}
	if g.StandingOffer(rules.White) || g.ExpiredOffer(rules.White) {
		t.Error("an offer that nobody made")
	}
	g.Offers = append(g.Offers, arena.Offer{By: rules.White, Ply: 10})
	if !g.StandingOffer(rules.White) || g.ExpiredOffer(rules.White) {
		t.Error("an offer of this ply must stand")
	}
	if g.StandingOffer(rules.Black) || g.ExpiredOffer(rules.Black) {
		t.Error("an offer counts for the other side")
	}
	g.Ply++
	if g.StandingOffer(rules.White) || !g.ExpiredOffer(rules.White) {
		t.Error("an offer of the ply before must have expired")
	}
}

func TestMayOfferCountsTwentyPlies(t *testing.T) {
	for _, c := range []struct {
		name   string
		ply    int
		offers []int
		want   bool
	}{
		{"none yet", 0, nil, true},
		{"two", 12, []int{10, 11}, true},
		{"three within the window", 12, []int{10, 11, 12}, false},
		{"the first is 19 plies old", 29, []int{10, 14, 18}, false},
		{"the first is 20 plies old", 30, []int{10, 14, 18}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := &arena.Game{Ply: c.ply, Offers: []arena.Offer{{By: rules.White, Ply: c.ply}, {By: rules.White, Ply: c.ply}, {By: rules.White, Ply: c.ply}}}
			for _, ply := range c.offers {
				g.Offers = append(g.Offers, arena.Offer{By: rules.Black, Ply: ply})
			}
			if got := g.MayOffer(rules.Black); got != c.want {
				t.Errorf("MayOffer = %v, want %v", got, c.want)
			}
		})
	}
}

func TestColor(t *testing.T) {
	g := &arena.Game{Seats: [2]arena.Seat{rules.White: {NicknameID: 7}, rules.Black: {NicknameID: 8}}}
	for _, turn := range []rules.Color{rules.White, rules.Black} {
		if c, ok := g.Color(7, turn); !ok || c != rules.White {
			t.Errorf("nickname 7 at %v's turn: %v, %v", turn, c, ok)
		}
		if c, ok := g.Color(8, turn); !ok || c != rules.Black {
			t.Errorf("nickname 8 at %v's turn: %v, %v", turn, c, ok)
		}
		if _, ok := g.Color(9, turn); ok {
			t.Errorf("nickname 9 has a seat at %v's turn", turn)
		}
	}
	self := &arena.Game{Seats: [2]arena.Seat{{NicknameID: 7}, {NicknameID: 7}}}
	for _, turn := range []rules.Color{rules.White, rules.Black} {
		if c, ok := self.Color(7, turn); !ok || c != turn {
			t.Errorf("who has both seats plays %v, %v at %v's turn", c, ok, turn)
		}
	}
}

func TestTurn(t *testing.T) {
	const blackBegins = "4k3/8/8/8/8/8/8/4K2R b K - 0 1"
	for _, c := range []struct {
		start string
		ply   int
		want  rules.Color
	}{
		{"", 0, rules.White}, {"", 1, rules.Black}, {"", 40, rules.White},
		{blackBegins, 0, rules.Black}, {blackBegins, 1, rules.White},
		{"4k3/8/8/8/8/8/8/4K2R w K - 0 1", 3, rules.Black},
	} {
		g := &arena.Game{Start: c.start, Ply: c.ply}
		if got := g.Turn(); got != c.want {
			t.Errorf("Turn from %q at ply %d = %v, want %v", c.start, c.ply, got, c.want)
		}
	}
}

func TestResult(t *testing.T) {
	for _, c := range []struct {
		result       arena.Result
		white, black float64
		pgn          string
	}{
		{arena.WhiteWins, 1, 0, "1-0"},
		{arena.BlackWins, 0, 1, "0-1"},
		{arena.Draw, 0.5, 0.5, "1/2-1/2"},
		{arena.NoResult, 0, 0, "*"},
		{"", 0, 0, "*"},
	} {
		if w, b := c.result.Score(rules.White), c.result.Score(rules.Black); w != c.white || b != c.black {
			t.Errorf("%q scores %v and %v, want %v and %v", c.result, w, b, c.white, c.black)
		}
		if got := c.result.PGN(); got != c.pgn {
			t.Errorf("%q is %q in PGN, want %q", c.result, got, c.pgn)
		}
	}
	if arena.WinFor(rules.White) != "1-0" || arena.WinFor(rules.Black) != "0-1" {
		t.Error("WinFor mixes up the sides")
	}
}

func TestTerminationInPGN(t *testing.T) {
	// PGN standard 9.8.1, and DESIGN §9 on which word is whose.
	for termination, want := range map[arena.Termination]string{
		"": "unterminated", "timeout": "time forfeit", "illegal_moves": "rules infraction", "admin": "abandoned", "max_plies": "adjudication",
		"checkmate": "normal", "stalemate": "normal", "resignation": "normal", "draw_agreed": "normal", "fivefold_repetition": "normal",
	} {
		if got := termination.PGN(); got != want {
			t.Errorf("%q is %q, want %q", termination, got, want)
		}
		if got, want := termination.Forfeit(), termination == "timeout" || termination == "illegal_moves"; got != want {
			t.Errorf("%q.Forfeit() = %v", termination, got)
		}
	}
}

func TestStreak(t *testing.T) {
	var s arena.Streak
	for i, c := range []struct {
		won  bool
		want arena.Streak
	}{
		{true, arena.Streak{Current: 1, Best: 1}}, {true, arena.Streak{Current: 2, Best: 2}}, {false, arena.Streak{Current: 0, Best: 2}},
		{true, arena.Streak{Current: 1, Best: 2}}, {true, arena.Streak{Current: 2, Best: 2}}, {true, arena.Streak{Current: 3, Best: 3}},
	} {
		if s = s.Add(c.won); s != c.want {
			t.Errorf("after game %d: %+v, want %+v", i+1, s, c.want)
		}
	}
}
