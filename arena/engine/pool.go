package engine

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"chessarena/arena/engine/search"
)

// Lane is how urgent a thought is. Within a lane, first come is first served.
type Lane int

// A game waits for its move; nobody waits for an analysis.
const (
	Play    Lane = iota // moves of the house, and judgements that an ending waits for
	Analyse             // everything else; thought about only while nobody plays
	lanes
)

// IdleAfter is how long a process may stand idle before the pool ends it.
const IdleAfter = 5 * time.Minute

// tableBytes is the memory of one built-in search. The strength of the house's players
// depends on it.
const tableBytes = 4 << 20

// Pool lets a bounded number of engines think at once. Everything it starts, it starts
// when it is first needed. Make it with NewPool.
type Pool struct {
	program *Program
	log     *slog.Logger

	mu      sync.Mutex
	desks   []*desk
	free    []*desk
	waiting [lanes][]chan *desk
	closed  bool
	procs   sync.WaitGroup // the goroutines of all processes
	life    context.Context
	kill    context.CancelFunc
}

// desk is one place to think at. Whoever took it has it alone.
type desk struct {
	searcher *search.Searcher // nil until first used
	uci      *uci             // nil when the pool has no program
}

// ErrClosed says that the pool has been closed.
var ErrClosed = errors.New("engine: the pool is closed")

// NewPool returns a pool in which procs engines think at once, at least one. program is
// the UCI engine that stands beside the built-in one, nil for none. It starts nothing.
func NewPool(procs int, program *Program, log *slog.Logger) *Pool {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	p := &Pool{program: program, log: log}
	p.life, p.kill = context.WithCancel(context.Background())
	for range max(1, procs) {
		d := new(desk)
		if program != nil {
			d.uci = &uci{program: *program, life: p.life, procs: &p.procs, log: p.log, limits: soundLimits}
		}
		p.desks = append(p.desks, d)
	}
	p.free = append(p.free, p.desks...)
	return p
}

// Program is the UCI engine of the pool; nil when there is none.
func (p *Pool) Program() *Program { return p.program }

// take waits for a free desk.
func (p *Pool) take(ctx context.Context, lane Lane) (*desk, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil, ErrClosed
	}
	if n := len(p.free); n > 0 { // then nobody waits
		d := p.free[n-1]
		p.free = p.free[:n-1]
		p.mu.Unlock()
		return d, nil
	}
	turn := make(chan *desk, 1)
	p.waiting[lane] = append(p.waiting[lane], turn)
	p.mu.Unlock()
	select {
	case d := <-turn:
		if d == nil {
			return nil, ErrClosed
		}
		return d, nil
	case <-ctx.Done():
		p.leave(lane, turn)
		return nil, ctx.Err()
	}
}

// leave takes a waiter out of the line, or hands on what it was given meanwhile.
func (p *Pool) leave(lane Lane, turn chan *desk) {
	p.mu.Lock()
	for i, other := range p.waiting[lane] {
		if other == turn {
			p.waiting[lane] = append(p.waiting[lane][:i], p.waiting[lane][i+1:]...)
			p.mu.Unlock()
			return
		}
	}
	p.mu.Unlock()
	if d := <-turn; d != nil {
		p.give(d)
	}
}

// give hands a desk to who waits longest in the most urgent lane.
func (p *Pool) give(d *desk) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for lane := range p.waiting {
		if line := p.waiting[lane]; len(line) > 0 {
			p.waiting[lane] = line[1:]
			line[0] <- d
			return
		}
	}
	p.free = append(p.free, d)
}

// StopIdle ends the processes at free desks that nobody has used since IdleAfter before
// now, and returns how many are running or busy.
func (p *Pool) StopIdle(now time.Time) (running int) {
	p.mu.Lock()
	idle := p.free
	p.free = nil // so that nobody takes one from under us
	p.mu.Unlock()
	for _, d := range idle {
		if d.uci != nil && d.uci.p != nil {
			if now.Sub(d.uci.used) >= IdleAfter {
				d.uci.quit()
			} else {
				running++
			}
		}
		p.give(d)
	}
	return running + len(p.desks) - len(idle)
}

// Close kills every process, waits until all are reaped, and refuses all later work. It
// may be called again.
func (p *Pool) Close() {
	p.mu.Lock()
	p.closed = true
	for lane, line := range p.waiting {
		for _, turn := range line {
			turn <- nil
		}
		p.waiting[lane] = nil
	}
	idle := p.free
	p.free = nil
	p.mu.Unlock()
	p.kill()
	for _, d := range idle { // whoever is busy sees its process end by itself
		if d.uci != nil {
			d.uci.kill()
		}
	}
	p.procs.Wait()
}
