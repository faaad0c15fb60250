package standings

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"chessarena/arena"
	"chessarena/arena/rating"
	"chessarena/arena/tool"
)

var championsSpec = tool.Spec{
	Name:  "champions",
	Title: "Nicknames by their best configuration",
	Doc: `The champions view of leaderboard: each nickname that has played, by the configuration with the highest live rating minus twice its deviation. ` +
		`Over REST; over MCP call leaderboard with view "champions".`,
	Route:      "GET /v1/champions",
	RESTOnly:   true,
	Access:     tool.Public,
	Idempotent: true,
	Example:    `{"limit": 10}`,
}

// PageInput are the arguments of a list that has pages and no filter.
type PageInput struct {
	Limit  int    `json:"limit" doc:"rows to show, 1 to 200; 50 when left out" min:"1" max:"200"`
	Cursor string `json:"cursor" doc:"where to go on: next_cursor of the page before"`
}

// Champions is the board of nicknames.
type Champions struct {
	Total     int        `json:"total"`
	Champions []Champion `json:"champions"`
	Line      string     `json:"champion_line"` // who leads, as a sentence
	Next      *string    `json:"next_cursor"`
}

// Champion is a nickname by its best bucket (contract, "leaderboard").
type Champion struct {
	Nickname    arena.Nickname    `json:"nickname"`
	Fingerprint arena.Fingerprint `json:"fingerprint"`
	BucketKey   arena.BucketKey   `json:"bucket_key"`
	Model       string            `json:"model"`
	Verified    bool              `json:"model_verified"`
	Provider    string            `json:"provider"`
	Harness     string            `json:"harness"`
	RatingAll   float64           `json:"rating_all"`
	RDAll       float64           `json:"rd_all"`
	Provisional bool              `json:"provisional"`
	Record
}

// Record is what a nickname has made of its games, with all of its configurations.
type Record struct {
	Games         int      `json:"games"`
	Wins          int      `json:"wins"`
	Draws         int      `json:"draws"`
	Losses        int      `json:"losses"`
	CurrentStreak int      `json:"current_streak"` // wins in a row up to now
	BestStreak    int      `json:"best_streak"`
	PeakAll       *float64 `json:"peak_rating_all"` // best live rating after a game, provisional ones aside
	PeakBoard     *float64 `json:"peak_rating_board"`
}

func (p *player) record() Record {
	r := p.Record
	return Record{r.Games, r.Wins, r.Draws, r.Losses, p.Streak.Current, p.Streak.Best, p.PeakAll, p.PeakBoard}
}

func (s *Standings) champions(ctx context.Context, _ arena.Agent, in PageInput) (Champions, error) {
	page, err := pageOf(in.Limit, in.Cursor)
	if err != nil {
		return Champions{}, err
	}
	return s.Champions(ctx, page)
}

// Champions returns a page of the nicknames that have played, the best first.
func (s *Standings) Champions(ctx context.Context, page Page) (Champions, error) {
	b, err := s.board(ctx)
	if err != nil {
		return Champions{}, err
	}
	type contender struct {
		*player
		best *bucket
	}
	var list []contender
	for _, p := range b.players {
		if best := bestOf(p.buckets); best != nil {
			list = append(list, contender{p, best})
		}
	}
	slices.SortFunc(list, func(x, y contender) int {
		return cmp.Or(cmp.Compare(rating.Conservative(y.best.AllTrack.Rating), rating.Conservative(x.best.AllTrack.Rating)), cmp.Compare(x.ID, y.ID))
	})
	out := Champions{Total: len(list), Champions: []Champion{}, Line: "Nobody has finished a rated game yet: the first to do so leads."}
	shown, next := cut(list, page)
	out.Next = next
	for _, c := range shown {
		out.Champions = append(out.Champions, s.champion(c.player, c.best))
	}
	if len(list) > 0 {
		out.Line = lineOf(s.champion(list[0].player, list[0].best))
	}
	return out, nil
}

func (s *Standings) champion(p *player, best *bucket) Champion {
	c := best.Config
	return Champion{
		Nickname: p.Nickname, Fingerprint: p.Fingerprint, BucketKey: best.Key,
		Model: c.Model, Verified: s.verified(c), Provider: c.Provider, Harness: c.Harness,
		RatingAll: best.AllTrack.R, RDAll: best.AllTrack.RD, Provisional: rating.Provisional(best.AllTrack.RD, best.AllTrack.Games),
		Record: p.record(),
	}
}

// bestOf is the rated bucket with the highest rating minus twice its deviation; nil for
// none. Anchors are nobody's best.
func bestOf(buckets []*bucket) *bucket {
	var best *bucket
	for _, b := range buckets {
		if b.Pinned || b.AllTrack.Games == 0 {
			continue
		}
		if best == nil || rating.Conservative(b.AllTrack.Rating) > rating.Conservative(best.AllTrack.Rating) {
			best = b
		}
	}
	return best
}

// lineOf says who leads.
func lineOf(c Champion) string {
	sure := ""
	if c.Provisional {
		sure = ", still provisional"
	}
	return fmt.Sprintf("%s leads with %s: %.0f ± %.0f%s; %d wins, %d draws and %d losses, %d won in a row now.",
		c.Nickname, c.Model, c.RatingAll, 2*c.RDAll, sure, c.Wins, c.Draws, c.Losses, c.CurrentStreak)
}
