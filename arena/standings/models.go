package standings

import (
	"cmp"
	"context"
	"slices"
	"time"

	"chessarena/arena"
	"chessarena/arena/rating"
	"chessarena/arena/tool"
)

var modelsSpec = tool.Spec{
	Name:  "models",
	Title: "Models, all their configurations pooled",
	Doc: `The models view of leaderboard: one row a model, its configurations pooled by random effects. ` +
		`Over REST; over MCP call leaderboard with view "models".`,
	Route:      "GET /v1/models",
	RESTOnly:   true,
	Access:     tool.Public,
	Idempotent: true,
	Example:    `{"harness": "all"}`,
}

// ModelsInput are the arguments of models.
type ModelsInput struct {
	Harness string `json:"harness" doc:"reference (default): only harnesses named reference-…; all: every one" enum:"reference,all"`
	Limit   int    `json:"limit" doc:"rows to show, 1 to 200; 50 when left out" min:"1" max:"200"`
	Cursor  string `json:"cursor" doc:"where to go on: next_cursor of the page before"`
}

// Models is the board of models.
type Models struct {
	Harness string     `json:"harness"`
	Total   int        `json:"total"`
	Models  []ModelRow `json:"models"`
	Next    *string    `json:"next_cursor"`
}

// ModelRow is a model on the board (contract, "leaderboard"). What only analysis can
// tell is null until it has.
type ModelRow struct {
	Rank            int         `json:"rank"`
	Model           string      `json:"model"`
	Verified        bool        `json:"model_verified"`
	Provider        string      `json:"provider"` // of its best configuration
	Rating          float64     `json:"rating"`   // pooled
	RD              float64     `json:"rd"`       // its standard error
	CI95            [2]float64  `json:"ci95"`
	Games           int         `json:"games"`
	Wins            int         `json:"wins"`
	Draws           int         `json:"draws"`
	Losses          int         `json:"losses"`
	ScorePct        *float64    `json:"score_pct"`
	ACPL            *float64    `json:"acpl"`
	Blunders        *float64    `json:"blunders_per_100_moves"`
	Mistakes        *float64    `json:"mistakes_per_100_moves"`
	IllegalAttempts *float64    `json:"illegal_attempts_per_100_moves"`
	AvgLatency      *float64    `json:"avg_latency_ms"`
	P95Latency      *float64    `json:"p95_latency_ms"`
	ForfeitsFor     int         `json:"forfeits_for"`
	ForfeitsAgainst int         `json:"forfeits_against"`
	Timeouts        int         `json:"timeouts"`
	Configs         int         `json:"distinct_configs"`
	Operators       int         `json:"distinct_operators"`
	Best            *BestBucket `json:"best_bucket"`
	LastRatedAt     *string     `json:"last_rated_at"`
	Spread          float64     `json:"spread"` // standard deviation between its configurations, points
}

// BestBucket is the bucket of a model with the highest rating minus twice its deviation.
type BestBucket struct {
	BucketKey arena.BucketKey `json:"bucket_key"`
	RatingAll float64         `json:"rating_all"`
	Harness   string          `json:"harness"`
}

func (s *Standings) models(ctx context.Context, _ arena.Agent, in ModelsInput) (Models, error) {
	page, err := pageOf(in.Limit, in.Cursor)
	if err != nil {
		return Models{}, err
	}
	track := arena.TrackAll
	if err := checkFilter(&in.Harness, &track); err != nil {
		return Models{}, err
	}
	return s.Models(ctx, in.Harness, page)
}

// Models returns a page of the models board, the strongest first.
func (s *Standings) Models(ctx context.Context, harness string, page Page) (Models, error) {
	b, err := s.board(ctx)
	if err != nil {
		return Models{}, err
	}
	rows := s.modelRows(b, harness)
	out := Models{Harness: harness, Total: len(rows), Models: []ModelRow{}}
	shown, next := cut(rows, page)
	out.Models, out.Next = append(out.Models, shown...), next
	return out, nil
}

// modelRows pools the buckets of each model that pass the filter, the strongest first.
func (s *Standings) modelRows(b *board, harness string) []ModelRow {
	byModel := make(map[string][]*bucket)
	for _, one := range b.buckets {
		if !one.Pinned && one.Record.Games >= minGames && one.of(harness) {
			byModel[one.Config.Model] = append(byModel[one.Config.Model], one)
		}
	}
	rows := make([]ModelRow, 0, len(byModel))
	for _, buckets := range byModel {
		rows = append(rows, s.modelRow(buckets))
	}
	slices.SortFunc(rows, func(x, y ModelRow) int { return cmp.Or(cmp.Compare(y.Rating, x.Rating), cmp.Compare(x.Model, y.Model)) })
	for i := range rows {
		rows[i].Rank = i + 1
	}
	return rows
}

func (s *Standings) modelRow(buckets []*bucket) ModelRow {
	first := buckets[0]
	row := ModelRow{Model: first.Config.Model, Verified: s.verified(first.Config), Provider: first.Config.Provider, Configs: len(buckets)}
	owners := make(map[int64]bool)
	var estimates []rating.Estimate
	var last time.Time
	for _, b := range buckets {
		r := b.Record
		row.Games, row.Wins, row.Draws, row.Losses = row.Games+r.Games, row.Wins+r.Wins, row.Draws+r.Draws, row.Losses+r.Losses
		row.ForfeitsFor, row.ForfeitsAgainst = row.ForfeitsFor+r.ForfeitsFor, row.ForfeitsAgainst+r.ForfeitsAgainst
		row.Timeouts += b.lost
		for _, id := range b.owners {
			owners[id] = true
		}
		estimates = append(estimates, b.estimate())
		if at := b.lastRated(); at.After(last) {
			last = at
		}
	}
	pooled, between := rating.Pool(estimates)
	row.Rating, row.RD = pooled.Value, pooled.SE
	row.CI95 = [2]float64{pooled.Value - 1.96*pooled.SE, pooled.Value + 1.96*pooled.SE}
	row.Spread = sqrt(between)
	row.ScorePct = percent(float64(row.Wins)+float64(row.Draws)/2, row.Games)
	row.Operators = len(owners)
	row.LastRatedAt = instant(last)
	if best := bestOf(buckets); best != nil {
		row.Provider = best.Config.Provider
		row.Best = &BestBucket{best.Key, best.AllTrack.R, best.Config.Harness}
	}
	return row
}

// estimate is what is known of a bucket's strength: the fit, or before there is one the
// live rating.
func (b *bucket) estimate() rating.Estimate {
	if fit := b.fits[arena.TrackAll]; fit != nil {
		return rating.Estimate{Value: fit.Rating, SE: fit.SE}
	}
	return rating.Estimate{Value: b.AllTrack.R, SE: b.AllTrack.RD}
}
