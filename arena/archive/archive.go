// Package archive reads games: the list of them, one game as it stood at any ply, its
// result, its PGN, its log, and whether that log holds (Verify, which needs no database).
//
// Everything is said once here and shown in several places: the tool get_result for
// players, the public tools list_games and get_game, the pages, and the PGN that
// leaves the arena. All of them read the database and nothing else, so an answer is
// the same in every process and before and after a restart.
//
// A game in progress is public move by move; what an engine thinks of it never is.
// Notes of a configuration are not part of a game and do not appear.
//
// The package changes no game and takes no part in playing one. Its only write is
// Copy, which puts a finished game's PGN into a folder.
package archive

import (
	"context"

	"chessarena/arena"
	"chessarena/arena/tool"
	"chessarena/store"
)

// Archive answers questions about games.
type Archive struct {
	// Site is the arena's public address without a slash at its end. It goes into the
	// PGN's Site tag together with the game's page; empty writes "?".
	Site string
	// Verified says whether a seat's model is a registered one; nil means that all are.
	Verified func(arena.Config) bool

	db *store.DB
}

// New returns an archive that reads db.
func New(db *store.DB) *Archive { return &Archive{db: db} }

// Tools returns get_result, list_games, get_game and verify_game.
func (a *Archive) Tools() []*tool.Tool {
	return []*tool.Tool{
		tool.New(getResult, a.result),
		tool.New(listGames, a.list),
		tool.New(getGame, a.game),
		tool.New(verifyGame, a.verify),
	}
}

// Totals counts what there is in the arena.
func (a *Archive) Totals(ctx context.Context) (t store.Totals, err error) {
	err = a.db.View(ctx, func(tx *store.Tx) error {
		t, err = tx.Totals()
		return err
	})
	return t, err
}

// record is a game with its moves, read in one transaction.
type record struct {
	arena.Game
	moves  []arena.Move
	events []arena.Event
}

func readRecord(tx *store.Tx, id arena.GameID) (r record, err error) {
	if r.Game, err = tx.Game(id); err != nil {
		return record{}, err
	}
	if r.moves, err = tx.Moves(&r.Game); err != nil {
		return record{}, err
	}
	r.events, err = tx.Events(&r.Game)
	return r, err
}
