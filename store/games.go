package store

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"chessarena/arena"
	"chessarena/rules"
)

const gameColumns = `g.id, g.pub, g.game, g.status,
  g.white_nickname_id, g.white_nickname, g.white_fingerprint, g.white_config_id, g.white_bucket_id, wb.key, wb.spec,
  g.black_nickname_id, g.black_nickname, g.black_fingerprint, g.black_config_id, g.black_bucket_id, bb.key, bb.spec,
  g.start_fen, g.eco, g.opening, g.book, g.rated, g.soft_ms, g.bank_ms, g.hard_cap_ms, g.created_ms,
  g.ply, g.turn_started_ms, g.white_bank_ms, g.black_bank_ms, g.illegal, g.offers, g.log_len, g.log_hash,
  g.result, g.termination, g.forfeiter, g.finished_ms, g.on_board`

// joinSeats follows g. CROSS JOIN keeps the planner to this order.
const joinSeats = `
CROSS JOIN buckets wb ON wb.id = g.white_bucket_id
CROSS JOIN buckets bb ON bb.id = g.black_bucket_id `

// setLive are the columns that a move changes, guarded by what the caller believes.
const (
	setLive = `UPDATE games SET ply = ?, turn_started_ms = ?, white_bank_ms = ?, black_bank_ms = ?, illegal = ?, offers = ?, log_len = ?, log_hash = ?`
	guarded = ` WHERE id = ? AND status = 'active' AND ply = ?`
)

var (
	queryAddGame = register(`INSERT INTO games (pub, game, status,
  white_nickname_id, white_nickname, white_fingerprint, white_config_id, white_bucket_id,
  black_nickname_id, black_nickname, black_fingerprint, black_config_id, black_bucket_id,
  start_fen, eco, opening, book, rated, soft_ms, bank_ms, hard_cap_ms, created_ms,
  ply, turn_started_ms, white_bank_ms, black_bank_ms, illegal, offers, log_len, log_hash)
VALUES (?,?,?, ?,?,?,?,?, ?,?,?,?,?, ?,?,?,?,?,?,?,?,?, ?,?,?,?,?,?,?,?)`).
		onConflict(ErrGameID).onOrphan(arena.Errorf(arena.ConfigNotFound, "A seat's configuration does not exist."))
	queryGame       = register(`SELECT ` + gameColumns + ` FROM games g` + joinSeats + `WHERE g.pub = ?`)
	queryGameID     = register(`SELECT pub FROM games WHERE id = ?`)
	queryFinalFEN   = register(`SELECT final_fen FROM games WHERE id = ?`)
	querySaveLive   = register(setLive + guarded)
	queryFinishGame = register(setLive + `, status = ?, result = ?, termination = ?, forfeiter = ?, finished_ms = ?, final_fen = ?` + guarded)
)

// AddGame writes an active game whose history is the book line, and sets g.RowID, g.Ply
// and g.Book; an empty g.Kind becomes chess. ErrGameID when g.ID is in use, ConfigNotFound
// when a seat refers to nothing.
func (tx *Tx) AddGame(g *arena.Game, book []arena.Move) error {
	if g.Status != arena.Active {
		return fmt.Errorf("game %s: a new game with status %q", g.ID, g.Status)
	}
	if g.Kind == "" {
		g.Kind = kindChess
	}
	g.Ply, g.Book = len(book), len(book)
	live, err := liveArgs(g)
	if err != nil {
		return err
	}
	var eco, opening *string
	if g.Open != nil {
		eco, opening = &g.Open.ECO, &g.Open.Name
	}
	args := []any{g.ID, g.Kind, g.Status}
	for _, s := range g.Seats {
		args = append(args, s.NicknameID, s.Nickname, s.Fingerprint, s.ConfigID, s.BucketID)
	}
	args = append(args, orNull(g.Start), eco, opening, g.Book, g.Rated,
		g.Pace.Soft.Milliseconds(), g.Pace.Bank.Milliseconds(), g.Pace.HardCap.Milliseconds(), millis(g.Created))
	if g.RowID, err = tx.insert(queryAddGame, append(args, live...)...); err != nil {
		return fmt.Errorf("game %s: %w", g.ID, err)
	}
	for ply, m := range book {
		if err := tx.addMove(g, ply, m); err != nil {
			return err
		}
	}
	return tx.count(counterActive, 1)
}

// Game returns the game with this id, or NotFound.
func (tx *Tx) Game(id arena.GameID) (arena.Game, error) {
	g, err := one(tx, queryGame, scanGame, id)
	if errors.Is(err, sql.ErrNoRows) {
		return g, arena.Errorf(arena.NotFound, "There is no game %s.", id).Because(err)
	}
	return g, err
}

// GameID returns the public id of the game in a row, as a Change names it, or NotFound.
func (tx *Tx) GameID(rowID int64) (arena.GameID, error) {
	id, err := one(tx, queryGameID, value[arena.GameID], rowID)
	if errors.Is(err, sql.ErrNoRows) {
		return "", arena.Errorf(arena.NotFound, "There is no such game.").Because(err)
	}
	return id, err
}

// FinalFEN returns the position in which g ended, "" while it is active.
func (tx *Tx) FinalFEN(g *arena.Game) (string, error) {
	fen, err := one(tx, queryFinalFEN, value[*string], g.RowID)
	return orEmpty(fen), err
}

// SaveLive writes what changes while g is played: ply, clock, illegal attempts, offers.
// was is the ply from which the caller decided; ErrMoved when the game is no longer there,
// or over.
func (tx *Tx) SaveLive(g *arena.Game, was int) error {
	live, err := liveArgs(g)
	if err != nil {
		return err
	}
	return tx.moved(g, querySaveLive, append(live, g.RowID, was))
}

// FinishGame writes g's end: the live columns, status, result, termination, forfeiter and
// time, and the final position. The moves are packed into one row. was and ErrMoved are
// those of SaveLive.
func (tx *Tx) FinishGame(g *arena.Game, was int, finalFEN string) error {
	ended := counterFinished
	switch g.Status {
	case arena.Finished:
	case arena.Void:
		ended = counterVoid
	default:
		return fmt.Errorf("game %s: finish with status %q", g.ID, g.Status)
	}
	live, err := liveArgs(g)
	if err != nil {
		return err
	}
	args := append(live, g.Status, g.Result, g.Termination, g.Forfeiter, millis(g.Finished), finalFEN, g.RowID, was)
	if err := tx.moved(g, queryFinishGame, args); err != nil {
		return err
	}
	if err := tx.packMoves(g); err != nil {
		return err
	}
	if err := tx.count(counterActive, -1); err != nil {
		return err
	}
	return tx.count(ended, 1)
}

// moved runs a guarded UPDATE.
func (tx *Tx) moved(g *arena.Game, q *query, args []any) error {
	n, err := tx.exec(q, args...)
	if err == nil && n != 1 {
		err = ErrMoved
	}
	if err != nil {
		return fmt.Errorf("game %s: %w", g.ID, err)
	}
	return nil
}

func liveArgs(g *arena.Game) ([]any, error) {
	var offers *string
	if len(g.Offers) > 0 {
		text, err := json.Marshal(g.Offers)
		if err != nil {
			return nil, fmt.Errorf("game %s: offers: %w", g.ID, err)
		}
		offers = orNull(string(text))
	}
	return []any{g.Ply, millis(g.Clock.TurnStarted), g.Clock.Bank[rules.White].Milliseconds(),
		g.Clock.Bank[rules.Black].Milliseconds(), g.Illegal, offers, g.Log.Len, g.Log.Hash[:]}, nil
}

func scanGame(r row) (g arena.Game, err error) {
	var (
		key, spec                       [2][]byte
		start, eco, opening, offers     *string
		result, termination             *string
		finished                        *int64
		soft, bank, hard, created, turn int64
		banks                           [2]int64
		hash                            []byte
	)
	w, b := &g.Seats[rules.White], &g.Seats[rules.Black]
	if err := r.Scan(&g.RowID, &g.ID, &g.Kind, &g.Status,
		&w.NicknameID, &w.Nickname, &w.Fingerprint, &w.ConfigID, &w.BucketID, &key[rules.White], &spec[rules.White],
		&b.NicknameID, &b.Nickname, &b.Fingerprint, &b.ConfigID, &b.BucketID, &key[rules.Black], &spec[rules.Black],
		&start, &eco, &opening, &g.Book, &g.Rated, &soft, &bank, &hard, &created,
		&g.Ply, &turn, &banks[rules.White], &banks[rules.Black], &g.Illegal, &offers, &g.Log.Len, &hash,
		&result, &termination, &g.Forfeiter, &finished, &g.OnBoard); err != nil {
		return g, err
	}
	for side := range g.Seats {
		s := &g.Seats[side]
		if s.BucketKey, s.Config, err = readSpec(key[side], spec[side]); err != nil {
			return g, err
		}
		g.Clock.Bank[side] = span(banks[side])
	}
	g.Start = orEmpty(start)
	if eco != nil {
		g.Open = &arena.Opening{ECO: *eco, Name: orEmpty(opening)}
	}
	g.Pace = arena.TimeControl{Soft: span(soft), Bank: span(bank), HardCap: span(hard)}
	g.Created = instant(created)
	g.Clock.TurnStarted = instant(turn)
	copy(g.Log.Hash[:], hash)
	if offers != nil {
		if err := json.Unmarshal([]byte(*offers), &g.Offers); err != nil {
			return g, fmt.Errorf("game %s: offers: %w", g.ID, err)
		}
	}
	g.Result = arena.Result(orEmpty(result))
	g.Termination = arena.Termination(orEmpty(termination))
	if finished != nil {
		g.Finished = instant(*finished)
	}
	return g, nil
}
