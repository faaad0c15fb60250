package arena

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"log/slog"
	"strings"
)

// Key is an agent's secret, "nickname.random". It is shown once and never stored; it
// must not reach a log, a URL, an error or a page, so its String hides it.
type Key string

// keyAlphabet has 58 characters: no 0 O l I.
const keyAlphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

// KeyMax is the longest text that is looked at as a key.
const KeyMax = 1024

// String hides the secret part.
func (k Key) String() string {
	name, _, _ := strings.Cut(string(k), ".")
	if len(name) > nicknameMax {
		return "[key]"
	}
	return name + ".[secret]"
}

// GoString hides the secret part too.
func (k Key) GoString() string { return k.String() }

// LogValue hides it from structured logs, whose JSON does not ask String.
func (k Key) LogValue() slog.Value { return slog.StringValue(k.String()) }

// NewKey makes a key of length characters for nickname, drawing unbiased characters
// from entropy. Length must leave room for at least 32 of them.
func NewKey(nickname Nickname, length int, entropy io.Reader) (Key, error) {
	n := length - len(nickname) - 1
	if n < 32 {
		return "", fmt.Errorf("a key of %d characters leaves %d for its secret", length, n)
	}
	secret := make([]byte, 0, n)
	buf := make([]byte, n)
	for len(secret) < n {
		if _, err := io.ReadFull(entropy, buf); err != nil {
			return "", fmt.Errorf("key entropy: %w", err)
		}
		for _, b := range buf {
			// 232 is the largest multiple of 58 in a byte; above it the draw is biased.
			if b < 232 && len(secret) < n {
				secret = append(secret, keyAlphabet[b%58])
			}
		}
	}
	return Key(string(nickname) + "." + string(secret)), nil
}

// ParseKey checks the shape of a key and returns the nickname it names: MalformedKey
// without a dot, with an impossible nickname or over KeyMax characters.
func ParseKey(text string) (Key, Nickname, error) {
	if text == "" {
		return "", "", Errorf(MalformedKey, "No key was given. Pass the key from register as the argument key, or as the header Authorization: Bearer <key>.")
	}
	bad := Errorf(MalformedKey, "The key must look like nickname.secret, exactly as register returned it.")
	if len(text) > KeyMax {
		return "", "", bad
	}
	name, secret, ok := strings.Cut(text, ".")
	if !ok || secret == "" {
		return "", "", bad
	}
	nickname, err := ParseNickname(name)
	if err != nil && CodeOf(err) != Reserved {
		return "", "", bad
	}
	if err != nil {
		nickname = Nickname(name)
	}
	return Key(text), nickname, nil
}

// Fingerprint is the first 8 hex digits of sha256(key): safe to show, and enough to
// tell that two sightings are the same owner.
type Fingerprint string

// Fingerprint returns the public fingerprint of k.
func (k Key) Fingerprint() Fingerprint {
	sum := sha256.Sum256([]byte(k))
	return Fingerprint(hex.EncodeToString(sum[:4]))
}
