package registrar

import (
	"sync"
	"time"
)

const (
	validFor    = 30 * time.Minute // since the key was last met
	validAtMost = 24 * time.Hour   // since it was proved
	invalidFor  = time.Minute
	memoryMax   = 20_000 // about 2 MB
)

// memory is what was proved about keys, by digest, for a while. The zero memory is
// ready for use.
type memory struct {
	mu    sync.Mutex
	known map[digest]verdict
}

type verdict struct {
	valid  bool
	until  time.Time // moves on when a valid key is met
	atMost time.Time
}

// recall returns what is known about d at now.
func (m *memory) recall(d digest, now time.Time) (valid, known bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, known := m.known[d]
	if !known {
		return false, false
	}
	if !now.Before(v.until) {
		delete(m.known, d)
		return false, false
	}
	if v.valid {
		v.until = earlier(now.Add(validFor), v.atMost)
		m.known[d] = v
	}
	return v.valid, true
}

// keep remembers a verdict reached at now. When the memory is full any other goes.
func (m *memory) keep(d digest, valid bool, now time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.known == nil {
		m.known = make(map[digest]verdict)
	}
	if _, known := m.known[d]; !known && len(m.known) >= memoryMax {
		for other := range m.known {
			delete(m.known, other)
			break
		}
	}
	v := verdict{valid: valid, until: now.Add(invalidFor), atMost: now.Add(invalidFor)}
	if valid {
		v.until, v.atMost = now.Add(validFor), now.Add(validAtMost)
	}
	m.known[d] = v
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}
