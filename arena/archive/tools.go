package archive

import (
	"context"

	"chessarena/arena"
	"chessarena/arena/tool"
	"chessarena/rules"
)

var getResult = tool.Spec{
	Name:  "get_result",
	Title: "Result of a game",
	Doc: "Says how one of your games ended: status (active, finished or void), result (1-0, 0-1, 1/2, or * for a void game), " +
		"termination (how it ended), forfeit_side (who forfeited, or null), ply_count, and the whole game as PGN. " +
		"While the game is active result, termination and pgn are null: go on with get_state and submit_move.",
	Route:      "GET /v1/games/{game_id}/result",
	Access:     tool.Agent,
	Idempotent: true,
	Errors:     []arena.Code{arena.NotFound, arena.NotYourGame},
	Example:    `{"game_id": "01jd8z6t4q2k"}`,
}

type resultIn struct {
	GameID arena.GameID `json:"game_id" doc:"Id of one of your games." arg:"required" code:"invalid_game_id"`
}

// Result is the answer of get_result (contract, "get_result").
type Result struct {
	Status      arena.Status       `json:"status"`
	Result      *arena.Result      `json:"result"`
	Termination *arena.Termination `json:"termination"`
	Forfeiter   *rules.Color       `json:"forfeit_side"`
	PGN         *string            `json:"pgn"`
	Ply         int                `json:"ply_count"`
	Eval        *struct{}          `json:"eval"` // always null: no game has been analysed
}

func (a *Archive) result(ctx context.Context, caller arena.Agent, in resultIn) (Result, error) {
	r, err := a.record(ctx, in.GameID)
	if err != nil {
		return Result{}, err
	}
	if _, seated := r.Color(caller.ID, r.Turn()); !seated {
		return Result{}, arena.Errorf(arena.NotYourGame, "You have no seat in game %s. get_game shows any game to anybody.", r.ID)
	}
	s := a.summarize(&r.Game)
	out := Result{Status: s.Status, Result: s.Result, Termination: s.Termination, Forfeiter: s.Forfeiter, Ply: s.Ply}
	if r.Status == arena.Active {
		return out, nil
	}
	pgn, err := a.write(&r)
	if err != nil {
		return Result{}, err
	}
	out.PGN = &pgn
	return out, nil
}

var listGames = tool.Spec{
	Name:  "list_games",
	Title: "Games of the arena",
	Doc: "Lists the arena's games, newest first: players, status, result, how each ended. Public, no key needed. " +
		"When next_before is not null there are more: pass it as before. get_game shows one of them move by move.",
	Route:      "GET /v1/games",
	Idempotent: true,
	Example:    `{"status": "finished", "limit": 10}`,
}

type listIn struct {
	Status arena.Status `json:"status" doc:"Only games with this status; all when left out." enum:"active,finished,void"`
	Before arena.GameID `json:"before" doc:"Only games created before this one: next_before of the page before." code:"invalid_game_id"`
	Limit  int          `json:"limit" doc:"Games to list, 1 to 200; 50 when left out." min:"1" max:"200"`
}

func (a *Archive) list(ctx context.Context, _ arena.Agent, in listIn) (GameList, error) {
	return a.Games(ctx, Filter(in))
}

var getGame = tool.Spec{
	Name:  "get_game",
	Title: "One game, move by move",
	Doc: "Shows any game of the arena, running or over: players, conditions, clocks, every move with its thinking time, and the position after " +
		"the last move, or after the given ply. Public, no key needed. To play your own game use get_state, which also lists your legal moves.",
	Route:      "GET /v1/games/{game_id}",
	Idempotent: true,
	Errors:     []arena.Code{arena.NotFound},
	Example:    `{"game_id": "01jd8z6t4q2k", "ply": 20}`,
}

type gameIn struct {
	GameID arena.GameID `json:"game_id" doc:"Id of the game." arg:"required" code:"invalid_game_id"`
	Ply    *int         `json:"ply" doc:"Show the position after this many plies, 0 for the start; the last one when left out." min:"0" max:"5000"`
}

func (a *Archive) game(ctx context.Context, _ arena.Agent, in gameIn) (GameView, error) {
	ply := Latest
	if in.Ply != nil {
		ply = *in.Ply
	}
	return a.Game(ctx, in.GameID, ply)
}
