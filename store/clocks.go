package store

import (
	"database/sql"
	"errors"
	"fmt"
	"time"

	"chessarena/arena"
	"chessarena/rules"
)

var (
	queryHeartbeat = register(`INSERT INTO heartbeat (id, alive_ms) VALUES (1, ?)
ON CONFLICT DO UPDATE SET alive_ms = excluded.alive_ms`)
	queryLastHeartbeat = register(`SELECT alive_ms FROM heartbeat WHERE id = 1`)
	queryRunning       = register(`SELECT id, pub, start_fen, book, soft_ms, bank_ms, hard_cap_ms, ply, turn_started_ms,
  white_bank_ms, black_bank_ms, log_len, log_hash FROM games WHERE status = 'active' ORDER BY id`)
	queryShiftClock = register(`UPDATE games SET turn_started_ms = ?, log_len = ?, log_hash = ?
WHERE id = ? AND status = 'active' AND log_len = ?`)
	queryUnrate = register(`UPDATE games SET rated = 0, log_len = ?, log_hash = ?
WHERE id = ? AND status = 'active' AND log_len = ?`)

	queryAddAdjudication  = register(`INSERT INTO adjudications (game_id) VALUES (?)`)
	queryNextAdjudication = register(`SELECT g.pub FROM adjudications a JOIN games g ON g.id = a.game_id
WHERE a.game_id > 0 ORDER BY a.game_id LIMIT 1`)
	queryEndAdjudication = register(`DELETE FROM adjudications WHERE game_id = ?`)
	querySetOnBoard      = register(`UPDATE games SET on_board = ? WHERE id = ?`)
)

// Beat notes that the serving process is awake now.
func (tx *Tx) Beat() error {
	_, err := tx.exec(queryHeartbeat, millis(tx.now))
	return err
}

// LastBeat is the last time Beat noted; zero when it never did.
func (tx *Tx) LastBeat() (time.Time, error) {
	at, err := one(tx, queryLastHeartbeat, value[int64])
	if errors.Is(err, sql.ErrNoRows) {
		return time.Time{}, nil
	}
	return instant(at), err
}

// Running lists the active games with what their clocks and logs need: no seats, no
// offers, no opening.
func (tx *Tx) Running() ([]arena.Game, error) { return all(tx, queryRunning, scanRunning) }

func scanRunning(r row) (g arena.Game, err error) {
	var start *string
	var soft, bank, hard, turn, white, black int64
	var hash []byte
	if err := r.Scan(&g.RowID, &g.ID, &start, &g.Book, &soft, &bank, &hard, &g.Ply, &turn, &white, &black, &g.Log.Len, &hash); err != nil {
		return g, err
	}
	g.Status, g.Start = arena.Active, orEmpty(start)
	g.Pace = arena.TimeControl{Soft: span(soft), Bank: span(bank), HardCap: span(hard)}
	g.Clock.TurnStarted = instant(turn)
	g.Clock.Bank[rules.White], g.Clock.Bank[rules.Black] = span(white), span(black)
	copy(g.Log.Hash[:], hash)
	return g, nil
}

// ShiftClock stores the start of g's turn, which the caller has moved, with the event
// that says so. ErrMoved when g is over or its log has grown.
func (tx *Tx) ShiftClock(g *arena.Game, e arena.Event) error {
	was := g.Log.Len
	if err := tx.logEvent(g, e); err != nil {
		return err
	}
	return tx.moved(g, queryShiftClock, []any{millis(g.Clock.TurnStarted), g.Log.Len, g.Log.Hash[:], g.RowID, was})
}

// Unrate stores that g, a running game, counts for no rating, with the event that says
// why. ErrMoved when g is over or its log has grown.
func (tx *Tx) Unrate(g *arena.Game, e arena.Event) error {
	was := g.Log.Len
	if err := tx.logEvent(g, e); err != nil {
		return err
	}
	return tx.moved(g, queryUnrate, []any{g.Log.Len, g.Log.Hash[:], g.RowID, was})
}

// AddAdjudication notes that g, a forfeited game, waits for a verdict.
func (tx *Tx) AddAdjudication(g *arena.Game) error {
	_, err := tx.exec(queryAddAdjudication, g.RowID)
	return err
}

// NextAdjudication returns the oldest game that waits for a verdict; "" when none does.
func (tx *Tx) NextAdjudication() (arena.GameID, error) {
	id, err := one(tx, queryNextAdjudication, value[arena.GameID])
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return id, err
}

// SaveVerdict stores g.OnBoard and takes g off the list of those who wait for it.
func (tx *Tx) SaveVerdict(g *arena.Game) error {
	if _, err := tx.exec(querySetOnBoard, g.OnBoard, g.RowID); err != nil {
		return fmt.Errorf("game %s: verdict: %w", g.ID, err)
	}
	_, err := tx.exec(queryEndAdjudication, g.RowID)
	return err
}
