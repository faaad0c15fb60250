package matchmaker

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"

	"chessarena/arena"
	"chessarena/arena/arbiter"
	"chessarena/store"
)

// batch is how many games are begun in one transaction: moves of others wait for it.
const batch = 16

// begin begins the games, each only if its players still wait, and returns how many it
// began.
func (m *Matchmaker) begin(ctx context.Context, games []match) (begun int, err error) {
	for len(games) > 0 {
		now := games[:min(batch, len(games))]
		games = games[len(now):]
		count := 0
		err := m.db.Update(ctx, func(tx *store.Tx) error {
			count = 0
			for _, g := range now {
				ok, err := m.beginOne(tx, g)
				if err != nil {
					return err
				}
				if ok {
					count++
				}
			}
			return nil
		})
		if err != nil {
			return begun, err
		}
		begun += count
	}
	return begun, nil
}

// beginOne begins a game unless one of its players has left the queue meanwhile or may
// not play any more.
func (m *Matchmaker) beginOne(tx *store.Tx, g match) (bool, error) {
	for _, w := range []arena.Waiter{g.a, g.b} {
		if ok, err := m.waits(tx, w); err != nil || !ok {
			return false, err
		}
	}
	pair, err := tx.Pair(g.a.BucketID, g.b.BucketID)
	if err != nil {
		return false, err
	}
	for {
		id, err := arena.NewGameID(tx.Now(), rand.Reader)
		if err != nil {
			return false, err
		}
		p, first, err := plan(tx, id, pair, g)
		if err != nil {
			return false, err
		}
		game, err := m.arbiter.Create(tx, p)
		if errors.Is(err, store.ErrGameID) {
			continue // drawn twice in one millisecond
		}
		if err != nil {
			return false, fmt.Errorf("begin a game of configs %d and %d: %w", g.a.ConfigID, g.b.ConfigID, err)
		}
		if pair.Return != nil {
			pair.Return = nil
			if err := tx.SavePair(pair); err != nil {
				return false, err
			}
		}
		if first != 0 {
			return true, tx.AddReturn(game.RowID, first)
		}
		return true, nil
	}
}

// waits says whether w is still to be paired. An anchor never waits and always may.
func (m *Matchmaker) waits(tx *store.Tx, w arena.Waiter) (bool, error) {
	if w.Since.IsZero() {
		return true, nil
	}
	now, err := tx.Waiter(w.ConfigID)
	if arena.CodeOf(err) == arena.NotFound {
		return false, nil
	}
	if err != nil || now.Nickname != arena.AgentActive || now.Opponents != w.Opponents {
		return false, err
	}
	games, err := tx.ActiveGames(w.NicknameID)
	return err == nil && len(games) < m.settings.MaxActiveGames, err
}

// plan chooses the colours and the opening: those the pair owes each other, if any, else
// the fairest colours and a line it did not have lately. first is the game whose line
// this one returns, 0 when it begins an opening pair.
func plan(tx *store.Tx, id arena.GameID, pair arena.Pair, g match) (p arbiter.Pairing, first int64, err error) {
	p = arbiter.Pairing{White: g.a.ConfigID, Black: g.b.ConfigID, Rated: true, ID: id}
	aIsA := g.a.BucketID == pair.A
	var line Line
	var white bool
	if r := pair.Return; r != nil {
		line, first, white = find(r.Line), r.Of, r.AWhite == aIsA
	} else {
		a, err := tx.Colors(g.a.ConfigID)
		if err != nil {
			return p, 0, err
		}
		b, err := tx.Colors(g.b.ConfigID)
		if err != nil {
			return p, 0, err
		}
		balance := pair.Balance()
		switch {
		case pair.A == pair.B:
			balance = 0
		case !aIsA:
			balance = -balance
		}
		line, white = choose(id, pair.Recent), whiteFirst(id, balance, a, b)
	}
	if !white {
		p.White, p.Black = p.Black, p.White
	}
	if line.Name != "" {
		p.Opening = &line.Opening
	}
	p.Book = line.UCI
	return p, first, nil
}
