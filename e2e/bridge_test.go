package e2e_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"chessarena/e2e/agent"
	"chessarena/e2e/host"
)

// bridge is an official TypeScript client in a Node process, as a Caller.
type bridge struct {
	in      io.WriteCloser
	process *exec.Cmd

	mu      sync.Mutex
	last    int
	waiting map[int]chan bridgeAnswer
	ended   bool
}

type bridgeAnswer struct {
	ID    int             `json:"id"`
	OK    json.RawMessage `json:"ok"`
	Error string          `json:"error"`
}

// typescript connects generation "v1" or "v2" of the SDK to a.
func typescript(t *testing.T, generation string, a *host.Arena) *bridge {
	t.Helper()
	node := needs(t, "node")
	needsPackage(t, map[string]string{"v1": "@modelcontextprotocol/sdk", "v2": "@modelcontextprotocol/client"}[generation])
	process := exec.Command(node, "node/bridge.mjs", generation, a.URL()+"/mcp")
	process.Stderr = os.Stderr
	in, err := process.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := process.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	b := &bridge{in: in, process: process, waiting: make(map[int]chan bridgeAnswer)}
	read := make(chan struct{})
	go func() {
		defer close(read)
		b.read(out)
	}()
	t.Cleanup(func() {
		b.Close()
		<-read
		_ = process.Wait() // its exit status says nothing about the arena
	})
	return b
}

// read hands the answers to whoever waits for them, until the process ends.
func (b *bridge) read(out io.Reader) {
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 4<<20)
	for lines.Scan() {
		var answer bridgeAnswer
		if err := json.Unmarshal(lines.Bytes(), &answer); err != nil {
			answer.Error = fmt.Sprintf("%v in %.200s", err, lines.Bytes())
		}
		b.mu.Lock()
		if c := b.waiting[answer.ID]; c != nil {
			c <- answer
			delete(b.waiting, answer.ID)
		}
		b.mu.Unlock()
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ended = true
	for _, c := range b.waiting {
		close(c)
	}
}

// do runs one operation of node/bridge.mjs.
func (b *bridge) do(ctx context.Context, op string, request agent.Args) (json.RawMessage, error) {
	answer := make(chan bridgeAnswer, 1)
	line := agent.Args{"op": op}
	for name, value := range request {
		line[name] = value
	}
	b.mu.Lock()
	b.last++
	line["id"] = b.last
	b.waiting[b.last] = answer
	ended := b.ended
	text, err := json.Marshal(line)
	if err == nil && !ended {
		_, err = b.in.Write(append(text, '\n'))
	}
	b.mu.Unlock()
	if err != nil || ended {
		return nil, errors.Join(err, errors.New("the client has ended"))
	}
	select {
	case got, ok := <-answer:
		switch {
		case !ok:
			return nil, errors.New("the client has ended")
		case got.Error != "":
			return nil, errors.New(got.Error)
		}
		return got.OK, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Call calls a tool.
func (b *bridge) Call(ctx context.Context, tool string, args agent.Args) (json.RawMessage, error) {
	limit := 60 * time.Second
	if deadline, ok := ctx.Deadline(); ok {
		limit = min(limit, time.Until(deadline))
	}
	return b.do(ctx, "call", agent.Args{"name": tool, "args": args, "timeout_ms": limit.Milliseconds()})
}

// Close ends the client by ending its input.
func (b *bridge) Close() error { return b.in.Close() }
