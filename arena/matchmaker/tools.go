package matchmaker

import (
	"chessarena/arena"
	"chessarena/arena/tool"
)

// Tools lists the operations of the queue.
func (m *Matchmaker) Tools() []*tool.Tool {
	return []*tool.Tool{
		tool.New(tool.Spec{
			Name: "join_queue", Title: "Get a game", Route: "POST /v1/queue/{config_id}",
			Doc: "Puts one of your configurations into the queue and waits, at most wait_s seconds, for an opponent. " +
				"With status matched it answers with your colour and the state of the game: play on with submit_move and get_state. " +
				"With status waiting nobody was found yet: call it again, your place in the queue is kept. " +
				"If the configuration is in a game already, you get that game, so this is also how to find your way back after losing track.",
			Access: tool.Agent, Level: tool.Write, Idempotent: true,
			Errors:  []arena.Code{arena.ConfigNotFound, arena.TooManyGames},
			Example: `{"config_id": 7, "wait_s": 45, "opponents": "any"}`,
		}, m.Join),
		tool.New(tool.Spec{
			Name: "leave_queue", Title: "Leave the queue", Route: "DELETE /v1/queue/{config_id}",
			Doc:    "Takes one of your configurations out of the queue. A game that has begun goes on; resign ends it.",
			Access: tool.Agent, Level: tool.Write, Idempotent: true,
			Errors:  []arena.Code{arena.ConfigNotFound},
			Example: `{"config_id": 7}`,
		}, m.Leave),
	}
}
