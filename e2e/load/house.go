package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"chessarena/e2e/agent"
	"chessarena/e2e/host"
)

// thousand plays 1,000 games (ARENA_LOAD_GAMES has another number) out of the queue, by
// agents that connect with the official MCP client and move at random, and looks at what
// is left: a game that never ended, a process that nobody reaped, a rating that cannot be
// computed again.
func thousand(ctx context.Context, r *rig) error {
	const agents = 12
	games := 1000
	if text := os.Getenv("ARENA_LOAD_GAMES"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			return fmt.Errorf("ARENA_LOAD_GAMES: %w", err)
		}
		games = n
	}
	a, err := r.serve(ctx, "ARENA_MATCHMAKER_TICK_S=0.2", "ARENA_BOT_FALLBACK_S=1", "ARENA_ENGINE_PROCS=2", "ARENA_HOUSE_GAMES=off")
	if err != nil {
		return err
	}
	var mu sync.Mutex
	ends := make(map[string]int)
	done := make(map[string]bool) // games; two agents may have played one
	enough := func() bool {
		mu.Lock()
		defer mu.Unlock()
		return len(done) >= games
	}
	group, ctx := errgroup.WithContext(ctx)
	begin := time.Now()
	most := watchChildren(ctx, a)
	for i := range agents {
		group.Go(func() error {
			c, err := agent.Connect(ctx, a.URL()+"/mcp", nil)
			if err != nil {
				return err
			}
			defer c.Close()
			p, err := agent.RegisterAs(ctx, c, fmt.Sprintf("agent-%02d", i), fmt.Sprintf("dice-%d", i))
			if err != nil {
				return err
			}
			dice := rand.New(rand.NewPCG(uint64(i), 1))
			for !enough() {
				game, err := p.Queue(ctx, []string{"any", "anchors_only"}[i%2])
				if err != nil {
					return err
				}
				played, err := p.PlayRandom(ctx, game, dice)
				if err != nil {
					return err
				}
				mu.Lock()
				if !done[game] {
					done[game] = true
					ends[played.Final.Termination]++
					if len(done)%100 == 0 {
						fmt.Printf("  %d games after %.0f s\n", len(done), time.Since(begin).Seconds())
					}
				}
				mu.Unlock()
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	took := time.Since(begin)
	rss, err := host.RSS(a.PID())
	if err != nil {
		return err
	}
	check, err := a.Admin(context.WithoutCancel(ctx), "ratings", "recompute", "--check")
	if err != nil {
		return err
	}
	children := most()
	stopped, err := a.Stop()
	if err != nil {
		return err
	}
	fmt.Printf("House: %d games of %d agents played to the end in %.0f s, by termination %v; the arena holds %d MB; at most %d engine processes at once; it stopped in %v. Recompute: %s\n",
		len(done), agents, took.Seconds(), ends, rss>>20, children, stopped.Round(time.Millisecond), compact(check))
	return nil
}

// watchChildren counts the arena's child processes now and then; the function returned
// ends that and says how many there were at most.
func watchChildren(ctx context.Context, a *host.Arena) func() int {
	ctx, stop := context.WithCancel(ctx)
	done := make(chan int)
	go func() {
		most := 0
		tick := time.NewTicker(200 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				done <- most
				return
			case <-tick.C:
				most = max(most, len(host.Children(a.PID())))
			}
		}
	}()
	return func() int { stop(); return <-done }
}

func compact(text []byte) string {
	var short json.RawMessage
	if json.Unmarshal(text, &short) != nil {
		return string(text)
	}
	return strings.Join(strings.Fields(string(text)), " ")
}
