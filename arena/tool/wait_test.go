package tool_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"chessarena/arena/tool"
	"chessarena/arena/wake"
)

func never() (bool, error) { return false, nil }

func TestWaitDoesNotWait(t *testing.T) {
	cause := errors.New("no")
	for _, c := range []struct {
		name string
		max  time.Duration
		look func() (bool, error)
		err  error
	}{
		{"when what is awaited is there", time.Hour, func() (bool, error) { return true, nil }, nil},
		{"when looking fails", time.Hour, func() (bool, error) { return false, cause }, cause},
		{"with no time to wait", 0, never, nil},
		{"with less than none", -time.Second, never, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				waited, err := tool.Wait{Hub: &wake.Hub{}, Topic: "t", Max: c.max, Beat: time.Second}.Until(t.Context(), c.look)
				if waited != 0 || err != c.err {
					t.Errorf("Until = %v, %v", waited, err)
				}
			})
		})
	}
}

// scene is what can happen to a wait.
type scene struct {
	hub           wake.Hub
	gone          chan struct{}
	cancel        func()
	there, broken atomic.Bool // what looking finds
}

// TestWaitEnds starts a wait of ten minutes and lets something happen after three
// seconds of bubble time.
func TestWaitEnds(t *testing.T) {
	cause := errors.New("no")
	for _, c := range []struct {
		name   string
		event  func(*scene)
		waited time.Duration
		err    error
	}{
		{"when it is woken and finds it", func(s *scene) { s.there.Store(true); s.hub.Wake("t") }, 3 * time.Second, nil},
		{"not when it is woken for nothing", func(s *scene) { s.hub.Wake("t") }, 10 * time.Minute, nil},
		{"not when others are woken", func(s *scene) { s.there.Store(true); s.hub.Wake("u") }, 10 * time.Minute, nil},
		{"when looking again fails", func(s *scene) { s.broken.Store(true); s.hub.Wake("t") }, 3 * time.Second, cause},
		{"when a newer wait takes its place", func(s *scene) { s.hub.Claim("c") }, 3 * time.Second, nil},
		{"when the client hangs up", func(s *scene) { close(s.gone) }, 3 * time.Second, nil},
		{"when its context ends", func(s *scene) { s.cancel() }, 3 * time.Second, nil},
		{"when the hub is closed", func(s *scene) { s.hub.Close() }, 3 * time.Second, nil},
		{"when the time is up", func(*scene) {}, 10 * time.Minute, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &scene{gone: make(chan struct{})}
				ctx, cancel := context.WithCancel(tool.WithScope(t.Context(), &tool.Scope{Gone: s.gone}))
				defer cancel()
				s.cancel = cancel
				time.AfterFunc(3*time.Second, func() { c.event(s) })
				waited, err := tool.Wait{Hub: &s.hub, Topic: "t", Claim: "c", Max: 10 * time.Minute, Beat: time.Minute}.
					Until(ctx, func() (bool, error) {
						if s.broken.Load() {
							return false, cause
						}
						return s.there.Load(), nil
					})
				if waited != c.waited || err != c.err {
					t.Errorf("Until = %v, %v; want %v, %v", waited, err, c.waited, c.err)
				}
				if n := s.hub.Waiting(); n != 0 {
					t.Errorf("%d watches are left", n)
				}
			})
		})
	}
}

func TestWaitMissesNoChangeBetweenLooks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var hub wake.Hub
		looks := 0
		// The change comes while the second look is being taken, after it has read.
		waited, err := tool.Wait{Hub: &hub, Topic: "t", Max: time.Hour, Beat: time.Minute}.Until(t.Context(), func() (bool, error) {
			looks++
			if looks == 2 {
				hub.Wake("t")
			}
			return looks == 3, nil
		})
		if waited != 0 || err != nil || looks != 3 {
			t.Errorf("Until = %v, %v after %d looks; want 3 looks at once", waited, err, looks)
		}
	})
}

func TestWaitLooksOnceMoreWhenTheTimeIsUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		var last time.Duration
		_, err := tool.Wait{Hub: &wake.Hub{}, Topic: "t", Max: time.Minute, Beat: time.Hour}.Until(t.Context(), func() (bool, error) {
			last = time.Since(start)
			return false, nil
		})
		if err != nil || last != time.Minute {
			t.Errorf("the last look was after %v (%v), want 1m", last, err)
		}
	})
}

func TestWaitBeats(t *testing.T) {
	for _, c := range []struct {
		name      string
		max, beat time.Duration
		want      []time.Duration
	}{
		{"after a second, then at each interval", 50 * time.Second, 20 * time.Second, []time.Duration{time.Second, 21 * time.Second, 41 * time.Second}},
		{"sooner when the interval is shorter", time.Second, 300 * time.Millisecond, []time.Duration{300 * time.Millisecond, 600 * time.Millisecond, 900 * time.Millisecond}},
		{"never in a wait under a second", 900 * time.Millisecond, 20 * time.Second, nil},
		{"never without an interval", 10 * time.Minute, 0, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var beats []time.Duration
				scope := &tool.Scope{Beat: func(waited, total time.Duration, note string) {
					beats = append(beats, waited)
					if total != c.max || note != "your turn" {
						t.Errorf("beat of %v, %q", total, note)
					}
				}}
				waited, err := tool.Wait{Hub: &wake.Hub{}, Topic: "t", Max: c.max, Beat: c.beat, Note: "your turn"}.
					Until(tool.WithScope(t.Context(), scope), never)
				if waited != c.max || err != nil {
					t.Errorf("Until = %v, %v", waited, err)
				}
				if diff := cmp.Diff(c.want, beats); diff != "" {
					t.Errorf("beats (-want +got):\n%s", diff)
				}
			})
		})
	}
}

func TestAWakeDoesNotPutBeatsOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var hub wake.Hub
		done := make(chan struct{})
		go func() { // a busy topic: a wake every 400 ms
			tick := time.NewTicker(400 * time.Millisecond)
			defer tick.Stop()
			for {
				select {
				case <-tick.C:
					hub.Wake("t")
				case <-done:
					return
				}
			}
		}()
		n := 0
		scope := &tool.Scope{Beat: func(time.Duration, time.Duration, string) { n++ }}
		_, err := tool.Wait{Hub: &hub, Topic: "t", Max: 10*time.Second + time.Millisecond, Beat: time.Second}.Until(tool.WithScope(t.Context(), scope), never)
		close(done)
		if err != nil || n != 10 {
			t.Errorf("%d beats in 10 s (%v), want 10", n, err)
		}
	})
}
