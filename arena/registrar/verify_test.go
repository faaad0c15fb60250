package registrar

import (
	"context"
	"fmt"
	"net/netip"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"chessarena/arena"
)

var (
	alice = arena.Agent{ID: 1, KeyGeneration: 1}
	bob   = arena.Agent{ID: 2, KeyGeneration: 1}
	here  = originOf(netip.MustParseAddr("192.0.2.1"))
	there = originOf(netip.MustParseAddr("192.0.2.2"))
)

// mustVerify checks what v says about key, and how many hashes it has spent in all.
func mustVerify(t *testing.T, v *verifier, agent arena.Agent, key arena.Key, valid bool, hashes int64) {
	t.Helper()
	got, err := v.verify(t.Context(), agent, key, cheapHash, here)
	if err != nil || got != valid {
		t.Errorf("verify = %v, %v, want %v", got, err, valid)
	}
	if n := v.hashes.Load(); n != hashes {
		t.Errorf("%d hashes were spent, want %d", n, hashes)
	}
}

func TestVerifyHashesOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := newVerifier()
		mustVerify(t, v, alice, cheapKey, true, 1)
		mustVerify(t, v, alice, cheapKey, true, 1)
		mustVerify(t, v, alice, "alice.wrong", false, 2)
		mustVerify(t, v, alice, "alice.wrong", false, 2)
		time.Sleep(invalidFor)
		mustVerify(t, v, alice, "alice.wrong", false, 3)
		mustVerify(t, v, alice, cheapKey, true, 3)
		time.Sleep(validFor)
		mustVerify(t, v, alice, cheapKey, true, 4)
	})
}

func TestVerifyForgetsAnEarlierGeneration(t *testing.T) {
	v := newVerifier()
	mustVerify(t, v, alice, cheapKey, true, 1)
	mustVerify(t, v, arena.Agent{ID: alice.ID, KeyGeneration: 2}, cheapKey, true, 2)
	mustVerify(t, v, bob, cheapKey, true, 3) // and of another nickname
	mustVerify(t, v, alice, cheapKey, true, 3)
}

func TestVerifyTogetherHashesOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := newVerifier()
		for range cap(v.slots) { // everybody must queue behind these
			v.slots <- struct{}{}
		}
		var wg sync.WaitGroup
		for range 64 {
			wg.Go(func() {
				if valid, err := v.verify(t.Context(), alice, cheapKey, cheapHash, here); err != nil || !valid {
					t.Errorf("verify = %v, %v", valid, err)
				}
			})
		}
		time.Sleep(slotWait / 2)
		<-v.slots
		wg.Wait()
		if n := v.hashes.Load(); n != 1 {
			t.Errorf("64 calls spent %d hashes", n)
		}
	})
}

func TestVerifyQueuesTwoSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := newVerifier()
		for range cap(v.slots) {
			v.slots <- struct{}{}
		}
		start := time.Now()
		_, err := v.verify(t.Context(), alice, cheapKey, cheapHash, here)
		if arena.CodeOf(err) != arena.RateLimited || arena.Public(err).RetryAfter != time.Second {
			t.Errorf("error %v, retry after %v", err, arena.Public(err).RetryAfter)
		}
		if waited := time.Since(start); waited != 2*time.Second {
			t.Errorf("waited %v, want 2s", waited)
		}
		<-v.slots
		mustVerify(t, v, alice, cheapKey, true, 1) // busy is no verdict
	})
}

func TestVerifySurvivesTheCallerThatBeganIt(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if valid, err := newVerifier().verify(ctx, alice, cheapKey, cheapHash, here); err != nil || !valid {
		t.Errorf("verify = %v, %v", valid, err)
	}
}

func TestVerifyLimitsFailures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := newVerifier()
		try := func(agent arena.Agent, key arena.Key, from origin) error {
			_, err := v.verify(t.Context(), agent, key, cheapHash, from)
			return err
		}
		for i := range failuresPerMinute {
			if err := try(alice, arena.Key(fmt.Sprintf("alice.wrong%d", i)), here); err != nil {
				t.Fatalf("wrong key %d: %v", i, err)
			}
		}
		for name, err := range map[string]error{
			"the same nickname from here":      try(alice, "alice.other", here),
			"the same nickname from elsewhere": try(alice, "alice.other", there),
			"another nickname from here":       try(bob, cheapKey, here),
		} {
			if arena.CodeOf(err) != arena.RateLimited || arena.Public(err).RetryAfter != 12*time.Second {
				t.Errorf("%s: %v, retry after %v, want rate_limited and 12s", name, err, arena.Public(err).RetryAfter)
			}
		}
		if err := try(bob, cheapKey, there); err != nil {
			t.Errorf("another nickname from elsewhere: %v", err)
		}
		if n := v.hashes.Load(); n != failuresPerMinute+1 {
			t.Errorf("%d hashes, want %d", n, failuresPerMinute+1)
		}
		time.Sleep(12 * time.Second)
		if err := try(alice, cheapKey, here); err != nil {
			t.Errorf("the right key after 12 s: %v", err)
		}
	})
}

func TestVerifyFailsOnADamagedHash(t *testing.T) {
	v := newVerifier()
	if valid, err := v.verify(t.Context(), alice, cheapKey, "nonsense", here); valid || arena.CodeOf(err) != arena.Internal {
		t.Errorf("verify = %v, %v, want an internal failure", valid, err)
	}
}
