package tool

import (
	"context"
	"time"

	"chessarena/arena/wake"
)

// firstBeat is how soon a waiting client hears something: clients and proxies give up
// on a connection that stays silent (research/mcp §3).
const firstBeat = time.Second

// Wait describes one long-poll.
type Wait struct {
	Hub   *wake.Hub
	Topic string        // woken when what is awaited may have come
	Claim string        // of several waits with one claim only the newest goes on
	Max   time.Duration // how long to wait; 0 looks once
	Beat  time.Duration // between signs of life; 0 gives none
	Note  string        // what is awaited, for a progress message
}

// Until calls look, again after every wake, until look reports true or fails, the time
// is up, the client hangs up, a newer wait with the same claim begins, or the hub is
// closed. All but a failed look are ordinary ends: the caller answers with what it
// last saw. It returns how long it waited.
func (w Wait) Until(ctx context.Context, look func() (bool, error)) (time.Duration, error) {
	// Most calls have nothing to wait for and need none of what follows.
	if done, err := look(); done || err != nil || w.Max <= 0 {
		return 0, err
	}
	return w.block(ctx, look)
}

// block is Until once there is something to wait for.
func (w *Wait) block(ctx context.Context, look func() (bool, error)) (time.Duration, error) {
	superseded, release := w.Hub.Claim(w.Claim)
	defer release()
	p := &pause{Wait: w, start: time.Now(), superseded: superseded, scope: ScopeOf(ctx)}
	p.end, p.beat = time.NewTimer(w.Max), time.NewTimer(min(firstBeat, w.Beat))
	defer p.end.Stop()
	defer p.beat.Stop()
	if w.Beat <= 0 {
		p.beat.Stop()
	}
	for more := true; ; {
		changed, stop := w.Hub.Watch(w.Topic) // before looking: nothing is missed
		done, err := look()
		if !done && err == nil && more && !w.Hub.Closed() {
			more = p.until(ctx, changed)
			stop()
			continue
		}
		stop()
		return time.Since(p.start), err
	}
}

// pause is a wait between two looks.
type pause struct {
	*Wait
	start      time.Time
	end, beat  *time.Timer
	superseded <-chan struct{}
	scope      *Scope
}

// until sends signs of life until changed is ready, and reports whether to go on
// waiting after it; any other end of the wait is final.
func (p *pause) until(ctx context.Context, changed <-chan struct{}) bool {
	for {
		select {
		case <-changed:
			return true
		case <-p.beat.C:
			if p.scope.Beat != nil {
				p.scope.Beat(time.Since(p.start), p.Max, p.Note)
			}
			p.beat.Reset(p.Beat)
		case <-p.end.C:
			return false
		case <-p.superseded:
			return false
		case <-p.scope.Gone:
			return false
		case <-ctx.Done():
			return false
		}
	}
}
