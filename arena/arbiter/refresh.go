package arbiter

import (
	"context"

	"chessarena/arena"
	"chessarena/rules"
	"chessarena/store"
)

// Refresh is told of another process's commits: the games they name are read again at
// their next use, their deadlines are learnt, and whoever waits for one looks.
func (a *Arbiter) Refresh(ctx context.Context, changes []store.Change) error {
	var games []arena.Game
	all := false
	err := a.db.View(ctx, func(tx *store.Tx) error {
		for _, c := range changes {
			switch c.Noun {
			case store.NounAll:
				all = true
			case store.NounGame:
				id, err := tx.GameID(c.ID)
				if err != nil {
					return err
				}
				g, err := tx.Game(id)
				if err != nil {
					return err
				}
				games = append(games, g)
			}
		}
		if !all {
			return nil
		}
		var err error
		games, err = tx.Running()
		return err
	})
	if err != nil {
		return err
	}
	if all {
		a.forgetAll()
	}
	for i := range games {
		a.forget(&games[i])
	}
	if len(games) > 0 || all {
		a.hub.Wake(GamesTopic)
	}
	return nil
}

// forget drops what memory holds of g, which somebody else changed, and wakes whoever
// waits for it.
func (a *Arbiter) forget(g *arena.Game) {
	a.mu.Lock()
	if t := a.tables[g.ID]; t != nil {
		t.now.Store(nil)
	}
	a.mu.Unlock()
	if g.Status == arena.Active {
		a.deadlines.set(g.ID, flag(g))
	} else {
		a.deadlines.drop(g.ID)
	}
	a.hub.Wake(Topic(g.ID), SeatTopic(g.Seats[rules.White].ConfigID), SeatTopic(g.Seats[rules.Black].ConfigID))
}

// forgetAll drops every snapshot.
func (a *Arbiter) forgetAll() {
	a.mu.Lock()
	defer a.mu.Unlock()
	for id, t := range a.tables {
		t.now.Store(nil)
		a.hub.Wake(Topic(id))
	}
}
