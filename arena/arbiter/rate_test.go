package arbiter_test

import (
	"math"
	"testing"
	"time"

	"chessarena/arena"
	"chessarena/arena/arbiter"
	"chessarena/arena/engine"
	"chessarena/store"
)

func (r *room) standing(agent string, track arena.Track) (s store.Standing) {
	r.t.Helper()
	config := r.aliceC
	if agent == "bob" {
		config = r.bobC
	}
	err := r.db.View(r.t.Context(), func(tx *store.Tx) error {
		entry, err := tx.Entry(config)
		if err != nil {
			return err
		}
		s, err = tx.Standing(entry.Bucket.ID, track)
		return err
	})
	if err != nil {
		r.t.Fatal(err)
	}
	return s
}

func (r *room) wantRating(agent string, track arena.Track, rating, rd float64) {
	r.t.Helper()
	if s := r.standing(agent, track); math.Abs(s.R-rating) > 1e-5 || math.Abs(s.RD-rd) > 1e-5 {
		r.t.Errorf("%s on %s: %.6f ± %.6f, want %.6f ± %.6f", agent, track, s.R, s.RD, rating, rd)
	}
}

// The numbers are vector L1 of ratings research §1.4, moved from 1500 to the arena's
// start of 1000: Glicko-2 looks at differences only.
func TestAWinRatesBothSidesOnBothTracks(t *testing.T) {
	r := newRoom(t)
	r.play(r.game(), "f3", "e5", "g4", "Qh4#")
	for _, track := range []arena.Track{arena.TrackAll, arena.TrackBoard} {
		r.wantRating("bob", track, 1162.310894, 290.318964)
		r.wantRating("alice", track, 837.689106, 290.318964)
	}
	if s := r.standing("bob", arena.TrackAll); s.Games != 1 || s.Peak != nil {
		t.Errorf("bob: %d games, peak %v; want 1 and none while provisional", s.Games, s.Peak)
	}
}

func TestAnEarlyResignationLeavesTheBoardTrackAlone(t *testing.T) {
	r := newRoom(t)
	if _, err := r.Resign(t.Context(), r.alice, arbiter.GameInput{GameID: r.game()}); err != nil {
		t.Fatal(err)
	}
	r.wantRating("bob", arena.TrackAll, 1162.310894, 290.318964)
	r.wantRating("bob", arena.TrackBoard, 1000, 350)
}

func TestUnratedAndVoidGamesChangeNoRating(t *testing.T) {
	r := newRoom(t)
	g, err := r.create(arbiter.Pairing{White: r.aliceC, Black: r.bobC})
	if err != nil {
		t.Fatal(err)
	}
	r.play(g.ID, "f3", "e5", "g4", "Qh4#")
	id := r.game()
	if err := r.db.Update(t.Context(), func(tx *store.Tx) error { _, err := r.Void(tx, id, "test"); return err }); err != nil {
		t.Fatal(err)
	}
	for _, track := range []arena.Track{arena.TrackAll, arena.TrackBoard} {
		r.wantRating("bob", track, 1000, 350)
	}
}

func TestAVerdictRatesTheBoardTrackLater(t *testing.T) {
	sweeping(t, func(t *testing.T, r *room) {
		id := r.game()
		r.play(id, ruy[:10]...)
		time.Sleep(16 * time.Minute) // White, alice, runs out of time
		r.wantRating("bob", arena.TrackAll, 1162.310894, 290.318964)
		r.wantRating("bob", arena.TrackBoard, 1000, 350)
		if _, err := r.Adjudicate(t.Context(), &scripted{answer: engine.Evaluation{CP: -500}}); err != nil {
			t.Fatal(err)
		}
		r.wantRating("bob", arena.TrackAll, 1162.310894, 290.318964)
		r.wantRating("bob", arena.TrackBoard, 1162.310894, 290.318964)
		err := r.db.View(t.Context(), func(tx *store.Tx) error {
			games, err := tx.RatedGames(arena.TrackBoard, 0, 10)
			if len(games) != 1 || games[0].Seq != 1 || games[0].Score != 0 {
				t.Errorf("board order: %+v", games)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}
