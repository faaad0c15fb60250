package arena_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"chessarena/arena"
)

func TestParseNickname(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"shortest", "abc", "abc"},
		{"longest", strings.Repeat("a", 32), strings.Repeat("a", 32)},
		{"case is kept", "DeepThought", "DeepThought"},
		{"all signs", "a_B-9", "a_B-9"},
		{"full width becomes ASCII", "ＡＢＣ１２３", "ABC123"},
		{"32 full-width letters", strings.Repeat("ａ", 32), strings.Repeat("a", 32)},
		{"circled letters become ASCII", "ⓐⓑⓒ", "abc"},
		{"a ligature grows", "oﬃce", "office"},
		{"a reserved word inside another is free", "housemate", "housemate"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := arena.ParseNickname(c.text)
			if err != nil || string(got) != c.want {
				t.Errorf("ParseNickname(%q) = %q, %v, want %q", c.text, got, err, c.want)
			}
		})
	}
}

func TestParseNicknameRefuses(t *testing.T) {
	for _, c := range []struct {
		name, text string
		code       arena.Code
	}{
		{"nothing", "", arena.InvalidChars},
		{"two characters", "ab", arena.InvalidChars},
		{"33 characters", strings.Repeat("a", 33), arena.InvalidChars},
		{"a huge text", strings.Repeat("a", 1<<20), arena.InvalidChars},
		{"a space", "a b c", arena.InvalidChars},
		{"outer space", " abc", arena.InvalidChars},
		{"a dot, which ends a key's nickname", "a.bc", arena.InvalidChars},
		{"a slash", "a/b", arena.InvalidChars},
		{"Cyrillic", "аlice", arena.InvalidChars},
		{"an accent", "alicé", arena.InvalidChars},
		{"a zero-width joiner", "ali\u200dce", arena.InvalidChars},
		{"a direction override", "\u202ealice", arena.InvalidChars},
		{"a newline", "ali\nce", arena.InvalidChars},
		{"a NUL", "ali\x00ce", arena.InvalidChars},
		{"invalid UTF-8", "ali\xffce", arena.InvalidChars},
		{"nothing but signs", "_-_-", arena.InvalidChars},
		{"house", "house", arena.Reserved},
		{"admin", "Admin", arena.Reserved},
		{"anchor", "ANCHOR", arena.Reserved},
		{"system", "system", arena.Reserved},
		{"a zero for an o", "h0use", arena.Reserved},
		{"a five for an s", "5y5tem", arena.Reserved},
		{"an ell for an i", "adm1n", arena.Reserved},
		{"a four for an a", "4nch0r", arena.Reserved},
		{"a three for an e", "hous3", arena.Reserved},
		{"a seven for a t", "sys7em", arena.Reserved},
		{"signs between", "_a-d_m-i_n_", arena.Reserved},
		{"full width", "ｈｏｕｓｅ", arena.Reserved},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, err := arena.ParseNickname(c.text); arena.CodeOf(err) != c.code || got != "" {
				t.Errorf("ParseNickname(%.40q) = %q, %v, want %s", c.text, got, err, c.code)
			}
		})
	}
}

func TestSkeletonFoldsLookAlikes(t *testing.T) {
	for _, class := range [][]arena.Nickname{
		{"Oslo", "0slo", "oSLO", "o5l0", "os1o", "osio", "OSIO", "o-s_l-o"},
		{"test", "7est", "t3st", "te5t", "TEST", "7357"},
		{"abba", "4bb4", "a88a", "A8b4", "_abba_"},
		{"bill", "8i11", "BlLL", "biII", "b1li"},
		{"cat", "сат", "САТ", "ｃａｔ", "c4t", "cа7"},  // Cyrillic, upper case, full width, mixed
		{"kop", "κορ", "ΚΟΡ", "кор", "k0p"},         // Greek, Cyrillic
		{"office", "oﬃce", "0ff1ce"},                // ligature
		{"strasse", "straße", "STRASSE", "5tra55e"}, // full case folding
	} {
		want := class[0].Skeleton()
		for _, n := range class[1:] {
			if got := n.Skeleton(); got != want {
				t.Errorf("Skeleton(%q) = %q, want %q as of %q", n, got, want, class[0])
			}
		}
	}
}

func TestSkeletonKeepsOthersApart(t *testing.T) {
	// 2, 6 and 9 are in no class; neither are pairs like rn and m, or vv and w.
	names := []arena.Nickname{"alice", "alica", "bob", "bo6", "bo9", "2bob", "zbob", "barn", "bam", "vvw", "www", "gun", "qun"}
	seen := map[arena.Skeleton]arena.Nickname{}
	for _, n := range names {
		if other, twice := seen[n.Skeleton()]; twice {
			t.Errorf("%q and %q share the skeleton %q", n, other, n.Skeleton())
		}
		seen[n.Skeleton()] = n
	}
}

func FuzzNickname(f *testing.F) {
	for _, s := range []string{"alice", "Ａ１", "oﬃce", "İstanbul", "а-б", "\xff\xfe", "ﷺﷺﷺ", strings.Repeat("ﷺ", 90), "e\u0301", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		// NFKC makes at most 18 letters of one (U+FDFA, three bytes), folding at most
		// three of one, and no letter is over four bytes.
		if n := len(arena.Nickname(text).Skeleton()); n > 256*18*4 {
			t.Errorf("the skeleton of %d bytes has %d", len(text), n)
		}
		name, err := arena.ParseNickname(text)
		if err != nil {
			if code := arena.CodeOf(err); code != arena.InvalidChars && code != arena.Reserved {
				t.Errorf("ParseNickname(%q) fails with %v", text, err)
			}
			return
		}
		if len(name) < 3 || len(name) > 32 || !utf8.ValidString(string(name)) {
			t.Errorf("ParseNickname(%q) = %q", text, name)
		}
		if again, err := arena.ParseNickname(string(name)); again != name || err != nil {
			t.Errorf("ParseNickname(%q) = %q, %v: not stable", name, again, err)
		}
		once := name.Skeleton()
		if twice := arena.Nickname(once).Skeleton(); once == "" || twice != once {
			t.Errorf("the skeleton of %q is %q, its own skeleton %q", name, once, twice)
		}
	})
}
