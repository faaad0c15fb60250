package modelname

import (
	"slices"
	"strings"
)

// shape is what a spelling says, without how it is written: its numbers in their order,
// its sizes, and its words. Two spellings of one shape name one model.
type shape struct {
	numbers []string // "4", "5" of 4.5; a date or a revision is one too
	sizes   []string // "70b", "8x7b", "a3b", "128k", sorted
	words   []string // sorted
}

// shapeOf takes a spelling apart. Everything but ASCII letters and digits separates;
// so does the border of letters and digits, unless they make a size together. The v of
// "deepseek-v3" says nothing; that of "opus-4-v1" tells a revision from a version 4.1.
func shapeOf(spelling string) shape {
	var s shape
	tokens(spelling, func(text string, is kind) {
		switch is {
		case number:
			s.numbers = append(s.numbers, text)
		case size:
			s.sizes = append(s.sizes, text)
		case word:
			s.words = append(s.words, text)
		}
	})
	slices.Sort(s.sizes)
	slices.Sort(s.words)
	return s
}

// key is the shape as a map's key.
func (s shape) key() string {
	return strings.Join(s.numbers, ".") + ";" + strings.Join(s.sizes, ".") + ";" + strings.Join(s.words, ".")
}

// signature is the part of a shape that no typing error explains away: the numbers, the
// sizes, and the words that tell variants apart.
func (s shape) signature() string {
	var variants []string
	for _, w := range s.words {
		if variantWords[w] {
			variants = append(variants, w)
		}
	}
	return shape{s.numbers, s.sizes, variants}.key()
}

// ordinary are the words that the signature leaves.
func (s shape) ordinary() []string {
	var list []string
	for _, w := range s.words {
		if !variantWords[w] {
			list = append(list, w)
		}
	}
	return list
}

// variantWords tell the members of a family apart. Short of the last letter, one of
// them is as good as another number.
var variantWords = set(`mini nano micro lite light flash pro max plus ultra premier small medium large tiny huge big
	high low turbo fast lightning instant express highspeed air airx flashx x xs
	thinking think reasoning reasoner non instruct instruction chat base it pt hf rl dpo sft
	coder code codex math vision vl v o ocr audio tts realtime live image omni search research deep embed guard safeguard
	preview beta exp experimental speciale terminus distill draft online offline multi agent heavy mtp latest
	a b c d e k m r s t`)

// glueOf is the spelling with its words run together where no number parts them:
// "claudesonnet|4|5".
func glueOf(spelling string) string {
	var b strings.Builder
	var before kind
	tokens(spelling, func(text string, is kind) {
		if b.Len() > 0 && (is != word || before != word) {
			b.WriteByte('|')
		}
		b.WriteString(text)
		before = is
	})
	return b.String()
}

type kind int

const (
	word kind = iota
	number
	size
)

// tokens calls f with each token of a spelling, in order, in lower case.
func tokens(spelling string, f func(text string, is kind)) {
	s := strings.ToLower(spelling)
	afterNumber := false
	for i := 0; i < len(s); {
		start := i
		switch {
		case isDigit(s[i]):
			i = digits(s, i)
			if end := sizeEnd(s, i); end > 0 {
				f(s[start:end], size)
				i, afterNumber = end, false
				continue
			}
			f(s[start:i], number)
			afterNumber = true
		case isLetter(s[i]):
			for i < len(s) && isLetter(s[i]) {
				i++
			}
			fresh := start == 0 || !isDigit(s[start-1])
			switch letters := s[start:i]; {
			case i < len(s) && isDigit(s[i]) && fresh && letters == "v":
				if afterNumber {
					i = digits(s, i)
					f(s[start:i], number)
				}
			case i < len(s) && isDigit(s[i]) && fresh && (letters == "a" || letters == "e") && sizeEnd(s, digits(s, i)) > 0:
				i = sizeEnd(s, digits(s, i)) // active or effective parameters
				f(s[start:i], size)
				afterNumber = false
			default:
				f(letters, word)
				afterNumber = false
			}
		default:
			i++
		}
	}
}

// digits is the end of the run of digits at i.
func digits(s string, i int) int {
	for i < len(s) && isDigit(s[i]) {
		i++
	}
	return i
}

// sizeEnd is where a size ends whose first digits end at i: after a unit (b, m, k, t, e)
// or a product and its unit (8x7b). It is 0 when there is none.
func sizeEnd(s string, i int) int {
	if i+1 < len(s) && s[i] == 'x' && isDigit(s[i+1]) {
		i = digits(s, i+1)
	}
	if i < len(s) && strings.IndexByte("bmkte", s[i]) >= 0 && (i+1 == len(s) || !isLetter(s[i+1]) && !isDigit(s[i+1])) {
		return i + 1
	}
	return 0
}

func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLetter(c byte) bool { return 'a' <= c && c <= 'z' }

// set makes a set of the words of a text.
func set(text string) map[string]bool {
	m := make(map[string]bool)
	for _, w := range strings.Fields(text) {
		m[w] = true
	}
	return m
}
