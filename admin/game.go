package admin

import (
	"context"
	"fmt"
	"time"

	"chessarena/arena"
	"chessarena/arena/arbiter"
	"chessarena/arena/archive"
	"chessarena/arena/tool"
	"chessarena/rules"
	"chessarena/store"
)

type createGameIn struct {
	White   int64  `json:"white" doc:"config id of the white player" arg:"required" code:"invalid_config_id" min:"1"`
	Black   int64  `json:"black" doc:"config id of the black player" arg:"required" code:"invalid_config_id" min:"1"`
	FEN     string `json:"fen" doc:"position to start from; the standard one when left out"`
	Unrated bool   `json:"unrated" doc:"keep the game out of all ratings"`
}

// seatOut is one player as an operator tells them apart.
type seatOut struct {
	ConfigID int64          `json:"config_id"`
	Nickname arena.Nickname `json:"nickname"`
	Model    string         `json:"model"`
}

type createGameOut struct {
	GameID  arena.GameID `json:"game_id"`
	White   seatOut      `json:"white"`
	Black   seatOut      `json:"black"`
	FEN     string       `json:"fen"`
	Rated   bool         `json:"rated"`
	Message string       `json:"message"`
}

// voidGame is the undo snapshot of create-game: end the game as void while nobody has
// made a move of their own.
type voidGame struct {
	Undo   string       `json:"undo"` // "void-game"
	GameID arena.GameID `json:"game_id"`
	MaxPly int          `json:"max_ply"` // the opening's plies; a game beyond them is played
}

// createGame pairs two configurations by hand (DESIGN §3, "create-game"): the caps on
// active games do not apply, and the same two may meet in several games at once.
func (d *desk) createGame() *tool.Tool {
	spec := tool.Spec{
		Name:  "create-game",
		Title: "Start a game between two configurations",
		Doc: "Start a game between two configurations. Both agents find it under the returned game_id with get_state; " +
			"neither has to be in the queue. The game is rated unless --unrated is given or one nickname has both seats.",
		Level:      tool.Write,
		Errors:     []arena.Code{arena.ConfigNotFound, arena.InvalidFEN},
		Positional: []string{"white", "black"},
		Example:    `create-game 1 2 --unrated --fen "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"`,
	}
	return write(d, spec, func(tx *store.Tx, in createGameIn) (written[createGameOut], error) {
		g, err := d.hall.Arbiter.Create(tx, arbiter.Pairing{White: in.White, Black: in.Black, Start: in.FEN, Rated: !in.Unrated})
		if err != nil {
			return written[createGameOut]{}, err
		}
		out := createGameOut{
			GameID: g.ID, White: seatOf(g, rules.White), Black: seatOf(g, rules.Black), FEN: g.Start, Rated: g.Rated,
		}
		if out.FEN == "" {
			out.FEN = rules.Start().FEN()
		}
		first := g.Seats[g.Turn()]
		out.Message = fmt.Sprintf("Game %s is on; %s moves first. Each agent calls get_state with this game_id.", g.ID, first.Nickname)
		return written[createGameOut]{out, voidGame{"void-game", g.ID, g.Book}}, nil
	})
}

func seatOf(g *arena.Game, c rules.Color) seatOut {
	s := g.Seats[c]
	return seatOut{ConfigID: s.ConfigID, Nickname: s.Nickname, Model: s.Config.Model}
}

type listGamesIn struct {
	Status arena.Status `json:"status" doc:"only games with this status: active, finished or void" enum:"active,finished,void"`
	Before arena.GameID `json:"before" doc:"only games created before this one: next_before of the page before" code:"invalid_game_id"`
	Limit  int          `json:"limit" doc:"games to list, 1 to 200; 50 when left out" min:"1" max:"200"`
}

type gameRow struct {
	GameID      arena.GameID       `json:"game_id"`
	Status      arena.Status       `json:"status"`
	White       string             `json:"white"` // nickname (model)
	Black       string             `json:"black"`
	Result      *arena.Result      `json:"result"`
	Termination *arena.Termination `json:"termination"`
	PlyCount    int                `json:"ply_count"`
	Rated       bool               `json:"rated"`
	CreatedAt   time.Time          `json:"created_at"`
}

type listGamesOut struct {
	Games []gameRow     `json:"games"`
	Next  *arena.GameID `json:"next_before"`
}

func (d *desk) listGames() *tool.Tool {
	spec := tool.Spec{
		Name:       "games.list",
		Title:      "List games, newest first",
		Doc:        "List games, newest first. When next_before is shown there are more: pass it as --before.",
		Idempotent: true,
		Example:    "games list --status active",
	}
	return tool.NewOperator(spec, func(ctx context.Context, _ arena.Operator, in listGamesIn) (listGamesOut, error) {
		page, err := d.hall.Archive.Games(ctx, archive.Filter(in))
		if err != nil {
			return listGamesOut{}, err
		}
		out := listGamesOut{Games: []gameRow{}, Next: page.Next}
		for _, g := range page.Games {
			out.Games = append(out.Games, gameRowOf(&g))
		}
		return out, nil
	})
}

func gameRowOf(g *archive.Summary) gameRow {
	return gameRow{
		GameID: g.ID, Status: g.Status, White: playerOf(g.White), Black: playerOf(g.Black),
		Result: g.Result, Termination: g.Termination, PlyCount: g.Ply, Rated: g.Rated, CreatedAt: g.Created,
	}
}

func playerOf(s archive.SeatView) string { return fmt.Sprintf("%s (%s)", s.Nickname, s.Model) }
