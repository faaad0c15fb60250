package main

import (
	"context"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"time"
)

// commitDelay stands for a slow disk: it is added to each commit on both sides.
const commitDelay = 5 * time.Millisecond

// p2 compares how many moves a second are acknowledged over REST in 64 games with what the
// same rows take when 64 writers hand them to SQLite with nothing around it.
func p2(ctx context.Context, r *rig) error {
	const games, plies, rounds = 64, 100, 3
	a, err := r.child(ctx, "child-arena", "-commit-delay", commitDelay.String())
	if err != nil {
		return err
	}
	var arena, raw float64
	for range rounds {
		// Each of the 64 connections plays three games one after the other.
		tables, err := seat(ctx, a, 16, 3*games)
		if err != nil {
			return err
		}
		long := usualGames(plies)
		for i := range tables {
			tables[i].moves = long[i%len(long)].SANs[:plies]
		}
		begin := time.Now()
		calls, err := playAll(a.Addr, overREST, tables, games)
		if err != nil {
			return err
		}
		ours := float64(calls) / time.Since(begin).Seconds()
		theirs, err := rawGroupCommit(ctx)
		if err != nil {
			return err
		}
		fmt.Printf("  arena %.0f moves/s, raw %.0f\n", ours, theirs)
		arena, raw = max(arena, ours), max(raw, theirs)
	}
	fmt.Printf("P2: %.0f acknowledged moves a second over REST in %d games, raw group commit does %.0f: ratio %.2f (reach: 0.8). Commits take %v longer; best of %d rounds.\n",
		arena, games, raw, arena/raw, commitDelay, rounds)
	return nil
}

// rawGroupCommit runs the store's own benchmark of it, so that there is one definition.
func rawGroupCommit(ctx context.Context) (movesPerSecond float64, err error) {
	bench := exec.CommandContext(ctx, "go", "test", "-run", "^$", "-bench", fmt.Sprintf("RawGroupCommit/writers=64/delay=%v$", commitDelay), "-benchtime", "2s", "./store")
	bench.Dir = ".."
	out, err := bench.CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("raw group commit: %w\n%s", err, out)
	}
	figure := regexp.MustCompile(`([0-9.]+) moves/s`).FindSubmatch(out)
	if figure == nil {
		return 0, fmt.Errorf("raw group commit: no figure in\n%s", out)
	}
	return strconv.ParseFloat(string(figure[1]), 64)
}
