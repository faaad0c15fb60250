package store

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"chessarena/arena"
)

// board makes a database with n active games.
func board(b *testing.B, n int, o Options) (*DB, []arena.Game) {
	b.Helper()
	db := openAt(b, filepath.Join(b.TempDir(), "a.db"), o)
	pair := seats(b, db)
	games := make([]arena.Game, n)
	for i := range games {
		games[i] = addGame(b, db, i, pair)
	}
	return db, games
}

// inParallel calls f b.N times altogether, from as many goroutines as there are games,
// and reports moves a second.
func inParallel(b *testing.B, games []arena.Game, f func(*arena.Game) error) {
	b.Helper()
	var left atomic.Int64
	left.Store(int64(b.N))
	var wg sync.WaitGroup
	b.ResetTimer()
	for i := range games {
		wg.Go(func() {
			for left.Add(-1) >= 0 {
				if err := f(&games[i]); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "moves/s")
}

var delays = []time.Duration{0, 5 * time.Millisecond}

// BenchmarkUpdate is one acknowledged move: a row of moves and the game's live columns.
func BenchmarkUpdate(b *testing.B) {
	for _, writers := range []int{1, 64} {
		for _, delay := range delays {
			b.Run(fmt.Sprintf("writers=%d/delay=%v", writers, delay), func(b *testing.B) {
				db, games := board(b, writers, Options{CommitDelay: delay})
				inParallel(b, games, func(g *arena.Game) error {
					return db.Update(context.Background(), func(tx *Tx) error { return play(tx, g, "e2e4", "e4") })
				})
			})
		}
	}
}

// BenchmarkRawGroupCommit writes the same rows with 64 writers and nothing around it: a
// goroutine that drains a channel, two statements a move, one COMMIT a batch. It is what
// the rest is measured against.
func BenchmarkRawGroupCommit(b *testing.B) {
	for _, delay := range delays {
		b.Run(fmt.Sprintf("writers=64/delay=%v", delay), func(b *testing.B) {
			db, games := board(b, 64, Options{})
			path := db.Path()
			if err := db.Close(); err != nil {
				b.Fatal(err)
			}
			w := newRawWriter(b, path, delay)
			inParallel(b, games, func(g *arena.Game) error {
				m := rawMove{g.RowID, g.Ply, make(chan error, 1)}
				g.Ply++
				w.line <- m
				return <-m.done
			})
			close(w.line)
		})
	}
}

type rawMove struct {
	rowID int64
	ply   int
	done  chan error
}

type rawWriter struct {
	line         chan rawMove
	conn         *sql.Conn
	move, update *sql.Stmt
	delay        time.Duration
}

func newRawWriter(b *testing.B, path string, delay time.Duration) *rawWriter {
	b.Helper()
	ctx := context.Background()
	dsn, _ := Options{BusyTimeout: time.Second}.writerDSN(path)
	pool, err := sql.Open("sqlite", dsn)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { pool.Close() })
	w := &rawWriter{line: make(chan rawMove, maxBatch), delay: delay}
	if w.conn, err = pool.Conn(ctx); err != nil {
		b.Fatal(err)
	}
	if w.move, err = w.conn.PrepareContext(ctx, queryAddMove.text); err != nil {
		b.Fatal(err)
	}
	if w.update, err = w.conn.PrepareContext(ctx, querySaveLive.text); err != nil {
		b.Fatal(err)
	}
	go func() {
		for first := range w.line {
			batch := []rawMove{first}
			for more := true; more && len(batch) < maxBatch; {
				select {
				case m, ok := <-w.line:
					if more = ok; ok {
						batch = append(batch, m)
					}
				default:
					more = false
				}
			}
			err := w.commit(ctx, batch)
			for _, m := range batch {
				m.done <- err
			}
		}
	}()
	return w
}

func (w *rawWriter) commit(ctx context.Context, batch []rawMove) error {
	tx, err := w.conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // after a commit it does nothing
	now := time.Now().UnixMilli()
	var hash arena.LogHash
	for _, m := range batch {
		if _, err := w.move.Exec(m.rowID, m.ply, "e2e4", "e4", now, 1500, 0, false, false); err != nil {
			return err
		}
		if _, err := w.update.Exec(m.ply+1, now, 1_200_000, 1_200_000, 0, nil, m.ply+1, hash[:], m.rowID, m.ply); err != nil {
			return err
		}
	}
	time.Sleep(w.delay)
	return tx.Commit()
}

// BenchmarkView are the reads that play needs most.
func BenchmarkView(b *testing.B) {
	db, games := board(b, 1, Options{})
	g := &games[0]
	for range 85 {
		update(b, db, func(tx *Tx) error { return play(tx, g, "e2e4", "e4") })
	}
	for name, f := range map[string]func(*Tx) error{
		"nothing":  func(*Tx) error { return nil },
		"agent":    func(tx *Tx) error { _, err := tx.Agent(1); return err },
		"game":     func(tx *Tx) error { _, err := tx.Game(g.ID); return err },
		"85 moves": func(tx *Tx) error { _, err := tx.Moves(g); return err },
		"totals":   func(tx *Tx) error { _, err := tx.Totals(); return err },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				view(b, db, f)
			}
		})
	}
}

// BenchmarkPoll is what looking for another process's commits costs when there are none.
func BenchmarkPoll(b *testing.B) {
	db, _ := board(b, 1, Options{})
	for b.Loop() {
		if _, err := db.Poll(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
}
