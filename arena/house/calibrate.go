package house

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"chessarena/arena/engine"
	"chessarena/arena/rating"
	"chessarena/rules"
)

// Calibration is what a calibration has found: the ratings of rungs on one scale, and all
// that is needed to do it again.
type Calibration struct {
	ID      string `json:"id"`             // its day; part of each rung's identity
	Engine  string `json:"engine"`         // name of the rungs' engine
	Hash    string `json:"hash,omitempty"` // SHA-256 of its binary; "" for the built-in engine
	Command string `json:"command"`
	Method  string `json:"method"`
	Games   int    `json:"games"` // of the whole tournament, other engines' included
	Pins    []Pin  `json:"pins"`
}

// Pin is the rating of a rung.
type Pin struct {
	Name  string  `json:"name"`
	Elo   float64 `json:"elo"`   // whole points
	SE    float64 `json:"se"`    // standard error in whole points, of the distance to what was fixed
	Games int     `json:"games"` // played by this rung
	// Residual is the score per game that the rung made beyond what the fit expects of it.
	Residual float64 `json:"residual,omitempty"`
}

// Tournament is the games of a calibration: each rung against its next Reach neighbours
// by strength, both colours of each opening.
type Tournament struct {
	Rungs    []Rung     // by strength, the weakest first
	Fixed    []Pin      // the scale: rungs whose rating stands already, at least one
	Book     [][]string // opening lines in UCI
	Games    int        // of each pairing
	Reach    int
	Procs    int // games at once
	Seed     uint64
	Progress func(done, total int) // called after every game, by one at a time; may be nil
}

// maxPlies ends a game of a calibration as a draw, as it does in the arena by default.
const maxPlies = 400

type pairing struct{ a, b int } // places in Rungs

// Play plays the tournament and fits its ratings.
func (t Tournament) Play(ctx context.Context) ([]Pin, error) {
	if len(t.Book) == 0 || len(t.Fixed) == 0 || t.Games < 2 || t.Reach < 1 {
		return nil, errors.New("calibrate: a tournament needs a book, a fixed rung, two games a pairing and a reach")
	}
	var pairings []pairing
	for a := range t.Rungs {
		for b := a + 1; b <= min(a+t.Reach, len(t.Rungs)-1); b++ {
			if t.fixed(a) == nil || t.fixed(b) == nil { // else it would tell nothing
				pairings = append(pairings, pairing{a: a, b: b})
			}
		}
	}
	results, err := t.games(ctx, pairings)
	if err != nil {
		return nil, err
	}
	return t.fit(results)
}

// fixed returns the pin of a rung whose rating stands already, else nil.
func (t Tournament) fixed(i int) *Pin {
	for j := range t.Fixed {
		if t.Fixed[j].Name == t.Rungs[i].Name {
			return &t.Fixed[j]
		}
	}
	return nil
}

// result is one game: Score is White's.
type result struct {
	white, black int
	score        float64
}

// games plays all games. The outcome is the same however many are played at once.
func (t Tournament) games(ctx context.Context, pairings []pairing) ([]result, error) {
	each := t.Games + t.Games%2
	results := make([]result, len(pairings)*each)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(max(1, t.Procs))
	var mu sync.Mutex
	done := 0
	for i := range results {
		// Pairings in turn, so that a guess of the time left means something.
		p, n := pairings[i%len(pairings)], i/len(pairings)
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			r := result{white: p.a, black: p.b}
			if n%2 == 1 {
				r.white, r.black = p.b, p.a
			}
			line := t.Book[(n/2)%len(t.Book)]
			score, err := playOut(ctx, t.Rungs[r.white].player, t.Rungs[r.black].player, line, mix(t.Seed, uint64(p.a), uint64(p.b), uint64(n)))
			if err != nil {
				return fmt.Errorf("%s against %s: %w", t.Rungs[r.white].Name, t.Rungs[r.black].Name, err)
			}
			r.score = score
			results[i] = r
			mu.Lock()
			defer mu.Unlock()
			done++
			if t.Progress != nil {
				t.Progress(done, len(results))
			}
			return nil
		})
	}
	return results, group.Wait()
}

// retries is how often a move is asked of an engine that fails, and retryAfter the pause
// between: longer than the rest it is given.
const (
	retries    = 4
	retryAfter = 3 * time.Second
)

// playOut plays a game to its end by the arena's rules and returns White's score.
func playOut(ctx context.Context, white, black engine.Player, line []string, seed uint64) (float64, error) {
	g, err := rules.ReplayUCI(nil, line)
	if err != nil {
		return 0, err
	}
	for g.Ending(maxPlies) == "" {
		player := white
		if g.Position().Turn() == rules.Black {
			player = black
		}
		move, err := player.Move(ctx, g, mix(seed, uint64(g.Ply())))
		for try := 0; errors.Is(err, engine.ErrDown) && try < retries; try++ {
			select {
			case <-ctx.Done():
				return 0, ctx.Err()
			case <-time.After(retryAfter):
			}
			move, err = player.Move(ctx, g, mix(seed, uint64(g.Ply())))
		}
		if err != nil {
			return 0, err
		}
		g = g.Push(move)
	}
	winner, ok := g.Winner()
	switch {
	case !ok:
		return 0.5, nil
	case winner == rules.White:
		return 1, nil
	}
	return 0, nil
}

// fit is the ratings that explain the results best, the fixed ones staying.
func (t Tournament) fit(results []result) ([]Pin, error) {
	in := rating.Input{Uncapped: true}
	for i := range t.Rungs {
		b := rating.Bucket{ID: int64(i)}
		if p := t.fixed(i); p != nil {
			b.Anchor, b.Pin = true, p.Elo
		}
		in.Buckets = append(in.Buckets, b)
	}
	for _, r := range results {
		in.Games = append(in.Games, rating.Game{
			White: rating.Side{Bucket: int64(r.white), Nickname: int64(r.white)},
			Black: rating.Side{Bucket: int64(r.black), Nickname: int64(r.black)}, Score: r.score,
		})
	}
	fit, err := rating.Refit(in)
	if err != nil {
		return nil, fmt.Errorf("calibrate: %w", err)
	}
	slices.SortFunc(fit.Rows, func(a, b rating.Row) int { return cmp.Compare(a.Bucket, b.Bucket) })
	pins := make([]Pin, 0, len(fit.Rows))
	for _, row := range fit.Rows {
		pins = append(pins, Pin{
			Name: t.Rungs[row.Bucket].Name, Elo: math.Round(row.Rating), SE: math.Round(row.SE), Games: row.Games,
			Residual: (row.Score - row.Expected) / float64(max(1, row.Games)),
		})
	}
	return pins, nil
}

// mix makes one number of several, as a seed.
func mix(parts ...uint64) uint64 {
	h := fnv.New64a()
	for _, p := range parts {
		h.Write(binary.LittleEndian.AppendUint64(nil, p))
	}
	return h.Sum64()
}
