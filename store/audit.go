package store

import (
	"database/sql"
	"encoding/json"
	"errors"
	"math"
	"time"

	"chessarena/arena"
)

// Audit is one thing an operator did.
type Audit struct {
	ID      int64
	At      time.Time
	Actor   string          // who: the local operator, or a token's label
	Tool    string          // which verb
	Args    json.RawMessage // with secrets left out by the caller; nil when there are none
	Outcome string          // "ok" or a code
	Undo    json.RawMessage // what undoing it needs; nil when it cannot be undone
}

var (
	queryAddAudit  = register(`INSERT INTO audit (at_ms, actor, tool, args, outcome, undo) VALUES (?, ?, ?, ?, ?, ?)`)
	queryAudit     = register(`SELECT id, at_ms, actor, tool, args, outcome, undo FROM audit WHERE id = ?`)
	queryLastAudit = register(`SELECT coalesce(max(id), 0) FROM audit`)
	queryAudits    = register(`SELECT id, at_ms, actor, tool, args, outcome, undo FROM audit WHERE id < ? ORDER BY id DESC LIMIT ?`)
)

// AddAudit appends a and returns its id; a zero At is now.
func (tx *Tx) AddAudit(a Audit) (int64, error) {
	if a.At.IsZero() {
		a.At = tx.now
	}
	return tx.insert(queryAddAudit, millis(a.At), a.Actor, a.Tool, orNull(string(a.Args)), a.Outcome, orNull(string(a.Undo)))
}

// Audit returns the entry id, or NotFound.
func (tx *Tx) Audit(id int64) (Audit, error) {
	a, err := one(tx, queryAudit, scanAudit, id)
	if errors.Is(err, sql.ErrNoRows) {
		return a, arena.Errorf(arena.NotFound, "The audit log has no entry %d.", id).Because(err)
	}
	return a, err
}

// LastAudit returns the id of the latest entry, 0 for none.
func (tx *Tx) LastAudit() (int64, error) { return one(tx, queryLastAudit, value[int64]) }

// Audits returns up to limit entries (0 is 50, at most 500), newest first, that are older
// than before; 0 is the latest page.
func (tx *Tx) Audits(limit int, before int64) ([]Audit, error) {
	if limit = min(limit, pageMax); limit <= 0 {
		limit = pageDefault
	}
	if before <= 0 {
		before = math.MaxInt64
	}
	return all(tx, queryAudits, scanAudit, before, limit)
}

func scanAudit(r row) (a Audit, err error) {
	var at int64
	var args, undo *string
	err = r.Scan(&a.ID, &at, &a.Actor, &a.Tool, &args, &a.Outcome, &undo)
	a.At = instant(at)
	if args != nil {
		a.Args = json.RawMessage(*args)
	}
	if undo != nil {
		a.Undo = json.RawMessage(*undo)
	}
	return a, err
}
