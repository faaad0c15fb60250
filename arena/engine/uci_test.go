package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"chessarena/rules"
)

func start(t *testing.T) *rules.Replay {
	t.Helper()
	return rules.NewReplay(nil)
}

func fakePool(t *testing.T, how string) *Pool {
	t.Helper()
	p := NewPool(1, fakeProgram(how), nil)
	t.Cleanup(p.Close)
	return p
}

func TestAProgramPlays(t *testing.T) {
	log := filepath.Join(t.TempDir(), "heard")
	p := fakePool(t, "log "+log)
	player := p.ProgramPlayer(3, 4)
	for range 2 {
		m, err := player.Move(t.Context(), start(t), 1)
		if err != nil || m.UCI() != "e2e4" {
			t.Fatalf("%s, %v", m.UCI(), err)
		}
	}
	p.Close()
	heard, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	// One process, one greeting; a new game before each move, and the level once.
	const want = `uci
setoption name Hash value 4
isready
ucinewgame
setoption name Skill Level value 3
isready
position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
go depth 4 nodes 300000
ucinewgame
isready
position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
go depth 4 nodes 300000
`
	if string(heard) != want {
		t.Errorf("the engine heard\n%s", heard)
	}
}

func TestAProgramJudges(t *testing.T) {
	const white = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
	const black = "rnbqkbnr/pppp1ppp/4p3/8/8/4P3/PPPP1PPP/RNBQKBNR b KQkq - 0 2"
	for _, c := range []struct {
		how, fen string
		want     Evaluation
	}{
		{"plain", white, Evaluation{CP: 7, Nodes: 5}},
		{"bound", white, Evaluation{CP: 31, Nodes: 20}},
		{"mate", white, Evaluation{Mate: -2, Nodes: 10}},
	} {
		got, err := fakePool(t, c.how).Evaluator(Play, 100).Evaluate(t.Context(), c.fen)
		c.want.Engine = "Fake 1"
		if err != nil || got != c.want {
			t.Errorf("%s: %+v, %v; want %+v", c.how, got, err, c.want)
		}
	}
	// Black's view is turned round; the fake answers a move that Black does not have.
	if got, err := fakePool(t, "plain").Evaluator(Play, 100).Evaluate(t.Context(), black); !errors.Is(err, ErrDown) {
		t.Errorf("an engine that plays for the other side: %+v, %v", got, err)
	}
	if s := (score{cp: 30, mate: 2}).fromWhite(true); s != (score{cp: -30, mate: -2}) {
		t.Errorf("turned round: %+v", s)
	}
	const over = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"
	if _, err := fakePool(t, "crash").Evaluator(Play, 100).Evaluate(t.Context(), over); !errors.Is(err, ErrNoMove) {
		t.Errorf("stalemate: %v", err)
	}
}

// Whatever a process does, the answer is ErrDown within the limits, and the process is
// gone afterwards.
func TestAProgramThatMisbehavesIsEnded(t *testing.T) {
	for _, how := range []string{"crash", "silent stubborn", "none", "bare", "illegal", "unready", "mute"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			p := fakePool(t, how)
			d, err := p.take(t.Context(), Play)
			if err != nil {
				t.Fatal(err)
			}
			defer p.give(d)
			if strings.HasPrefix(how, "un") || how == "mute" {
				d.uci.limits = limits{start: 300 * time.Millisecond, ready: 300 * time.Millisecond, grace: 100 * time.Millisecond}
			} else {
				d.uci.limits.grace = 100 * time.Millisecond
			}
			_, err = d.uci.think(t.Context(), work{game: start(t), nodes: 10, wall: 200 * time.Millisecond})
			if !errors.Is(err, ErrDown) || d.uci.p != nil {
				t.Errorf("%v, process %v", err, d.uci.p)
			}
			// It is given a rest: the next try fails at once and starts nothing.
			_, err = d.uci.think(t.Context(), work{game: start(t), nodes: 10, wall: time.Second})
			if !errors.Is(err, errResting) || !errors.Is(err, ErrDown) {
				t.Errorf("right afterwards: %v", err)
			}
		})
	}
}

func TestGarbageAroundAGoodAnswerIsPassedOver(t *testing.T) {
	m, err := fakePool(t, "garbage").ProgramPlayer(0, 1).Move(t.Context(), start(t), 0)
	if err != nil || m.UCI() != "e2e4" {
		t.Errorf("%s, %v", m.UCI(), err)
	}
	if e, err := fakePool(t, "garbage").Evaluator(Play, 10).Evaluate(t.Context(), rules.Start().FEN()); !errors.Is(err, ErrDown) {
		t.Errorf("a judgement out of garbage: %+v, %v", e, err)
	}
}

func TestAProgramThatThinksTooLongIsStoppedAndItsMoveTaken(t *testing.T) {
	p := fakePool(t, "silent")
	d, _ := p.take(t.Context(), Play)
	defer p.give(d)
	got, err := d.uci.think(t.Context(), work{game: start(t), depth: 1, wall: 50 * time.Millisecond})
	if err != nil || got.move != "e2e4" || d.uci.p == nil {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestACallerWhoGivesUpKeepsTheProcess(t *testing.T) {
	p := fakePool(t, "silent")
	d, _ := p.take(t.Context(), Play)
	defer p.give(d)
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	_, err := d.uci.think(ctx, work{game: start(t), depth: 1, wall: time.Minute})
	if !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, ErrDown) {
		t.Errorf("%v", err)
	}
	if d.uci.p == nil || d.uci.fails != 0 {
		t.Error("the process was ended for its caller's impatience")
	}
}

func TestAProgramThatDiesIsStartedAgain(t *testing.T) {
	mark := filepath.Join(t.TempDir(), "died")
	p := fakePool(t, "crash first "+mark)
	player := p.ProgramPlayer(0, 1)
	if _, err := player.Move(t.Context(), start(t), 0); !errors.Is(err, ErrDown) {
		t.Fatalf("the crash: %v", err)
	}
	p.desks[0].uci.rest = time.Time{} // as if it had rested
	if m, err := player.Move(t.Context(), start(t), 0); err != nil || m.UCI() != "e2e4" {
		t.Errorf("after it: %v, %v", m, err)
	}
	if p.desks[0].uci.fails != 0 {
		t.Error("the failure is not forgiven")
	}
}

func TestThePauseGrowsWithEachFailure(t *testing.T) {
	u := &uci{program: *fakeProgram("crash"), life: t.Context(), log: NewPool(1, nil, nil).log}
	for _, want := range []time.Duration{1, 2, 4, 8, 16, 32, 60, 60} {
		u.fail(errors.New("x"))
		if got := time.Until(u.rest).Round(time.Second); got != want*time.Second {
			t.Errorf("after %d failures %s, want %s", u.fails, got, want*time.Second)
		}
	}
}

func TestAMissingProgramIsDown(t *testing.T) {
	p := NewPool(1, &Program{Path: filepath.Join(t.TempDir(), "none")}, nil)
	defer p.Close()
	if _, err := p.ProgramPlayer(0, 1).Move(t.Context(), start(t), 0); !errors.Is(err, ErrDown) {
		t.Error(err)
	}
	if _, err := Identify(t.Context(), filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("identified")
	}
}

func TestCloseLeavesNoProcess(t *testing.T) {
	for _, how := range []string{"plain", "chatty", "silent stubborn"} {
		p := fakePool(t, how)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		done := make(chan error, 1)
		go func() {
			_, err := p.ProgramPlayer(0, 1).Move(ctx, start(t), 0)
			done <- err
		}()
		if how != "silent stubborn" {
			<-done
		}
		pid := awaitProcess(t, p)
		p.Close()
		if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) {
			t.Errorf("%s: process %d is still there: %v", how, pid, err)
		}
		if how == "silent stubborn" {
			if err := <-done; err == nil {
				t.Error("a move out of a killed process")
			}
		}
		cancel()
		if _, err := p.ProgramPlayer(0, 1).Move(t.Context(), start(t), 0); !errors.Is(err, ErrClosed) {
			t.Errorf("after Close: %v", err)
		}
	}
}

// awaitProcess waits for the child of the pool's only desk, found as this process's own
// child, since the desk belongs to whoever thinks.
func awaitProcess(t *testing.T, p *Pool) int {
	t.Helper()
	for range 500 {
		raw, _ := os.ReadFile(fmt.Sprintf("/proc/self/task/%d/children", os.Getpid()))
		tasks, _ := filepath.Glob("/proc/self/task/*/children")
		for _, task := range tasks {
			more, _ := os.ReadFile(task)
			raw = append(raw, more...)
		}
		var pid int
		if _, err := fmt.Sscan(string(raw), &pid); err == nil {
			return pid
		}
		time.Sleep(10 * time.Millisecond)
	}
	if os.Getenv("ARENA_TEST_ALL") == "1" {
		t.Fatal("no child was seen within five seconds")
	}
	t.Skip("no child was seen; only Linux lists them")
	return 0
}

func TestAnIdleProcessIsEnded(t *testing.T) {
	p := fakePool(t, "plain")
	if _, err := p.ProgramPlayer(0, 1).Move(t.Context(), start(t), 0); err != nil {
		t.Fatal(err)
	}
	if n := p.StopIdle(time.Now()); n != 1 {
		t.Errorf("%d run, want the one that was just used", n)
	}
	if n := p.StopIdle(time.Now().Add(IdleAfter)); n != 0 || p.desks[0].uci.p != nil {
		t.Errorf("%d run after the idle time", n)
	}
	if _, err := p.ProgramPlayer(0, 1).Move(t.Context(), start(t), 0); err != nil {
		t.Errorf("it does not start again: %v", err)
	}
}

func TestIdentify(t *testing.T) {
	pr, err := identify(t.Context(), *fakeProgram("plain"))
	if err != nil || pr.Name != "Fake [31m 1" || len(pr.Hash) != 64 {
		t.Errorf("%+v, %v", pr, err)
	}
}

func TestFind(t *testing.T) {
	if path, err := Find(Off); path != "" || err != nil {
		t.Errorf("off: %q, %v", path, err)
	}
	if path, err := Find(os.Args[0]); path != os.Args[0] || err != nil {
		t.Errorf("a path: %q, %v", path, err)
	}
	if _, err := Find("/no/such/engine"); err == nil {
		t.Error("a path to nothing is taken")
	}
}

func FuzzInfo(f *testing.F) {
	f.Add("info depth 12 seldepth 14 multipv 1 score cp 31 nodes 20013 nps 1 pv e2e4 e7e5")
	f.Add("info score mate -3 upperbound")
	f.Fuzz(func(t *testing.T, line string) {
		var th thought
		th.hear(line)
		if name := shownName(line); len(name) > 4*64 || strings.ContainsAny(name, "\n\x1b") {
			t.Errorf("shown as %q", name)
		}
	})
}
