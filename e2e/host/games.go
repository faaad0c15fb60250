package host

import (
	"context"
	"fmt"

	"chessarena/arena"
	"chessarena/arena/arbiter"
	"chessarena/arena/hall"
	"chessarena/store"
)

// CreateGames begins many games in one transaction, as a second process on the arena's
// file: the shell command takes a process for each. It is the one place of this package
// that reaches into the program.
func (a *Arena) CreateGames(ctx context.Context, pairings ...arbiter.Pairing) (ids []string, err error) {
	settings := arena.DefaultSettings()
	settings.DB = a.DB
	h, err := hall.Open(ctx, settings, hall.Options{Offline: true})
	if err != nil {
		return nil, err
	}
	defer h.Close()
	ids = make([]string, len(pairings))
	err = h.DB.Update(ctx, func(tx *store.Tx) error {
		for i, p := range pairings {
			game, err := h.Arbiter.Create(tx, p)
			if err != nil {
				return fmt.Errorf("pairing %d: %w", i, err)
			}
			ids[i] = string(game.ID)
		}
		return nil
	})
	return ids, err
}
