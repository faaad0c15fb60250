package hall

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"golang.org/x/sync/errgroup"

	"chessarena/arena"
	"chessarena/arena/engine"
	"chessarena/arena/house"
	"chessarena/arena/matchmaker"
)

// judgeEvery is how often the hall looks for a forfeited game that waits for a verdict.
const judgeEvery = 2 * time.Second

// driftEvery is how often the hall looks at how the anchors do.
const driftEvery = 10 * time.Minute

// verdictNodes is how long an engine looks at the last position of a forfeited game.
const verdictNodes = 200_000

// newHouse returns the house, without players yet.
func (h *Hall) newHouse() *house.House {
	return house.New(h.DB, h.Hub, h.Arbiter, house.Options{
		Key: func(ctx context.Context) (string, arena.Fingerprint, error) {
			key, hash, err := h.Registrar.NewKey(ctx, house.Nickname)
			return hash, key.Fingerprint(), err
		},
		Opening: func(id arena.GameID) (arena.Opening, []string) {
			line := matchmaker.Pick(id)
			return line.Opening, line.UCI
		},
		Games: h.Settings.HouseGames, Pace: house.Pace, Log: h.Log,
	})
}

// NewPool makes a pool of engines: with Stockfish, or whatever UCI engine the settings
// name, when it is there and works. The caller closes the pool.
func NewPool(ctx context.Context, s arena.Settings, log *slog.Logger) *engine.Pool {
	var program *engine.Program
	path, err := engine.Find(s.Stockfish)
	if err == nil && path != "" {
		program, err = engine.Identify(ctx, path)
	}
	switch {
	case ctx.Err() != nil:
	case err != nil:
		log.Warn("no other engine than the built-in one", "err", err)
	case program != nil:
		log.Info("found an engine", "engine", program.Name, "path", program.Path)
	}
	return engine.NewPool(s.EngineProcs, program, log)
}

// runHouse seats the house's players, plays their games and judges forfeited ones, until
// ctx ends; then it ends the engines.
func (h *Hall) runHouse(ctx context.Context) error {
	pool := NewPool(ctx, h.Settings, h.Log)
	defer pool.Close()
	for {
		err := h.House.Seat(ctx, pool)
		if err == nil || ctx.Err() != nil {
			break
		}
		h.Log.Error("the house's players cannot be seated; it is tried again", "err", err)
		select {
		case <-ctx.Done():
		case <-time.After(recoverEvery):
		}
	}
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return h.House.Run(ctx) })
	group.Go(func() error {
		return h.every(ctx, judgeEvery, "verdicts on forfeited games", func(ctx context.Context) error { return h.Judge(ctx, pool) })
	})
	group.Go(func() error { return h.every(ctx, reapEvery, "idle engines", idle(pool)) })
	group.Go(func() error { return h.every(ctx, driftEvery, "drift of the anchors", h.watchDrift()) })
	return group.Wait()
}

func idle(pool *engine.Pool) func(context.Context) error {
	return func(context.Context) error {
		pool.StopIdle(time.Now())
		return nil
	}
}

// watchDrift tells the log of each anchor that has come to play otherwise than its rating
// says, once.
func (h *Hall) watchDrift() func(context.Context) error {
	told := make(map[house.Drift]bool)
	return func(ctx context.Context) error {
		list, err := house.Drifts(ctx, h.DB)
		for _, d := range list {
			who := house.Drift{Name: d.Name, Harness: d.Harness}
			if d.Alarm && !told[who] {
				told[who] = true
				h.Log.Warn("an anchor plays otherwise than its rating says; see arena calibrate --check",
					"anchor", d.Name, "rating", d.Pin, "games", d.Games, "score", d.Score, "expected", d.Expected)
			}
		}
		return err
	}
}

// Judge decides for every forfeited game that waits whether it counts on the board track.
func (h *Hall) Judge(ctx context.Context, pool *engine.Pool) error {
	if h.DB.Trouble() != nil {
		return nil
	}
	for {
		more, err := h.Arbiter.Adjudicate(ctx, verdictJudge{pool})
		if err != nil || !more {
			return err
		}
	}
}

// verdictJudge is the pool's judge, and the built-in engine while that one is down: a
// verdict says by whom it is.
type verdictJudge struct{ pool *engine.Pool }

// Evaluate implements engine.Evaluator.
func (j verdictJudge) Evaluate(ctx context.Context, fen string) (engine.Evaluation, error) {
	e, err := j.pool.Evaluator(engine.Play, verdictNodes).Evaluate(ctx, fen)
	if errors.Is(err, engine.ErrDown) {
		e, err = j.pool.OwnEvaluator(engine.Play, verdictNodes).Evaluate(ctx, fen)
	}
	if err != nil {
		return e, fmt.Errorf("judge a position: %w", err)
	}
	return e, nil
}
