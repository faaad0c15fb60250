package store

import (
	"context"
	"slices"
	"sync"
)

// turns is a first-come-first-served lock that knows whether somebody is waiting. That
// knowledge is what lets a writer leave its transaction open for the next in line.
type turns struct {
	mu     sync.Mutex
	taken  bool
	closed bool
	line   []chan struct{}
}

// take waits for the turn. It returns ctx's error when ctx ends first, and ErrClosed
// after last. Whoever got the turn must end it by pass or release.
func (t *turns) take(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	t.mu.Lock()
	if t.closed {
		t.mu.Unlock()
		return ErrClosed
	}
	if !t.taken {
		t.taken = true
		t.mu.Unlock()
		return nil
	}
	mine := make(chan struct{})
	t.line = append(t.line, mine)
	t.mu.Unlock()
	select {
	case <-mine:
		return nil
	case <-ctx.Done():
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	i := slices.Index(t.line, mine)
	if i < 0 {
		return nil // the turn came at the same moment, perhaps with an open transaction
	}
	t.line = slices.Delete(t.line, i, i+1)
	return ctx.Err()
}

// last waits for the turn behind everybody in line and lets nobody in after. It reports
// false when it was called before.
func (t *turns) last() bool {
	t.mu.Lock()
	if t.closed {
		t.mu.Unlock()
		return false
	}
	t.closed = true
	if !t.taken {
		t.taken = true
		t.mu.Unlock()
		return true
	}
	mine := make(chan struct{})
	t.line = append(t.line, mine)
	t.mu.Unlock()
	<-mine
	return true
}

// pass hands the turn to the next in line; it reports false, and keeps the turn, when
// nobody is there.
func (t *turns) pass() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.next()
}

// release ends the turn.
func (t *turns) release() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.next() {
		t.taken = false
	}
}

func (t *turns) next() bool {
	if len(t.line) == 0 {
		return false
	}
	close(t.line[0])
	t.line = slices.Delete(t.line, 0, 1)
	return true
}
