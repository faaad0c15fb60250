package engine

import (
	"context"
	"math/rand/v2"

	"chessarena/rules"
)

// Random plays any legal move, each as likely as the others.
type Random struct{}

// Move implements Player.
func (Random) Move(_ context.Context, g *rules.Replay, seed uint64) (rules.Move, error) {
	return anyMove(g, dice(seed))
}

// Mixed plays a random move with probability Share, else as Other does. It fills the
// scale between Random and the weakest engine.
type Mixed struct {
	Share float64 // 0 to 1
	Other Player
}

// Move implements Player.
func (m Mixed) Move(ctx context.Context, g *rules.Replay, seed uint64) (rules.Move, error) {
	r := dice(seed)
	if r.Float64() < m.Share {
		return anyMove(g, r)
	}
	return m.Other.Move(ctx, g, seed)
}

// dice returns the randomness of one move.
func dice(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x6d6f7665)) }

func anyMove(g *rules.Replay, r *rand.Rand) (rules.Move, error) {
	legal := g.Position().Legal()
	if len(legal) == 0 {
		return rules.Move{}, ErrNoMove
	}
	return legal[r.IntN(len(legal))], nil
}
