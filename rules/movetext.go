package rules

import (
	"strings"
	"unicode/utf8"
)

// MaxMoveText is the longest move text that is looked at, in bytes, after the
// space around it is gone. The longest sensible one ("12... Qa1xb2+ !?") has
// under 20.
const MaxMoveText = 64

// movetext is what a move's text says. Resolve wants every fact in it to be
// true of the move; what is not said leaves the question open.
type movetext struct {
	kind        Kind  // the piece that moves; NoKind with two full squares and no letter
	file, rank  int8  // of the origin, -1 when not said
	to          uint8 // the destination, a1 = 0
	takes       bool  // there was an x
	enPassant   bool  // there was an e.p.
	promotion   Kind
	castle      uint8 // tagShort or tagLong, and then nothing else
	coordinates bool  // two full squares and no letter: any piece may be meant
}

// readMovetext reads one move in SAN, long algebraic or UCI notation, with the
// liberties listed in rules.md. The text is already trimmed. False means that
// it is not a move in any of them.
func readMovetext(text string) (t movetext, ok bool) {
	text, ok = plainLetters(text)
	if !ok {
		return t, false
	}
	text = withoutMoveNumber(text)
	text, t.enPassant = withoutMarks(text)
	if t.castle = castling(text); t.castle != 0 {
		return t, !t.enPassant
	}
	if isCoordinates(text) && !readsAsBishop(text) {
		text = strings.ToLower(text)
	}
	t.kind = Pawn
	letter := NoKind
	if text != "" {
		if letter = kindOf(text[0]); letter != NoKind {
			t.kind, text = letter, text[1:]
		}
	}
	if text, t.promotion, ok = cutPromotion(text); !ok || len(text) < 2 {
		return t, false
	}
	origin, destination := text[:len(text)-2], text[len(text)-2:]
	to, ok := SquareIndex(destination)
	if !ok {
		return t, false
	}
	t.to = uint8(to)
	return t, t.readOrigin(origin, letter)
}

// readOrigin reads what stands between the piece's letter and the destination:
// a file, a rank, both or neither, and then an x or, after both, a dash.
func (t *movetext) readOrigin(text string, letter Kind) bool {
	t.file, t.rank = -1, -1
	rest := text
	if rest != "" && isFile(rest[0]) {
		t.file, rest = int8(rest[0]-'a'), rest[1:]
	}
	if rest != "" && isRank(rest[0]) {
		t.rank, rest = int8(rest[0]-'1'), rest[1:]
	}
	full := t.file >= 0 && t.rank >= 0
	if letter == NoKind && full {
		t.kind, t.coordinates = NoKind, true
	}
	switch rest {
	case "":
		return letter != NoKind || t.file >= 0 || t.rank < 0
	case "x":
		t.takes = true
		return letter != NoKind || t.file >= 0 // "xd5" names no pawn
	case "-":
		return full
	}
	return false
}

// plainLetters replaces chess figures by SAN letters, and dashes and crosses
// of typography by - and x. False means that other characters are left which
// no move is written with.
func plainLetters(text string) (string, bool) {
	ascii := true
	for i := range len(text) {
		ascii = ascii && text[i] < utf8.RuneSelf
	}
	if ascii {
		return text, true
	}
	var b strings.Builder
	for _, r := range text {
		switch {
		case r < utf8.RuneSelf:
			b.WriteByte(byte(r))
		case '♔' <= r && r <= '♙': // white figures, king first
			b.WriteByte(kindLetters[r-'♔'+1])
		case '♚' <= r && r <= '♟': // black figures
			b.WriteByte(kindLetters[r-'♚'+1])
		case '\u2010' <= r && r <= '\u2015' || r == '\u2212': // hyphens, dashes, minus
			b.WriteByte('-')
		case r == '×':
			b.WriteByte('x')
		case r == '…':
			b.WriteString("...")
		case r == '\ufe0e' || r == '\ufe0f': // asks for text or picture style of a figure
		default:
			return "", false
		}
	}
	return b.String(), true
}

// withoutMoveNumber drops "12.", "12. " or "12... ". Whether the number is
// the right one is not looked at: which move is meant is said by the ply.
func withoutMoveNumber(text string) string {
	rest := strings.TrimLeft(text, "0123456789")
	if rest == text || !strings.HasPrefix(rest, ".") {
		return text
	}
	return strings.TrimLeft(rest, ". ")
}

// withoutMarks drops check and mate signs and comments on the move's quality,
// none of which changes the move, and says whether there was an "e.p.".
func withoutMarks(text string) (rest string, enPassant bool) {
	for {
		rest = strings.TrimRight(text, "+#!? ")
		switch {
		case strings.HasSuffix(rest, "e.p."):
			rest, enPassant = rest[:len(rest)-4], true
		case strings.HasSuffix(rest, "ep"):
			rest, enPassant = rest[:len(rest)-2], true
		case rest == text:
			return rest, enPassant
		}
		text = rest
	}
}

// castling reads O-O and O-O-O with letters O or o or with zeros.
func castling(text string) uint8 {
	if len(text) != 3 && len(text) != 5 {
		return 0
	}
	for i := range len(text) {
		isO := text[i] == 'O' || text[i] == 'o' || text[i] == '0'
		if i%2 == 0 && !isO || i%2 == 1 && text[i] != '-' {
			return 0
		}
	}
	if len(text) == 3 {
		return tagShort
	}
	return tagLong
}

// isCoordinates says whether text is a UCI move in any mixture of cases.
func isCoordinates(text string) bool {
	if len(text) != 4 && len(text) != 5 {
		return false
	}
	return isFile(text[0]|0x20) && isRank(text[1]) && isFile(text[2]|0x20) && isRank(text[3]) &&
		(len(text) == 4 || kindOf(text[4]&^0x20) != NoKind)
}

// readsAsBishop keeps "B1c3" for the bishop on the first rank: as it stands it
// is good SAN, so it is not taken for a shouted b1c3.
func readsAsBishop(text string) bool {
	return len(text) == 4 && text[0] == 'B' && isFile(text[2])
}

// cutPromotion cuts "=Q", "/Q", "(Q)" or "Q", in either case, off a text that
// ends in a square without it.
func cutPromotion(text string) (rest string, promotion Kind, ok bool) {
	n := len(text)
	if n == 0 || isRank(text[n-1]) {
		return text, NoKind, true
	}
	if text[n-1] == ')' {
		if n < 3 || text[n-3] != '(' {
			return text, NoKind, false
		}
		return text[:n-3], kindOf(text[n-2] &^ 0x20), kindOf(text[n-2]&^0x20) != NoKind
	}
	promotion = kindOf(text[n-1] &^ 0x20)
	rest = text[:n-1]
	if strings.HasSuffix(rest, "=") || strings.HasSuffix(rest, "/") {
		rest = rest[:n-2]
	}
	return rest, promotion, promotion != NoKind
}
