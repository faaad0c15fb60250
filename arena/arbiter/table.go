package arbiter

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"chessarena/arena"
	"chessarena/rules"
	"chessarena/store"
)

// snapshot is a game at one moment. It is never changed: a change makes the next one.
type snapshot struct {
	game   arena.Game
	replay *rules.Replay
	shifts []arena.Event // of the clock, in order
	limits limits
}

// limits are the numbers a game began under. They hold to its end, whatever the
// settings say after a restart: its log was opened with them.
type limits struct {
	illegalMax, maxPlies int
}

// next is a copy of s to make the following snapshot of.
func (s *snapshot) next() *snapshot { c := *s; return &c }

// turn is the side to move.
func (s *snapshot) turn() rules.Color { return s.replay.Position().Turn() }

// table is where one game is played.
type table struct {
	id arena.GameID
	// mu is held from judging a change until it is committed.
	mu sync.Mutex
	// now is the last committed snapshot; nil until first needed, and after somebody
	// else changed the game.
	now atomic.Pointer[snapshot]
	// told is, by colour, one more than the ply of the opponent's draw offer that this
	// side has been shown: a waiting player is woken for an offer once.
	told [2]atomic.Int64

	users int       // guarded by Arbiter.mu: callers that hold the table
	used  time.Time // guarded by Arbiter.mu: when the last of them left
}

// sit returns the table of id, which may or may not exist in the database; the caller
// must leave it.
func (a *Arbiter) sit(id arena.GameID) (t *table, leave func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	t = a.tables[id]
	if t == nil {
		t = &table{id: id}
		a.tables[id] = t
	}
	t.users++
	return t, func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		t.users--
		t.used = time.Now()
		if t.users == 0 && t.now.Load() == nil { // nothing worth keeping, a made-up id say
			delete(a.tables, id)
		}
	}
}

// read returns the game's last snapshot, from the database if there is none in memory.
func (a *Arbiter) read(ctx context.Context, t *table) (*snapshot, error) {
	if s := t.now.Load(); s != nil {
		return s, nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return a.load(ctx, t)
}

// load is read for a caller who holds t.mu.
func (a *Arbiter) load(ctx context.Context, t *table) (*snapshot, error) {
	if s := t.now.Load(); s != nil {
		return s, nil
	}
	var s *snapshot
	err := a.db.View(ctx, func(tx *store.Tx) (err error) {
		s, err = a.readSnapshot(tx, t.id)
		return err
	})
	if err != nil {
		return nil, err
	}
	t.now.Store(s)
	return s, nil
}

// readSnapshot reads and replays a game: NotFound when there is none.
func (a *Arbiter) readSnapshot(tx *store.Tx, id arena.GameID) (*snapshot, error) {
	game, err := tx.Game(id)
	if arena.CodeOf(err) == arena.NotFound {
		return nil, err
	}
	if err != nil {
		return nil, fmt.Errorf("read game %s: %w", id, err)
	}
	moves, err := tx.Moves(&game)
	if err != nil {
		return nil, fmt.Errorf("read the moves of game %s: %w", id, err)
	}
	events, err := tx.Events(&game)
	if err != nil {
		return nil, fmt.Errorf("read the events of game %s: %w", id, err)
	}
	replay, err := replayMoves(game.Start, moves)
	if err != nil {
		return nil, fmt.Errorf("replay game %s: %w", id, err)
	}
	limits := limits{a.settings.IllegalMax, a.settings.MaxPlies}
	if len(events) > 0 && events[0].Kind == arena.EventCreated {
		var created arena.CreatedData
		if err := json.Unmarshal(events[0].Data, &created); err != nil {
			return nil, fmt.Errorf("read the log of game %s: %w", id, err)
		}
		limits.illegalMax, limits.maxPlies = created.IllegalMax, created.MaxPlies
	}
	notShift := func(e arena.Event) bool { return e.Kind != arena.EventShift }
	return &snapshot{game: game, replay: replay, shifts: slices.DeleteFunc(events, notShift), limits: limits}, nil
}

func replayMoves(start string, moves []arena.Move) (*rules.Replay, error) {
	position := rules.Start()
	if start != "" {
		var err error
		if position, err = rules.ParseFEN(start); err != nil {
			return nil, err
		}
	}
	uci := make([]string, len(moves))
	for i, m := range moves {
		uci[i] = m.UCI
	}
	return rules.ReplayUCI(position, uci)
}

// seat is a player's view of a snapshot.
type seat struct {
	*snapshot
	me rules.Color
}

// seated finds the seat in s of the nickname with this id.
func seated(s *snapshot, nickname int64) (seat, error) {
	me, ok := s.game.Color(nickname, s.turn())
	if !ok {
		return seat{}, arena.Errorf(arena.NotYourGame, "You have no seat in game %s.", s.game.ID)
	}
	return seat{s, me}, nil
}

// errLate ends a change that came to the store after its player's flag had fallen.
var errLate = errors.New("the flag has fallen")

// change is one deed of a player.
type change struct {
	// check judges the deed on the snapshot, without the store; its error ends it.
	check func(seat) error
	// write stores the deed in tx and returns what the game has become.
	write func(*store.Tx, seat) (*snapshot, error)
}

// apply runs c for a nickname in the game id and returns the snapshot and seat after it.
// Only one change of a game is under way at a time; it waits for its commit even when
// the client no longer does.
func (a *Arbiter) apply(ctx context.Context, nickname int64, id arena.GameID, c change) (seat, error) {
	if err := a.awake(ctx); err != nil {
		return seat{}, err
	}
	a.world.RLock()
	defer a.world.RUnlock()
	t, leave := a.sit(id)
	defer leave()
	t.mu.Lock()
	defer t.mu.Unlock()
	for again := false; ; again = true {
		s, err := a.load(ctx, t)
		if err != nil {
			return seat{}, err
		}
		at, err := seated(s, nickname)
		if err != nil {
			return seat{}, err
		}
		if s.flagged(time.Now()) {
			// Too late, and the sweeper has not come by yet: the game is lost first.
			if err := a.forfeit(ctx, t, s); err != nil {
				return at, err
			}
			continue
		}
		if err := c.check(at); err != nil {
			return at, err
		}
		var next *snapshot
		err = a.db.Update(context.WithoutCancel(ctx), func(tx *store.Tx) error {
			if s.flagged(tx.Now()) {
				return errLate
			}
			var err error
			if next, err = c.write(tx, at); err != nil {
				return err
			}
			tx.After(func() { a.publish(t, next) })
			return nil
		})
		if errors.Is(err, errLate) {
			continue // the flag fell while the deed waited for its turn to be written
		}
		if errors.Is(err, store.ErrMoved) && !again {
			t.now.Store(nil) // another process moved first: judge again
			continue
		}
		if err != nil {
			return at, a.failed(fmt.Errorf("game %s: %w", id, err))
		}
		return seat{next, at.me}, nil
	}
}

// publish makes s the game's snapshot and wakes who waits for it.
func (a *Arbiter) publish(t *table, s *snapshot) {
	t.now.Store(s)
	a.hub.Wake(Topic(t.id))
	if s.game.Status != arena.Active {
		a.deadlines.drop(t.id)
		a.hub.Wake(GamesTopic)
		return
	}
	a.deadlines.set(t.id, flag(&s.game))
}

// tableIdle is how long a game nobody touches stays in memory. Replaying one takes a
// few milliseconds, holding one a few kilobytes.
const tableIdle = 15 * time.Minute

// Reap forgets the tables that nobody has used for a while before now, and returns
// how many are left.
func (a *Arbiter) Reap(now time.Time) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	for id, t := range a.tables {
		if t.users == 0 && now.Sub(t.used) > tableIdle {
			delete(a.tables, id)
		}
	}
	return len(a.tables)
}
