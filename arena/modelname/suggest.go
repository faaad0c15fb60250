package modelname

import (
	"cmp"
	"slices"
)

// suggestion is a known name, prepared for comparing.
type suggestion struct {
	name  string
	pairs []uint16 // of neighbouring letters and digits, sorted
}

func suggestionOf(name string) suggestion { return suggestion{name, pairsOf(name)} }

// closeEnough is the least likeness of a name that is worth showing.
const closeEnough = 0.5

// Closest lists the known names most like query, best first, at most limit.
func (r *Registry) Closest(query string, limit int) []string {
	type hit struct {
		name string
		like float64
	}
	var hits []hit
	pairs := pairsOf(query)
	for _, s := range r.names {
		if like := likeness(pairs, s.pairs); like >= closeEnough {
			hits = append(hits, hit{s.name, like})
		}
	}
	slices.SortFunc(hits, func(a, b hit) int { return cmp.Or(cmp.Compare(b.like, a.like), cmp.Compare(a.name, b.name)) })
	names := make([]string, 0, limit)
	for _, h := range hits[:min(limit, len(hits))] {
		names = append(names, h.name)
	}
	return names
}

// suggest lists names like name other than the chosen one.
func (r *Registry) suggest(name, chosen string) []string {
	list := slices.DeleteFunc(r.Closest(name, suggestions+1), func(s string) bool { return s == chosen })
	return list[:min(suggestions, len(list))]
}

// pairsOf lists the pairs of neighbouring letters and digits in s, sorted; separators do
// not count.
func pairsOf(s string) []uint16 {
	var pairs []uint16
	var before byte
	for i := range len(s) {
		c := s[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if !isLetter(c) && !isDigit(c) {
			continue
		}
		if before != 0 {
			pairs = append(pairs, uint16(before)<<8|uint16(c))
		}
		before = c
	}
	slices.Sort(pairs)
	return pairs
}

// likeness is Dice's coefficient of two sorted lists: twice what they share, over what
// there is.
func likeness(a, b []uint16) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	shared := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			shared++
			i++
			j++
		case a[i] < b[j]:
			i++
		default:
			j++
		}
	}
	return 2 * float64(shared) / float64(len(a)+len(b))
}
