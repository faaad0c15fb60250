package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// conn is one pinned SQLite connection with its prepared statements. It is used by one
// goroutine at a time.
type conn struct {
	raw        *sql.Conn
	statements []*sql.Stmt // by query.index, prepared on first use
}

func dial(ctx context.Context, pool *sql.DB) (*conn, error) {
	raw, err := pool.Conn(ctx)
	if err != nil {
		return nil, err
	}
	return &conn{raw: raw, statements: make([]*sql.Stmt, len(registry))}, nil
}

// statement returns q prepared on c.
func (c *conn) statement(q *query) (*sql.Stmt, error) {
	if q.index >= len(registry) || registry[q.index] != q {
		panic(fmt.Sprintf("store: a query that was not registered: %s", q.text))
	}
	if s := c.statements[q.index]; s != nil {
		return s, nil
	}
	// Not the caller's context: a statement outlives the call that first needed it.
	s, err := c.raw.PrepareContext(context.Background(), q.text)
	if err != nil {
		return nil, err
	}
	c.statements[q.index] = s
	return s, nil
}

// control runs a statement that begins or ends a transaction. It takes no context: one
// that ended in the middle would leave it unknown whether the statement took effect.
func (c *conn) control(q *query) error {
	s, err := c.statement(q)
	if err != nil {
		return err
	}
	_, err = s.ExecContext(context.Background())
	return err
}

// pragma reads a setting of the connection.
func (c *conn) pragma(ctx context.Context, name string) (value string, err error) {
	err = c.raw.QueryRowContext(ctx, "PRAGMA "+name).Scan(&value)
	return value, err
}

func (c *conn) close() error {
	var errs []error
	for _, s := range c.statements {
		if s != nil {
			errs = append(errs, s.Close())
		}
	}
	return errors.Join(append(errs, c.raw.Close())...)
}
