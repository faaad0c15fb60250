package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"chessarena/e2e/host"
)

// callers is how many connections call at once.
const callers = 16

// p1 compares the CPU that a server spends on one submit_move with that of a server that
// does nothing: the SDK's own over MCP, net/http's over REST.
func p1(ctx context.Context, r *rig) error {
	const rounds = 3
	a, err := r.serve(ctx)
	if err != nil {
		return err
	}
	sdk, err := r.child(ctx, "child-sdk")
	if err != nil {
		return err
	}
	plain, err := r.child(ctx, "child-http")
	if err != nil {
		return err
	}
	best := map[string]time.Duration{}
	measure := func(name string, on *host.Arena, d door, tables []table) error {
		cost, err := costOf(on, d, tables)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if best[name] == 0 || cost < best[name] {
			best[name] = cost
		}
		fmt.Printf("  %-22s %6.1f µs of CPU a call\n", name, float64(cost)/1e3)
		return nil
	}
	for range rounds {
		tables, err := seat(ctx, a, 2, 2*len(usualGames(16)))
		if err != nil {
			return err
		}
		half := len(tables) / 2
		err = errors.Join(
			measure("arena, MCP", a, overMCP, tables[:half]),
			measure("SDK, no-op", sdk, overMCP, tables[:half]),
			measure("arena, REST", a, overREST, tables[half:]),
			measure("net/http, no-op", plain, overREST, tables[half:]),
		)
		if err != nil {
			return err
		}
	}
	fmt.Printf("P1: submit_move over MCP takes %.2f times the CPU of the SDK's no-op tool (reach: 2); over REST %.2f times that of net/http (reach: 8). Best of %d rounds.\n",
		float64(best["arena, MCP"])/float64(best["SDK, no-op"]), float64(best["arena, REST"])/float64(best["net/http, no-op"]), rounds)
	return nil
}

// costOf plays all moves of tables over one door of on, as fast as callers connections can,
// and returns the server's CPU time for each.
func costOf(on *host.Arena, d door, tables []table) (time.Duration, error) {
	before, err := host.CPU(on.PID())
	if err != nil {
		return 0, err
	}
	calls, err := playAll(on.Addr, d, tables, callers)
	if err != nil {
		return 0, err
	}
	after, err := host.CPU(on.PID())
	return (after - before) / time.Duration(calls), err
}

// playAll plays every table to the end of its moves, one table after another on each of n
// connections, and returns how many moves were made.
func playAll(addr string, d door, tables []table, n int) (calls int, err error) {
	work := make(chan table, len(tables))
	for _, t := range tables {
		work <- t
	}
	close(work)
	var group sync.WaitGroup
	errs := make([]error, n)
	for i := range n {
		group.Go(func() {
			l, err := dial(addr)
			if err != nil {
				errs[i] = err
				return
			}
			defer l.close()
			for t := range work {
				for ply := range t.moves {
					if errs[i] = submit(l, d, t, ply); errs[i] != nil {
						return
					}
				}
			}
		})
	}
	group.Wait()
	for _, t := range tables {
		calls += len(t.moves)
	}
	return calls, errors.Join(errs...)
}

// submit makes one move and checks that it was accepted.
func submit(l *line, d door, t table, ply int) error {
	answer, err := l.ask(d.submit(t, ply))
	if err != nil {
		return err
	}
	if !bytes.Contains(answer, []byte(`"accepted":true`)) {
		return fmt.Errorf("game %s, ply %d, %s: %.300s", t.id, ply, t.moves[ply], answer)
	}
	return nil
}
