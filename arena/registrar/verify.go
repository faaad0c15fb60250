package registrar

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"runtime"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"

	"chessarena/arena"
)

const (
	// slotWait is how long a call queues for its turn to hash; then it is told to
	// come again after slotRetry.
	slotWait  = 2 * time.Second
	slotRetry = time.Second
)

// verifier proves keys against their stored hashes, as seldom as it can.
type verifier struct {
	secret   [32]byte // of this process; makes the digests useless elsewhere
	memory   memory
	flight   singleflight.Group
	slots    chan struct{} // one for each hash that may run
	failures struct {
		nicknames *limiter[int64]
		addresses *limiter[origin]
	}
	hashes atomic.Int64 // run so far, for metrics and tests
}

func newVerifier() *verifier {
	v := &verifier{slots: make(chan struct{}, min(2, runtime.NumCPU()))}
	rand.Read(v.secret[:]) // never fails
	v.failures.nicknames = newLimiter[int64](failuresPerMinute, time.Minute)
	v.failures.addresses = newLimiter[origin](failuresPerMinute, time.Minute)
	return v
}

// digest stands for a key in memory. It covers the nickname's id and key generation,
// so what was learnt about a key that has been replaced or frozen is never met again.
type digest [sha256.Size]byte

func (v *verifier) digest(agent arena.Agent, key arena.Key) digest {
	mac := hmac.New(sha256.New, v.secret[:])
	var head [16]byte
	binary.BigEndian.PutUint64(head[:8], uint64(agent.ID))
	binary.BigEndian.PutUint64(head[8:], uint64(agent.KeyGeneration))
	mac.Write(head[:])
	mac.Write([]byte(key))
	return digest(mac.Sum(nil))
}

// verify reports whether key is the one whose hash is stored for agent. Only a key
// with agent's fingerprint may come here. It fails with RateLimited when too many
// hashes are wanted, or asked for in vain.
func (v *verifier) verify(ctx context.Context, agent arena.Agent, key arena.Key, hash string, from origin) (bool, error) {
	d := v.digest(agent, key)
	if valid, known := v.memory.recall(d, time.Now()); known {
		return valid, nil
	}
	// One of the callers with this key does the work for all of them, so it must not
	// stop when that one hangs up.
	ctx = context.WithoutCancel(ctx)
	valid, err, _ := v.flight.Do(string(d[:]), func() (any, error) {
		if valid, known := v.memory.recall(d, time.Now()); known {
			return valid, nil
		}
		return v.prove(ctx, agent, key, hash, from)
	})
	if err != nil {
		return false, err
	}
	return valid.(bool), nil
}

// prove runs argon2 and remembers what it said.
func (v *verifier) prove(ctx context.Context, agent arena.Agent, key arena.Key, hash string, from origin) (bool, error) {
	stored, err := parseHash(hash)
	if err != nil {
		return false, err
	}
	now := time.Now()
	if wait := max(v.failures.nicknames.wait(agent.ID, now), v.failures.addresses.wait(from, now)); wait > 0 {
		return false, limited(wait, "Too many wrong keys; wait before you try another.")
	}
	release, err := v.slot(ctx)
	if err != nil {
		return false, err
	}
	defer release()
	valid := stored.matches(key)
	now = time.Now()
	if !valid {
		v.failures.nicknames.take(agent.ID, now)
		v.failures.addresses.take(from, now)
	}
	v.memory.keep(v.digest(agent, key), valid, now)
	return valid, nil
}

// slot waits for the right to run one hash. The caller releases it.
func (v *verifier) slot(ctx context.Context) (release func(), err error) {
	patience := time.NewTimer(slotWait)
	defer patience.Stop()
	select {
	case v.slots <- struct{}{}:
		v.hashes.Add(1)
		return func() { <-v.slots }, nil
	case <-patience.C:
		return nil, limited(slotRetry, "The arena is busy checking keys; try again in a moment.")
	case <-ctx.Done():
		return nil, limited(slotRetry, "The call ended before the arena could check keys.").Because(ctx.Err())
	}
}
