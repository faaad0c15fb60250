package standings

import (
	"cmp"
	"context"
	"slices"

	"chessarena/arena"
	"chessarena/arena/rating"
	"chessarena/store"
)

// Meeting is what one side has made of its games against another.
type Meeting struct {
	Model     string           `json:"model"`                // the opponent's
	BucketKey *arena.BucketKey `json:"bucket_key,omitempty"` // when a single configuration is meant
	Anchor    bool             `json:"anchor"`
	Games     int              `json:"games"`
	Wins      int              `json:"wins"`
	Draws     int              `json:"draws"`
	Losses    int              `json:"losses"`
	Score     float64          `json:"score"`    // 0 to 1
	Expected  float64          `json:"expected"` // by the ratings
}

// score is what bucket made against another, from the pair of both.
func score(p arena.Pair, bucket int64) rating.WDL {
	losses := p.Games - p.AWins - p.Draws
	if p.A == bucket {
		return rating.WDL{Wins: p.AWins, Draws: p.Draws, Losses: losses}
	}
	return rating.WDL{Wins: losses, Draws: p.Draws, Losses: p.AWins}
}

func plus(a, b rating.WDL) rating.WDL {
	return rating.WDL{Wins: a.Wins + b.Wins, Draws: a.Draws + b.Draws, Losses: a.Losses + b.Losses}
}

// meetings sums what buckets have had with each opponent, as key tells opponents apart.
// Games within the buckets themselves are left out. The most frequent comes first.
func (s *Standings) meetings(ctx context.Context, b *board, buckets []*bucket, byModel bool) ([]Meeting, error) {
	own := make(map[int64]*bucket)
	for _, one := range buckets {
		own[one.ID] = one
	}
	type opponent struct {
		Meeting
		wdl      rating.WDL
		expected float64 // points
	}
	found := make(map[string]*opponent)
	err := s.db.View(ctx, func(tx *store.Tx) error {
		for _, one := range buckets {
			pairs, err := tx.PairsOf(one.ID)
			if err != nil {
				return err
			}
			for _, p := range pairs {
				other := b.byID[p.A+p.B-one.ID]
				if other == nil || own[other.ID] != nil || p.Games == 0 {
					continue
				}
				key := string(other.Key)
				if byModel && !other.Pinned {
					key = "model " + other.Config.Model
				}
				o := found[key]
				if o == nil {
					o = &opponent{Meeting: Meeting{Model: other.Config.Model, Anchor: other.Pinned}}
					if !byModel || other.Pinned {
						o.BucketKey = &other.Key
					}
					found[key] = o
				}
				o.wdl = plus(o.wdl, score(p, one.ID))
				o.expected += float64(p.Games) * expected(one, other)
			}
		}
		return nil
	})
	list := make([]Meeting, 0, len(found))
	for _, o := range found {
		m := o.Meeting
		m.Games, m.Wins, m.Draws, m.Losses = o.wdl.Games(), o.wdl.Wins, o.wdl.Draws, o.wdl.Losses
		m.Score = (float64(m.Wins) + float64(m.Draws)/2) / float64(m.Games)
		m.Expected = o.expected / float64(m.Games)
		list = append(list, m)
	}
	slices.SortFunc(list, func(x, y Meeting) int {
		return cmp.Or(cmp.Compare(y.Games, x.Games), cmp.Compare(x.Model, y.Model), cmp.Compare(keyOf(x), keyOf(y)))
	})
	return list, err
}

func keyOf(m Meeting) arena.BucketKey {
	if m.BucketKey == nil {
		return ""
	}
	return *m.BucketKey
}

// expected is the score of one against other by their strengths, colours aside.
func expected(one, other *bucket) float64 {
	return rating.ScoreOf(one.strength(arena.TrackAll) - other.strength(arena.TrackAll))
}
