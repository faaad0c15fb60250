package registrar

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"chessarena/arena"
)

func TestAdmitAnswersEveryKey(t *testing.T) {
	o := openOffice(t, nil)
	alice, bertha := o.mustRegister("alice"), o.mustRegister("bertha")
	_, secret, _ := strings.Cut(string(alice.Key), ".")
	for _, c := range []struct {
		name string
		key  arena.Key
		code arena.Code
	}{
		{"hers", alice.Key, ""},
		{"none", "", arena.MalformedKey},
		{"a secret without nickname", arena.Key(secret), arena.MalformedKey},
		{"a nickname without secret", "alice.", arena.MalformedKey},
		{"an impossible nickname", arena.Key("a!." + secret), arena.MalformedKey},
		{"an endless key", alice.Key + arena.Key(strings.Repeat("x", 10_000)), arena.MalformedKey},
		{"of a nickname that nobody has", arena.Key("nobody." + secret), arena.UnknownKey},
		{"of a reserved nickname", arena.Key("house." + secret), arena.UnknownKey},
		{"with another secret", "alice.wrong", arena.BadKey},
		{"with its last character missing", alice.Key[:299], arena.BadKey},
		{"with a character too many", alice.Key + "x", arena.BadKey},
		{"with the nickname in other case", arena.Key("ALICE." + secret), arena.BadKey},
		{"of alice under bertha's name", arena.Key("bertha." + secret), arena.BadKey},
		{"of bertha", bertha.Key, ""},
	} {
		t.Run(c.name, func(t *testing.T) { o.must(c.code, c.key) })
	}
}

func TestWrongKeysAreNeverHashed(t *testing.T) {
	o := openOffice(t, nil)
	alice := o.mustRegister("alice")
	before := o.keys.hashes.Load()
	for i := range 2000 {
		o.must(arena.BadKey, arena.Key(fmt.Sprintf("alice.wrong%d", i)))
	}
	if n := o.keys.hashes.Load() - before; n != 0 {
		t.Errorf("2000 wrong keys cost %d hashes", n)
	}
	o.must("", alice.Key)
}

func TestAWrongKeyWithTheRightFingerprintIsHashedOnce(t *testing.T) {
	o := openOffice(t, nil)
	o.mustRegister("alice")
	o.behind(`UPDATE nicknames SET fingerprint = ?`, string(arena.Key("alice.forged").Fingerprint()))
	before := o.keys.hashes.Load()
	for range 3 {
		o.must(arena.BadKey, "alice.forged")
	}
	if n := o.keys.hashes.Load() - before; n != 1 {
		t.Errorf("%d hashes, want 1", n)
	}
}

func TestAFreezeByAnotherProcessHoldsFromTheNextCall(t *testing.T) {
	o := openOffice(t, nil)
	alice, bertha := o.mustRegister("alice"), o.mustRegister("bertha")
	o.must("", alice.Key)
	o.behind(`UPDATE nicknames SET status = 'frozen', key_generation = key_generation + 1 WHERE nickname = 'alice'`)
	o.must(arena.Frozen, alice.Key)
	o.must(arena.BadKey, "alice.wrong") // only the owner learns of it
	o.must("", bertha.Key)
	o.behind(`UPDATE nicknames SET status = 'active' WHERE nickname = 'alice'`)
	o.must("", alice.Key)
}

func TestAKeyReplacedByAnotherProcessIsBadFromTheNextCall(t *testing.T) {
	o := openOffice(t, nil)
	alice := o.mustRegister("alice")
	o.must("", alice.Key)
	o.behind(`UPDATE nicknames SET key_hash = ?, fingerprint = ?, key_generation = key_generation + 1`, cheapHash, string(cheapKey.Fingerprint()))
	o.must(arena.BadKey, alice.Key)
	o.must("", cheapKey)
}

func TestANewKeyWithTheOldFingerprintIsNotTakenForTheOld(t *testing.T) {
	o := openOffice(t, nil)
	alice := o.mustRegister("alice")
	o.must("", alice.Key)
	// The fingerprints cannot tell these apart; only the key generation can.
	o.behind(`UPDATE nicknames SET key_hash = ?, key_generation = key_generation + 1`, cheapHash)
	o.must(arena.BadKey, alice.Key)
}

func TestDormantNicknames(t *testing.T) {
	o := openOffice(t, nil)
	alice := o.mustRegister("alice")
	days := func(n int) {
		t.Helper()
		o.behind(`UPDATE nicknames SET created_ms = 0, last_seen_ms = ?`, time.Now().AddDate(0, 0, -n).UnixMilli())
	}
	days(181)
	o.must(arena.Dormant, alice.Key)
	o.must(arena.Dormant, alice.Key) // the call itself must not wake it
	days(179)
	o.must("", alice.Key)
	o.behind(`UPDATE nicknames SET status = 'dormant'`)
	o.must(arena.Dormant, alice.Key)
	o.behind(`UPDATE nicknames SET status = 'active'`)
	o.must("", alice.Key)
}

func TestTheLastCallIsNotedHourly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := openOffice(t, nil)
		alice := o.mustRegister("alice")
		start := time.Now()
		for _, c := range []struct{ call, seen time.Duration }{ // since the start, which is a full hour
			{time.Minute, 0},
			{59 * time.Minute, 0},
			{61 * time.Minute, time.Hour},
			{110 * time.Minute, time.Hour},
			{10 * time.Hour, 10 * time.Hour},
		} {
			time.Sleep(time.Until(start.Add(c.call)))
			before, _ := o.agent("alice")
			version := o.db.Version()
			o.must("", alice.Key)
			if wrote, due := o.db.Version() != version, !before.LastSeen.Equal(start.Add(c.seen)); wrote != due {
				t.Errorf("a call after %v: wrote %v, want %v", c.call, wrote, due)
			}
			if agent, _ := o.agent("alice"); !agent.LastSeen.Equal(start.Add(c.seen)) {
				t.Errorf("a call after %v: last seen after %v, want %v", c.call, agent.LastSeen.Sub(start), c.seen)
			}
		}
	})
}

func TestACallThatCannotBeNotedSucceeds(t *testing.T) {
	o := openOffice(t, nil)
	alice := o.mustRegister("alice")
	o.behind(`UPDATE nicknames SET created_ms = created_ms - 10000000, last_seen_ms = last_seen_ms - 10000000`)
	o.behind(`CREATE TRIGGER no_touch BEFORE UPDATE ON nicknames BEGIN SELECT raise(ABORT, 'no'); END`)
	for range 3 {
		o.must("", alice.Key)
	}
	if n := strings.Count(o.log.String(), "last call not noted"); n != 1 {
		t.Errorf("%d log lines about it, want 1: it must not be tried at every call", n)
	}
}

func TestKeysAreLimited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := openOffice(t, func(s *arena.Settings) { s.ToolsPerMinute = 3 })
		alice, bertha := o.mustRegister("alice"), o.mustRegister("bertha")
		o.must("", alice.Key)
		mustBe(t, o.call("", string(alice.Key), "whoami", ""), "") // a public tool with a key counts
		o.must("", alice.Key)
		refused := o.must(arena.RateLimited, alice.Key)
		if after := decodeRefusal(t, refused).RetryAfter; after != 20 {
			t.Errorf("retry_after_s is %d, want 20", after)
		}
		mustBe(t, o.call("", string(alice.Key), "whoami", ""), arena.RateLimited)
		mustBe(t, o.call("", "", "whoami", ""), "") // without a key it does not
		o.must("", bertha.Key)
		for range 10 { // whoever does not have the key cannot use up its calls
			o.must(arena.BadKey, "bertha.wrong")
		}
		o.must("", bertha.Key)
		time.Sleep(20 * time.Second)
		o.must("", alice.Key)
		o.must(arena.RateLimited, alice.Key)
		time.Sleep(time.Minute)
		for range 3 {
			o.must("", alice.Key)
		}
	})
}

func TestPublicToolsAcceptAKey(t *testing.T) {
	o := openOffice(t, nil)
	alice := o.mustRegister("alice")
	if a := o.call("", "", "whoami", ""); string(a.JSON) != `{"nickname":""}` {
		t.Errorf("without a key: %s", a.JSON)
	}
	if a := o.call("", string(alice.Key), "whoami", ""); string(a.JSON) != `{"nickname":"alice"}` {
		t.Errorf("with a key: %s", a.JSON)
	}
	mustBe(t, o.call("", "alice.wrong", "whoami", ""), arena.BadKey)
}

func BenchmarkAdmitKnownKey(b *testing.B) {
	o := openOffice(b, func(s *arena.Settings) { s.ToolsPerMinute = 1_000_000 })
	alice := o.mustRegister("alice")
	for b.Loop() {
		if a := o.call("192.0.2.1", string(alice.Key), "whoami", ""); a.Err != nil {
			b.Fatal(a.Err)
		}
	}
}
