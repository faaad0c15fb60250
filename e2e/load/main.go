// Command load measures an arena under load and prints the figures that the design asks
// for, each as a ratio or a difference within one run:
//
//	go run ./load p1    CPU of submit_move over MCP and REST, against servers that do nothing
//	go run ./load p2    acknowledged moves a second, against raw group commit
//	go run ./load p3    from a move to the opponent's answer, with 1,000 games at 100 moves/s
//	go run ./load p4    memory of a blocked wait, with 2,000 and 10,000 of them
//	go run ./load p6    time to the first answer with 110,000 games in the file
//	go run ./load p8    memory of an idle arena, size of its binary
//	go run ./load house 1,000 games out of the queue, over MCP, against the house's players
//	go run ./load all   all of them, a few minutes
//
// Run it in e2e, on Linux. Every program is bounded in calls and time, speaks to loopback
// only, and works in a folder that it removes. The servers are processes of their own,
// so that their CPU and memory are theirs alone; the program under test is the binary as
// it is shipped, except where a measurement needs a switch that it does not have.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"time"
)

// programs are the measurements, in the order of "all".
var programs = []struct {
	name string
	run  func(context.Context, *rig) error
}{
	{"p1", p1}, {"p2", p2}, {"p3", p3}, {"p4", p4}, {"p6", p6}, {"p8", p8}, {"house", thousand},
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("name a measurement: p1, p2, p3, p4, p6, p8, house or all")
	}
	if child := children[args[0]]; child != nil {
		return child(ctx, args[1:])
	}
	r, err := newRig(ctx)
	if err != nil {
		return err
	}
	defer r.close()
	known := false
	for _, p := range programs {
		if args[0] != p.name && args[0] != "all" {
			continue
		}
		known = true
		begin := time.Now()
		if err := p.run(ctx, r); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		fmt.Printf("%s took %.0f s\n\n", p.name, time.Since(begin).Seconds())
	}
	if !known {
		return fmt.Errorf("there is no measurement %q", args[0])
	}
	return nil
}
