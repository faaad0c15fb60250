package matchmaker

import (
	"context"
	"fmt"
	"time"

	"chessarena/arena"
	"chessarena/arena/arbiter"
	"chessarena/arena/tool"
	"chessarena/rules"
	"chessarena/store"
)

// JoinInput is the arguments of join_queue.
type JoinInput struct {
	ConfigID  int64    `json:"config_id" arg:"required" code:"invalid_config_id" min:"1" doc:"which of your configurations is to play; register and add_config told its id"`
	Wait      *float64 `json:"wait_s" doc:"wait up to this many seconds for an opponent; 0 looks once. Left out, it is short enough for any client; if yours allows long calls, pass up to 600"`
	Opponents string   `json:"opponents" code:"invalid_opponents" doc:"any (left out means this), agents_only (never a house player) or anchors_only (only house players of known strength)"`
}

// Matched is the answer to join_queue when there is a game.
type Matched struct {
	Status  string         `json:"status"` // "matched"
	GameID  arena.GameID   `json:"game_id"`
	Color   rules.Color    `json:"color"`
	Opening *arena.Opening `json:"opening"` // null when the game began without one
	State   *arbiter.State `json:"state"`
}

// Waiting is the answer to join_queue when there is no game yet.
type Waiting struct {
	Status   string  `json:"status"`         // "waiting"
	Position int     `json:"queue_position"` // from 1; 0 when it was taken out meanwhile
	Waited   float64 `json:"waited_s"`       // in this call
	Size     int     `json:"queue_size"`
	Message  string  `json:"message"`
}

// Join puts one of agent's configurations into the queue and waits for its game: a
// Matched or a Waiting. A configuration that has a game gets that one, and one that
// waits already keeps its place, so calling again is always right.
func (m *Matchmaker) Join(ctx context.Context, agent arena.Agent, in JoinInput) (any, error) {
	opponents, err := arena.ParseOpponents(in.Opponents)
	if err != nil {
		return nil, err
	}
	game, err := m.enter(ctx, agent, in.ConfigID, opponents)
	if err != nil {
		return nil, err
	}
	answer := Waiting{Status: "waiting"}
	look := func() (bool, error) {
		if game != "" {
			return true, nil
		}
		err := m.db.View(ctx, func(tx *store.Tx) (err error) {
			if game, err = tx.ConfigGame(agent.ID, in.ConfigID); err != nil || game != "" {
				return err
			}
			w, err := tx.Waiter(in.ConfigID)
			if arena.CodeOf(err) == arena.NotFound {
				answer.Position = 0
				answer.Size, err = tx.QueueSize()
				return err
			}
			if err == nil {
				answer.Position, answer.Size, err = tx.Place(w)
			}
			return err
		})
		return game != "" || answer.Position == 0, err
	}
	waited, err := tool.Wait{
		Hub: m.hub, Topic: arbiter.SeatTopic(in.ConfigID), Claim: fmt.Sprintf("queue/%d", in.ConfigID),
		Max: m.settings.Wait(in.Wait, m.settings.LongPollDefault), Beat: m.settings.ProgressInterval, Note: "waiting for an opponent",
	}.Until(ctx, look)
	switch {
	case err != nil:
		return nil, err
	case game != "":
		return m.matched(ctx, agent, game)
	}
	answer.Waited = waited.Round(time.Millisecond).Seconds()
	answer.Message = "No opponent yet; call join_queue again to keep waiting."
	if answer.Position == 0 {
		answer.Message = "This configuration is no longer in the queue, and has no game; call join_queue to wait again."
	}
	return answer, nil
}

// enter puts the configuration into the queue, unless it has a game, which it returns.
func (m *Matchmaker) enter(ctx context.Context, agent arena.Agent, config int64, o arena.Opponents) (game arena.GameID, err error) {
	enter := func(tx *store.Tx, write bool) (done bool, err error) {
		if err := owned(tx, agent, config); err != nil {
			return true, err
		}
		if game, err = tx.ConfigGame(agent.ID, config); err != nil || game != "" {
			return true, err
		}
		w, err := tx.Waiter(config)
		if err == nil && w.Opponents == o {
			return true, nil
		}
		if err != nil && arena.CodeOf(err) != arena.NotFound {
			return true, err
		}
		games, err := tx.ActiveGames(agent.ID)
		if err != nil {
			return true, err
		}
		if len(games) >= m.settings.MaxActiveGames {
			return true, arena.Errorf(arena.TooManyGames, "You are in %d games, which is as many as one nickname may play at once; finish one first.", len(games)).
				With(struct {
					Games []arena.GameID `json:"active_games"`
				}{games})
		}
		if !write {
			return false, nil
		}
		tx.After(func() { m.hub.Wake(Topic) })
		return true, tx.Enqueue(config, agent.ID, o)
	}
	// Most calls find their configuration where the last one left it; they write nothing.
	done := false
	err = m.db.View(ctx, func(tx *store.Tx) (err error) { done, err = enter(tx, false); return err })
	if err != nil || done {
		return game, err
	}
	err = m.db.Update(ctx, func(tx *store.Tx) error { _, err := enter(tx, true); return err })
	return game, err
}

// owned refuses a configuration that is not agent's as if it did not exist.
func owned(tx *store.Tx, agent arena.Agent, config int64) error {
	entry, err := tx.Entry(config)
	switch {
	case err != nil && arena.CodeOf(err) != arena.NotFound:
		return err
	case err != nil || entry.NicknameID != agent.ID:
		return arena.Errorf(arena.ConfigNotFound, "You own no configuration %d; list_configs shows those you have.", config)
	}
	return nil
}

func (m *Matchmaker) matched(ctx context.Context, agent arena.Agent, id arena.GameID) (any, error) {
	once := 0.0
	state, err := m.arbiter.GetState(ctx, agent, arbiter.StateInput{GameID: id, Wait: &once})
	if err != nil {
		return nil, err
	}
	return Matched{"matched", id, state.YourColor, state.Opening, state}, nil
}
