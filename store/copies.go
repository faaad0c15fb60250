package store

import "chessarena/arena"

var (
	queryAddCopy    = register(`INSERT INTO pgn_copies (game_id) VALUES (?) ON CONFLICT DO NOTHING`)
	queryCopies     = register(`SELECT g.pub, g.id FROM pgn_copies c JOIN games g ON g.id = c.game_id WHERE c.game_id > 0 ORDER BY c.game_id LIMIT ?`)
	queryRemoveCopy = register(`DELETE FROM pgn_copies WHERE game_id = ?`)
)

// Copy is a PGN file that is still to be written.
type Copy struct {
	Game  arena.GameID
	rowID int64
}

// AddCopy puts a game on the list of PGN files to write; twice is once.
func (tx *Tx) AddCopy(g *arena.Game) error {
	_, err := tx.exec(queryAddCopy, g.RowID)
	return err
}

// Copies lists PGN files to write, the oldest games first, at most limit.
func (tx *Tx) Copies(limit int) ([]Copy, error) {
	return all(tx, queryCopies, func(r row) (c Copy, err error) {
		err = r.Scan(&c.Game, &c.rowID)
		return c, err
	}, limit)
}

// RemoveCopy takes one off the list.
func (tx *Tx) RemoveCopy(c Copy) error {
	_, err := tx.exec(queryRemoveCopy, c.rowID)
	return err
}
