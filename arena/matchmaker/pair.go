package matchmaker

import (
	"cmp"
	"math"
	"slices"
	"time"

	"chessarena/arena"
	"chessarena/arena/rating"
)

// Terms of the pairing score (ratings research §5).
const (
	repetition = 0.25   // each of the last games of a pair divides the worth by 1 + this more
	impatience = 0.0003 // worth of a second of the shorter wait

	// A game must promise a balance (rating.Balance) of at least floorStart, which is a
	// gap of some 380 points between the well known; the demand fades with waiting, by a
	// factor e each floorFade.
	floorStart = 0.36
	floorFade  = 300 * time.Second
)

// Bounds of the search for pairs, which is not exhaustive: whoever is sorted by rating
// finds the best opponents close by.
const (
	neighbours = 6  // opponents considered for each, to the right
	reach      = 48 // places looked at for them, when many may not be paired
	passes     = 6  // of greedy pairing, each among those who are left
	swapReach  = 3  // pairs, from one on, with which it may change opponents
	swapRounds = 6
)

// Entrant is somebody to be paired.
type Entrant struct {
	arena.Waiter
	Wait time.Duration // how long it has waited
}

// Couple is a pair of entrants, by their places in the list given to Pair.
type Couple struct{ A, B int }

// History tells how many of their last games two buckets had with each other.
type History func(bucketA, bucketB int64) int

// Pair decides who meets whom; those who are in no couple go on waiting. It takes
// n·log n time: 10,000 entrants are some tens of milliseconds.
func Pair(entrants []Entrant, met History) []Couple {
	p := pairing{met: met, list: make([]Entrant, len(entrants)), place: make([]int, len(entrants))}
	for i := range p.place {
		p.place[i] = i
	}
	slices.SortFunc(p.place, func(a, b int) int {
		x, y := &entrants[a], &entrants[b]
		return cmp.Or(cmp.Compare(x.Rating.R, y.Rating.R), cmp.Compare(x.ConfigID, y.ConfigID))
	})
	p.floor = make([]float64, len(entrants))
	for i, at := range p.place {
		p.list[i] = entrants[at]
		p.floor[i] = floorStart * math.Exp(-p.list[i].Wait.Seconds()/floorFade.Seconds())
	}
	p.greedy()
	p.improve()
	couples := make([]Couple, 0, len(p.couples))
	for _, c := range p.couples {
		couples = append(couples, Couple{p.place[c.a], p.place[c.b]})
	}
	return couples
}

// pairing is a decision in the making, over entrants sorted by rating.
type pairing struct {
	list    []Entrant
	place   []int     // of each in the list that was given
	floor   []float64 // the balance each demands of a game
	met     History
	taken   []bool
	couples []couple
}

// couple is two entrants and what their game is worth.
type couple struct {
	a, b  int
	worth float64
	// fresh couples may gain by changing opponents; moved ones did so in this round.
	fresh, moved bool
}

// may says whether two entrants can be paired at all.
func may(a, b *Entrant) bool {
	if a.NicknameID == b.NicknameID || a.Opponents == arena.AnchorsOnly || b.Opponents == arena.AnchorsOnly {
		return false
	}
	return !(a.Opponents == arena.AgentsOnly && b.Anchor || b.Opponents == arena.AgentsOnly && a.Anchor)
}

// worth is what pairing a and b is worth, and whether it is allowed: what their game is
// expected to tell, less for a pair that met lately, more for long waits.
func (p *pairing) worth(a, b int) (float64, bool) {
	x, y := &p.list[a], &p.list[b]
	if !may(x, y) {
		return 0, false
	}
	wait := min(x.Wait, y.Wait).Seconds()
	balance, gain := rating.Prospect(x.Rating, y.Rating)
	if balance < max(p.floor[a], p.floor[b]) {
		return 0, false
	}
	again := 1 + repetition*float64(p.met(x.BucketID, y.BucketID))
	return gain/again + impatience*wait, true
}

// greedy takes the best couple, then the best of the others, and so on. Later passes
// look further, past those who are taken.
func (p *pairing) greedy() {
	p.taken = make([]bool, len(p.list))
	free := make([]int, len(p.list))
	for i := range free {
		free[i] = i
	}
	for range passes {
		var options []couple
		for at, a := range free {
			found := 0
			for _, b := range free[at+1 : min(len(free), at+1+reach)] {
				if w, ok := p.worth(a, b); ok {
					options = append(options, couple{a: a, b: b, worth: w})
					if found++; found == neighbours {
						break
					}
				}
			}
		}
		if len(options) == 0 {
			return
		}
		slices.SortFunc(options, func(x, y couple) int {
			return cmp.Or(cmp.Compare(y.worth, x.worth), cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b))
		})
		for _, c := range options {
			if !p.taken[c.a] && !p.taken[c.b] {
				p.taken[c.a], p.taken[c.b] = true, true
				p.couples = append(p.couples, c)
			}
		}
		free = slices.DeleteFunc(free, func(i int) bool { return p.taken[i] })
	}
}

// improve lets couples that stand close change opponents while that gains (2-opt), and
// those left over come in between.
func (p *pairing) improve() {
	for i := range p.couples {
		p.couples[i].fresh = true
	}
	for range swapRounds {
		slices.SortFunc(p.couples, func(x, y couple) int { return cmp.Or(cmp.Compare(x.a+x.b, y.a+y.b), cmp.Compare(x.a, y.a)) })
		better := p.admit()
		for i := range p.couples {
			for j := i + 1; j < min(len(p.couples), i+1+swapReach); j++ {
				if p.couples[i].fresh || p.couples[j].fresh {
					better = p.swap(i, j) || better
				}
			}
			p.couples[i].fresh = p.couples[i].moved
			p.couples[i].moved = false
		}
		if !better {
			return
		}
	}
}

// swap gives the couples at i and j the best of their three ways to pair up.
func (p *pairing) swap(i, j int) (better bool) {
	x, y := p.couples[i], p.couples[j]
	best := x.worth + y.worth + 1e-12
	for _, way := range [2][4]int{{x.a, y.a, x.b, y.b}, {x.a, y.b, x.b, y.a}} {
		v, ok := p.worth(way[0], way[1])
		if !ok {
			continue
		}
		w, ok := p.worth(way[2], way[3])
		if ok && v+w > best {
			best, better = v+w, true
			p.couples[i], p.couples[j] = newCouple(way[0], way[1], v), newCouple(way[2], way[3], w)
		}
	}
	return better
}

// admit lets those who are left over in: one takes a place in a couple near by, or two
// take one each of its members, who both get a game then.
func (p *pairing) admit() (better bool) {
	for i := range p.couples {
		c := p.couples[i]
		left := p.leftNear(c)
		best, change := c.worth+1e-12, func() {}
		for _, stay := range [2]int{c.a, c.b} {
			out := c.a + c.b - stay
			for _, in := range left {
				v, ok := p.worth(stay, in)
				if !ok {
					continue
				}
				if v > best {
					best, change = v, func() {
						p.taken[out], p.taken[in] = false, true
						p.couples[i] = newCouple(stay, in, v)
					}
				}
				for _, other := range left {
					if w, ok := p.worth(out, other); ok && other != in && v+w > best {
						best, change = v+w, func() {
							p.taken[in], p.taken[other] = true, true
							p.couples[i] = newCouple(stay, in, v)
							p.couples = append(p.couples, newCouple(out, other, w))
						}
					}
				}
			}
		}
		if best > c.worth+1e-12 {
			change()
			better = true
		}
	}
	return better
}

// leftNear lists those left over around couple c, nearest first on either side.
func (p *pairing) leftNear(c couple) (list []int) {
	for _, from := range [2]int{c.a, c.b} {
		for _, step := range [2]int{-1, 1} {
			for i, looked := from+step, 0; i >= 0 && i < len(p.list) && looked < neighbours; i, looked = i+step, looked+1 {
				if !p.taken[i] && !slices.Contains(list, i) {
					list = append(list, i)
				}
			}
		}
	}
	return list
}

// newCouple puts two entrants in order.
func newCouple(a, b int, worth float64) couple {
	return couple{a: min(a, b), b: max(a, b), worth: worth, fresh: true, moved: true}
}
