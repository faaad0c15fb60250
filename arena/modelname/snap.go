package modelname

import "slices"

// target is a spelling that a typing error may have been made of.
type target struct {
	model Model
	words []string // the ordinary ones, sorted
}

// How far apart a mistyped word and the right one may be, in letters inserted, left out,
// changed or swapped with their neighbour; and how many words of a name may be mistyped.
const (
	shortWord   = 4 // letters; shorter ones are never corrected
	longWord    = 7 // letters, from which two errors are forgiven
	maxMistyped = 2
)

// snap finds the one model that name is a mistyping of. Numbers, sizes and variant words
// must be the very same, words that are known are taken at their word, and of two
// models equally near none is chosen.
func (r *Registry) snap(name string) (Model, bool) {
	s := shapeOf(name)
	words := s.ordinary()
	var best Model
	nearest, tie := 0, false
	for _, t := range r.bySigns[s.signature()] {
		distance, ok := r.mistyped(words, t.words)
		switch {
		case !ok || distance == 0:
		case best.ID == t.model.ID:
			nearest = min(nearest, distance)
		case nearest == 0 || distance < nearest:
			best, nearest, tie = t.model, distance, false
		case distance == nearest:
			tie = true
		}
	}
	return best, nearest > 0 && !tie
}

// mistyped is how many typing errors make right of typed. Both are sorted, and an error in a first
// letter changes the order, so each unknown word looks for its partner among those that nobody claimed.
func (r *Registry) mistyped(typed, right []string) (distance int, ok bool) {
	if len(typed) != len(right) {
		return 0, false
	}
	var unknown []string
	left := slices.Clone(right)
	for _, w := range typed {
		if i := slices.Index(left, w); i >= 0 {
			left = slices.Delete(left, i, i+1)
			continue
		}
		unknown = append(unknown, w)
	}
	if len(unknown) > maxMistyped {
		return 0, false
	}
	for _, w := range unknown {
		if r.words[w] || len(w) < shortWord {
			return 0, false
		}
		partner, least := -1, 0
		for i, candidate := range left {
			if len(candidate) < shortWord {
				continue
			}
			if d := edits(w, candidate, allowed(candidate)); d > 0 && (partner < 0 || d < least) {
				partner, least = i, d
			}
		}
		if partner < 0 {
			return 0, false
		}
		left = slices.Delete(left, partner, partner+1)
		distance += least
	}
	return distance, true
}

func allowed(word string) int {
	if len(word) >= longWord {
		return 2
	}
	return 1
}

// edits is the distance of two words (insertion, deletion, substitution, transposition of
// neighbours: "optimal string alignment"), or 0 when they are equal or more than most
// apart.
func edits(a, b string, most int) int {
	if len(a)-len(b) > most || len(b)-len(a) > most {
		return 0
	}
	older, old, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range old {
		old[j] = j
	}
	for i := range len(a) {
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(old[j+1]+1, row[j]+1, old[j]+cost)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], older[j-1]+1)
			}
		}
		older, old, row = old, row, older
	}
	if d := old[len(b)]; d <= most {
		return d
	}
	return 0
}
