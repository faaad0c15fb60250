package store

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"chessarena/arena"
	"chessarena/rules"
)

// anyGame draws a game with every member filled in one of its possible ways.
func anyGame(r *rand.Rand, n int, pair [2]arena.Seat) arena.Game {
	ms := func(most int64) time.Duration { return time.Duration(r.Int64N(most+1)) * time.Millisecond }
	g := newGame(n, pair)
	g.Rated = r.IntN(2) == 0
	if r.IntN(2) == 0 {
		g.Seats[0], g.Seats[1] = g.Seats[1], g.Seats[0]
	}
	if r.IntN(3) == 0 {
		g.Seats[1] = g.Seats[0]
	}
	if r.IntN(2) == 0 {
		g.Start = "4k3/8/8/8/8/8/4P3/4K3 b - - 5 39"
	}
	switch r.IntN(3) {
	case 0:
		g.Open = &arena.Opening{ECO: "C60", Name: "Ruy Lopez: Bird's \"Defence\" é"}
	case 1:
		g.Open = &arena.Opening{}
	}
	g.Pace = arena.TimeControl{Soft: ms(1e6), Bank: ms(1e7), HardCap: ms(1e6)}
	g.Clock = arena.Clock{TurnStarted: noon.Add(ms(1e9)), Bank: [2]time.Duration{ms(1e7), ms(1e7)}}
	g.Illegal = r.IntN(3)
	for range r.IntN(4) {
		g.Offers = append(g.Offers, arena.Offer{By: rules.Color(r.IntN(2)), Ply: r.IntN(50)})
	}
	g.Created = noon.Add(-ms(1e12))
	return g
}

func anyEnd(r *rand.Rand, g *arena.Game) {
	g.Status = arena.Finished
	g.Result = []arena.Result{arena.WhiteWins, arena.BlackWins, arena.Draw}[r.IntN(3)]
	g.Termination = []arena.Termination{arena.Timeout, arena.ByAdmin, "checkmate", "max_plies"}[r.IntN(4)]
	if r.IntN(4) == 0 {
		g.Status, g.Result = arena.Void, arena.NoResult
	}
	if r.IntN(2) == 0 {
		g.Forfeiter = ptr(rules.Color(r.IntN(2)))
	}
	g.Finished = noon.Add(time.Duration(r.Int64N(1e9)) * time.Millisecond)
}

func TestGameRoundTrip(t *testing.T) {
	db := openNew(t)
	pair := seats(t, db)
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 60 {
		g := anyGame(r, n, pair)
		book := anyMoves(r, r.IntN(4))
		update(t, db, func(tx *Tx) error { return tx.AddGame(&g, book) })
		if g.RowID == 0 || g.Ply != len(book) || g.Book != len(book) {
			t.Fatalf("row %d, ply %d, book %d after adding a game with %d book moves", g.RowID, g.Ply, g.Book, len(book))
		}
		sameGame(t, db, g, book)

		was := g.Ply
		live := anyGame(r, n, pair)
		g.Clock, g.Illegal, g.Offers = live.Clock, live.Illegal, live.Offers
		moves := append(book, anyMoves(r, 1+r.IntN(5))...)
		update(t, db, func(tx *Tx) error {
			for _, m := range moves[was:] {
				if err := tx.AppendMove(&g, m); err != nil {
					return err
				}
				g.Ply++
			}
			return tx.SaveLive(&g, was)
		})
		sameGame(t, db, g, moves)

		anyEnd(r, &g)
		update(t, db, func(tx *Tx) error { return tx.FinishGame(&g, g.Ply, "the end") })
		sameGame(t, db, g, moves)
		view(t, db, func(tx *Tx) error {
			fen, err := tx.FinalFEN(&g)
			if fen != "the end" {
				t.Errorf("final FEN %q", fen)
			}
			id, _ := tx.GameID(g.RowID)
			if id != g.ID {
				t.Errorf("row %d is game %s, not %s", g.RowID, id, g.ID)
			}
			return err
		})
	}
}

func sameGame(t *testing.T, db *DB, want arena.Game, wantMoves []arena.Move) {
	t.Helper()
	view(t, db, func(tx *Tx) error {
		g, err := tx.Game(want.ID)
		if err != nil {
			return err
		}
		if diff := cmp.Diff(want, g); diff != "" {
			t.Fatalf("game %s (-wrote +read):\n%s", want.ID, diff)
		}
		moves, err := tx.Moves(&g)
		if diff := cmp.Diff(append([]arena.Move{}, wantMoves...), moves); diff != "" {
			t.Fatalf("moves of %s (-wrote +read):\n%s", want.ID, diff)
		}
		return err
	})
}

func TestSaveLive(t *testing.T) {
	db := openNew(t)
	pair := seats(t, db)
	g := addGame(t, db, 1, pair)
	update(t, db, func(tx *Tx) error { return play(tx, &g, "e2e4", "e4") })

	moved := func(t *testing.T, f func(*Tx) error) {
		t.Helper()
		if err := db.Update(t.Context(), f); !errors.Is(err, ErrMoved) {
			t.Errorf("error %v, want ErrMoved", err)
		}
	}
	t.Run("from a ply that is past is refused", func(t *testing.T) {
		late := g
		late.Ply = 5
		moved(t, func(tx *Tx) error { return tx.SaveLive(&late, 0) })
		sameGame(t, db, g, []arena.Move{{UCI: "e2e4", SAN: "e4", At: noon.Add(1500 * time.Millisecond), Think: 1500 * time.Millisecond}})
	})
	t.Run("a second move at one ply is refused", func(t *testing.T) {
		late := g
		late.Ply = 0
		moved(t, func(tx *Tx) error { return play(tx, &late, "d2d4", "d4") })
	})
	t.Run("a finish from a ply that is past is refused", func(t *testing.T) {
		late := g
		late.Ply = 0
		moved(t, func(tx *Tx) error { return finish(tx, &late, arena.Finished, arena.Draw) })
	})
	t.Run("nothing moves once the game is over", func(t *testing.T) {
		over := g
		update(t, db, func(tx *Tx) error { return finish(tx, &over, arena.Finished, arena.Draw) })
		late := g
		moved(t, func(tx *Tx) error { return tx.SaveLive(&late, late.Ply) })
		moved(t, func(tx *Tx) error { return finish(tx, &late, arena.Void, arena.NoResult) })
	})
	t.Run("a finish without all its moves is refused", func(t *testing.T) {
		short := addGame(t, db, 2, pair)
		short.Ply = 1
		short.Status, short.Result, short.Termination, short.Finished = arena.Finished, arena.Draw, arena.DrawAgreed, noon
		if err := db.Update(t.Context(), func(tx *Tx) error { return tx.FinishGame(&short, 0, "") }); err == nil {
			t.Error("a game at ply 1 ended with no move")
		}
		view(t, db, func(tx *Tx) error {
			kept, err := tx.Game(short.ID)
			if kept.Status != arena.Active {
				t.Errorf("status %q after the refusal", kept.Status)
			}
			return err
		})
	})
}

func TestAddGame(t *testing.T) {
	db := openNew(t)
	pair := seats(t, db)
	addGame(t, db, 1, pair)
	t.Run("an id in use is told apart", func(t *testing.T) {
		g := newGame(1, pair)
		if err := db.Update(t.Context(), func(tx *Tx) error { return tx.AddGame(&g, nil) }); !errors.Is(err, ErrGameID) {
			t.Errorf("error %v, want ErrGameID", err)
		}
	})
	t.Run("a seat without a configuration is config_not_found", func(t *testing.T) {
		g := newGame(2, pair)
		g.Seats[rules.Black].ConfigID = 999
		err := db.Update(t.Context(), func(tx *Tx) error { return tx.AddGame(&g, nil) })
		if arena.CodeOf(err) != arena.ConfigNotFound {
			t.Errorf("error %v", err)
		}
	})
	t.Run("a game that is over cannot begin", func(t *testing.T) {
		g := newGame(3, pair)
		g.Status = arena.Finished
		if err := db.Update(t.Context(), func(tx *Tx) error { return tx.AddGame(&g, nil) }); err == nil {
			t.Error("it was added")
		}
	})
	t.Run("an unknown id is not_found", func(t *testing.T) {
		view(t, db, func(tx *Tx) error {
			if _, err := tx.Game("zzzzzzzzzzzz"); arena.CodeOf(err) != arena.NotFound {
				t.Errorf("error %v", err)
			}
			if _, err := tx.GameID(999); arena.CodeOf(err) != arena.NotFound {
				t.Errorf("error %v", err)
			}
			return nil
		})
	})
}

func TestEvents(t *testing.T) {
	db := openNew(t)
	pair := seats(t, db)
	one, two := addGame(t, db, 1, pair), addGame(t, db, 2, pair)
	update(t, db, func(tx *Tx) error {
		return errors.Join(
			tx.AddEvent(&one, arena.Event{Kind: arena.EventCreated}),
			tx.AddEvent(&two, arena.Event{Kind: arena.EventCreated}),
			tx.AddEvent(&one, arena.Event{Kind: arena.EventIllegal, Ply: 3, At: noon.Add(time.Second),
				Data: json.RawMessage(`{"text":"Qxé9","left":2}`)}))
	})
	view(t, db, func(tx *Tx) error {
		got, err := tx.Events(&one)
		want := []arena.Event{
			{Seq: 1, At: noon, Kind: arena.EventCreated, Data: json.RawMessage(`{}`)},
			{Seq: 2, At: noon.Add(time.Second), Ply: 3, Kind: arena.EventIllegal,
				Data: json.RawMessage(`{"text":"Qxé9","left":2}`)},
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("events (-want +got):\n%s", diff)
		}
		return err
	})
}
