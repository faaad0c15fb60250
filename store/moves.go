package store

import (
	"database/sql"
	"errors"
	"fmt"

	"chessarena/arena"
)

var (
	queryAddMove = register(`INSERT INTO moves (game_id, ply, uci, san, at_ms, think_ms, illegal, over_soft, book)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`).onConflict(ErrMoved)
	queryMoves       = register(`SELECT uci, san, at_ms, think_ms, illegal, over_soft, book FROM moves WHERE game_id = ? ORDER BY ply`)
	queryDeleteMoves = register(`DELETE FROM moves WHERE game_id = ?`)
	queryAddHistory  = register(`INSERT INTO histories (game_id, moves) VALUES (?, ?)`).onConflict(ErrMoved)
	queryHistory     = register(`SELECT moves FROM histories WHERE game_id = ?`)
)

// AppendMove writes the move made at g.Ply, where g still stands, and advances g.Log.
// ErrMoved when that ply was played already. SaveLive or FinishGame must follow in the
// same transaction.
func (tx *Tx) AppendMove(g *arena.Game, m arena.Move) error {
	g.Log, _ = g.Log.Append(arena.MoveEvent(g.Turn(), g.Ply, m))
	return tx.addMove(g, g.Ply, m)
}

func (tx *Tx) addMove(g *arena.Game, ply int, m arena.Move) error {
	_, err := tx.exec(queryAddMove, g.RowID, ply, m.UCI, m.SAN, millis(m.At), m.Think.Milliseconds(), m.Illegal, m.OverSoft, m.Book)
	if err != nil {
		return fmt.Errorf("game %s, ply %d: %w", g.ID, ply, err)
	}
	return nil
}

// Moves returns g's history from ply 0, wherever it is kept by now.
func (tx *Tx) Moves(g *arena.Game) ([]arena.Move, error) {
	packed, err := one(tx, queryHistory, value[[]byte], g.RowID)
	if errors.Is(err, sql.ErrNoRows) {
		return all(tx, queryMoves, scanMove, g.RowID)
	}
	if err != nil {
		return nil, fmt.Errorf("game %s: %w", g.ID, err)
	}
	moves, err := unpack(packed)
	if err != nil {
		return nil, fmt.Errorf("game %s: %w", g.ID, err)
	}
	return moves, nil
}

// packMoves turns the rows of a game that has ended into its history.
func (tx *Tx) packMoves(g *arena.Game) error {
	moves, err := all(tx, queryMoves, scanMove, g.RowID)
	if err != nil {
		return err
	}
	if len(moves) != g.Ply {
		return fmt.Errorf("game %s ends at ply %d with %d moves", g.ID, g.Ply, len(moves))
	}
	if _, err := tx.exec(queryAddHistory, g.RowID, pack(moves)); err != nil {
		return fmt.Errorf("game %s: %w", g.ID, err)
	}
	_, err = tx.exec(queryDeleteMoves, g.RowID)
	return err
}

func scanMove(r row) (m arena.Move, err error) {
	var at, think int64
	err = r.Scan(&m.UCI, &m.SAN, &at, &think, &m.Illegal, &m.OverSoft, &m.Book)
	m.At, m.Think = instant(at), span(think)
	return m, err
}
