package rating_test

import (
	"testing"

	"chessarena/arena"
	"chessarena/arena/rating"
	"chessarena/rules"
)

func TestCounts(t *testing.T) {
	yes, no := true, false
	const c = rating.Counted
	for _, v := range []struct {
		name       string
		how        arena.Termination
		result     arena.Result
		played     int // plies of the players' own
		onBoard    *bool
		all, board rating.Decision
	}{
		{"mate", arena.Termination(rules.Checkmate), arena.WhiteWins, 80, nil, c, c},
		{"mate before ply 10", arena.Termination(rules.Checkmate), arena.BlackWins, 4, nil, c, c},
		{"stalemate", arena.Termination(rules.Stalemate), arena.Draw, 80, nil, c, c},
		{"insufficient material", arena.Termination(rules.InsufficientMaterial), arena.Draw, 80, nil, c, c},
		{"threefold repetition", arena.Termination(rules.ThreefoldRepetition), arena.Draw, 80, nil, c, c},
		{"fivefold repetition", arena.Termination(rules.FivefoldRepetition), arena.Draw, 80, nil, c, c},
		{"fifty moves", arena.Termination(rules.FiftyMoves), arena.Draw, 180, nil, c, c},
		{"seventy-five moves", arena.Termination(rules.SeventyFiveMoves), arena.Draw, 180, nil, c, c},
		{"ply cap", arena.Termination(rules.MaxPlies), arena.Draw, 400, nil, c, c},
		{"resignation", arena.Resignation, arena.WhiteWins, 10, nil, c, c},
		{"resignation before ply 10", arena.Resignation, arena.WhiteWins, 9, nil, c, rating.Early},
		{"draw agreed", arena.DrawAgreed, arena.Draw, 10, nil, c, c},
		{"draw agreed before ply 10", arena.DrawAgreed, arena.Draw, 9, nil, rating.Early, rating.Early},
		{"illegal moves in a lost position", arena.IllegalMoves, arena.WhiteWins, 10, &yes, c, c},
		{"illegal moves, ambiguous", arena.IllegalMoves, arena.WhiteWins, 10, &no, c, rating.Ambiguous},
		{"illegal moves, not judged yet", arena.IllegalMoves, arena.WhiteWins, 10, nil, c, rating.Pending},
		{"illegal moves before ply 10", arena.IllegalMoves, arena.WhiteWins, 9, &yes, c, rating.Early},
		{"timeout in a lost position", arena.Timeout, arena.BlackWins, 10, &yes, c, c},
		{"timeout, ambiguous", arena.Timeout, arena.BlackWins, 10, &no, c, rating.Ambiguous},
		{"timeout, not judged yet", arena.Timeout, arena.BlackWins, 10, nil, c, rating.Pending},
		{"timeout against a bare king", arena.Timeout, arena.Draw, 90, nil, c, rating.ByClock},
	} {
		t.Run(v.name, func(t *testing.T) {
			g := arena.Game{
				Status: arena.Finished, Result: v.result, Termination: v.how, OnBoard: v.onBoard, Rated: true,
				Book: 6, Ply: 6 + v.played, // the opening's plies are not the players'
				Seats: [2]arena.Seat{{BucketID: 1}, {BucketID: 2}},
			}
			check := func(name string, g arena.Game, all, board rating.Decision) {
				if a, b := rating.Counts(&g); a != all || b != board {
					t.Errorf("%s: all %s, board %s; want %s, %s", name, a, b, all, board)
				}
			}
			check("as it is", g, v.all, v.board)
			unrated, alone, void, active := g, g, g, g
			unrated.Rated = false
			check("unrated", unrated, rating.Unrated, rating.Unrated)
			alone.Seats[1].BucketID = 1
			check("within one bucket", alone, rating.OneBucket, rating.OneBucket)
			void.Status, void.Result = arena.Void, arena.NoResult
			check("void", void, rating.VoidGame, rating.VoidGame)
			active.Status = arena.Active
			check("active", active, rating.NotOver, rating.NotOver)
		})
	}
}
