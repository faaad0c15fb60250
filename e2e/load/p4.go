package main

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"chessarena/e2e/host"
)

// p4 measures how much memory a blocked wait takes: resident size after a forced
// collection, with and without n waits, over n. The games are looked at beforehand, so
// that what the arena keeps of a game is not counted for the wait.
func p4(ctx context.Context, r *rig) error {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return err
	}
	for _, n := range []int{2000, 10_000} {
		if uint64(n)+1000 > limit.Max {
			fmt.Printf("P4: %d waits need more open files than the %d allowed here\n", n, limit.Max)
			continue
		}
		for _, d := range []door{overMCP, overREST} {
			if err := measureWaits(ctx, r, d, n); err != nil {
				return fmt.Errorf("%d waits over %s: %w", n, d.name, err)
			}
		}
		if err := floorOfWaits(ctx, r, n); err != nil {
			return err
		}
	}
	return nil
}

// measureWaits blocks n calls over one door of an arena of its own.
func measureWaits(ctx context.Context, r *rig, d door, n int) error {
	a, err := r.child(ctx, "child-arena")
	if err != nil {
		return err
	}
	defer a.Kill()
	tables, err := seat(ctx, a, 20, n)
	if err != nil {
		return err
	}
	bare, err := collectedRSS(ctx, a)
	if err != nil {
		return err
	}
	if err := lookAtAll(a.Addr, d, tables); err != nil {
		return err
	}
	perWait, waiting, err := costOfWaits(ctx, a, d, tables)
	if err != nil {
		return err
	}
	reach := map[string]int{"MCP": 64, "REST": 28}[d.name]
	fmt.Printf("P4: %.1f KB for each of %d blocked waits over %s (reach: %d KB); %.1f KB with what the arena keeps of the game\n",
		perWait, n, d.name, reach, float64(waiting-bare)/float64(n)/1024)
	return nil
}

// floorOfWaits does the same with a net/http handler that does nothing but block.
func floorOfWaits(ctx context.Context, r *rig, n int) error {
	a, err := r.child(ctx, "child-http")
	if err != nil {
		return err
	}
	defer a.Kill()
	perWait, _, err := costOfWaits(ctx, a, overREST, slices.Repeat([]table{{id: "any"}}, n))
	if err != nil {
		return err
	}
	fmt.Printf("  net/http alone takes %.1f KB for each of %d blocked requests\n", perWait, n)
	return nil
}

// costOfWaits blocks a call for every table and returns what each adds to the resident
// size, in KB, and that size.
func costOfWaits(ctx context.Context, a *host.Arena, d door, tables []table) (perWait float64, waiting int64, err error) {
	before, err := collectedRSS(ctx, a)
	if err != nil {
		return 0, 0, err
	}
	begin := time.Now()
	lines, err := block(a.Addr, d, tables)
	defer func() {
		for _, l := range lines {
			if l != nil {
				l.close()
			}
		}
	}()
	if err != nil {
		return 0, 0, err
	}
	opened := time.Since(begin)
	peak, err := host.RSS(a.PID())
	if err != nil {
		return 0, 0, err
	}
	if waiting, err = collectedRSS(ctx, a); err != nil {
		return 0, 0, err
	}
	_, inUse, _ := strings.Cut(a.Log()[strings.LastIndex(a.Log(), freed):], " ")
	fmt.Printf("  %d waits over %s opened in %.1f s; RSS %d MB before, %d MB with them, %d MB after a collection (%s)\n",
		len(tables), d.name, opened.Seconds(), before>>20, peak>>20, waiting>>20, strings.TrimSpace(inUse))
	return float64(waiting-before) / float64(len(tables)) / 1024, waiting, nil
}

// block sends every table's waiting call on a connection of its own, and returns when all
// have begun to wait: that is when the first byte of an answer comes.
func block(addr string, d door, tables []table) ([]*line, error) {
	lines := make([]*line, len(tables))
	errs := make([]error, len(tables))
	slots := make(chan struct{}, 64) // so many connect at once
	var group sync.WaitGroup
	for i, t := range tables {
		group.Go(func() {
			slots <- struct{}{}
			l, err := dial(addr)
			if err == nil {
				lines[i] = l
				_, err = l.conn.Write(d.wait(t, 1))
			}
			<-slots
			if err != nil {
				errs[i] = err
				return
			}
			res, err := http.ReadResponse(l.in, nil)
			if err == nil && res.StatusCode != http.StatusOK {
				err = fmt.Errorf("status %d", res.StatusCode)
			}
			errs[i] = err
		})
	}
	group.Wait()
	// One will do: they all fail alike.
	failed := slices.IndexFunc(errs, func(err error) bool { return err != nil })
	if failed < 0 {
		return lines, nil
	}
	return lines, errs[failed]
}

// lookAtAll has every game read once.
func lookAtAll(addr string, d door, tables []table) error {
	l, err := dial(addr)
	if err != nil {
		return err
	}
	defer l.close()
	for _, t := range tables {
		if _, err := l.ask(d.look(t, 1)); err != nil {
			return err
		}
	}
	return nil
}

// collectedRSS is the resident size of a child arena after a forced collection.
func collectedRSS(ctx context.Context, a *host.Arena) (int64, error) {
	done := strings.Count(a.Log(), freed)
	if err := syscall.Kill(a.PID(), syscall.SIGUSR1); err != nil {
		return 0, err
	}
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for strings.Count(a.Log(), freed) == done {
		select {
		case <-ctx.Done():
			return 0, ctx.Err()
		case <-tick.C:
		}
	}
	return host.RSS(a.PID())
}
