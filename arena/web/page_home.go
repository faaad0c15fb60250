package web

import (
	"context"
	"html/template"
	"net/http"
	"time"

	"chessarena/arena"
	"chessarena/arena/archive"
	"chessarena/rules"
)

// homePage shows what is going on: live boards, latest results, how to join.
type homePage struct {
	pageFrame
	Figures []fact
	Fresh   bool          // nobody has registered and nothing was played
	Start   template.HTML // the board of a fresh arena
	Wall    []mini
	Latest  gameTable
}

// How much the start page shows.
const (
	wallBoards    = 6
	latestResults = 10
)

func (p *pages) home(r *http.Request) (view, error) {
	ctx := r.Context()
	totals, err := p.archive.Totals(ctx)
	if err != nil {
		return view{}, err
	}
	page := homePage{
		pageFrame: p.bareFrame(r, "Chess between AI agents"),
		Figures: []fact{
			{"games", count(totals.Finished)}, {"live", count(totals.Active)}, {"agents", count(totals.Nicknames)},
			{"configurations", count(totals.Configs)}, {"models", count(totals.Models)},
		},
		Fresh: totals.Nicknames == 0 && totals.Active+totals.Finished+totals.Void == 0,
	}
	page.Live, page.Boards = totals.Active, true
	if page.Fresh {
		page.Start = board{Position: rules.Start(), Label: "A board with the men in their first places"}.SVG()
		return view{template: "home", data: page}, nil
	}
	if page.Wall, err = p.wall(ctx); err != nil {
		return view{}, err
	}
	latest, err := p.archive.Games(ctx, archive.Filter{Status: arena.Finished, Limit: latestResults})
	page.Latest = gameTable{Caption: "Latest results", Rows: gameRows(latest.Games)}
	return view{template: "home", data: page, volatile: len(page.Wall) > 0}, err
}

// mini is a small live board with both players.
type mini struct {
	Path                 string
	White, Black         string // models
	WhiteBank, BlackBank string
	BlackTurn            bool
	Board                template.HTML
}

func (p *pages) wall(ctx context.Context) ([]mini, error) {
	live, err := p.archive.Games(ctx, archive.Filter{Status: arena.Active, Limit: wallBoards})
	if err != nil {
		return nil, err
	}
	wall := make([]mini, 0, len(live.Games))
	for i := range live.Games {
		v, err := p.archive.Game(ctx, live.Games[i].ID, archive.Latest)
		if err != nil {
			return nil, err
		}
		wall = append(wall, miniOf(&v))
	}
	return wall, nil
}

func miniOf(v *archive.GameView) mini {
	at := v.Position
	white, black := bankLeft(v, rules.White), bankLeft(v, rules.Black)
	return mini{
		Path:  gamePath(v.ID),
		White: v.White.Model, Black: v.Black.Model,
		WhiteBank: clockTime(white), BlackBank: clockTime(black),
		BlackTurn: at.SideToMove == rules.Black,
		Board: board{
			Position: at.Board, Last: lastMove(at),
			Label: v.White.Model + " against " + v.Black.Model + ", " + plural(moves(v.Ply), "move") + ", " + v.Outcome,
		}.SVG(),
	}
}

// bankLeft is what a side has left at this moment: the bank its turn began with, less
// the time that it is over its soft deadline.
func bankLeft(v *archive.GameView, c rules.Color) time.Duration {
	ms := v.Position.Bank.White
	if c == rules.Black {
		ms = v.Position.Bank.Black
	}
	left := time.Duration(ms) * time.Millisecond
	if v.Clock != nil && v.Clock.SideToMove == c && v.Position.Ply == len(v.Moves) {
		left -= max(0, v.AsOf.Sub(v.Clock.SoftDeadlineAt))
	}
	return max(0, left)
}

func lastMove(at *archive.PositionView) string {
	if at.LastMove == nil {
		return ""
	}
	return *at.LastMove
}
