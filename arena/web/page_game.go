package web

import (
	"html/template"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"chessarena/arena"
	"chessarena/arena/archive"
	"chessarena/rules"
)

// gamePage shows one game at one position.
type gamePage struct {
	pageFrame
	Heading     string
	ID          string
	Top, Bottom playerBar
	Board       template.HTML
	Described   string // the position as a sentence
	Drawn       string // the position as letters
	FEN         string
	Steps       []stepLink
	Where       string // which position this is
	Rows        []moveRow
	Running     bool
	Score       string
	Outcome     string
	Length      string
	Facts       []fact
	This        []fact // about the move shown; empty at the start
	ThisName    string
	Compare     []comparison
	PGN         string // addresses
	Log, Verify string
	Reload      string
	Link        string
}

// playerBar stands above and below the board.
type playerBar struct {
	Color, Side string // "white", "White:"
	Model, Sub  string
	Unverified  bool
	Taken       template.HTML // the opponent's men this side has captured
	Bank, Note  string
	On, Over    bool // its clock runs; and is past the soft deadline
}

type stepLink struct{ Name, Path, Rel, Icon string }

// comparison is one line of the table that sets both sides side by side.
type comparison struct{ Name, White, Black string }

func (p *pages) game(r *http.Request) (view, error) {
	id, err := arena.ParseGameID(r.PathValue("id"))
	if err != nil {
		return view{}, arena.Errorf(arena.NotFound, "There is no game at this address.").Because(err)
	}
	query := r.URL.Query()
	ply, err := plyOf(query)
	if err != nil {
		return view{}, err
	}
	v, err := p.archive.Game(r.Context(), id, ply)
	if err != nil {
		return view{}, err
	}
	title := v.White.Model + " v " + v.Black.Model + " · " + score(&v.Summary)
	f, err := p.frame(r, title)
	if err != nil {
		return view{}, err
	}
	f.Boards, f.Alternate = true, "/v1"+gamePath(id)
	f.Description = v.White.Model + " against " + v.Black.Model + " in the arena: " + v.Outcome + "."
	sheet := scoreSheet{&v, numberingOf(&v), query.Get("flip") == "1"}
	page := sheet.page()
	page.pageFrame = f
	return view{template: "game", data: page, volatile: v.Clock != nil}, nil
}

func plyOf(query url.Values) (int, error) {
	text := query.Get("ply")
	if text == "" {
		return archive.Latest, nil
	}
	ply, err := strconv.Atoi(text)
	if err != nil || ply < 0 {
		return 0, arena.Errorf(arena.InvalidArguments, "ply must be a whole number from 0 to the length of the game.").Because(err)
	}
	return ply, nil
}

// scoreSheet is a game as one reader looks at it.
type scoreSheet struct {
	*archive.GameView
	numbers numbering
	flip    bool
}

// latest reports whether the position shown is the last one.
func (s scoreSheet) latest() bool { return s.Position.Ply == len(s.Moves) }

func (s scoreSheet) running() bool { return s.Clock != nil }

// path is the address of this game at another ply, seen from the same side or turned.
func (s scoreSheet) path(ply int, flip bool) string {
	query := url.Values{}
	if ply != len(s.Moves) {
		query.Set("ply", strconv.Itoa(ply))
	}
	if flip {
		query.Set("flip", "1")
	}
	if len(query) == 0 {
		return gamePath(s.ID)
	}
	return gamePath(s.ID) + "?" + query.Encode()
}

func (s scoreSheet) page() gamePage {
	at := s.Position
	name := s.moveName(at.Ply)
	described := describe(at.Pieces)
	where := "Position after " + name + ". "
	if at.Ply == 0 {
		where = "Starting position. "
	}
	page := gamePage{
		Heading: s.White.Model + " against " + s.Black.Model + ", " + s.Outcome,
		ID:      string(s.ID),
		Top:     s.bar(rules.Black), Bottom: s.bar(rules.White),
		Board:     board{Position: at.Board, Last: lastMove(at), Flip: s.flip, Coordinates: true, Label: where + described}.SVG(),
		Described: described, Drawn: at.Board.Facts().Board, FEN: at.FEN,
		Steps: s.steps(), Where: s.where(), Rows: s.rows(),
		Running: s.running(), Score: score(&s.Summary), Outcome: s.Outcome,
		Facts: s.facts(), This: s.this(), ThisName: name, Compare: s.compare(),
		PGN: "/v1" + gamePath(s.ID) + "/pgn", Log: "/v1" + gamePath(s.ID) + "/log", Verify: "/v1" + gamePath(s.ID) + "/verify",
		Reload: s.path(len(s.Moves), s.flip),
		Link:   gamePath(s.ID) + "?ply=" + strconv.Itoa(at.Ply),
	}
	if len(s.Moves) > 0 {
		page.Length = plural(moves(len(s.Moves)), "move")
	}
	if s.flip {
		page.Top, page.Bottom = page.Bottom, page.Top
	}
	return page
}

func (s scoreSheet) moveName(ply int) string {
	if ply == 0 {
		return s.numbers.name(0, "")
	}
	return s.numbers.name(ply, s.Moves[ply-1].SAN)
}

func (s scoreSheet) where() string {
	ply := s.Position.Ply
	switch {
	case ply == 0:
		return "Start"
	case s.latest() && s.running():
		return "Now: " + s.moveName(ply)
	}
	return s.moveName(ply)
}

func (s scoreSheet) bar(c rules.Color) playerBar {
	seat := s.Seat(c)
	lost := s.Position.Captured.White
	if c == rules.White {
		lost = s.Position.Captured.Black
	}
	left := bankLeft(s.GameView, c)
	b := playerBar{
		Color: c.String(), Side: sideName(c) + ":", Model: seat.Model, Sub: setUp(seat), Unverified: !seat.ModelVerified,
		Taken: takenIcons(lost, c.Other()),
		Bank:  clockTime(left),
		Note:  "bank left of " + clockTime(time.Duration(s.Pace.Bank*float64(time.Second))),
	}
	if s.running() && s.latest() && s.Clock.SideToMove == c {
		b.On = true
		soft := s.Clock.SoftDeadlineAt.Sub(s.AsOf)
		if b.Over = soft < 0; b.Over {
			b.Note = "past the soft deadline"
		} else {
			b.Note = "bank · " + clockTime(soft) + " to the soft deadline"
		}
	}
	return b
}

// steps are the controls under the board. The icons are drawn on a grid of 16.
func (s scoreSheet) steps() []stepLink {
	ply, last := s.Position.Ply, len(s.Moves)
	list := []stepLink{
		{Name: "First position", Icon: "M12.5 3.5 7 8l5.5 4.5zM4 3.5v9"},
		{Name: "Previous move", Rel: "prev", Icon: "M10.5 3.5 5 8l5.5 4.5z"},
		{Name: "Next move", Rel: "next", Icon: "M5.5 3.5 11 8l-5.5 4.5z"},
		{Name: "Last position", Icon: "M3.5 3.5 9 8l-5.5 4.5zM12 3.5v9"},
		{Name: "Turn the board", Icon: "M5 2.5v11M5 2.5 2.5 5M5 2.5 7.5 5M11 13.5v-11M11 13.5 8.5 11M11 13.5 13.5 11", Path: s.path(ply, !s.flip)},
	}
	if ply > 0 {
		list[0].Path, list[1].Path = s.path(0, s.flip), s.path(ply-1, s.flip)
	}
	if ply < last {
		list[2].Path, list[3].Path = s.path(ply+1, s.flip), s.path(last, s.flip)
	}
	return list
}
