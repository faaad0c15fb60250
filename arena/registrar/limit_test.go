package registrar

import (
	"net/netip"
	"testing"
	"time"
)

func TestLimiterGivesABurstThenItsRate(t *testing.T) {
	l := newLimiter[int](60, time.Minute)
	for i := range 60 {
		if _, wait := l.take(1, noon); wait != 0 {
			t.Fatalf("call %d must wait %v", i+1, wait)
		}
	}
	if _, wait := l.take(1, noon); wait != time.Second {
		t.Errorf("call 61 must wait %v, want 1s", wait)
	}
	if _, wait := l.take(1, noon.Add(400*time.Millisecond)); wait != 600*time.Millisecond {
		t.Errorf("after 0.4 s the wait is %v, want 600ms: a refused call took something", wait)
	}
	if _, wait := l.take(2, noon); wait != 0 {
		t.Errorf("another caller must wait %v", wait)
	}
	if _, wait := l.take(1, noon.Add(time.Second)); wait != 0 {
		t.Errorf("after a second the wait is %v", wait)
	}
	for i := range 60 {
		if _, wait := l.take(1, noon.Add(2*time.Minute)); wait != 0 {
			t.Fatalf("call %d after a pause must wait %v", i+1, wait)
		}
	}
}

func TestLimiterUndo(t *testing.T) {
	l := newLimiter[int](5, time.Hour)
	for range 4 {
		l.take(1, noon)
	}
	undo, _ := l.take(1, noon)
	if _, wait := l.take(1, noon); wait != 12*time.Minute {
		t.Errorf("the wait is %v, want 12m", wait)
	}
	undo()
	if _, wait := l.take(1, noon.Add(time.Second)); wait != 0 {
		t.Errorf("the token that was put back is not there: wait %v", wait)
	}
	if _, wait := l.take(1, noon.Add(time.Second)); wait <= 0 {
		t.Error("more than one token was put back")
	}
}

func TestLimiterWaitTakesNothing(t *testing.T) {
	l := newLimiter[int](1, time.Minute)
	for range 3 {
		if wait := l.wait(1, noon); wait != 0 {
			t.Fatalf("wait %v", wait)
		}
	}
	l.take(1, noon)
	if wait := l.wait(1, noon); wait != time.Minute {
		t.Errorf("wait %v, want 1m", wait)
	}
}

func TestLimiterForgetsFullBuckets(t *testing.T) {
	l := newLimiter[int](5, time.Minute)
	for k := range 100 {
		l.take(k, noon)
	}
	l.take(1000, noon.Add(30*time.Second))
	if n := len(l.buckets); n != 101 {
		t.Errorf("%d buckets while none is full again, want 101", n)
	}
	l.take(1001, noon.Add(61*time.Second))
	if n := len(l.buckets); n != 2 {
		t.Errorf("%d buckets a minute later, want the 2 that are in use", n)
	}
}

func TestLimiterIsBounded(t *testing.T) {
	l := newLimiter[int](5, time.Hour)
	for k := range limitedMax + 500 {
		l.take(k, noon)
	}
	if n := len(l.buckets); n != limitedMax {
		t.Errorf("%d buckets, want %d", n, limitedMax)
	}
}

func TestOriginOf(t *testing.T) {
	same := func(a, b string) bool { return originOf(netip.MustParseAddr(a)) == originOf(netip.MustParseAddr(b)) }
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"192.0.2.1", "192.0.2.1", true},
		{"192.0.2.1", "192.0.2.2", false},
		{"192.0.2.1", "::ffff:192.0.2.1", true},
		{"::ffff:192.0.2.1", "::ffff:192.0.2.2", false},
		{"2001:db8:0:1::1", "2001:db8:0:1:ffff::2", true},
		{"2001:db8:0:1::1", "2001:db8:0:2::1", false},
		{"fe80::1%eth0", "fe80::2%eth1", true},
	} {
		if got := same(c.a, c.b); got != c.want {
			t.Errorf("%s and %s share a bucket: %v, want %v", c.a, c.b, got, c.want)
		}
	}
	if originOf(netip.Addr{}) == originOf(netip.MustParseAddr("0.0.0.0")) {
		t.Error("an unknown address counts as 0.0.0.0")
	}
}
