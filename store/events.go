package store

import (
	"encoding/json"
	"fmt"

	"chessarena/arena"
)

var (
	queryAddEvent = register(`INSERT INTO events (game_id, seq, at_ms, ply, kind, data)
SELECT ?1, coalesce(max(seq), 0) + 1, ?2, ?3, ?4, ?5 FROM events WHERE game_id = ?1`)
	queryEvents = register(`SELECT seq, at_ms, ply, kind, data FROM events WHERE game_id = ? ORDER BY seq`)
)

// AddEvent appends e to g's log. Its Seq is the next one; a zero At is now.
func (tx *Tx) AddEvent(g *arena.Game, e arena.Event) error {
	if e.At.IsZero() {
		e.At = tx.now
	}
	var data *string
	if e.Data != nil {
		text, err := json.Marshal(e.Data)
		if err != nil {
			return fmt.Errorf("game %s: event %s: %w", g.ID, e.Kind, err)
		}
		data = orNull(string(text))
	}
	if _, err := tx.exec(queryAddEvent, g.RowID, millis(e.At), e.Ply, e.Kind, data); err != nil {
		return fmt.Errorf("game %s: event %s: %w", g.ID, e.Kind, err)
	}
	return nil
}

// Events returns g's log in order. Numbers in Data come back as float64.
func (tx *Tx) Events(g *arena.Game) ([]arena.Event, error) {
	return all(tx, queryEvents, scanEvent, g.RowID)
}

func scanEvent(r row) (e arena.Event, err error) {
	var at int64
	var data *string
	if err := r.Scan(&e.Seq, &at, &e.Ply, &e.Kind, &data); err != nil {
		return e, err
	}
	e.At = instant(at)
	if data != nil {
		if err := json.Unmarshal([]byte(*data), &e.Data); err != nil {
			return e, fmt.Errorf("data of event %d: %w", e.Seq, err)
		}
	}
	return e, nil
}
