package engine

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// The test binary is also the engine under test: with fakeVar set it speaks UCI, or
// something like it.
const fakeVar = "ARENA_FAKE_ENGINE"

func TestMain(m *testing.M) {
	if how := os.Getenv(fakeVar); how != "" {
		fake(how)
		return
	}
	os.Exit(m.Run())
}

// fakeProgram is the program that behaves as how says.
func fakeProgram(how string) *Program {
	return &Program{Path: os.Args[0], Name: "Fake 1", env: append(os.Environ(), fakeVar+"="+how)}
}

// fake is an engine that always plays e2e4, or misbehaves: how holds its ways, several
// words at times.
func fake(how string) {
	ways := strings.Fields(how)
	does := func(way string) bool { return slices.Contains(ways, way) }
	if does("mute") {
		time.Sleep(time.Hour)
	}
	in := bufio.NewScanner(os.Stdin)
	if does("log") {
		defer fmt.Fprintln(os.Stderr, "end")
	}
	for in.Scan() {
		line := in.Text()
		if at := slices.Index(ways, "log"); at >= 0 {
			f, _ := os.OpenFile(ways[at+1], os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
			fmt.Fprintln(f, line)
			f.Close()
		}
		word, _, _ := strings.Cut(line, " ")
		switch word {
		case "uci":
			fmt.Println("id name Fake\x1b[31m 1\nid author nobody\noption name Hash type spin default 16 min 1 max 64\noption name Skill Level type spin default 20 min 0 max 20\nuciok")
		case "isready":
			if does("unready") {
				continue
			}
			fmt.Println("readyok")
		case "stop":
			if does("stubborn") {
				continue
			}
			fmt.Println("bestmove e2e4")
		case "quit":
			if !does("stubborn") {
				return
			}
		case "go":
			if does("first") { // misbehave once only, then for the next process be good
				at := slices.Index(ways, "first")
				mark := ways[at+1]
				if _, err := os.Stat(mark); err == nil {
					fmt.Println("info depth 1 nodes 5 score cp 7\nbestmove e2e4")
					continue
				}
				os.WriteFile(mark, nil, 0o600)
			}
			switch {
			case does("crash"):
				os.Exit(3)
			case does("silent"), does("stubborn"):
			case does("none"):
				fmt.Println("bestmove (none)")
			case does("bare"):
				fmt.Println("bestmove")
			case does("illegal"):
				fmt.Println("bestmove e2e5")
			case does("garbage"):
				fmt.Println(strings.Repeat("\x00\xff info score cp ", 20_000))
				fmt.Println("info depth x score cp 99999999999999999999\ninfo score cp\ninfo\n\nbestmove e2e4 ponder")
			case does("bound"):
				fmt.Println("info depth 3 nodes 10 score cp 31\ninfo depth 4 nodes 20 score cp 900 lowerbound\ninfo depth 4 multipv 2 nodes 22 score cp -5\ninfo string score cp 1\nbestmove e2e4")
			case does("mate"):
				fmt.Println("info depth 3 nodes 10 score mate -2 pv e2e4\nbestmove e2e4")
			default:
				fmt.Println("info depth 1 nodes 5 score cp 7\nbestmove e2e4")
			}
			for does("chatty") {
				if _, err := fmt.Println("info string still here"); err != nil {
					return
				}
			}
		}
	}
	if does("stubborn") {
		time.Sleep(time.Hour)
	}
}
