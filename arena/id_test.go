package arena_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"chessarena/arena"
)

// at is 2025-12-01 00:00 UTC.
var at = time.UnixMilli(1764547200000)

func TestNewGameID(t *testing.T) {
	// By hand: the 60 bits are milliseconds × 2^18 + the low 18 of 24 random bits, five
	// to a character; 1764547200000 × 2^18 by an independent base32.
	for _, c := range []struct {
		name   string
		ms     int64
		random []byte
		want   arena.GameID
	}{
		{"zero", 0, []byte{0, 0, 0}, "000000000000"},
		{"the last character is the low five bits", 0, []byte{0, 0, 31}, "00000000000z"},
		{"18 bits are three characters and a half", 0, []byte{0x03, 0xff, 0xff}, "000000007zzz"},
		{"higher random bits are dropped", 0, []byte{0xfc, 0, 1}, "000000000001"},
		{"a millisecond is bit 18", 1, []byte{0, 0, 0}, "000000008000"},
		{"a date", 1764547200000, []byte{0, 0, 0}, "cttwtr800000"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := arena.NewGameID(time.UnixMilli(c.ms), bytes.NewReader(c.random))
			if err != nil || got != c.want {
				t.Errorf("NewGameID = %q, %v, want %q", got, err, c.want)
			}
		})
	}
}

func TestGameIDsSortByCreation(t *testing.T) {
	most, least := strings.Repeat("\xff", 3), strings.Repeat("\x00", 3)
	before, err1 := arena.NewGameID(at, strings.NewReader(most))
	after, err2 := arena.NewGameID(at.Add(time.Millisecond), strings.NewReader(least))
	if err1 != nil || err2 != nil || before >= after {
		t.Errorf("%q of the earlier millisecond does not sort before %q (%v, %v)", before, after, err1, err2)
	}
}

func TestNewGameIDFailsWithoutEntropy(t *testing.T) {
	cause := errors.New("no entropy")
	if _, err := arena.NewGameID(at, iotest.ErrReader(cause)); !errors.Is(err, cause) {
		t.Errorf("error = %v, want it to wrap the reader's", err)
	}
	if _, err := arena.NewGameID(at, strings.NewReader("ab")); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("error on short entropy = %v, want unexpected EOF", err)
	}
}

func TestParseGameID(t *testing.T) {
	for _, good := range []string{"000000000000", "zzzzzzzzzzzz", "0123456789ab", "cdefghjkmnpq", "rstvwxyz0000"} {
		if id, err := arena.ParseGameID(good); err != nil || string(id) != good {
			t.Errorf("ParseGameID(%q) = %q, %v", good, id, err)
		}
	}
	for _, bad := range []string{
		"", "00000000000", "0000000000000", "00000000000i", "00000000000l", "00000000000o", "00000000000u",
		"00000000000A", "00000000000-", "00000000000 ", "0000000000é", strings.Repeat("0", 10_000), "00000000000\x00",
	} {
		if _, err := arena.ParseGameID(bad); arena.CodeOf(err) != arena.InvalidGameID {
			t.Errorf("ParseGameID(%.20q) fails with %v, want invalid_game_id", bad, err)
		}
	}
}

func TestGameIDReadsItsOwnText(t *testing.T) {
	var id arena.GameID
	if err := id.UnmarshalText([]byte("0123456789ab")); err != nil || id != "0123456789ab" {
		t.Errorf("UnmarshalText = %q, %v", id, err)
	}
	if err := id.UnmarshalText([]byte("nope")); arena.CodeOf(err) != arena.InvalidGameID || id != "" {
		t.Errorf("UnmarshalText of nonsense = %q, %v; want nothing and invalid_game_id", id, err)
	}
}
