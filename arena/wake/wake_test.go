package wake_test

import (
	"sync"
	"testing"

	"chessarena/arena/wake"
)

func ready(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

func TestWakeReachesEveryWatchOfItsKeyOnly(t *testing.T) {
	var h wake.Hub
	a1, stop1 := h.Watch("a")
	a2, stop2 := h.Watch("a")
	b, stopB := h.Watch("b")
	defer stop1()
	defer stop2()
	defer stopB()
	h.Wake("a", "unknown")
	if !ready(a1) || !ready(a2) {
		t.Error("a watch of the woken key is not ready")
	}
	if ready(b) {
		t.Error("a watch of another key was woken")
	}
	again, stop := h.Watch("a")
	defer stop()
	if ready(again) {
		t.Error("a watch made after the wake is ready")
	}
}

func TestStopForgetsTheWatch(t *testing.T) {
	var h wake.Hub
	_, stop1 := h.Watch("a")
	_, stop2 := h.Watch("a")
	stop1()
	stop1() // harmless twice
	if n := h.Waiting(); n != 1 {
		t.Errorf("Waiting() = %d after one of two stopped, want 1", n)
	}
	h.Wake("a")
	stop2()
	if n := h.Waiting(); n != 0 {
		t.Errorf("Waiting() = %d at the end, want 0", n)
	}
}

func TestCloseReleasesEveryoneForEver(t *testing.T) {
	var h wake.Hub
	before, stop := h.Watch("a")
	defer stop()
	h.Close()
	h.Close()
	after, stopAfter := h.Watch("a")
	defer stopAfter()
	claim, release := h.Claim("x")
	defer release()
	if !ready(before) || !ready(after) || !ready(claim) {
		t.Error("a watch or claim is not released by Close")
	}
	if !h.Closed() {
		t.Error("Closed() = false")
	}
}

func TestTheNewestClaimWins(t *testing.T) {
	var h wake.Hub
	first, releaseFirst := h.Claim("key/game")
	second, releaseSecond := h.Claim("key/game")
	other, releaseOther := h.Claim("key/other")
	defer releaseOther()
	if !ready(first) || ready(second) || ready(other) {
		t.Error("the second claim must supersede the first, and nothing else")
	}
	releaseFirst() // the loser's release must not free the winner's claim
	third, releaseThird := h.Claim("key/game")
	defer releaseThird()
	if !ready(second) || ready(third) {
		t.Error("the third claim must supersede the second")
	}
	releaseSecond()
}

func TestConcurrentUse(t *testing.T) {
	var h wake.Hub
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 500 {
				c, stop := h.Watch("k")
				h.Wake("k")
				if !ready(c) {
					t.Error("own wake did not reach own watch")
				}
				stop()
			}
		})
	}
	wg.Wait()
	if n := h.Waiting(); n != 0 {
		t.Errorf("Waiting() = %d, want 0", n)
	}
}
