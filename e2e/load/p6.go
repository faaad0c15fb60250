package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"time"

	"chessarena/arena"
	"chessarena/arena/hall"
	"chessarena/e2e/host"
	"chessarena/rules"
	"chessarena/store"
)

// p6 measures from starting the program to its first answers, with 10,000 games in
// progress and 100,000 finished in the file.
func p6(ctx context.Context, r *rig) error {
	const active, finished, starts = 10_000, 100_000, 3
	a, err := r.serve(ctx)
	if err != nil {
		return err
	}
	tables, err := seat(ctx, a, 2, 1)
	if err != nil {
		return err
	}
	if _, err := a.Stop(); err != nil {
		return err
	}
	begin := time.Now()
	if err := seed(ctx, a, active, finished); err != nil {
		return err
	}
	info, err := os.Stat(a.DB)
	if err != nil {
		return err
	}
	fmt.Printf("  seeded %d games in %.0f s; the file has %d MB\n", active+finished, time.Since(begin).Seconds(), info.Size()>>20)
	// The worst start counts: from the second on, the arena also gives every running game
	// back the time it was away.
	var worst [2]time.Duration
	for i := range starts {
		begin := time.Now()
		if err := a.Start(ctx); err != nil {
			return err
		}
		ready := time.Since(begin)
		l, err := dial(a.Addr)
		if err != nil {
			return err
		}
		// The first call of a key proves it, with argon2.
		if _, err := l.ask(overREST.look(tables[0], 0)); err != nil {
			return err
		}
		l.close()
		state := time.Since(begin)
		fmt.Printf("  start %d: ready after %s, a game's state after %s\n", i+1, ms(ready), ms(state))
		worst[0], worst[1] = max(worst[0], ready), max(worst[1], state)
		if _, err := a.Stop(); err != nil {
			return err
		}
	}
	fmt.Printf("P6: first answer after %s, first state of a game after %s (reach: 1 s); worst of %d\n", ms(worst[0]), ms(worst[1]), starts)
	return nil
}

// seed fills the file with games between its first two configurations.
func seed(ctx context.Context, a *host.Arena, active, finished int) error {
	settings := arena.DefaultSettings()
	settings.DB = a.DB
	h, err := hall.Open(ctx, settings, hall.Options{Offline: true})
	if err != nil {
		return err
	}
	defer h.Close()
	const batch = 500
	line, final, err := fortyPlies()
	if err != nil {
		return err
	}
	for done := 0; done < active+finished; done += batch {
		err := h.DB.Update(ctx, func(tx *store.Tx) error {
			seats, err := twoSeats(tx)
			if err != nil {
				return err
			}
			for i := done; i < min(done+batch, active+finished); i++ {
				if err := addGame(tx, settings.Pace(), seats, line, final, i >= active); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// fortyPlies are the first 40 plies of a real game, and the position after them.
func fortyPlies() ([]arena.Move, string, error) {
	replay := rules.NewReplay(rules.Start())
	for _, san := range usualGames(60)[0].SANs[:40] {
		move, refusal := replay.Position().Resolve(san)
		if refusal != nil {
			return nil, "", fmt.Errorf("%s: %s", san, refusal.Message())
		}
		replay = replay.Push(move)
	}
	var line []arena.Move
	for i, uci := range replay.UCIs() {
		line = append(line, arena.Move{UCI: uci, SAN: replay.SANs()[i]})
	}
	return line, replay.Position().FEN(), nil
}

func twoSeats(tx *store.Tx) (seats [2]arena.Seat, err error) {
	for i := range seats {
		entry, err := tx.Entry(int64(i + 1))
		if err != nil {
			return seats, err
		}
		owner, err := tx.Agent(entry.NicknameID)
		if err != nil {
			return seats, err
		}
		seats[i] = arena.Seat{
			NicknameID: owner.ID, Nickname: owner.Nickname, Fingerprint: owner.Fingerprint,
			ConfigID: entry.ID, BucketID: entry.Bucket.ID, BucketKey: entry.Bucket.Key, Config: entry.Bucket.Config,
		}
	}
	return seats, nil
}

func addGame(tx *store.Tx, pace arena.TimeControl, seats [2]arena.Seat, line []arena.Move, final string, over bool) error {
	moves := make([]arena.Move, len(line))
	for i, m := range line {
		m.At = tx.Now()
		moves[i] = m
	}
	game := arena.Game{
		Kind: "chess", Status: arena.Active, Created: tx.Now(), Seats: seats,
		Pace: pace, Clock: pace.Start(tx.Now()), Rated: true,
	}
	// A whole batch has one millisecond, and so ids that meet now and then.
	err := store.ErrGameID
	for errors.Is(err, store.ErrGameID) {
		if game.ID, err = arena.NewGameID(tx.Now(), rand.Reader); err == nil {
			err = tx.AddGame(&game, moves)
		}
	}
	if err != nil || !over {
		return err
	}
	game.Status, game.Result, game.Termination, game.Finished = arena.Finished, arena.WhiteWins, arena.Resignation, tx.Now()
	return tx.FinishGame(&game, game.Ply, final)
}
