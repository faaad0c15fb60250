package archive

import (
	"context"
	"fmt"

	"chessarena/arena"
	"chessarena/arena/tool"
	"chessarena/store"
)

// Log returns a game's log as it is published, from the first entry to the latest; that
// of a running game grows. Code: not_found.
func (a *Archive) Log(ctx context.Context, id arena.GameID) ([]arena.LogEntry, error) {
	log, _, err := a.log(ctx, id)
	return log, err
}

// log returns the log and where the database says it ends.
func (a *Archive) log(ctx context.Context, id arena.GameID) (log []arena.LogEntry, head arena.LogHead, err error) {
	err = a.db.View(ctx, func(tx *store.Tx) error {
		r, err := readRecord(tx, id)
		if err != nil {
			return err
		}
		log, head = arena.Log(&r.Game, r.moves, r.events), r.Game.Log
		return nil
	})
	return log, head, err
}

var verifyGame = tool.Spec{
	Name:  "verify_game",
	Title: "Check a game's log",
	Doc: "Replays the log of any game through the rules and the clock and says of each check what was compared and whether it holds. " +
		"No key is needed. The log itself is at /v1/games/{game_id}/log; the command arena verify makes the same checks on a saved copy.",
	Route:      "GET /v1/games/{game_id}/verify",
	Access:     tool.Public,
	Idempotent: true,
	Errors:     []arena.Code{arena.NotFound},
	Example:    `{"game_id": "01jd8z6t4q2k"}`,
}

type verifyIn struct {
	GameID arena.GameID `json:"game_id" doc:"Id of any game." arg:"required" code:"invalid_game_id"`
}

// Verified is the answer of verify_game.
type Verified struct {
	GameID arena.GameID `json:"game_id"`
	Verdict
	Head arena.LogHash `json:"head"` // the last entry's hash
}

// verify checks the log and, what a saved copy cannot show, that the database ends it
// where the replay does.
func (a *Archive) verify(ctx context.Context, _ arena.Agent, in verifyIn) (Verified, error) {
	log, head, err := a.log(ctx, in.GameID)
	if err != nil {
		return Verified{}, err
	}
	out := Verified{GameID: in.GameID, Verdict: Verify(log), Head: head.Hash}
	stored := Check{Name: "stored head", Compared: "the log's length and last hash with those the database keeps", OK: true}
	if n := len(log); n != head.Len || n > 0 && log[n-1].Hash != head.Hash {
		stored.OK, stored.Fault = false, fmt.Sprintf("the database ends the log at entry %d with another hash", head.Len)
		out.OK = false
	}
	out.Checks = append(out.Checks, stored)
	return out, nil
}
