package main

import (
	"context"
	"fmt"
	"net/http"
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
	}
	return nil
}

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
	before, err := collectedRSS(ctx, a)
	if err != nil {
		return err
	}
	lines := make([]*line, n)
	defer func() {
		for _, l := range lines {
			if l != nil {
				l.close()
			}
		}
	}()
	// The first byte of an answer comes once the wait has begun.
	begin := time.Now()
	var group sync.WaitGroup
	errs := make(chan error, n)
	slots := make(chan struct{}, 64)
	for i, t := range tables {
		group.Go(func() {
			slots <- struct{}{}
			l, err := dial(a.Addr)
			if err == nil {
				lines[i] = l
				_, err = l.conn.Write(d.wait(t, 1))
			}
			<-slots
			if err == nil {
				var res *http.Response
				if res, err = http.ReadResponse(l.in, nil); err == nil && res.StatusCode != http.StatusOK {
					err = fmt.Errorf("status %d", res.StatusCode)
				}
			}
			if err != nil {
				errs <- err
			}
		})
	}
	group.Wait()
	select {
	case err := <-errs:
		return err
	default:
	}
	opened := time.Since(begin)
	peak, err := host.RSS(a.PID())
	if err != nil {
		return err
	}
	waiting, err := collectedRSS(ctx, a)
	if err != nil {
		return err
	}
	perWait := float64(waiting-before) / float64(n) / 1024
	reach := map[string]int{"MCP": 64, "REST": 28}[d.name]
	fmt.Printf("  %d waits opened in %.1f s; RSS %d MB with the games unseen, %d MB with them in memory, %d MB waiting (%d MB before the collection)\n",
		n, opened.Seconds(), bare>>20, before>>20, waiting>>20, peak>>20)
	fmt.Printf("P4: %.1f KB for each of %d blocked waits over %s (reach: %d KB); %.1f KB with what the arena keeps of the game\n",
		perWait, n, d.name, reach, float64(waiting-bare)/float64(n)/1024)
	return nil
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
