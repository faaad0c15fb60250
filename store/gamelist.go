package store

import (
	"database/sql"
	"errors"
	"fmt"
	"math"

	"chessarena/arena"
)

// GameFilter says which games Games returns. The zero value is the latest page of all.
type GameFilter struct {
	Status     arena.Status // "" is any
	NicknameID int64        // 0 is anybody's; else games in which the nickname has a seat
	Before     arena.GameID // the last game of the page before; "" is the latest page
	Limit      int          // 0 is 50; at most 500
}

const (
	pageDefault = 50
	pageMax     = 500
)

// A nickname's games are merged out of its two seats, and out of the three statuses when
// any will do: each part is read in order from an index, so a page costs the same however
// many games there are. UNION leaves out the second sight of a game with itself.
const (
	listGames   = `SELECT ` + gameColumns + ` FROM games g` + joinSeats
	listPage    = `SELECT ` + gameColumns + ` FROM page CROSS JOIN games g ON g.id = page.id` + joinSeats
	newestFirst = `ORDER BY g.id DESC LIMIT `

	seatWhite = `SELECT id FROM games WHERE white_nickname_id = ?1 AND id < ?2 AND status = `
	seatBlack = `SELECT id FROM games WHERE black_nickname_id = ?1 AND id < ?2 AND status = `
)

var (
	queryGames         = register(listGames + `WHERE g.id < ?1 ` + newestFirst + `?2`)
	queryGamesByStatus = register(listGames + `WHERE g.status = ?1 AND g.id < ?2 ` + newestFirst + `?3`)
	queryGamesOf       = register(`WITH page (id) AS (` +
		seatWhite + `'active' UNION ` + seatWhite + `'finished' UNION ` + seatWhite + `'void' UNION ` +
		seatBlack + `'active' UNION ` + seatBlack + `'finished' UNION ` + seatBlack + `'void' ORDER BY 1 DESC LIMIT ?3) ` +
		listPage + newestFirst + `?3`)
	queryGamesOfByStatus = register(`WITH page (id) AS (` + seatWhite + `?4 UNION ` + seatBlack + `?4 ORDER BY 1 DESC LIMIT ?3) ` +
		listPage + newestFirst + `?3`)
	queryActiveGames = register(`WITH mine (id) AS (
  SELECT id FROM games WHERE white_nickname_id = ?1 AND status = 'active' UNION
  SELECT id FROM games WHERE black_nickname_id = ?1 AND status = 'active' ORDER BY 1)
SELECT g.pub FROM mine CROSS JOIN games g ON g.id = mine.id ORDER BY mine.id`)
	queryRowID = register(`SELECT id FROM games WHERE pub = ?`)
)

// Games returns a page of games, newest first by creation. NotFound when f.Before is not
// a game.
func (tx *Tx) Games(f GameFilter) ([]arena.Game, error) {
	limit := min(f.Limit, pageMax)
	if limit <= 0 {
		limit = pageDefault
	}
	before := int64(math.MaxInt64)
	if f.Before != "" {
		var err error
		if before, err = one(tx, queryRowID, value[int64], f.Before); errors.Is(err, sql.ErrNoRows) {
			return nil, arena.Errorf(arena.NotFound, "There is no game %s to go on from.", f.Before).Because(err)
		} else if err != nil {
			return nil, fmt.Errorf("page before %s: %w", f.Before, err)
		}
	}
	switch {
	case f.NicknameID != 0 && f.Status != "":
		return all(tx, queryGamesOfByStatus, scanGame, f.NicknameID, before, limit, f.Status)
	case f.NicknameID != 0:
		return all(tx, queryGamesOf, scanGame, f.NicknameID, before, limit)
	case f.Status != "":
		return all(tx, queryGamesByStatus, scanGame, f.Status, before, limit)
	}
	return all(tx, queryGames, scanGame, before, limit)
}

// ActiveGames returns the games in progress in which the nickname has a seat, oldest
// first.
func (tx *Tx) ActiveGames(nicknameID int64) ([]arena.GameID, error) {
	return all(tx, queryActiveGames, value[arena.GameID], nicknameID)
}
