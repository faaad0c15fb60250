package arena

import (
	"fmt"
	"io"
	"time"
)

// GameID is a game's public name: 12 characters of lower-case Crockford base32, 42
// bits of unix milliseconds followed by 18 random bits, so ids sort by creation.
type GameID string

const (
	idAlphabet = "0123456789abcdefghjkmnpqrstvwxyz"
	idLength   = 12
	idRandom   = 18 // random bits at the low end
)

// NewGameID makes an id for a game created at now with bits from entropy. Two ids of
// the same millisecond collide once in 2^18; the store's unique index is the judge.
func NewGameID(now time.Time, entropy io.Reader) (GameID, error) {
	var b [3]byte
	if _, err := io.ReadFull(entropy, b[:]); err != nil {
		return "", fmt.Errorf("game id entropy: %w", err)
	}
	random := uint64(b[0])<<16 | uint64(b[1])<<8 | uint64(b[2])
	v := uint64(now.UnixMilli())<<idRandom | random&(1<<idRandom-1)
	var id [idLength]byte
	for i := idLength - 1; i >= 0; i-- {
		id[i] = idAlphabet[v&31]
		v >>= 5
	}
	return GameID(id[:]), nil
}

// ParseGameID checks the shape of an id: InvalidGameID when it cannot be one. It does
// not say that the game exists.
func ParseGameID(s string) (GameID, error) {
	if len(s) != idLength {
		return "", badGameID()
	}
	for i := range len(s) {
		if !isIDByte(s[i]) {
			return "", badGameID()
		}
	}
	return GameID(s), nil
}

func badGameID() *Error {
	return Errorf(InvalidGameID, "game_id must be %d characters of 0-9 and a-z without i, l, o, u, as the arena gave it.", idLength)
}

func isIDByte(c byte) bool {
	switch {
	case c >= '0' && c <= '9':
		return true
	case c >= 'a' && c <= 'z':
		return c != 'i' && c != 'l' && c != 'o' && c != 'u'
	}
	return false
}

// UnmarshalText reads an id that a client sent; the error is ParseGameID's.
func (id *GameID) UnmarshalText(text []byte) error {
	parsed, err := ParseGameID(string(text))
	*id = parsed
	return err
}
