package search

// bound says how a stored score relates to the true one.
type bound uint8

const (
	exact bound = iota + 1
	atLeast
	atMost
)

// entry is what an earlier visit to a position found, in 16 bytes.
type entry struct {
	key   uint64
	best  move
	score int16
	depth int8
	bound bound
	epoch uint32 // the search that wrote it; of any other, the entry does not exist
}

// table is a transposition table: one entry for each of a power of two of keys.
type table struct {
	entries []entry
	epoch   uint32
}

// newTable returns a table of at most size bytes, and at least 64 entries.
func newTable(size int) table {
	n := 64
	for 2*n*16 <= size {
		n *= 2
	}
	return table{entries: make([]entry, n)}
}

// forget empties the table in no time, by a new epoch. The entries are really cleared
// once in four thousand million searches, when epochs begin again.
func (t *table) forget() {
	t.epoch++
	if t.epoch == 0 {
		clear(t.entries)
		t.epoch = 1
	}
}

func (t *table) find(key uint64) (*entry, bool) {
	e := &t.entries[key&uint64(len(t.entries)-1)]
	return e, e.key == key && e.epoch == t.epoch
}

// store keeps the newer result, unless the older one is about the same position and
// much deeper.
func (t *table) store(key uint64, best move, score, depth int, b bound) {
	e, same := t.find(key)
	if same {
		if b != exact && depth+3 < int(e.depth) {
			return
		}
		if best == noMove {
			best = e.best
		}
	}
	*e = entry{key: key, best: best, score: int16(score), depth: int8(depth), bound: b, epoch: t.epoch}
}

// A mate is stored as its distance from the position it is stored for, while a search
// counts from its root.
func toTable(score, ply int) int {
	switch {
	case score > mateSoon:
		return score + ply
	case score < -mateSoon:
		return score - ply
	}
	return score
}

func fromTable(score, ply int) int {
	switch {
	case score > mateSoon:
		return score - ply
	case score < -mateSoon:
		return score + ply
	}
	return score
}
