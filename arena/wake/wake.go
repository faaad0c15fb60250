// Package wake tells waiters that something under a key has changed.
//
// A wake carries no data and hands nothing over: who is woken reads again. So a waiter
// must watch before it reads; a change between the two is then never missed, and a
// wake too many costs one read.
//
// Close releases everyone, for ever; it is how long-polls are answered when the arena
// shuts down. The package knows nothing of games, of time or of the network.
package wake

import "sync"

// Hub is a set of keys with the waiters on each. The zero Hub is ready for use.
type Hub struct {
	mu     sync.Mutex
	topics map[string]*topic
	claims map[string]chan struct{}
	closed bool
}

type topic struct {
	changed chan struct{} // closed at the next wake
	watches int
}

// closedChan is what a watch on a closed hub gets: always ready.
var closedChan = func() chan struct{} { c := make(chan struct{}); close(c); return c }()

// Watch returns a channel that is closed at the next Wake of key, or at once when the
// hub is closed. The caller calls stop when it no longer waits.
func (h *Hub) Watch(key string) (changed <-chan struct{}, stop func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return closedChan, func() {}
	}
	t := h.topics[key]
	if t == nil {
		if h.topics == nil {
			h.topics = make(map[string]*topic)
		}
		t = &topic{changed: make(chan struct{})}
		h.topics[key] = t
	}
	t.watches++
	var once sync.Once
	return t.changed, func() { once.Do(func() { h.leave(key, t) }) }
}

func (h *Hub) leave(key string, t *topic) {
	h.mu.Lock()
	defer h.mu.Unlock()
	t.watches--
	if t.watches == 0 && h.topics[key] == t {
		delete(h.topics, key)
	}
}

// Wake closes the channels of every watch on the keys.
func (h *Hub) Wake(keys ...string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, key := range keys {
		if t := h.topics[key]; t != nil {
			close(t.changed)
			delete(h.topics, key)
		}
	}
}

// Claim makes the caller the one waiter of owner: an earlier claim's channel is
// closed, and this one's is closed when a later claim comes. The caller calls release
// when it is done.
func (h *Hub) Claim(owner string) (superseded <-chan struct{}, release func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return closedChan, func() {}
	}
	if earlier := h.claims[owner]; earlier != nil {
		close(earlier)
	}
	if h.claims == nil {
		h.claims = make(map[string]chan struct{})
	}
	mine := make(chan struct{})
	h.claims[owner] = mine
	return mine, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.claims[owner] == mine {
			delete(h.claims, owner)
		}
	}
}

// Close wakes every watch and makes all later ones ready at once. It may be called
// again.
func (h *Hub) Close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	for key, t := range h.topics {
		close(t.changed)
		delete(h.topics, key)
	}
}

// Closed reports whether Close was called.
func (h *Hub) Closed() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.closed
}

// Waiting is the number of watches, for metrics and tests.
func (h *Hub) Waiting() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	n := 0
	for _, t := range h.topics {
		n += t.watches
	}
	return n
}
