package registrar

import (
	"net/netip"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"chessarena/arena"
)

// limiter gives each caller of a kind its own token bucket: burst tokens at first and
// burst again over each period. A bucket left alone for a period is full, and so the
// same as none: it is forgotten. At most limitedMax are kept.
type limiter[K comparable] struct {
	burst  int
	period time.Duration

	mu      sync.Mutex
	buckets map[K]*bucket
	swept   time.Time
}

type bucket struct {
	*rate.Limiter
	used time.Time
}

func newLimiter[K comparable](burst int, period time.Duration) *limiter[K] {
	return &limiter[K]{burst: burst, period: period, buckets: make(map[K]*bucket)}
}

// take draws one token of k. When there is none it takes nothing and says how long
// until there is one; otherwise undo puts the token back.
func (l *limiter[K]) take(k K, now time.Time) (undo func(), wait time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	b := l.buckets[k]
	if b == nil {
		l.makeRoom(now)
		b = &bucket{Limiter: rate.NewLimiter(rate.Limit(float64(l.burst)/l.period.Seconds()), l.burst)}
		l.buckets[k] = b
	}
	b.used = now
	drawn := b.ReserveN(now, 1)
	undo = func() { drawn.CancelAt(now) }
	if wait = drawn.DelayFrom(now); wait > 0 {
		undo()
		return nil, wait
	}
	return undo, 0
}

// wait says how long until k has a token, without drawing it.
func (l *limiter[K]) wait(k K, now time.Time) time.Duration {
	undo, wait := l.take(k, now)
	if undo != nil {
		undo()
	}
	return wait
}

// makeRoom forgets the buckets that are full again, at most once a period, and any one
// when there are still too many.
func (l *limiter[K]) makeRoom(now time.Time) {
	if now.Sub(l.swept) >= l.period {
		l.swept = now
		for k, b := range l.buckets {
			if now.Sub(b.used) >= l.period {
				delete(l.buckets, k)
			}
		}
	}
	if len(l.buckets) >= limitedMax {
		for k := range l.buckets {
			delete(l.buckets, k)
			return
		}
	}
}

// origin is an address as it is limited: an IPv4 address, or the /64 network that one
// IPv6 customer holds. Callers whose address the door does not know share one.
type origin netip.Prefix

func originOf(addr netip.Addr) origin {
	addr = addr.Unmap()
	bits := addr.BitLen()
	if addr.Is6() {
		bits = 64
	}
	p, err := addr.WithZone("").Prefix(bits)
	if err != nil {
		return origin{}
	}
	return origin(p)
}

// limited is the refusal of a caller that must wait. It never says less than a
// millisecond, so that the client always gets a number.
func limited(wait time.Duration, format string, args ...any) *arena.Error {
	e := arena.Errorf(arena.RateLimited, format, args...)
	e.RetryAfter = max(wait, time.Millisecond)
	return e
}
