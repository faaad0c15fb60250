package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// p3 keeps 1,000 games going at 100 moves a second, half of them over MCP and half over
// REST, each with the opponent waiting, and measures from sending a move to the end of the
// opponent's answer. Beside it a file on the same disk is written and synced, for what two
// syncs take.
func p3(ctx context.Context, r *rig) error {
	const (
		games  = 1000
		rate   = 100 // moves a second
		warmup = 500 // moves
		moves  = 6000
	)
	a, err := r.serve(ctx)
	if err != nil {
		return err
	}
	tables, err := seat(ctx, a, 40, games)
	if err != nil {
		return err
	}
	duels := make([]*duel, games)
	for i, t := range tables {
		if duels[i], err = newDuel(a.Addr, []door{overMCP, overREST}[i%2], t); err != nil {
			return err
		}
		defer duels[i].close()
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	syncs := make(chan []time.Duration, 1)
	go func() { syncs <- syncTimes(ctx, filepath.Join(r.folder, "sync")) }()

	times := make([]time.Duration, moves)
	errs := make([]error, moves)
	var group sync.WaitGroup
	tick := time.NewTicker(time.Second / rate)
	defer tick.Stop()
	begin := time.Now()
	for i := range moves {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return ctx.Err()
		}
		group.Go(func() { times[i], errs[i] = duels[i%games].move() })
	}
	group.Wait()
	took := time.Since(begin)
	cancel()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	times = times[warmup:]
	synced := <-syncs
	p99, twoSyncs := percentile(times, 0.99), 2*percentile(synced, 0.99)
	fmt.Printf("  %d games, %.1f moves/s; a move reaches the waiting opponent in p50 %s, p90 %s, p99 %s, max %s\n",
		games, moves/took.Seconds(), ms(percentile(times, 0.5)), ms(percentile(times, 0.9)), ms(p99), ms(percentile(times, 1)))
	fmt.Printf("  %d syncs beside it: p50 %s, p99 %s\n", len(synced), ms(percentile(synced, 0.5)), ms(percentile(synced, 0.99)))
	fmt.Printf("P3: p99 is %s beyond two syncs (reach: 10 ms)\n", ms(p99-twoSyncs))
	return nil
}

// duel is one game with both players connected, one of them waiting.
type duel struct {
	door  door
	table table
	lines [2]*line
	mu    sync.Mutex // a move at a time
	ply   int
	woken chan answer
}

type answer struct {
	text []byte
	err  error
	at   time.Time
}

func newDuel(addr string, d door, t table) (*duel, error) {
	g := &duel{door: d, table: t, woken: make(chan answer, 1)}
	for i := range g.lines {
		var err error
		if g.lines[i], err = dial(addr); err != nil {
			return nil, err
		}
	}
	g.wait(1)
	return g, nil
}

func (g *duel) close() {
	for _, l := range g.lines {
		l.close()
	}
}

// wait sends color into a wait for its turn.
func (g *duel) wait(color int) {
	go func() {
		text, err := g.lines[color].ask(g.door.wait(g.table, color))
		g.woken <- answer{text, err, time.Now()}
	}()
}

// move plays the next move and returns the time from sending it to the opponent's answer.
// Then the mover waits.
func (g *duel) move() (time.Duration, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	color := g.ply % 2
	begin := time.Now()
	if err := submit(g.lines[color], g.door, g.table, g.ply); err != nil {
		return 0, err
	}
	a := <-g.woken
	if a.err != nil {
		return 0, a.err
	}
	if !bytes.Contains(a.text, []byte(`"your_turn":true`)) {
		return 0, fmt.Errorf("game %s, ply %d: the opponent was answered with %.300s", g.table.id, g.ply, a.text)
	}
	g.ply++
	g.wait(color)
	return a.at.Sub(begin), nil
}

// syncTimes writes and syncs a page 20 times a second until ctx ends.
func syncTimes(ctx context.Context, path string) []time.Duration {
	file, err := os.Create(path)
	if err != nil {
		return nil
	}
	defer file.Close()
	var times []time.Duration
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return times
		case <-tick.C:
		}
		if _, err := file.Write(make([]byte, 4096)); err != nil {
			return times
		}
		begin := time.Now()
		if err := file.Sync(); err != nil {
			return times
		}
		times = append(times, time.Since(begin))
	}
}
