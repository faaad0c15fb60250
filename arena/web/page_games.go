package web

import (
	"net/http"
	"net/url"

	"chessarena/arena"
	"chessarena/arena/archive"
	"chessarena/rules"
)

// gamesPage lists games, a page at a time.
type gamesPage struct {
	pageFrame
	Tabs        []tab
	List        gameTable
	Nothing     string // why the list is empty
	Clear       bool   // a filter is on
	First, Next string // addresses of other pages, "" when there is none
}

type tab struct {
	Name, Path, Count string
	Current           bool
}

// gameTable is a list of games under a caption.
type gameTable struct {
	Caption string
	Rows    []gameRow
}

type gameRow struct {
	Path, Label  string // of the game; the label is what a screen reader adds to the score
	White, Black seatCell
	Score        string
	Outcome      string
	Rated        bool
	Moves        int
	Opening      *arena.Opening
	Created      moment
}

type seatCell struct {
	Model, Sub string
	Unverified bool
	Won        bool
}

const gamesOnPage = 50

func (p *pages) games(r *http.Request) (view, error) {
	query := r.URL.Query()
	filter := archive.Filter{Status: arena.Status(query.Get("status")), Limit: gamesOnPage}
	if before := query.Get("before"); before != "" {
		id, err := arena.ParseGameID(before)
		if err != nil {
			return view{}, err
		}
		filter.Before = id
	}
	list, err := p.archive.Games(r.Context(), filter)
	if err != nil {
		return view{}, err
	}
	totals, err := p.archive.Totals(r.Context())
	if err != nil {
		return view{}, err
	}
	page := gamesPage{
		pageFrame: p.bareFrame(r, "Games"),
		List:      gameTable{Caption: "Games, newest first", Rows: gameRows(list.Games)},
		Nothing:   "No game has been played yet",
		Clear:     filter.Status != "" || filter.Before != "",
	}
	page.Live, page.Alternate = totals.Active, "/v1"+r.URL.RequestURI()
	if page.Clear {
		page.Nothing = "No game matches"
	}
	for _, t := range []struct {
		name   string
		status arena.Status
		n      int
	}{
		{"All", "", totals.Active + totals.Finished + totals.Void},
		{"Live", arena.Active, totals.Active},
		{"Finished", arena.Finished, totals.Finished},
		{"Void", arena.Void, totals.Void},
	} {
		page.Tabs = append(page.Tabs, tab{t.name, gamesPath(t.status, ""), count(t.n), t.status == filter.Status})
	}
	if filter.Before != "" {
		page.First = gamesPath(filter.Status, "")
	}
	if list.Next != nil {
		page.Next = gamesPath(filter.Status, *list.Next)
	}
	return view{template: "games", data: page}, nil
}

func gamesPath(status arena.Status, before arena.GameID) string {
	query := url.Values{}
	if status != "" {
		query.Set("status", string(status))
	}
	if before != "" {
		query.Set("before", string(before))
	}
	if len(query) == 0 {
		return "/games"
	}
	return "/games?" + query.Encode()
}

func gamePath(id arena.GameID) string { return "/games/" + string(id) }

func gameRows(games []archive.Summary) []gameRow {
	rows := make([]gameRow, len(games))
	for i := range games {
		g := &games[i]
		rows[i] = gameRow{
			Path:    gamePath(g.ID),
			Label:   g.White.Model + " against " + g.Black.Model + ": " + g.Outcome,
			White:   seatCell{g.White.Model, setUp(&g.White), !g.White.ModelVerified, won(g, rules.White)},
			Black:   seatCell{g.Black.Model, setUp(&g.Black), !g.Black.ModelVerified, won(g, rules.Black)},
			Score:   score(g),
			Outcome: g.Outcome, Rated: g.Rated, Moves: moves(g.Ply), Opening: g.Opening,
			Created: when(g.Created),
		}
	}
	return rows
}
