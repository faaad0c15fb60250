package admin

import (
	"context"

	"chessarena/arena"
	"chessarena/arena/archive"
	"chessarena/arena/tool"
	"chessarena/store"
)

type voidIn struct {
	GameID arena.GameID `json:"game_id" doc:"the game" arg:"required" code:"invalid_game_id"`
	Why    string       `json:"why" doc:"the reason, for the game's public log: up to 200 characters" arg:"required"`
}

type voidOut struct {
	GameID  arena.GameID `json:"game_id"`
	Status  arena.Status `json:"status"`
	Message string       `json:"message"`
}

// whyMax bounds a reason: it stands in the game's log for good.
const whyMax = 200

func (d *desk) voidGame() *tool.Tool {
	spec := tool.Spec{
		Name:       "games.void",
		Title:      "End a running game without a result",
		Doc:        "End a running game without a result: it counts for nobody. Both players are told, and the reason stands in the game's log.",
		Level:      tool.HighStakes,
		Errors:     []arena.Code{arena.NotFound, arena.GameNotActive},
		Positional: []string{"game_id"},
		Example:    `games void 01k9zq3v7x2b --why "the host moved house"`,
	}
	return write(d, spec, func(tx *store.Tx, in voidIn) (written[voidOut], error) {
		if in.Why == "" || len(in.Why) > whyMax {
			return written[voidOut]{}, arena.Errorf(arena.InvalidArguments, "why must be a reason of 1 to %d characters.", whyMax)
		}
		g, err := d.hall.Arbiter.Void(tx, in.GameID, in.Why)
		if err != nil {
			return written[voidOut]{}, err
		}
		out := voidOut{g.ID, g.Status, "The game is void; a running server tells the players within a second."}
		return written[voidOut]{out, noUndo{"none", "players were told that the game is over"}}, nil
	})
}

type showGameIn struct {
	GameID arena.GameID `json:"game_id" doc:"the game" arg:"required" code:"invalid_game_id"`
}

type showGameOut struct {
	gameRow
	Outcome string `json:"outcome"`
	PGN     string `json:"pgn"`
}

func (d *desk) showGame() *tool.Tool {
	spec := tool.Spec{
		Name:       "games.show",
		Title:      "Show one game",
		Doc:        "Show one game: players, status, outcome, and its moves so far as PGN.",
		Errors:     []arena.Code{arena.NotFound},
		Positional: []string{"game_id"},
		Idempotent: true,
		Example:    "games show 01k9zq3v7x2b",
	}
	return tool.NewOperator(spec, func(ctx context.Context, _ arena.Operator, in showGameIn) (showGameOut, error) {
		view, err := d.hall.Archive.Game(ctx, in.GameID, archive.Latest)
		if err != nil {
			return showGameOut{}, err
		}
		pgn, err := d.hall.Archive.PGN(ctx, in.GameID)
		return showGameOut{gameRowOf(&view.Summary), view.Outcome, pgn}, err
	})
}
