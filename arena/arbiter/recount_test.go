package arbiter_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"chessarena/arena"
	"chessarena/arena/arbiter"
	"chessarena/store"
)

func (r *room) recount() (out arbiter.Recounted) {
	r.t.Helper()
	err := r.db.Update(r.t.Context(), func(tx *store.Tx) (err error) { out, err = arbiter.Recount(tx); return err })
	if err != nil {
		r.t.Fatal(err)
	}
	return out
}

// What finish keeps game by game equals what one pass over all games gives.
func TestRecountFindsNothingAfterAnyGames(t *testing.T) {
	r := newRoom(t)
	dice := rand.New(rand.NewPCG(7, 7))
	_, second := r.player("alice", "another-model")
	for range 60 {
		pairing := arbiter.Pairing{White: r.aliceC, Black: r.bobC, Rated: true}
		switch dice.IntN(4) {
		case 0:
			pairing.White, pairing.Black = pairing.Black, pairing.White
		case 1:
			pairing.Black = second // alice against herself
		}
		g, err := r.create(pairing)
		if err != nil {
			t.Fatal(err)
		}
		loser := r.alice
		if g.Seats[1].NicknameID == r.bob.ID && dice.IntN(2) == 0 {
			loser = r.bob
		}
		switch dice.IntN(5) {
		case 0: // goes on
		case 1:
			err = r.db.Update(t.Context(), func(tx *store.Tx) error { _, err := r.Void(tx, g.ID, "x"); return err })
		case 2:
			for range 3 {
				if code := arena.CodeOf(r.submit(r.whoMoves(g), g.ID, 0, "x")); code != arena.IllegalMove {
					t.Fatal(code)
				}
			}
		default:
			_, err = r.Resign(t.Context(), loser, arbiter.GameInput{GameID: g.ID})
		}
		if arena.CodeOf(err) != "" && arena.CodeOf(err) != arena.NotYourGame {
			t.Fatal(err)
		}
	}
	if out := r.recount(); len(out.Differences) != 0 || out.Games != 60 {
		t.Errorf("%d games, differences: %v", out.Games, out.Differences)
	}
}

// whoMoves is the owner of the seat that moves first.
func (r *room) whoMoves(g *arena.Game) arena.Agent {
	if g.Seats[g.Turn()].NicknameID == r.alice.ID {
		return r.alice
	}
	return r.bob
}

func TestRecountPutsRightWhatIsWrong(t *testing.T) {
	r := newRoom(t)
	r.play(r.game(), "f3", "e5", "g4", "Qh4#")
	want := r.agent(r.bob.ID)
	spoilt := want
	spoilt.Record.Wins, spoilt.Record.Games, spoilt.Streak.Best = 8, 8, 9
	err := r.db.Update(t.Context(), func(tx *store.Tx) error {
		totals, err := tx.Totals()
		if err != nil {
			return err
		}
		totals.Finished += 3
		if err := tx.SaveTotals(totals); err != nil {
			return err
		}
		return tx.SaveAgentRecord(spoilt)
	})
	if err != nil {
		t.Fatal(err)
	}
	if out := r.recount(); len(out.Differences) != 2 {
		t.Errorf("differences: %v, want bob's record and the totals", out.Differences)
	}
	if got := r.agent(r.bob.ID); got != want {
		t.Errorf("bob: %+v, want %+v", got, want)
	}
	if out := r.recount(); len(out.Differences) != 0 {
		t.Errorf("a second pass finds %v", out.Differences)
	}
}

func TestRecountPutsMeetingsRight(t *testing.T) {
	r := newRoom(t)
	g := r.game()
	r.play(g, "f3", "e5", "g4", "Qh4#") // alice with White loses to bob
	var want arena.Pair
	err := r.db.Update(t.Context(), func(tx *store.Tx) error {
		game, err := tx.Game(g)
		if err != nil {
			return err
		}
		if want, err = tx.Pair(game.Seats[0].BucketID, game.Seats[1].BucketID); err != nil {
			return err
		}
		spoilt := want
		spoilt.Games, spoilt.Draws = 5, 3
		return errors.Join(tx.SavePair(spoilt), tx.SaveColors(r.aliceC, arena.Colors{Black: 4, Last: "bb"}), tx.SaveAnchorGames(want.A, 1))
	})
	if err != nil {
		t.Fatal(err)
	}
	if out := r.recount(); len(out.Differences) != 3 {
		t.Errorf("differences: %q", out.Differences)
	}
	err = r.db.View(t.Context(), func(tx *store.Tx) error {
		pair, err := tx.Pair(want.A, want.B)
		if err != nil {
			return err
		}
		colors, err := tx.Colors(r.aliceC)
		if err != nil {
			return err
		}
		met, err := tx.AnchorGames(want.A)
		if pair.Games != 1 || pair.Draws != 0 || len(pair.Recent) != len(want.Recent) || colors != (arena.Colors{White: 1, Last: "w"}) || met != 0 {
			t.Errorf("afterwards: %+v, %+v, %d", pair, colors, met)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
