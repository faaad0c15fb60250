package store

import (
	"encoding/json"
	"fmt"

	"chessarena/arena"
)

var (
	queryAddEvent = register(`INSERT INTO events (game_id, seq, at_ms, ply, kind, data)
SELECT ?1, coalesce(max(seq), 0) + 1, ?2, ?3, ?4, ?5 FROM events WHERE game_id = ?1`)
	querySaveLog = register(`UPDATE games SET log_len = ?, log_hash = ? WHERE id = ? AND log_len = ?`)
	queryEvents  = register(`SELECT seq, at_ms, ply, kind, data FROM events WHERE game_id = ? ORDER BY seq`)
)

// AddEvent appends e to g's log: it stores the event, advances g.Log, and stores that
// too. Seq is the next one; a zero At is now. ErrMoved when the log does not end where
// g says.
func (tx *Tx) AddEvent(g *arena.Game, e arena.Event) error {
	if e.At.IsZero() {
		e.At = tx.now
	}
	if e.Data == nil {
		e.Data = json.RawMessage("{}")
	}
	was := g.Log.Len
	if err := tx.logEvent(g, e); err != nil {
		return err
	}
	return tx.moved(g, querySaveLog, []any{g.Log.Len, g.Log.Hash[:], g.RowID, was})
}

// logEvent stores e and advances g.Log, which the caller must store.
func (tx *Tx) logEvent(g *arena.Game, e arena.Event) error {
	g.Log, _ = g.Log.Append(e)
	if _, err := tx.exec(queryAddEvent, g.RowID, millis(e.At), e.Ply, e.Kind, string(e.Data)); err != nil {
		return fmt.Errorf("game %s: event %s: %w", g.ID, e.Kind, err)
	}
	return nil
}

// Events returns what happened in g besides its moves, in order.
func (tx *Tx) Events(g *arena.Game) ([]arena.Event, error) {
	return all(tx, queryEvents, scanEvent, g.RowID)
}

func scanEvent(r row) (e arena.Event, err error) {
	var at int64
	var data string
	if err := r.Scan(&e.Seq, &at, &e.Ply, &e.Kind, &data); err != nil {
		return e, err
	}
	e.At, e.Data = instant(at), json.RawMessage(data)
	return e, nil
}
