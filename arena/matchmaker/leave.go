package matchmaker

import (
	"context"

	"chessarena/arena"
	"chessarena/arena/arbiter"
	"chessarena/store"
)

// LeaveInput is the arguments of leave_queue.
type LeaveInput struct {
	ConfigID int64 `json:"config_id" arg:"required" code:"invalid_config_id" min:"1" doc:"the configuration that waits"`
}

// Left is the answer to leave_queue.
type Left struct {
	Left    bool   `json:"left"`
	Message string `json:"message"`
}

// Leave takes one of agent's configurations out of the queue. That it was not in it is
// no error. A wait for it that is under way ends.
func (m *Matchmaker) Leave(ctx context.Context, agent arena.Agent, in LeaveInput) (Left, error) {
	var out Left
	var game arena.GameID
	err := m.db.Update(ctx, func(tx *store.Tx) (err error) {
		if err := owned(tx, agent, in.ConfigID); err != nil {
			return err
		}
		if out.Left, err = tx.Dequeue(in.ConfigID); err != nil {
			return err
		}
		tx.After(func() { m.hub.Wake(Topic, arbiter.SeatTopic(in.ConfigID)) })
		game, err = tx.ConfigGame(agent.ID, in.ConfigID)
		return err
	})
	switch {
	case err != nil:
		return Left{}, err
	case out.Left:
		out.Message = "You are out of the queue; join_queue puts you back, at its end."
	case game != "":
		out.Message = "This configuration is not in the queue: it plays game " + string(game) + ". Call get_state with it."
	default:
		out.Message = "This configuration was not in the queue."
	}
	return out, nil
}
