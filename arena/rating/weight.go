package rating

import (
	"cmp"
	"slices"
)

// Weights keep a few from deciding what many say.
const (
	pairCap     = 20 // games of one pair; when there are more they share this weight
	capGames    = 10 // games that make a nickname count for the next rule
	capNicks    = 3  // so many such nicknames in a bucket: none of them has more than half of its weight
	weightSteps = 20 // one cap lowers the weights another looked at, so they are repeated
)

// weights returns the weight of each duel, 1 for most.
func weights(l *league) []float64 {
	w := make([]float64, len(l.duels))
	for from := 0; from < len(w); {
		to := from + 1
		for to < len(w) && samePair(l.duels[from], l.duels[to]) {
			to++
		}
		for i := from; i < to; i++ {
			w[i] = min(1, pairCap/float64(to-from))
		}
		from = to
	}
	groups := l.byNickname()
	for range weightSteps {
		if !halve(groups, w) {
			break
		}
	}
	return w
}

// group is the games that one nickname played in one free bucket.
type group struct {
	bucket   int
	nickname int64
	duels    []int // indices, rising
}

// byNickname lists the groups of free buckets, by bucket, then nickname.
func (l *league) byNickname() []group {
	type seat struct {
		bucket   int
		nickname int64
		duel     int
	}
	seats := make([]seat, 0, 2*len(l.duels))
	for i, d := range l.duels {
		seats = append(seats, seat{d.white, d.whiteNick, i}, seat{d.black, d.blackNick, i})
	}
	slices.SortFunc(seats, func(a, b seat) int {
		return cmp.Or(cmp.Compare(a.bucket, b.bucket), cmp.Compare(a.nickname, b.nickname), cmp.Compare(a.duel, b.duel))
	})
	var groups []group
	for i, s := range seats {
		if l.buckets[s.bucket].Anchor {
			continue
		}
		if i == 0 || seats[i-1].bucket != s.bucket || seats[i-1].nickname != s.nickname {
			groups = append(groups, group{bucket: s.bucket, nickname: s.nickname})
		}
		g := &groups[len(groups)-1]
		g.duels = append(g.duels, s.duel)
	}
	return groups
}

// sameBucket cuts off the groups of the first bucket.
func sameBucket(groups []group) (first, rest []group) {
	n := 0
	for n < len(groups) && groups[n].bucket == groups[0].bucket {
		n++
	}
	return groups[:n], groups[n:]
}

// halve lowers the weight of every nickname that has more than half of its bucket's to
// exactly half, and reports whether there was one.
func halve(groups []group, w []float64) (found bool) {
	for len(groups) > 0 {
		var of []group
		of, groups = sameBucket(groups)
		if n := counting(of); n < capNicks {
			continue
		}
		total, most, heavy := 0.0, 0.0, 0
		for i, g := range of {
			sum := 0.0
			for _, d := range g.duels {
				sum += w[d]
			}
			total += sum
			if sum > most {
				most, heavy = sum, i
			}
		}
		others := total - most
		if most <= float64(others*(1+1e-9)) {
			continue
		}
		found = true
		for _, d := range of[heavy].duels {
			w[d] = float64(w[d] * (others / most))
		}
	}
	return found
}

// counting is how many groups have enough games for the cap.
func counting(groups []group) int {
	n := 0
	for _, g := range groups {
		if len(g.duels) >= capGames {
			n++
		}
	}
	return n
}
