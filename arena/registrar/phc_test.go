package registrar

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"testing/iotest"

	"chessarena/arena"
)

// The strings below were made by the reference implementation's command line tool
// (argon2 SALT -id -t … -k … -p … -l … -e).
var alicesKey = arena.Key("alice." + strings.Repeat("A", 94))

const (
	alicesHash = "$argon2id$v=19$m=19456,t=2,p=1$MDEyMzQ1Njc4OWFiY2RlZg$U7ktuLC3NTrzR31Y1HPG7rwjDp4iTuwTAR6m9SsQgXg"
	twoLanes   = "$argon2id$v=19$m=64,t=1,p=2$c29tZXNhbHQ$jHy2SwkAy93HwHQzGNWPgw" // the same key
	cheapHash  = "$argon2id$v=19$m=64,t=1,p=1$c29tZXNhbHQ$y4ce7+Pt+9zKk9K92hX/Jca6AasFUUu5CUcCJaNcGcA"
	cheapKey   = arena.Key("alice.x") // of cheapHash
)

func TestHashKeyAgreesWithTheReferenceImplementation(t *testing.T) {
	got, err := hashKey(alicesKey, strings.NewReader("0123456789abcdef"))
	if err != nil || got != alicesHash {
		t.Errorf("hashKey = %s, %v\nwant %s", got, err, alicesHash)
	}
}

func TestHashKeyNeedsEntropy(t *testing.T) {
	cause := errors.New("no entropy")
	if _, err := hashKey(alicesKey, iotest.ErrReader(cause)); !errors.Is(err, cause) {
		t.Errorf("error = %v, want it to wrap the reader's", err)
	}
	if _, err := hashKey(alicesKey, bytes.NewReader(make([]byte, 15))); err == nil {
		t.Error("15 bytes of salt were enough")
	}
}

func TestStoredHashMatchesItsKeyOnly(t *testing.T) {
	for text, key := range map[string]arena.Key{alicesHash: alicesKey, twoLanes: alicesKey, cheapHash: cheapKey} {
		h, err := parseHash(text)
		if err != nil {
			t.Errorf("parseHash(%s): %v", text, err)
			continue
		}
		if !h.matches(key) || h.matches(key+"A") || h.matches("") {
			t.Errorf("%s: matches its key %v, a longer one %v, none %v", text, h.matches(key), h.matches(key+"A"), h.matches(""))
		}
	}
}

func TestParseHashRefuses(t *testing.T) {
	const salt, tag = "MDEyMzQ1Njc4OWFiY2RlZg", "U7ktuLC3NTrzR31Y1HPG7rwjDp4iTuwTAR6m9SsQgXg"
	for name, text := range map[string]string{
		"nothing":             "",
		"a plain text":        "hunter2",
		"another function":    "$argon2i$v=19$m=64,t=1,p=1$" + salt + "$" + tag,
		"another version":     "$argon2id$v=16$m=64,t=1,p=1$" + salt + "$" + tag,
		"no version":          "$argon2id$m=64,t=1,p=1$" + salt + "$" + tag,
		"one part more":       "$argon2id$v=19$m=64,t=1,p=1$" + salt + "$" + tag + "$",
		"words for a cost":    "$argon2id$v=19$m=lots,t=1,p=1$" + salt + "$" + tag,
		"a cost with a tail":  "$argon2id$v=19$m=64,t=1,p=1,x=1$" + salt + "$" + tag,
		"another order":       "$argon2id$v=19$t=1,m=64,p=1$" + salt + "$" + tag,
		"too much memory":     "$argon2id$v=19$m=65537,t=1,p=1$" + salt + "$" + tag,
		"a world of memory":   "$argon2id$v=19$m=4294967295,t=1,p=1$" + salt + "$" + tag,
		"too little memory":   "$argon2id$v=19$m=15,t=1,p=2$" + salt + "$" + tag,
		"too many passes":     "$argon2id$v=19$m=64,t=5,p=1$" + salt + "$" + tag,
		"no pass":             "$argon2id$v=19$m=64,t=0,p=1$" + salt + "$" + tag,
		"too many lanes":      "$argon2id$v=19$m=64,t=1,p=5$" + salt + "$" + tag,
		"no lane":             "$argon2id$v=19$m=64,t=1,p=0$" + salt + "$" + tag,
		"260 lanes":           "$argon2id$v=19$m=64,t=1,p=260$" + salt + "$" + tag,
		"a short salt":        "$argon2id$v=19$m=64,t=1,p=1$MDEy$" + tag,
		"a salt that is none": "$argon2id$v=19$m=64,t=1,p=1$!!!!$" + tag,
		"a short tag":         "$argon2id$v=19$m=64,t=1,p=1$" + salt + "$U7kt",
		"an endless tag":      "$argon2id$v=19$m=64,t=1,p=1$" + salt + "$" + strings.Repeat("U7kt", 1000),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := parseHash(text)
			if err == nil {
				t.Fatal("no error")
			}
			if strings.Contains(err.Error(), salt) || strings.Contains(err.Error(), "hunter2") {
				t.Errorf("the error repeats the stored text: %v", err)
			}
		})
	}
}
