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
	Beat  time.Duration // between signs of life
	Note  string        // what is awaited, for a progress message
}

// Until calls look, again after every wake, until look reports true or fails, the time
// is up, the client hangs up, a newer wait with the same claim begins, or the hub is
// closed. All but a failed look are ordinary ends: the caller answers with what it
// last saw. It returns how long it waited.
func (w Wait) Until(ctx context.Context, look func() (bool, error)) (time.Duration, error) {
	if done, err := look(); done || err != nil || w.Max <= 0 {
		return 0, err
	}
	scope := ScopeOf(ctx)
	superseded, release := w.Hub.Claim(w.Claim)
	defer release()
	start := time.Now()
	end := time.NewTimer(w.Max)
	defer end.Stop()
	beat := time.NewTimer(min(firstBeat, w.Beat))
	defer beat.Stop()
	for {
		changed, stop := w.Hub.Watch(w.Topic) // before looking: nothing is missed
		done, err := look()
		if done || err != nil || w.Hub.Closed() {
			stop()
			return time.Since(start), err
		}
		woken := false
		for !woken {
			select {
			case <-changed:
				woken = true
			case <-beat.C:
				if scope.Beat != nil {
					scope.Beat(time.Since(start), w.Max, w.Note)
				}
				beat.Reset(w.Beat)
			case <-end.C:
				stop()
				_, err := look()
				return time.Since(start), err
			case <-superseded:
				stop()
				return time.Since(start), nil
			case <-scope.Gone:
				stop()
				return time.Since(start), nil
			case <-ctx.Done():
				stop()
				return time.Since(start), nil
			}
		}
		stop()
	}
}
