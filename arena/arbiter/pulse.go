package arbiter

import (
	"sync"
	"time"

	"chessarena/arena"
)

// The heartbeat: how often the arbiter notes that it is awake, and from which silence
// on it must have been away.
const (
	BeatEvery = 5 * time.Second
	stalled   = 3 * BeatEvery // a busy machine may be late by a beat or two
	jumped    = time.Second   // a wall clock that is merely steered moves less
)

// pulse tells time that passed for the players from time in which the arena was not
// there for them, and keeps account of what of the latter has yet to be given back.
type pulse struct {
	mu   sync.Mutex
	last time.Time // of the last beat, with both clock readings
	debt map[arena.ShiftReason]time.Duration
	down time.Time // since when the store has taken no change; zero when it does
}

// beat notes that the arena is awake at now and enters into the account what happened
// since the last beat.
func (p *pulse) beat(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	last := p.last
	p.last = now
	if !last.IsZero() {
		p.add(absence(now.Round(0).Sub(last.Round(0)), now.Sub(last)), arena.ShiftAway)
	}
}

// absence judges the time between two beats. Two things give an absence away. The wall
// clock has moved differently from the monotonic one, which stands still while Linux
// sleeps. Or the beat itself is overdue, as after a stop of the process or a sleep that
// the monotonic clock counts. Then all of the time since the last beat is given back,
// a beat more than was lost at most. A clock set back takes the turns' starts with it.
func absence(wall, monotonic time.Duration) time.Duration {
	jump := wall - monotonic
	switch {
	case jump < -jumped:
		return jump
	case jump > jumped, monotonic > stalled:
		return max(wall, monotonic)
	}
	return 0
}

// steady reports whether now is so close to the last beat that nothing can have
// happened unnoticed.
func (p *pulse) steady(now time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.last.IsZero() {
		return true
	}
	wall := now.Round(0).Sub(p.last.Round(0))
	return wall > -jumped && wall < stalled
}

// owe enters time to be given back.
func (p *pulse) owe(d time.Duration, reason arena.ShiftReason) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.add(d, reason)
}

func (p *pulse) add(d time.Duration, reason arena.ShiftReason) {
	if d == 0 {
		return
	}
	if p.debt == nil {
		p.debt = make(map[arena.ShiftReason]time.Duration)
	}
	p.debt[reason] += d
}

// outage notes that the store took no change at now.
func (p *pulse) outage(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.down.IsZero() {
		p.down = now
	}
}

// owed is one sum that is to be given back, with its reason; 0 when there is none. An
// outage of the store is owed up to now, since paying it ends it.
func (p *pulse) owed(now time.Time) (time.Duration, arena.ShiftReason) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.down.IsZero() {
		return max(now.Sub(p.down), time.Millisecond), arena.ShiftStorage
	}
	for reason, d := range p.debt {
		return d, reason
	}
	return 0, ""
}

// paid takes d off the account.
func (p *pulse) paid(d time.Duration, reason arena.ShiftReason) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if reason == arena.ShiftStorage {
		p.down = time.Time{}
		return
	}
	if p.debt[reason] -= d; p.debt[reason] == 0 {
		delete(p.debt, reason)
	}
}
