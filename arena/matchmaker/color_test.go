package matchmaker

import (
	"testing"

	"chessarena/arena"
)

// The order is that of ratings research §6.
func TestWhoGetsWhite(t *testing.T) {
	t.Parallel()
	c := func(white, black int, last string) arena.Colors {
		return arena.Colors{White: white, Black: black, Last: last}
	}
	for name, test := range map[string]struct {
		balance int // of the first against the second
		a, b    arena.Colors
		want    bool
	}{
		"fewer Whites against this opponent": {-1, c(5, 4, "bw"), c(4, 5, "wb"), true},
		"more against this opponent":         {1, c(4, 5, "bw"), c(5, 4, "bw"), false},
		"fewer Whites at all":                {0, c(4, 5, "wb"), c(5, 4, "wb"), true},
		"more Whites at all":                 {0, c(5, 4, "wb"), c(4, 5, "wb"), false},
		"fewer Whites of late":               {0, c(5, 5, "bb"), c(5, 5, "wb"), true},
		"a third White in a row is avoided":  {-1, c(5, 5, "ww"), c(5, 5, "wb"), false},
		"three Whites too many are avoided":  {-1, c(7, 5, "bw"), c(5, 5, "bw"), false},
		"three Blacks too many are avoided":  {1, c(5, 7, "wb"), c(5, 5, "wb"), true},
	} {
		if got := whiteFirst("01k9zq3v7x2b", test.balance, test.a, test.b); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
		if got := whiteFirst("01k9zq3v7x2b", -test.balance, test.b, test.a); got == test.want {
			t.Errorf("%s, the other way round: %v", name, got)
		}
	}
	whites := 0
	for i := range 200 {
		if whiteFirst(arena.GameID(rune('a'+i)), 0, arena.Colors{}, arena.Colors{}) {
			whites++
		}
	}
	if whites < 70 || whites > 130 {
		t.Errorf("the toss gives %d of 200", whites)
	}
}
