package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"chessarena/e2e/host"
)

// p8 weighs an arena in which nothing happens, and its binary.
func p8(ctx context.Context, r *rig) error {
	a, err := r.serve(ctx)
	if err != nil {
		return err
	}
	select {
	case <-time.After(5 * time.Second): // what the start took is given back by then, or never
	case <-ctx.Done():
		return ctx.Err()
	}
	rss, err := host.RSS(a.PID())
	if err != nil {
		return err
	}
	info, err := os.Stat(r.binary)
	if err != nil {
		return err
	}
	fmt.Printf("P8: %.1f MB resident 5 s after the start (reach: 60), binary %.1f MB stripped (reach: 20)\n",
		float64(rss)/(1<<20), float64(info.Size())/(1<<20))
	return nil
}
