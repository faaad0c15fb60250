package arbiter_test

import (
	"testing"

	"chessarena/arena"
	"chessarena/arena/arbiter"
	"chessarena/rules"
)

func (r *room) offer(who arena.Agent, id arena.GameID) error {
	_, err := r.OfferDraw(r.t.Context(), who, arbiter.GameInput{GameID: id})
	return err
}

func (r *room) accept(who arena.Agent, id arena.GameID) error {
	_, err := r.AcceptDraw(r.t.Context(), who, arbiter.GameInput{GameID: id})
	return err
}

func TestDrawOffers(t *testing.T) {
	t.Run("none was made", func(t *testing.T) {
		r := newRoom(t)
		r.wantCode(r.accept(r.bob, r.game()), arena.NoDrawOffer)
	})
	t.Run("one's own cannot be accepted", func(t *testing.T) {
		r := newRoom(t)
		id := r.game()
		if err := r.offer(r.alice, id); err != nil {
			t.Fatal(err)
		}
		r.wantCode(r.accept(r.alice, id), arena.OwnDrawOffer)
	})
	t.Run("accepted, the game is drawn", func(t *testing.T) {
		r := newRoom(t)
		id := r.game()
		if err := r.offer(r.alice, id); err != nil {
			t.Fatal(err)
		}
		if err := r.accept(r.bob, id); err != nil {
			t.Fatal(err)
		}
		g, _, _ := r.stored(id)
		if g.Result != arena.Draw || g.Termination != arena.DrawAgreed || g.Forfeiter != nil {
			t.Errorf("%s %s", g.Result, g.Termination)
		}
		if b := r.agent(r.bob.ID); b.Record != (arena.Record{Games: 1, Draws: 1}) {
			t.Errorf("bob's record: %+v", b.Record)
		}
		r.wantCode(r.accept(r.bob, id), arena.GameNotActive)
		r.wantCode(r.offer(r.bob, id), arena.GameNotActive)
	})
	t.Run("any move ends it", func(t *testing.T) {
		for mover, moves := range map[string][]string{"the offerer": {"e4"}, "the opponent": {"e4", "e5"}} {
			r := newRoom(t)
			id := r.game()
			last := len(moves) - 1
			r.play(id, moves[:last]...)
			if err := r.offer(r.alice, id); err != nil {
				t.Fatal(err)
			}
			r.play(id, moves[last])
			r.wantCode(r.accept(r.bob, id), arena.DrawOfferExpired)
			r.wantCode(r.accept(r.alice, id), arena.NoDrawOffer)
			if st := r.look(r.bob, id); st.DrawOffer != nil {
				t.Errorf("%s moved and the offer still shows: %s", mover, *st.DrawOffer)
			}
		}
	})
	t.Run("offering while it stands changes nothing", func(t *testing.T) {
		r := newRoom(t)
		id := r.game()
		for range 5 {
			if err := r.offer(r.alice, id); err != nil {
				t.Fatal(err)
			}
		}
		if g, _, events := r.stored(id); len(g.Offers) != 1 || len(events) != 2 { // created, draw_offer
			t.Errorf("%d offers, %d events; want 1 and 2", len(g.Offers), len(events))
		}
	})
	t.Run("the fourth within 20 plies is too soon", func(t *testing.T) {
		r := newRoom(t)
		id := r.game()
		moves := [][2]string{{"a3", "a6"}, {"b3", "b6"}, {"c3", "c6"}, {"d3", "d6"}, {"e3", "e6"}, {"f3", "f6"},
			{"g3", "g6"}, {"h3", "h6"}, {"a4", "a5"}, {"b4", "b5"}}
		for i, pair := range moves { // alice offers at plies 0, 2 and 4
			if i < 3 {
				if err := r.offer(r.alice, id); err != nil {
					t.Fatal(err)
				}
			} else {
				r.wantCode(r.offer(r.alice, id), arena.DrawOfferTooSoon)
			}
			r.play(id, pair[0], pair[1])
		}
		if err := r.offer(r.bob, id); err != nil { // the other side is not concerned
			t.Error(err)
		}
		if err := r.offer(r.alice, id); err != nil { // ply 20: the offer of ply 0 is out of the window
			t.Error(err)
		}
	})
}

func TestResign(t *testing.T) {
	r := newRoom(t)
	carol, _ := r.player("carol", "x")
	id := r.game()
	_, err := r.Resign(t.Context(), carol, arbiter.GameInput{GameID: id})
	r.wantCode(err, arena.NotYourGame)
	out, err := r.Resign(t.Context(), r.bob, arbiter.GameInput{GameID: id}) // on the opponent's turn
	if err != nil || !out.Resigned || out.Result != arena.WhiteWins {
		t.Fatalf("%+v, %v", out, err)
	}
	g, _, _ := r.stored(id)
	if g.Termination != arena.Resignation || g.Forfeiter != nil || g.Result.Score(rules.White) != 1 {
		t.Errorf("%s %s %v", g.Result, g.Termination, g.Forfeiter)
	}
	_, err = r.Resign(t.Context(), r.bob, arbiter.GameInput{GameID: id})
	r.wantCode(err, arena.GameNotActive)
}
