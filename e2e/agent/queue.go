package agent

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
)

// Played is a game that a player got out of the queue and finished.
type Played struct {
	GameID string
	Final  State
}

// Queue joins the queue with p's configuration and waits, call by call, until it has a
// game.
func (p *Player) Queue(ctx context.Context, opponents string) (game string, err error) {
	for {
		var answer struct {
			Status string `json:"status"`
			GameID string `json:"game_id"`
		}
		err := Do(ctx, p.Caller, "join_queue", Args{"key": p.Key, "config_id": p.ConfigID, "opponents": opponents, "wait_s": 20}, &answer)
		if err != nil {
			return "", err
		}
		if answer.GameID != "" {
			return answer.GameID, nil
		}
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
	}
}

// PlayRandom plays a game to its end with random legal moves.
func (p *Player) PlayRandom(ctx context.Context, game string, dice *rand.Rand) (Played, error) {
	st, err := p.State(ctx, game, 20)
	for {
		if err != nil {
			return Played{}, fmt.Errorf("game %s: %w", game, err)
		}
		switch {
		case st.Over():
			return Played{game, *st}, nil
		case !st.YourTurn:
			st, err = p.State(ctx, game, 20)
		case len(st.LegalUCI) == 0:
			return Played{}, fmt.Errorf("game %s: %w", game, errors.New("no legal move and not over"))
		default:
			var answer struct {
				State State `json:"state"`
			}
			err = Do(ctx, p.Caller, "submit_move", Args{
				"key": p.Key, "game_id": game, "ply": st.Ply, "wait_s": 20,
				"move": st.LegalUCI[dice.IntN(len(st.LegalUCI))],
			}, &answer)
			st = &answer.State
		}
	}
}

// RegisterAs makes a new nickname over c that plays as model.
func RegisterAs(ctx context.Context, c Caller, nickname, model string) (*Player, error) {
	var made struct {
		Key      string `json:"key"`
		ConfigID int64  `json:"config_id"`
	}
	err := Do(ctx, c, "register", Args{
		"nickname": nickname,
		"config":   Args{"model": model, "provider": "nobody", "harness": "e2e-1.0"},
	}, &made)
	if err != nil {
		return nil, err
	}
	return &Player{Caller: c, Nickname: nickname, Key: made.Key, ConfigID: made.ConfigID}, nil
}
