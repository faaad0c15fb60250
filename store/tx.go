package store

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// Tx is an open transaction: a snapshot in View, a part of a batch in Update. It belongs
// to the closure it was handed to, on that goroutine, until the closure returns.
type Tx struct {
	c        *conn
	ctx      context.Context
	now      time.Time
	writable bool
	announce bool
	after    []func()
	broken   error // SQLite may have ended the transaction; nothing more may run in it
}

// Now is the instant of the transaction: UTC, whole milliseconds, the same at every call.
func (tx *Tx) Now() time.Time { return tx.now }

// After has f called once the transaction is committed, before Update returns; never when
// it is rolled back, and never in View. Hooks run one after another in the order of the
// closures, while the next batch waits: f must be quick and must not call Update. A hook
// that panics is logged; it takes no other hook with it.
func (tx *Tx) After(f func()) { tx.after = append(tx.after, f) }

var (
	errEnded    = errors.New("store: the transaction has ended")
	errReadOnly = errors.New("store: a write inside View")
)

// whole is the context of every statement. Statements are short, and the driver would
// start goroutines to watch a context that can end, which costs several times what a
// point read does; so a transaction's context is looked at between statements instead.
var whole = context.Background()

// usable says why no statement may run now.
func (tx *Tx) usable(write bool) error {
	switch {
	case tx.c == nil:
		return errEnded
	case tx.broken != nil:
		return tx.broken
	case tx.ctx.Err() != nil:
		return tx.ctx.Err()
	case write && !tx.writable:
		return errReadOnly
	}
	return nil
}

// fail translates an error of q and remembers one that may have ended the transaction:
// what ran after it would be committed alone.
func (tx *Tx) fail(q *query, err error) error {
	if err == nil {
		return nil
	}
	meaning := translate(q, err)
	if tx.writable && endsTransaction(resultCode(err)) {
		tx.broken = meaning
	}
	return meaning
}

// exec runs a statement and returns how many rows it touched.
func (tx *Tx) exec(q *query, args ...any) (int64, error) {
	r, err := tx.run(q, args)
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
}

// insert runs an INSERT and returns the new row's id.
func (tx *Tx) insert(q *query, args ...any) (int64, error) {
	r, err := tx.run(q, args)
	if err != nil {
		return 0, err
	}
	return r.LastInsertId()
}

func (tx *Tx) run(q *query, args []any) (sql.Result, error) {
	if err := tx.usable(true); err != nil {
		return nil, err
	}
	s, err := tx.c.statement(q)
	if err != nil {
		return nil, tx.fail(q, err)
	}
	r, err := s.ExecContext(whole, args...)
	return r, tx.fail(q, err)
}

// row is what sql.Row and sql.Rows have in common.
type row interface{ Scan(dest ...any) error }

// one reads the single row of q; sql.ErrNoRows when there is none.
func one[T any](tx *Tx, q *query, scan func(row) (T, error), args ...any) (T, error) {
	var none T
	if err := tx.usable(false); err != nil {
		return none, err
	}
	s, err := tx.c.statement(q)
	if err != nil {
		return none, tx.fail(q, err)
	}
	v, err := scan(s.QueryRowContext(whole, args...))
	if err != nil {
		return none, tx.fail(q, err)
	}
	return v, nil
}

// all reads every row of q; none is an empty list, not nil.
func all[T any](tx *Tx, q *query, scan func(row) (T, error), args ...any) ([]T, error) {
	if err := tx.usable(false); err != nil {
		return nil, err
	}
	s, err := tx.c.statement(q)
	if err != nil {
		return nil, tx.fail(q, err)
	}
	rows, err := s.QueryContext(whole, args...)
	if err != nil {
		return nil, tx.fail(q, err)
	}
	defer rows.Close() // an open cursor would keep the WAL from being reset
	list := []T{}
	for rows.Next() {
		v, err := scan(rows)
		if err != nil {
			return nil, tx.fail(q, err)
		}
		list = append(list, v)
	}
	return list, tx.fail(q, rows.Err())
}

// value scans a row of one column.
func value[T any](r row) (v T, err error) {
	err = r.Scan(&v)
	return v, err
}

// Times cross into SQLite as unix milliseconds and come back in UTC.
func millis(t time.Time) int64    { return t.UnixMilli() }
func instant(ms int64) time.Time  { return time.UnixMilli(ms).UTC() }
func span(ms int64) time.Duration { return time.Duration(ms) * time.Millisecond }

// orNull writes an empty text as NULL, orEmpty reads it back.
func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
