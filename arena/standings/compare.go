package standings

import (
	"context"
	"math"
	"slices"

	"chessarena/arena"
	"chessarena/arena/rating"
	"chessarena/arena/tool"
	"chessarena/store"
)

var compareSpec = tool.Spec{
	Name:  "compare",
	Title: "Two models or configurations against each other",
	Doc: `What a has made of its games against b, what the ratings expected, and how sure one can be which is the stronger. ` +
		`a and b are models, in any spelling, or bucket keys.`,
	Route:      "GET /v1/compare",
	RESTOnly:   true,
	Access:     tool.Public,
	Idempotent: true,
	Errors:     []arena.Code{arena.NotFound},
	Example:    `{"a": "claude-sonnet-5", "b": "gpt-5"}`,
}

type compareInput struct {
	A string `json:"a" arg:"required" doc:"a model or a bucket key"`
	B string `json:"b" arg:"required" doc:"another"`
}

// Side is one side of a comparison.
type Side struct {
	Model     string           `json:"model"`
	BucketKey *arena.BucketKey `json:"bucket_key"` // null for a whole model
	Rating    float64          `json:"rating"`
	SE        float64          `json:"se"`
}

// Comparison is a against b. What needs a game is null without one.
type Comparison struct {
	A           Side         `json:"a"`
	B           Side         `json:"b"`
	Games       int          `json:"games"`
	Wins        int          `json:"wins"` // a's
	Draws       int          `json:"draws"`
	Losses      int          `json:"losses"`
	Score       *float64     `json:"score"`    // a's, 0 to 1
	Expected    float64      `json:"expected"` // by the ratings
	Elo         *float64     `json:"elo"`      // the difference that the score shows; null when one side won all
	EloCI95     *[2]*float64 `json:"elo_ci95"` // an end that no score would be too extreme for is null
	LOS         *float64     `json:"los"`      // likelihood that a is the stronger, by these games alone
	SPRT        SPRT         `json:"sprt"`
	GamesNeeded *int         `json:"games_needed"` // more, to tell the two apart if the ratings are right; null when they are equal
}

// SPRT is the sequential test "is a stronger than b by 100 points, or not at all".
type SPRT struct {
	LLR    float64       `json:"llr"`
	Bounds [2]float64    `json:"bounds"`
	Answer rating.Answer `json:"answer"`
}

func (s *Standings) compareTool(ctx context.Context, _ arena.Agent, in compareInput) (Comparison, error) {
	return s.Compare(ctx, in.A, in.B)
}

// Compare sets two models or configurations against each other.
func (s *Standings) Compare(ctx context.Context, a, b string) (Comparison, error) {
	all, err := s.board(ctx)
	if err != nil {
		return Comparison{}, err
	}
	var out Comparison
	left, err := s.side(all, a, &out.A)
	if err != nil {
		return out, err
	}
	right, err := s.side(all, b, &out.B)
	if err != nil {
		return out, err
	}
	var wdl rating.WDL
	err = s.db.View(ctx, func(tx *store.Tx) error {
		for _, one := range left {
			for _, other := range right {
				if one.ID == other.ID {
					continue
				}
				pair, err := tx.Pair(one.ID, other.ID)
				if err != nil {
					return err
				}
				wdl = plus(wdl, score(pair, one.ID))
			}
		}
		return nil
	})
	out.Expected = rating.ScoreOf(out.A.Rating - out.B.Rating)
	out.judge(wdl)
	return out, err
}

func (c *Comparison) judge(wdl rating.WDL) {
	c.Games, c.Wins, c.Draws, c.Losses = wdl.Games(), wdl.Wins, wdl.Draws, wdl.Losses
	low, high := rating.Stronger.Bounds()
	c.SPRT = SPRT{rating.Stronger.LLR(wdl), [2]float64{low, high}, rating.Stronger.Answer(wdl)}
	if more := math.Ceil(rating.Needed(c.A.Rating-c.B.Rating)) - float64(c.Games); more < 1e6 {
		n := int(max(0, more))
		c.GamesNeeded = &n
	}
	if c.Games == 0 {
		return
	}
	score := (float64(c.Wins) + float64(c.Draws)/2) / float64(c.Games)
	los := rating.LOS(wdl)
	c.Score, c.LOS = &score, &los
	elo, ci := rating.Difference(wdl)
	c.Elo, c.EloCI95 = finite(elo), &[2]*float64{finite(ci.Low), finite(ci.High)}
}

// finite is x, or null when it is beyond all bounds.
func finite(x float64) *float64 {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return nil
	}
	return &x
}

// side finds what a text names: a bucket by its key, or the buckets of a model.
func (s *Standings) side(b *board, text string, side *Side) ([]*bucket, error) {
	if i := slices.IndexFunc(b.buckets, func(one *bucket) bool { return string(one.Key) == text }); i >= 0 {
		one := b.buckets[i]
		e := one.estimate()
		*side = Side{one.Config.Model, &one.Key, e.Value, e.SE}
		return []*bucket{one}, nil
	}
	name := text
	if s.Canonical != nil {
		name = s.Canonical(text)
	}
	buckets := b.ofModel(name)
	if len(buckets) == 0 {
		return nil, arena.Errorf(arena.NotFound, "Nothing that has played here goes by %s.", arena.Quote(text))
	}
	row := s.modelRow(buckets)
	*side = Side{row.Model, nil, row.Rating, row.RD}
	return buckets, nil
}
