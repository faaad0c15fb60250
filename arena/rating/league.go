package rating

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
)

// league is an Input brought into canonical order, with ids replaced by indices.
type league struct {
	buckets []Bucket // those that have played, by id
	slot    []int    // coordinate of each bucket; an anchor has free+1, which never moves
	free    int      // buckets that are no anchors
	duels   []duel
	weight  []float64 // of each duel
}

// duel is a Game between buckets by index.
type duel struct {
	white, black         int
	whiteNick, blackNick int64
	score                float64
}

// pair is the two buckets of d, the lower first.
func (d duel) pair() (low, high int) { return min(d.white, d.black), max(d.white, d.black) }

func samePair(a, b duel) bool {
	al, ah := a.pair()
	bl, bh := b.pair()
	return al == bl && ah == bh
}

// compare puts games of one pair together, within them those of one colouring and
// score, so that every sum over duels has one order only.
func (d duel) compare(e duel) int {
	dl, dh := d.pair()
	el, eh := e.pair()
	return cmp.Or(
		cmp.Compare(dl, el), cmp.Compare(dh, eh), cmp.Compare(d.white, e.white), cmp.Compare(d.score, e.score),
		cmp.Compare(d.whiteNick, e.whiteNick), cmp.Compare(d.blackNick, e.blackNick))
}

// gather checks an input and sorts it.
func gather(in Input) (*league, error) {
	known := slices.Clone(in.Buckets)
	slices.SortFunc(known, func(a, b Bucket) int { return cmp.Compare(a.ID, b.ID) })
	for i, b := range known {
		if i > 0 && b.ID == known[i-1].ID {
			return nil, fmt.Errorf("fit: bucket %d is given twice", b.ID)
		}
		if b.Anchor && !(b.Pin >= MinR && b.Pin <= MaxR) {
			return nil, fmt.Errorf("fit: anchor %d is pinned at %v, outside %d…%d", b.ID, b.Pin, MinR, MaxR)
		}
	}
	index := make(map[int64]int, len(known))
	for i, b := range known {
		index[b.ID] = i
	}
	l := &league{duels: make([]duel, len(in.Games))}
	playing := make([]bool, len(known))
	for i, g := range in.Games {
		white, ok := index[g.White.Bucket]
		black, ok2 := index[g.Black.Bucket]
		switch {
		case !ok || !ok2:
			return nil, fmt.Errorf("fit: game %d of %d against %d has an unknown bucket", i, g.White.Bucket, g.Black.Bucket)
		case white == black:
			return nil, fmt.Errorf("fit: game %d has bucket %d on both sides", i, g.White.Bucket)
		case g.Score != 0 && g.Score != 0.5 && g.Score != 1:
			return nil, fmt.Errorf("fit: game %d has the score %v", i, g.Score)
		}
		playing[white], playing[black] = true, true
		l.duels[i] = duel{white, black, g.White.Nickname, g.Black.Nickname, g.Score}
	}
	l.seat(known, playing)
	slices.SortFunc(l.duels, duel.compare)
	return l, nil
}

// seat keeps the buckets that have played and renumbers the duels accordingly.
func (l *league) seat(known []Bucket, playing []bool) {
	now := make([]int, len(known))
	for i, b := range known {
		if !playing[i] {
			continue
		}
		now[i] = len(l.buckets)
		if !b.Anchor {
			b.Pin = 0
		}
		l.buckets = append(l.buckets, b)
		l.slot = append(l.slot, l.free)
		if !b.Anchor {
			l.free++
		}
	}
	for i, b := range l.buckets {
		if b.Anchor {
			l.slot[i] = l.free + 1
		}
	}
	for i := range l.duels {
		d := &l.duels[i]
		d.white, d.black = now[d.white], now[d.black]
	}
}

// hash is the digest of everything the fit depends on.
func (l *league) hash() [32]byte {
	h := sha256.New()
	var line []byte
	for _, b := range l.buckets {
		line = binary.BigEndian.AppendUint64(line[:0], uint64(b.ID))
		line = binary.BigEndian.AppendUint64(line, math.Float64bits(b.Pin))
		line = append(line, flag(b.Anchor), flag(b.Active))
		h.Write(line)
	}
	for _, d := range l.duels {
		line = line[:0]
		for _, n := range [...]int64{l.buckets[d.white].ID, l.buckets[d.black].ID, d.whiteNick, d.blackNick} {
			line = binary.BigEndian.AppendUint64(line, uint64(n))
		}
		h.Write(append(line, byte(2*d.score)))
	}
	return [32]byte(h.Sum(nil))
}

func flag(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// problem puts the duels together into what the solver works on.
func (l *league) problem(weight []float64) *problem {
	l.weight = weight
	p := &problem{free: l.free, gamma: l.free}
	for i, d := range l.duels {
		if i > 0 {
			if prev := l.duels[i-1]; prev.white == d.white && prev.black == d.black && prev.score == d.score {
				p.cells[len(p.cells)-1].weight += weight[i]
				continue
			}
		}
		p.cells = append(p.cells, cell{
			white: l.slot[d.white], black: l.slot[d.black],
			offset: l.buckets[d.white].Pin - l.buckets[d.black].Pin,
			score:  d.score, weight: weight[i],
		})
	}
	return p
}
