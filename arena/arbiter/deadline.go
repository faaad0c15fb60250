package arbiter

import (
	"container/heap"
	"sync"
	"time"

	"chessarena/arena"
)

// deadlines knows when the flag of each running game falls, and which falls first. It
// holds one entry a game, so a step of the sweeper costs what is due and nothing else.
type deadlines struct {
	mu     sync.Mutex
	queue  deadlineQueue
	places map[arena.GameID]*deadline
	// sooner is signalled when the first deadline has come nearer.
	sooner chan struct{}
}

type deadline struct {
	game  arena.GameID
	at    time.Time
	index int
}

func newDeadlines() *deadlines {
	return &deadlines{places: make(map[arena.GameID]*deadline), sooner: make(chan struct{}, 1)}
}

// set moves game's deadline to at.
func (d *deadlines) set(game arena.GameID, at time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if one := d.places[game]; one != nil {
		one.at = at
		heap.Fix(&d.queue, one.index)
	} else {
		one = &deadline{game: game, at: at}
		d.places[game] = one
		heap.Push(&d.queue, one)
	}
	if d.queue[0].game == game {
		select {
		case d.sooner <- struct{}{}:
		default:
		}
	}
}

// drop forgets a game that is over.
func (d *deadlines) drop(game arena.GameID) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if one := d.places[game]; one != nil {
		heap.Remove(&d.queue, one.index)
		delete(d.places, game)
	}
}

// next is the first deadline; ok is false when no game runs.
func (d *deadlines) next() (at time.Time, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.queue) == 0 {
		return time.Time{}, false
	}
	return d.queue[0].at, true
}

// due lists the games whose deadline lies before now, the earliest first. They stay
// in place: a game leaves by drop, or gets a new deadline by set.
func (d *deadlines) due(now time.Time) []arena.GameID {
	d.mu.Lock()
	defer d.mu.Unlock()
	var games []arena.GameID
	var late []*deadline
	for len(d.queue) > 0 && d.queue[0].at.Before(now) {
		one := heap.Pop(&d.queue).(*deadline)
		late = append(late, one)
		games = append(games, one.game)
	}
	for _, one := range late {
		heap.Push(&d.queue, one)
	}
	return games
}

// deadlineQueue is a heap by time.
type deadlineQueue []*deadline

func (q deadlineQueue) Len() int           { return len(q) }
func (q deadlineQueue) Less(i, j int) bool { return q[i].at.Before(q[j].at) }
func (q deadlineQueue) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].index, q[j].index = i, j
}
func (q *deadlineQueue) Push(x any) {
	one := x.(*deadline)
	one.index = len(*q)
	*q = append(*q, one)
}
func (q *deadlineQueue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}
