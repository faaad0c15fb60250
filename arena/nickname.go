package arena

import (
	"strings"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Nickname is a player's public name as it is shown: 3 to 32 characters of
// [A-Za-z0-9_-], after NFKC.
type Nickname string

// Skeleton is a nickname reduced to what the eye compares. Two nicknames with one
// skeleton cannot both exist.
type Skeleton string

const (
	nicknameMin = 3
	nicknameMax = 32
	// nicknameBytes bounds the work on hostile input before NFKC, which can both
	// shrink and grow a text.
	nicknameBytes = 256
)

// reservedNicknames are kept for the arena; they are compared by skeleton.
var reservedNicknames = []string{"house", "admin", "anchor", "system"}

// ParseNickname normalises text and checks it: InvalidChars for a wrong length or
// alphabet, Reserved for the arena's own names and whatever looks like them.
func ParseNickname(text string) (Nickname, error) {
	bad := Errorf(InvalidChars, "nickname must be %d to %d characters of A-Z, a-z, 0-9, _ and -, with at least one letter or digit.", nicknameMin, nicknameMax)
	if len(text) > nicknameBytes {
		return "", bad
	}
	name := norm.NFKC.String(text)
	if len(name) < nicknameMin || len(name) > nicknameMax {
		return "", bad
	}
	for i := range len(name) {
		if !isNicknameByte(name[i]) {
			return "", bad
		}
	}
	n := Nickname(name)
	if n.Skeleton() == "" {
		return "", bad
	}
	for _, word := range reservedNicknames {
		if n.Skeleton() == Nickname(word).Skeleton() {
			return "", Errorf(Reserved, "nickname %q is kept for the arena; choose another.", name)
		}
	}
	return n, nil
}

func isNicknameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-'
}

// Skeleton folds n: NFKC, case fold, look-alikes of other scripts to Latin, then one
// letter for each of {0 o} {1 i l} {3 e} {4 a} {5 s} {7 t} {8 b}; _ and - are dropped.
func (n Nickname) Skeleton() Skeleton {
	text := string(n)
	if len(text) > nicknameBytes {
		text = text[:nicknameBytes]
	}
	folded := cases.Fold().String(norm.NFKC.String(text))
	var b strings.Builder
	for _, r := range folded {
		if latin, ok := lookAlikes[r]; ok {
			r = latin
		}
		switch r {
		case '_', '-':
			continue
		case '0':
			r = 'o'
		case '1', 'l':
			r = 'i'
		case '3':
			r = 'e'
		case '4':
			r = 'a'
		case '5':
			r = 's'
		case '7':
			r = 't'
		case '8':
			r = 'b'
		}
		b.WriteRune(r)
	}
	return Skeleton(b.String())
}

// lookAlikes maps lower-case Cyrillic and Greek letters to the Latin letter they are
// drawn like (a subset of Unicode TS 39, confusables).
var lookAlikes = map[rune]rune{
	'а': 'a', 'в': 'b', 'с': 'c', 'ԁ': 'd', 'е': 'e', 'ё': 'e', 'һ': 'h', 'і': 'i', 'ї': 'i', 'ј': 'j', 'к': 'k',
	'м': 'm', 'н': 'h', 'о': 'o', 'р': 'p', 'ԛ': 'q', 'ѕ': 's', 'т': 't', 'у': 'y', 'ѵ': 'v', 'ԝ': 'w', 'х': 'x',
	'α': 'a', 'β': 'b', 'ε': 'e', 'η': 'n', 'ι': 'i', 'κ': 'k', 'μ': 'u', 'ν': 'v', 'ο': 'o', 'ρ': 'p', 'σ': 'o',
	'τ': 't', 'υ': 'u', 'χ': 'x', 'ω': 'w', 'γ': 'y', 'ı': 'i',
}
