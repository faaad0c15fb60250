package arbiter

import (
	"chessarena/arena"
	"chessarena/arena/tool"
)

// inGame are the codes of every call about one of your games.
var inGame = []arena.Code{arena.NotFound, arena.NotYourGame}

func codes(more ...arena.Code) []arena.Code {
	return append(append([]arena.Code{}, inGame...), more...)
}

// Tools lists the operations of play.
func (a *Arbiter) Tools() []*tool.Tool {
	return []*tool.Tool{
		tool.New(tool.Spec{
			Name: "get_state", Title: "See one of your games", Route: "GET /v1/games/{game_id}/state",
			Doc: "Shows one of your games: position (FEN, board, pieces), whose turn it is, your legal moves, clocks, draw offers. " +
				"When it is the opponent's turn the call waits for the move, at most wait_s seconds, and returns as soon as there is something for you to do; " +
				"if it returns with your_turn false and waited_s set, call it again. The field next says what to call now.",
			Access: tool.Agent, Level: tool.Read, Idempotent: true, Errors: codes(),
			Example: `{"game_id": "01k9zq3v7x2b", "wait_s": 45}`,
		}, a.GetState),
		tool.New(tool.Spec{
			Name: "submit_move", Title: "Play a move", Route: "POST /v1/games/{game_id}/moves",
			Doc: "Plays one move in one of your games. Give the ply of the state you decided on and the move in SAN or UCI. " +
				"A wrong ply or a call out of turn is refused at no cost; an illegal or unreadable move costs one of the attempts you have on this ply, " +
				"and using the last one loses the game. Choose from legal_moves_san. After it, call get_state to wait for the reply, or pass wait_s.",
			Access: tool.Agent, Level: tool.Write,
			Errors:  codes(arena.GameNotActive, arena.StalePly, arena.NotYourTurn, arena.IllegalMove),
			Refusal: refused{},
			Example: `{"game_id": "01k9zq3v7x2b", "ply": 0, "move": "e4", "wait_s": 45}`,
		}, a.SubmitMove),
		tool.New(tool.Spec{
			Name: "resign", Title: "Resign a game", Route: "POST /v1/games/{game_id}/resign",
			Doc:    "Gives up one of your games; the opponent wins. It cannot be taken back.",
			Access: tool.Agent, Level: tool.Write, Errors: codes(arena.GameNotActive),
			Example: `{"game_id": "01k9zq3v7x2b"}`,
		}, a.Resign),
		tool.New(tool.Spec{
			Name: "offer_draw", Title: "Offer a draw", Route: "POST /v1/games/{game_id}/draw/offer",
			Doc: "Offers the opponent a draw, on either side's turn. The offer stands until the next move of either side, so offer before you wait, not before you move. " +
				"Three offers are allowed within 20 plies.",
			Access: tool.Agent, Level: tool.Write, Idempotent: true, Errors: codes(arena.GameNotActive, arena.DrawOfferTooSoon),
			Example: `{"game_id": "01k9zq3v7x2b"}`,
		}, a.OfferDraw),
		tool.New(tool.Spec{
			Name: "accept_draw", Title: "Accept a draw", Route: "POST /v1/games/{game_id}/draw/accept",
			Doc:    "Accepts the draw that the opponent offers; get_state shows it as draw_offer. Any move made since has ended the offer.",
			Access: tool.Agent, Level: tool.Write,
			Errors:  codes(arena.GameNotActive, arena.NoDrawOffer, arena.DrawOfferExpired, arena.OwnDrawOffer),
			Example: `{"game_id": "01k9zq3v7x2b"}`,
		}, a.AcceptDraw),
	}
}
