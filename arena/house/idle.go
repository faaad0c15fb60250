package house

import (
	"context"
	"crypto/rand"
	"fmt"
	"time"

	"chessarena/arena"
	"chessarena/arena/arbiter"
	"chessarena/store"
)

// idleEvery is how often the house looks whether it should play with itself.
const idleEvery = 5 * time.Second

// Pace is the usual least time of a move in a game that nobody plays but the house.
const Pace = 2 * time.Second

// The values of HOUSE_GAMES.
const (
	GamesIdle = "idle" // while no agent plays or waits
	GamesOn   = "on"   // always
	GamesOff  = "off"
)

// Idle begins a game of the house with itself, unrated, when the setting wants one and
// none is under way. It reports whether it did.
func (h *House) Idle(ctx context.Context) (begun bool, err error) {
	s := h.staff.Load()
	if s == nil || h.o.Games == GamesOff || len(s.members) < 2 || h.db.Trouble() != nil {
		return false, nil
	}
	want := false
	err = h.db.View(ctx, func(tx *store.Tx) (err error) {
		want, err = h.wanted(tx, s)
		return err
	})
	if err != nil || !want {
		return false, err
	}
	err = h.db.Update(ctx, func(tx *store.Tx) error {
		begun = false
		want, err := h.wanted(tx, s)
		if err != nil || !want {
			return err
		}
		id, err := arena.NewGameID(tx.Now(), rand.Reader)
		if err != nil {
			return err
		}
		opening, line := h.o.Opening(id)
		white, black := neighbours(s.members, seedOf(id, -1))
		_, err = h.arbiter.Create(tx, arbiter.Pairing{White: white, Black: black, Opening: &opening, Book: line, ID: id})
		begun = err == nil
		return err
	})
	if err != nil {
		return false, fmt.Errorf("begin a game of the house: %w", err)
	}
	return begun, nil
}

// wanted says whether a game of the house with itself should begin.
func (h *House) wanted(tx *store.Tx, s *staff) (bool, error) {
	games, err := tx.ActiveGames(s.agent.ID)
	if err != nil {
		return false, err
	}
	for _, id := range games {
		g, err := tx.Game(id)
		if err != nil {
			return false, err
		}
		if g.Seats[0].NicknameID == g.Seats[1].NicknameID {
			return false, nil
		}
	}
	if h.o.Games == GamesOn {
		return true, nil
	}
	if busy, err := tx.AgentsPlay(); err != nil || busy {
		return false, err
	}
	size, err := tx.QueueSize()
	return size == 0, err
}

// neighbours picks two rungs that stand next to each other, and who of them has White.
func neighbours(members []member, seed uint64) (white, black int64) {
	i := int(seed / 2 % uint64(len(members)-1))
	white, black = members[i].waiter.ConfigID, members[i+1].waiter.ConfigID
	if seed%2 == 1 {
		white, black = black, white
	}
	return white, black
}
