package standings

import (
	"math"
	"time"

	"chessarena/arena"
	"chessarena/arena/rating"
)

// ConfigRow is a bucket on the configurations board (contract, "leaderboard"), with what
// the published fit of the board's track says of it.
type ConfigRow struct {
	Rank      *int            `json:"rank"` // from 1; null for an anchor
	BucketKey arena.BucketKey `json:"bucket_key"`
	Model     string          `json:"model"`
	Verified  bool            `json:"model_verified"`
	Setup
	RatingAll       float64 `json:"rating_all"`
	RDAll           float64 `json:"rd_all"`
	RatingBoard     float64 `json:"rating_board"`
	RDBoard         float64 `json:"rd_board"`
	Games           int     `json:"games"`
	Wins            int     `json:"wins"`
	Draws           int     `json:"draws"`
	Losses          int     `json:"losses"`
	ForfeitsFor     int     `json:"forfeits_for"`
	ForfeitsAgainst int     `json:"forfeits_against"`
	Pinned          bool    `json:"pinned"`
	Nicknames       int     `json:"distinct_nicknames"`
	LastGameAt      *string `json:"last_game_at"` // RFC 3339: of its last rated game
	Fit
}

// Setup is a configuration without its model and notes.
type Setup struct {
	Provider      string        `json:"provider"`
	Harness       string        `json:"harness"`
	Effort        *arena.Effort `json:"effort"`
	Temperature   *float64      `json:"temperature"`
	Quantization  *string       `json:"quantization"`
	ContextWindow *int64        `json:"context_window"`
	ToolsAllowed  *bool         `json:"tools_allowed"`
	Finetuned     *bool         `json:"finetuned"`
}

func setupOf(c arena.Config) Setup {
	return Setup{c.Provider, c.Harness, c.Effort, c.Temperature, c.Quantization, c.ContextWindow, c.ToolsAllowed, c.Finetuned}
}

// Fit is the published rating of a row; all null before its first fit.
type Fit struct {
	Rating      *float64       `json:"fit_rating"`
	SE          *float64       `json:"fit_se"`
	CI95        *[2]float64    `json:"ci95"`
	RankLo      *int           `json:"rank_lo"` // the best place that the games allow at 95 %
	RankHi      *int           `json:"rank_hi"` // the worst
	Status      *rating.Status `json:"status"`
	OverNext    *float64       `json:"los_over_next"` // probability of being stronger than the next row
	Expected    *float64       `json:"expected_score"`
	Score       *float64       `json:"score"` // what it made, where expected_score was expected
	Opponents   *int           `json:"distinct_opponents"`
	AnchorGames *int           `json:"anchor_games"`
}

func fitOf(r *rating.Row) Fit {
	if r == nil {
		return Fit{}
	}
	f := Fit{Rating: &r.Rating, SE: &r.SE, CI95: &r.CI95, Status: &r.Status, Expected: &r.Expected, Score: &r.Score, Opponents: &r.Opponents, AnchorGames: &r.AnchorGames}
	if r.Status != rating.StatusAnchor {
		f.RankLo, f.RankHi, f.OverNext = &r.RankLo, &r.RankHi, &r.OverNext
	}
	return f
}

func (s *Standings) configRow(b *bucket, track arena.Track) ConfigRow {
	c, r := b.Config, b.Record
	return ConfigRow{
		BucketKey: b.Key, Model: c.Model, Verified: s.verified(c), Setup: setupOf(c),
		RatingAll: b.AllTrack.R, RDAll: b.AllTrack.RD, RatingBoard: b.BoardTrack.R, RDBoard: b.BoardTrack.RD,
		Games: r.Games, Wins: r.Wins, Draws: r.Draws, Losses: r.Losses, ForfeitsFor: r.ForfeitsFor, ForfeitsAgainst: r.ForfeitsAgainst,
		Pinned: b.Pinned, Nicknames: len(b.owners), LastGameAt: instant(b.lastRated()), Fit: fitOf(b.fits[track]),
	}
}

// lastRated is when the bucket's last rated game ended; zero for none.
func (b *bucket) lastRated() time.Time {
	if b.BoardTrack.Rated.After(b.AllTrack.Rated) {
		return b.BoardTrack.Rated
	}
	return b.AllTrack.Rated
}

// instant is a moment as text, null when there is none.
func instant(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	s := t.UTC().Format(time.RFC3339)
	return &s
}

// percent is a share of n in per cent with one decimal; null of none.
func percent(part float64, n int) *float64 {
	if n == 0 {
		return nil
	}
	p := math.Round(1000*part/float64(n)) / 10
	return &p
}
