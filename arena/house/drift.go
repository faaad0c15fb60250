package house

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"chessarena/arena"
	"chessarena/arena/rating"
	"chessarena/store"
)

// When an anchor has drifted (ratings research §2): its results are so many standard
// deviations from what its pin and the fit expect, over at least so many games.
const (
	driftSigmas = 3
	driftGames  = 50
)

// Drift is how the games of an anchor agree with its pin.
type Drift struct {
	Name     string  `json:"name"`
	Harness  string  `json:"harness"`
	Pin      float64 `json:"pin"`
	Games    int     `json:"games"`
	Score    float64 `json:"score"`
	Expected float64 `json:"expected"`
	Sigmas   float64 `json:"sigmas"` // of Score − Expected
	Alarm    bool    `json:"alarm"`  // it plays better or worse than its pin says
}

// drifted says whether a row of a fit is an alarm.
func drifted(r rating.Row) bool {
	return r.Games >= driftGames && math.Abs(r.Surprise) > driftSigmas
}

// Drifts reads from the latest published fit how each anchor has played, the strongest
// first. Anchors that nobody has met are left out.
func Drifts(ctx context.Context, db *store.DB) (list []Drift, err error) {
	err = db.View(ctx, func(tx *store.Tx) error {
		refit, err := tx.LastRefit(arena.TrackAll)
		if err != nil || refit.Place == 0 {
			return err
		}
		var fit rating.Fit
		if err := json.Unmarshal(refit.Fit, &fit); err != nil {
			return fmt.Errorf("read the latest fit: %w", err)
		}
		list = nil
		for _, row := range fit.Rows {
			if row.Status != rating.StatusAnchor {
				continue
			}
			b, err := tx.Bucket(row.Bucket)
			if err != nil {
				return err
			}
			list = append(list, Drift{
				Name: b.Config.Model, Harness: b.Config.Harness, Pin: row.Rating, Games: row.Games,
				Score: row.Score, Expected: row.Expected, Sigmas: row.Surprise, Alarm: drifted(row),
			})
		}
		return nil
	})
	slices.SortStableFunc(list, func(a, b Drift) int { return cmp.Compare(b.Pin, a.Pin) })
	return list, err
}
