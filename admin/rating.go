package admin

import (
	"context"
	"fmt"

	"chessarena/arena"
	"chessarena/arena/refit"
	"chessarena/arena/tool"
	"chessarena/store"
)

type recomputeIn struct {
	Check bool `json:"check" doc:"only compare, and change nothing"`
}

type recomputeOut struct {
	refit.Report
	Mended  int    `json:"mended"` // live ratings that were put right
	Message string `json:"message"`
}

// unmend is the undo snapshot of ratings recompute: the live ratings as they were.
type unmend struct {
	Undo    string         `json:"undo"` // "restore-ratings"
	Ratings []refit.Mended `json:"ratings"`
}

// recompute replays every rating from the games on. Comparing is a read, and a long
// one: it does not hold the writer, as mending must.
func (d *desk) recompute() *tool.Tool {
	spec := tool.Spec{
		Name:  "ratings.recompute",
		Title: "Replay all rated games and compare every rating",
		Doc: "Replay all rated games and published fits in their order, and compare every stored rating with what comes out, bit for bit. " +
			"With --check nothing is changed; without it, live ratings that differ are put right. " +
			"With --check on a busy arena, games that end meanwhile show as faults: check a backup then.",
		Level:   tool.Write,
		Example: "ratings recompute",
	}
	return tool.NewOperator(spec, func(ctx context.Context, op arena.Operator, in recomputeIn) (recomputeOut, error) {
		if in.Check {
			report, err := d.hall.Refitter.Check(ctx)
			return recomputed(report, 0), err
		}
		return carryOut(ctx, d, deed{op, spec.Name, in}, func(tx *store.Tx) (written[recomputeOut], error) {
			report, mended, err := refit.Mend(tx)
			return written[recomputeOut]{recomputed(report, len(mended)), unmend{"restore-ratings", mended}}, err
		})
	})
}

func recomputed(report refit.Report, mended int) recomputeOut {
	games, fits, faults := 0, 0, 0
	for _, t := range report.Tracks {
		games, fits, faults = games+t.Games, fits+t.Refits, faults+len(t.Faults)
	}
	out := recomputeOut{Report: report, Mended: mended}
	switch {
	case report.OK:
		out.Message = fmt.Sprintf("%d rated games and %d fits replayed; every rating is what they give.", games, fits)
	case mended > 0:
		out.Message = fmt.Sprintf("%d rated games and %d fits replayed; %d live ratings put right.", games, fits, mended)
	default:
		out.Message = fmt.Sprintf("%d rated games and %d fits replayed; %d faults, listed above.", games, fits, faults)
	}
	return out
}
