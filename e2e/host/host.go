// Package host runs the arena the way its hosts do: it builds the binary, starts
// `arena serve` as a process of its own with a database in a folder of the caller's,
// waits until it is ready, stops it with a signal or kills it, and gives it operators'
// commands. End-to-end tests and load programs stand on it.
//
// An Arena keeps its address and its file from one start to the next, so a client that
// lived through a restart finds the same arena again. What the process writes to
// standard error is kept, since what must never be in it is part of the promise.
//
// The package knows the program from outside, by its flags, variables and paths, except
// where CreateGames says so.
package host

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"time"
)

// Limits of a start and of an orderly stop.
const (
	readyWithin = 20 * time.Second
	stopWithin  = 10 * time.Second
)

// Build compiles the program into folder, without cgo and stripped as it is shipped,
// and returns the path of the binary. Module is the folder of the program's module.
func Build(ctx context.Context, module, folder string) (string, error) {
	target := filepath.Join(folder, "arena")
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags=-s -w", "-o", target, ".")
	build.Dir = module
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the program: %w\n%s", err, out)
	}
	return target, nil
}

// Arena is one arena: a file and an address, served by a process or not.
type Arena struct {
	Binary string
	DB     string   // path of the database
	Addr   string   // host:port; Start chooses a free port when it is empty
	Args   []string // of the binary, before --addr; nil means serve
	Env    []string // "ARENA_NAME=value", beside the open limits

	process *exec.Cmd
	exited  chan struct{}
	log     syncBuffer
}

// openLimits let tests register and call as often as they like.
var openLimits = []string{
	"ARENA_RATE_REGISTER_PER_HOUR_PER_IP=1000000",
	"ARENA_RATE_TOOLS_PER_MIN_PER_KEY=1000000",
}

// URL is the arena's base address, without a slash at its end.
func (a *Arena) URL() string { return "http://" + a.Addr }

// Log is everything the arena's processes have written to standard error.
func (a *Arena) Log() string { return a.log.String() }

// PID is the number of the serving process.
func (a *Arena) PID() int { return a.process.Process.Pid }

// Start serves the arena and returns once /readyz says so.
func (a *Arena) Start(ctx context.Context) error {
	if a.Addr == "" {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return fmt.Errorf("find a free port: %w", err)
		}
		a.Addr = listener.Addr().String()
		listener.Close()
	}
	args := a.Args
	if args == nil {
		args = []string{"serve"}
	}
	process := exec.Command(a.Binary, append(args[:len(args):len(args)], "--addr", a.Addr)...)
	process.Env = a.environ()
	process.Stderr = &a.log
	if err := process.Start(); err != nil {
		return fmt.Errorf("start the arena: %w", err)
	}
	exited := make(chan struct{})
	go func() {
		// Wait's error is in ProcessState, where Stop looks for it.
		_ = process.Wait()
		close(exited)
	}()
	a.process, a.exited = process, exited
	return a.ready(ctx)
}

func (a *Arena) environ() []string {
	env := append(os.Environ(), openLimits...)
	env = append(env, a.Env...)
	return append(env, "ARENA_DB="+a.DB)
}

// ready asks /readyz until it answers 200. There is nothing to wait on but the clock:
// the process tells nobody else.
func (a *Arena) ready(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, readyWithin)
	defer cancel()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		if a.answers(ctx) {
			return nil
		}
		select {
		case <-tick.C:
		case <-a.exited:
			return fmt.Errorf("the arena ended at its start (%v): %s", a.process.ProcessState, a.Log())
		case <-ctx.Done():
			return errors.Join(fmt.Errorf("the arena is not ready after %v: %s", readyWithin, a.Log()), a.Kill())
		}
	}
}

func (a *Arena) answers(ctx context.Context) bool {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, a.URL()+"/readyz", nil)
	if err != nil {
		return false
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return false
	}
	res.Body.Close()
	return res.StatusCode == http.StatusOK
}

// Stop ends the arena as a host would, with SIGTERM, and returns how long that took.
// An exit status other than 0 is an error.
func (a *Arena) Stop() (time.Duration, error) {
	if a.process == nil {
		return 0, nil
	}
	begin := time.Now()
	if err := a.process.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return 0, fmt.Errorf("stop the arena: %w", err)
	}
	select {
	case <-a.exited:
	case <-time.After(stopWithin):
		return stopWithin, errors.Join(fmt.Errorf("the arena runs on %v after SIGTERM", stopWithin), a.Kill())
	}
	state := a.process.ProcessState
	a.process = nil
	if !state.Success() {
		return time.Since(begin), fmt.Errorf("the arena ended with %v: %s", state, a.Log())
	}
	return time.Since(begin), nil
}

// Kill ends the process with SIGKILL, as a power cut would, and returns when it is gone.
func (a *Arena) Kill() error {
	if a.process == nil {
		return nil
	}
	err := a.process.Process.Kill()
	if errors.Is(err, os.ErrProcessDone) {
		err = nil
	}
	<-a.exited
	a.process = nil
	return err
}

// Admin runs `arena admin ARGS… --json` on the arena's file and returns what it prints.
func (a *Arena) Admin(ctx context.Context, args ...string) ([]byte, error) {
	command := exec.CommandContext(ctx, a.Binary, append(append([]string{"admin"}, args...), "--json")...)
	command.Env = a.environ()
	var out, complaint bytes.Buffer
	command.Stdout, command.Stderr = &out, &complaint
	if err := command.Run(); err != nil {
		return out.Bytes(), fmt.Errorf("arena admin %v: %w: %s%s", args, err, out.Bytes(), complaint.Bytes())
	}
	return out.Bytes(), nil
}

// syncBuffer is a buffer that a process may write to while a test reads it.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}
