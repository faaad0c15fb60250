package store

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"chessarena/arena"
)

func TestGames(t *testing.T) {
	db := openNew(t)
	var players []arena.Seat
	update(t, db, func(tx *Tx) error {
		for _, name := range []arena.Nickname{"anna", "bruno", "carla"} {
			s, err := seat(tx, name, plain)
			if err != nil {
				return err
			}
			players = append(players, s)
		}
		return nil
	})
	// What is stored, newest first, kept beside the database to compare with.
	var all []arena.Game
	var totals Totals
	r := rand.New(rand.NewPCG(7, 8))
	for n := range 70 {
		g := newGame(n, [2]arena.Seat{players[r.IntN(3)], players[r.IntN(3)]})
		update(t, db, func(tx *Tx) error {
			if err := tx.AddGame(&g, nil); err != nil {
				return err
			}
			switch r.IntN(3) {
			case 0:
				totals.Void++
				return finish(tx, &g, arena.Void, arena.NoResult)
			case 1:
				totals.Finished++
				return finish(tx, &g, arena.Finished, arena.Draw)
			}
			totals.Active++
			return nil
		})
		all = slices.Insert(all, 0, g)
	}
	totals.Nicknames, totals.Configs, totals.Models = 3, 3, 1

	for _, status := range []arena.Status{"", arena.Active, arena.Finished, arena.Void} {
		for _, nickname := range []int64{0, players[0].NicknameID, players[2].NicknameID} {
			t.Run(fmt.Sprintf("status %q of nickname %d, page by page", status, nickname), func(t *testing.T) {
				var want, got []arena.GameID
				for _, g := range all {
					mine := g.Seats[0].NicknameID == nickname || g.Seats[1].NicknameID == nickname
					if (status == "" || g.Status == status) && (nickname == 0 || mine) {
						want = append(want, g.ID)
					}
				}
				f := GameFilter{Status: status, NicknameID: nickname, Limit: 4}
				for {
					var page []arena.Game
					view(t, db, func(tx *Tx) (err error) { page, err = tx.Games(f); return err })
					for _, g := range page {
						got = append(got, g.ID)
					}
					if len(page) < f.Limit {
						break
					}
					f.Before = page[len(page)-1].ID
				}
				if diff := cmp.Diff(want, got); diff != "" || len(want) < 5 {
					t.Errorf("%d games (-want +got):\n%s", len(want), diff)
				}
			})
		}
	}
	t.Run("active games of a nickname, oldest first", func(t *testing.T) {
		var want, got []arena.GameID
		for _, g := range slices.Backward(all) {
			if g.Status == arena.Active && (g.Seats[0].NicknameID == players[1].NicknameID || g.Seats[1].NicknameID == players[1].NicknameID) {
				want = append(want, g.ID)
			}
		}
		view(t, db, func(tx *Tx) (err error) { got, err = tx.ActiveGames(players[1].NicknameID); return err })
		if diff := cmp.Diff(want, got); diff != "" || len(want) == 0 {
			t.Errorf("%d games (-want +got):\n%s", len(want), diff)
		}
	})
	t.Run("totals agree with what was stored", func(t *testing.T) {
		view(t, db, func(tx *Tx) error {
			got, err := tx.Totals()
			if diff := cmp.Diff(totals, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			return err
		})
	})
	t.Run("no limit is fifty, and a huge one is cut to 500", func(t *testing.T) {
		db := openNew(t)
		pair := seats(t, db)
		update(t, db, func(tx *Tx) error {
			for n := range 501 {
				g := newGame(n, pair)
				if err := tx.AddGame(&g, nil); err != nil {
					return err
				}
			}
			return nil
		})
		view(t, db, func(tx *Tx) error {
			for limit, want := range map[int]int{0: 50, -1: 50, 60: 60, math.MaxInt: 500} {
				page, err := tx.Games(GameFilter{Limit: limit})
				if len(page) != want || err != nil {
					t.Errorf("limit %d: %d games, %v; want %d", limit, len(page), err, want)
				}
			}
			return nil
		})
	})
	t.Run("a page after a game that does not exist is not_found", func(t *testing.T) {
		view(t, db, func(tx *Tx) error {
			if _, err := tx.Games(GameFilter{Before: "zzzzzzzzzzzz"}); arena.CodeOf(err) != arena.NotFound {
				t.Errorf("error %v", err)
			}
			return nil
		})
	})
}

func TestAudit(t *testing.T) {
	db := openNew(t)
	want := []Audit{
		{At: noon, Actor: "local", Tool: "create-game", Args: []byte(`{"white": 1}`), Outcome: "ok", Undo: []byte(`{"game":"x"}`)},
		{At: noon, Actor: "token", Tool: "status", Outcome: "rate_limited"},
		{At: noon, Actor: "local", Tool: "status", Outcome: "ok"},
	}
	update(t, db, func(tx *Tx) (err error) {
		for i := range want {
			if want[i].ID, err = tx.AddAudit(want[i]); err != nil {
				return err
			}
		}
		return nil
	})
	slices.Reverse(want)
	view(t, db, func(tx *Tx) error {
		latest, err := tx.Audits(2, 0)
		if err != nil {
			return err
		}
		older, err := tx.Audits(2, latest[1].ID)
		if diff := cmp.Diff(want, append(latest, older...)); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		return err
	})
}
