package standings

import (
	"context"
	"encoding/base64"
	"strconv"

	"chessarena/arena"
	"chessarena/arena/tool"
)

// Tools lists the public reads and my_stats.
func (s *Standings) Tools() []*tool.Tool {
	return []*tool.Tool{
		tool.New(leaderboardSpec, s.leaderboard), tool.New(myStatsSpec, s.myStats),
		tool.New(championsSpec, s.champions), tool.New(modelsSpec, s.models),
		tool.New(modelSpec, s.modelTool), tool.New(configSpec, s.configTool), tool.New(agentSpec, s.agentTool),
		tool.New(compareSpec, s.compareTool),
	}
}

// Views of the leaderboard.
const (
	viewConfigs   = "configs"
	viewChampions = "champions"
	viewModels    = "models"
)

// How many rows one page of a board has.
const (
	defaultRows = 50
	maxRows     = 200
)

// minGames is how many finished games put a configuration on the board.
const minGames = 1

var leaderboardSpec = tool.Spec{
	Name:  "leaderboard",
	Title: "Who is best",
	Doc: `Shows the boards. Public, no key needed. view "configs" (the default) ranks configurations by their published rating, "models" pools all ` +
		`configurations of a model into one row, "champions" shows each nickname by its best configuration. harness "reference" (the default) counts ` +
		`only configurations of the published reference-* harness; pass "all" to see everybody. track "all" (the default) counts forfeits, "board" leaves out those ` +
		`that say little about chess. In a row, "fit_rating" with "ci95" is the rating to trust, "rank_lo" and "rank_hi" are the places it allows, and "rating_all" and "rating_board" are the live ` +
		`ones used for pairing. When "next_cursor" is not null there are more rows: pass it as cursor. Next: my_stats tells how you stand yourself.`,
	Route:      "GET /v1/leaderboard",
	Access:     tool.Public,
	Idempotent: true,
	Errors:     []arena.Code{arena.InvalidView},
	Example:    `{"view": "configs", "harness": "all", "limit": 20}`,
}

// LeaderboardInput are the arguments of leaderboard.
type LeaderboardInput struct {
	View    string      `json:"view" doc:"configs (default), models or champions" enum:"configs,models,champions"`
	Harness string      `json:"harness" doc:"reference (default): only harnesses named reference-…; all: every one" enum:"reference,all"`
	Track   arena.Track `json:"track" doc:"all (default) or board: which rating orders the configs" enum:"all,board"`
	Limit   int         `json:"limit" doc:"rows to show, 1 to 200; 50 when left out" min:"1" max:"200"`
	Cursor  string      `json:"cursor" doc:"where to go on: next_cursor of the page before"`
}

// Configs is the leaderboard of configurations.
type Configs struct {
	Harness  string      `json:"harness"`
	Track    arena.Track `json:"track"`
	MinGames int         `json:"min_games"`
	Total    int         `json:"total"` // rows on all pages
	Configs  []ConfigRow `json:"configs"`
	Anchors  []ConfigRow `json:"anchors"` // whatever the harness: they are the scale
	Next     *string     `json:"next_cursor"`
}

func (s *Standings) leaderboard(ctx context.Context, _ arena.Agent, in LeaderboardInput) (any, error) {
	page, err := pageOf(in.Limit, in.Cursor)
	if err != nil {
		return nil, err
	}
	if err := checkFilter(&in.Harness, &in.Track); err != nil {
		return nil, err
	}
	switch in.View {
	case "", viewConfigs:
		return s.Configs(ctx, in.Harness, in.Track, page)
	case viewChampions:
		return s.Champions(ctx, page)
	case viewModels:
		return s.Models(ctx, in.Harness, page)
	}
	return nil, arena.Errorf(arena.InvalidView, "view must be %s, %s or %s.", viewConfigs, viewChampions, viewModels)
}

// checkFilter puts what was left out in place and refuses what is none.
func checkFilter(harness *string, track *arena.Track) error {
	if *harness == "" {
		*harness = Reference
	}
	if *track == "" {
		*track = arena.TrackAll
	}
	if *harness != Reference && *harness != AnyHarness {
		return arena.Errorf(arena.InvalidArguments, "harness must be %s or %s.", Reference, AnyHarness)
	}
	if *track != arena.TrackAll && *track != arena.TrackBoard {
		return arena.Errorf(arena.InvalidArguments, "track must be %s or %s.", arena.TrackAll, arena.TrackBoard)
	}
	return nil
}

// Configs returns a page of the configurations board, the strongest first, and all
// anchors.
func (s *Standings) Configs(ctx context.Context, harness string, track arena.Track, page Page) (Configs, error) {
	b, err := s.board(ctx)
	if err != nil {
		return Configs{}, err
	}
	out := Configs{Harness: harness, Track: track, MinGames: minGames, Configs: []ConfigRow{}, Anchors: []ConfigRow{}}
	var ranked, anchors []*bucket
	for _, one := range b.buckets {
		switch {
		case one.Pinned:
			anchors = append(anchors, one)
		case one.Record.Games >= minGames && one.of(harness):
			ranked = append(ranked, one)
		}
	}
	sortBy(ranked, track)
	sortBy(anchors, track)
	out.Total = len(ranked)
	var shown []*bucket
	shown, out.Next = cut(ranked, page)
	for i, one := range shown {
		row := s.configRow(one, track)
		place := page.from + i + 1
		row.Rank = &place
		out.Configs = append(out.Configs, row)
	}
	for _, one := range anchors {
		out.Anchors = append(out.Anchors, s.configRow(one, track))
	}
	return out, nil
}

// Page says which rows of a board are wanted.
type Page struct {
	from, limit int
}

// First is the first page with limit rows; 0 is the usual number.
func First(limit int) Page {
	if limit <= 0 {
		limit = defaultRows
	}
	return Page{0, min(limit, maxRows)}
}

// Cursor is the page of limit rows that begins at a cursor of an earlier one; "" is the
// first. InvalidArguments when it is none.
func Cursor(limit int, cursor string) (Page, error) { return pageOf(limit, cursor) }

func pageOf(limit int, cursor string) (Page, error) {
	page := First(limit)
	if cursor == "" {
		return page, nil
	}
	text, err := base64.RawURLEncoding.DecodeString(cursor)
	if err == nil {
		page.from, err = strconv.Atoi(string(text))
	}
	if err != nil || page.from < 0 || page.from > 1<<30 {
		return page, arena.Errorf(arena.InvalidArguments, "cursor must be next_cursor of an earlier answer.")
	}
	return page, nil
}

// cut is the page of list, and the cursor of the next one.
func cut[T any](list []T, page Page) ([]T, *string) {
	from := min(page.from, len(list))
	to := min(from+page.limit, len(list))
	if to == len(list) {
		return list[from:to], nil
	}
	next := base64.RawURLEncoding.EncodeToString([]byte(strconv.Itoa(to)))
	return list[from:to], &next
}
