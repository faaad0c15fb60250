package arena_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/iotest"

	"chessarena/arena"
)

const base58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

// everyByte yields 0, 1, … 255, 0, 1, … for ever.
type everyByte struct{ next byte }

func (e *everyByte) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = e.next
		e.next++
	}
	return len(p), nil
}

func TestNewKey(t *testing.T) {
	for _, length := range []int{80, 300, 1024} {
		key, err := arena.NewKey("alice", length, &everyByte{})
		if err != nil {
			t.Fatal(err)
		}
		name, secret, _ := strings.Cut(string(key), ".")
		if len(key) != length || name != "alice" || strings.Trim(secret, base58) != "" {
			t.Errorf("NewKey of %d characters = %d characters %q", length, len(key), string(key))
		}
	}
}

func TestNewKeyMapsBytesToTheAlphabetInOrder(t *testing.T) {
	bytes76 := append([]byte{0, 57, 58, 231, 232, 255, 1}, bytes.Repeat([]byte{8}, 2*76)...)
	key, err := arena.NewKey("bob", 80, bytes.NewReader(bytes76))
	if err != nil {
		t.Fatal(err)
	}
	// 0→1, 57→z, 58→1, 231 = 3·58+57→z, 232 and 255 are thrown away, 1→2, 8→9.
	if want := "bob.1z1z2" + strings.Repeat("9", 71); string(key) != want {
		t.Errorf("NewKey = %q, want %q", string(key), want)
	}
}

func TestNewKeyIsUnbiased(t *testing.T) {
	// 928 = 4 · 232: four whole turns of the bytes that are used, so each of the 58
	// characters must come 16 times.
	key, err := arena.NewKey("abc", 4+928, &everyByte{})
	if err != nil {
		t.Fatal(err)
	}
	_, secret, _ := strings.Cut(string(key), ".")
	for _, c := range base58 {
		if n := strings.Count(secret, string(c)); n != 16 {
			t.Errorf("%c comes %d times of %d, want 16", c, n, len(secret))
		}
	}
}

func TestNewKeyFails(t *testing.T) {
	cause := errors.New("no entropy")
	if _, err := arena.NewKey("alice", 300, iotest.ErrReader(cause)); !errors.Is(err, cause) {
		t.Errorf("error = %v, want it to wrap the reader's", err)
	}
	if key, err := arena.NewKey("alice", 37, &everyByte{}); err == nil {
		t.Errorf("31 secret characters were enough for %q", string(key))
	}
	if _, err := arena.NewKey("alice", 38, &everyByte{}); err != nil {
		t.Errorf("32 secret characters were not enough: %v", err)
	}
}

func TestKeyFingerprint(t *testing.T) {
	// By sha256sum.
	for key, want := range map[arena.Key]arena.Fingerprint{
		"bob.x": "6f57b2f5",
		arena.Key("alice." + strings.Repeat("A", 294)): "f9911cd7",
	} {
		if got := key.Fingerprint(); got != want {
			t.Errorf("Fingerprint of %v = %q, want %q", key, got, want)
		}
	}
}

func TestKeyNeverPrintsItsSecret(t *testing.T) {
	key := arena.Key("alice.s3cr3tpart")
	holder := struct{ K arena.Key }{key}
	for _, format := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x"} {
		for _, value := range []any{key, holder, &holder, []arena.Key{key}, map[string]arena.Key{"k": key}} {
			text := fmt.Sprintf(format, value)
			if strings.Contains(text, "s3cr3t") || strings.Contains(text, fmt.Sprintf("%x", "s3cr3t")) {
				t.Errorf("%s of %T prints %s", format, value, text)
			}
		}
	}
	var out bytes.Buffer
	for _, h := range []slog.Handler{slog.NewTextHandler(&out, nil), slog.NewJSONHandler(&out, nil)} {
		slog.New(h).Info("call", "key", key)
	}
	if strings.Contains(out.String(), "s3cr3t") {
		t.Errorf("a log line holds the secret: %s", out.String())
	}
	if !strings.Contains(out.String(), "alice.[secret]") {
		t.Errorf("a log line does not say whose key it was: %s", out.String())
	}
	if text := arena.Key(strings.Repeat("x", 300)).String(); text != "[key]" {
		t.Errorf("a text without a nickname prints %q", text)
	}
}

func TestParseKey(t *testing.T) {
	for _, c := range []struct {
		name, text string
		nickname   arena.Nickname
	}{
		{"plain", "alice.abc", "alice"},
		{"a dot in the secret", "alice.a.b.c", "alice"},
		{"a reserved nickname may have a key", "house.abc", "house"},
		{"the longest", "alice." + strings.Repeat("a", 1018), "alice"},
		{"a full-width nickname", "ａlice.abc", "alice"},
	} {
		t.Run(c.name, func(t *testing.T) {
			key, nickname, err := arena.ParseKey(c.text)
			if err != nil || string(key) != c.text || nickname != c.nickname {
				t.Errorf("ParseKey = %v, %q, %v", key, nickname, err)
			}
		})
	}
	for _, c := range []struct{ name, text string }{
		{"nothing", ""},
		{"no dot", "s3cr3t"},
		{"no secret", "alice."},
		{"no nickname", ".s3cr3t"},
		{"a short nickname", "al.s3cr3t"},
		{"a nickname with a space", "al ice.s3cr3t"},
		{"1025 characters", "alice." + strings.Repeat("s3cr3t", 169) + "12345"},
		{"a megabyte", strings.Repeat("s3cr3t.", 150_000)},
	} {
		t.Run(c.name, func(t *testing.T) {
			key, _, err := arena.ParseKey(c.text)
			if arena.CodeOf(err) != arena.MalformedKey || key != "" {
				t.Errorf("ParseKey fails with %v, want malformed_key", err)
			}
			if err != nil && strings.Contains(err.Error(), "s3cr3t") {
				t.Errorf("the error repeats the text: %.200v", err)
			}
		})
	}
}
