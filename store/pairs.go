package store

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"chessarena/arena"
)

const pairColumns = `a_bucket_id, b_bucket_id, games, a_white, a_wins, draws, recent, return_line, return_a_white, return_of`

var (
	queryPair     = register(`SELECT ` + pairColumns + ` FROM pairs WHERE a_bucket_id = ? AND b_bucket_id = ?`)
	querySavePair = register(`INSERT INTO pairs (` + pairColumns + `) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT DO UPDATE SET games = excluded.games, a_white = excluded.a_white, a_wins = excluded.a_wins, draws = excluded.draws,
  recent = excluded.recent, return_line = excluded.return_line, return_a_white = excluded.return_a_white, return_of = excluded.return_of`)
	queryMeetings = register(`SELECT a_bucket_id, b_bucket_id, games FROM pairs WHERE a_bucket_id = ?`)

	queryAddReturn = register(`INSERT INTO returns (game_id, first_id) VALUES (?, ?)`)
	queryReturnOf  = register(`SELECT first_id FROM returns WHERE game_id = ?`)

	queryColors          = register(`SELECT white_games, black_games, last_colors FROM configs WHERE id = ?`)
	querySaveColors      = register(`UPDATE configs SET white_games = ?, black_games = ?, last_colors = ? WHERE id = ?`)
	queryAnchorGames     = register(`SELECT anchor_games FROM buckets WHERE id = ?`)
	querySaveAnchorGames = register(`UPDATE buckets SET anchor_games = ? WHERE id = ?`)
	queryMetAnchor       = register(`UPDATE buckets SET anchor_games = anchor_games + 1 WHERE id = ?`)
)

// Pair returns what two buckets, in either order, have had with each other; a pair that
// never met has zeros.
func (tx *Tx) Pair(x, y int64) (arena.Pair, error) {
	a, b := arena.PairOf(x, y)
	p, err := one(tx, queryPair, scanPair, a, b)
	if errors.Is(err, sql.ErrNoRows) {
		return arena.Pair{A: a, B: b}, nil
	}
	if err != nil {
		return p, fmt.Errorf("pair %d, %d: %w", a, b, err)
	}
	return p, nil
}

// SavePair writes p.
func (tx *Tx) SavePair(p arena.Pair) error {
	recent, err := json.Marshal(append([]string{}, p.Recent...)) // never null
	if err != nil {
		return fmt.Errorf("pair %d, %d: %w", p.A, p.B, err)
	}
	var line *string
	var aWhite *bool
	var of *int64
	if r := p.Return; r != nil {
		line, aWhite = &r.Line, &r.AWhite
		if r.Of != 0 {
			of = &r.Of
		}
	}
	if _, err := tx.exec(querySavePair, p.A, p.B, p.Games, p.AWhite, p.AWins, p.Draws, string(recent), line, aWhite, of); err != nil {
		return fmt.Errorf("pair %d, %d: %w", p.A, p.B, err)
	}
	return nil
}

// Meeting counts the games of two buckets, the lower id first.
type Meeting struct {
	A, B  int64
	Games int
}

// Meetings lists whom a bucket has met among those of its own or a higher id.
func (tx *Tx) Meetings(bucketID int64) ([]Meeting, error) {
	return all(tx, queryMeetings, func(r row) (m Meeting, err error) {
		err = r.Scan(&m.A, &m.B, &m.Games)
		return m, err
	}, bucketID)
}

// AddReturn notes that a game plays the line of first again; both are Game.RowID.
func (tx *Tx) AddReturn(game, first int64) error {
	_, err := tx.exec(queryAddReturn, game, first)
	return err
}

// ReturnOf returns the first game of the opening pair that game completes, 0 when it
// does not.
func (tx *Tx) ReturnOf(game int64) (int64, error) {
	first, err := one(tx, queryReturnOf, value[int64], game)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return first, err
}

// Colors returns which colours a configuration had, or ConfigNotFound.
func (tx *Tx) Colors(configID int64) (arena.Colors, error) {
	c, err := one(tx, queryColors, func(r row) (c arena.Colors, err error) {
		err = r.Scan(&c.White, &c.Black, &c.Last)
		return c, err
	}, configID)
	if errors.Is(err, sql.ErrNoRows) {
		return c, arena.Errorf(arena.ConfigNotFound, "There is no configuration %d.", configID).Because(err)
	}
	return c, err
}

// SaveColors writes which colours a configuration had.
func (tx *Tx) SaveColors(configID int64, c arena.Colors) error {
	_, err := tx.exec(querySaveColors, c.White, c.Black, c.Last, configID)
	return err
}

// MetAnchor counts one more of the bucket's games as one against an anchor. The game
// must be in its record already.
func (tx *Tx) MetAnchor(bucketID int64) error {
	_, err := tx.exec(queryMetAnchor, bucketID)
	return err
}

// AnchorGames returns what MetAnchor has counted.
func (tx *Tx) AnchorGames(bucketID int64) (int, error) {
	return one(tx, queryAnchorGames, value[int], bucketID)
}

// SaveAnchorGames stores what AnchorGames returns, at most the games of the bucket.
func (tx *Tx) SaveAnchorGames(bucketID int64, games int) error {
	_, err := tx.exec(querySaveAnchorGames, games, bucketID)
	return err
}

func scanPair(r row) (p arena.Pair, err error) {
	var recent string
	var line *string
	var aWhite *bool
	var of *int64
	if err := r.Scan(&p.A, &p.B, &p.Games, &p.AWhite, &p.AWins, &p.Draws, &recent, &line, &aWhite, &of); err != nil {
		return p, err
	}
	if err := json.Unmarshal([]byte(recent), &p.Recent); err != nil {
		return p, fmt.Errorf("recent lines: %w", err)
	}
	if line != nil {
		p.Return = &arena.Return{Line: *line, AWhite: *aWhite}
		if of != nil {
			p.Return.Of = *of
		}
	}
	return p, nil
}
