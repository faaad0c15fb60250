package refit_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"chessarena/arena"
	"chessarena/arena/arbiter"
	"chessarena/arena/refit"
	"chessarena/arena/wake"
	"chessarena/store"
)

// league is an arena in which strong players mate weak ones, more often than not.
type league struct {
	*arbiter.Arbiter
	t       *testing.T
	db      *store.DB
	agents  []arena.Agent
	configs []int64
	buckets []int64
	dice    *rand.Rand
}

func newLeague(t *testing.T, players int) *league {
	t.Helper()
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "arena.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	l := &league{t: t, db: db, dice: rand.New(rand.NewPCG(1, 2))}
	l.Arbiter = arbiter.New(db, new(wake.Hub), arena.DefaultSettings(), nil)
	for i := range players {
		l.update(func(tx *store.Tx) error {
			agent, err := tx.AddAgent(arena.Nickname(fmt.Sprintf("player-%c", 'a'+i)), "hash", "01234567")
			if err != nil {
				return err
			}
			bucket, err := tx.EnsureBucket(arena.Config{Model: fmt.Sprint("model-", i), Provider: "p", Harness: "h"})
			if err != nil {
				return err
			}
			entry, _, err := tx.AddEntry(agent.ID, bucket.ID, arena.Entry{})
			l.agents, l.configs, l.buckets = append(l.agents, agent), append(l.configs, entry.ID), append(l.buckets, bucket.ID)
			return err
		})
	}
	return l
}

func (l *league) update(f func(*store.Tx) error) {
	l.t.Helper()
	if err := l.db.Update(l.t.Context(), f); err != nil {
		l.t.Fatal(err)
	}
}

// play has two random players meet; the one with the higher number wins four times in
// five. Black wins by mate, White by resignation, which leaves the board track alone.
func (l *league) play() {
	l.t.Helper()
	a, b := l.dice.IntN(len(l.agents)), l.dice.IntN(len(l.agents)-1)
	if b >= a {
		b++
	}
	winner, loser := max(a, b), min(a, b)
	if l.dice.IntN(5) == 0 {
		winner, loser = loser, winner
	}
	white, black := loser, winner
	mate := l.dice.IntN(3) > 0
	if !mate {
		white, black = winner, loser
	}
	var id arena.GameID
	l.update(func(tx *store.Tx) error {
		g, err := l.Create(tx, arbiter.Pairing{White: l.configs[white], Black: l.configs[black], Rated: true})
		if err == nil {
			id = g.ID
		}
		return err
	})
	if !mate {
		if _, err := l.Resign(l.t.Context(), l.agents[black], arbiter.GameInput{GameID: id}); err != nil {
			l.t.Fatal(err)
		}
		return
	}
	for ply, move := range []string{"f3", "e5", "g4", "Qh4#"} {
		who := l.agents[white]
		if ply%2 == 1 {
			who = l.agents[black]
		}
		if _, err := l.SubmitMove(l.t.Context(), who, arbiter.MoveInput{GameID: id, Ply: ply, Move: move}); err != nil {
			l.t.Fatal(err)
		}
	}
}

func (l *league) standing(player int, track arena.Track) (s store.Standing) {
	l.t.Helper()
	err := l.db.View(l.t.Context(), func(tx *store.Tx) (err error) { s, err = tx.Standing(l.buckets[player], track); return err })
	if err != nil {
		l.t.Fatal(err)
	}
	return s
}

func (l *league) lastRefit(track arena.Track) (f store.Refit) {
	l.t.Helper()
	err := l.db.View(l.t.Context(), func(tx *store.Tx) (err error) { f, err = tx.LastRefit(track); return err })
	if err != nil {
		l.t.Fatal(err)
	}
	return f
}

func (l *league) check(r *refit.Refitter) refit.Report {
	l.t.Helper()
	report, err := r.Check(l.t.Context())
	if err != nil {
		l.t.Fatal(err)
	}
	return report
}

func TestATrackIsFittedWhenItHasAsManyNewGamesAsBuckets(t *testing.T) {
	l := newLeague(t, 4)
	r := refit.New(l.db, nil)
	next := func() store.Refit { // plays until there is another fit
		was := l.lastRefit(arena.TrackAll).Place
		for l.lastRefit(arena.TrackAll).Place == was {
			l.play()
			if err := r.Step(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		return l.lastRefit(arena.TrackAll)
	}
	if one := next(); one.Place != 1 {
		t.Errorf("the first game of all is fitted at place %d", one.Place)
	}
	before := next()
	for range 5 {
		before = next()
	}
	first := next()
	var buckets int
	err := l.db.View(t.Context(), func(tx *store.Tx) (err error) { buckets, err = tx.RatedBuckets(arena.TrackAll); return err })
	if err != nil {
		t.Fatal(err)
	}
	if first.Place-before.Place != int64(buckets) || first.Seq != first.Place {
		t.Errorf("fits at places %d and %d with %d buckets", before.Place, first.Place, buckets)
	}
	if err := r.Step(t.Context()); err != nil {
		t.Fatal(err)
	}
	if again := l.lastRefit(arena.TrackAll); again.Place != first.Place {
		t.Errorf("without a new game there is a new fit at place %d", again.Place)
	}
}

func TestAReplayGivesEveryStoredRatingBitForBit(t *testing.T) {
	l := newLeague(t, 6)
	r := refit.New(l.db, nil)
	for range 150 {
		l.play()
		if err := r.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	report := l.check(r)
	if !report.OK {
		t.Fatalf("%+v", report)
	}
	all, board := report.Tracks[0], report.Tracks[1]
	if all.Games != 150 || all.Refits < 10 || all.Buckets != 6 {
		t.Errorf("track all: %+v", all)
	}
	if board.Games == 0 || board.Games >= all.Games || board.Refits == 0 {
		t.Errorf("track board: %+v", board)
	}
	if strong, weak := l.standing(5, arena.TrackAll), l.standing(0, arena.TrackAll); strong.R < weak.R+100 {
		t.Errorf("the strongest stands at %.0f, the weakest at %.0f", strong.R, weak.R)
	}
}

func TestACheckFindsWhatWasChanged(t *testing.T) {
	for name, tamper := range map[string]func(*league){
		"a live rating": func(l *league) {
			s := l.standing(0, arena.TrackAll)
			s.R += 1e-9
			l.update(func(tx *store.Tx) error { return tx.SaveStanding(l.buckets[0], arena.TrackAll, s) })
		},
		"a game that was never played": func(l *league) {
			l.update(func(tx *store.Tx) error {
				games, err := tx.RatedGames(arena.TrackAll, 0, 1)
				if err != nil {
					return err
				}
				// The first board game again, under a game that did not count there.
				g := games[0]
				board, err := tx.RatedGames(arena.TrackBoard, 0, 1000)
				if err != nil {
					return err
				}
				counted := make(map[int64]bool)
				for _, b := range board {
					counted[b.GameRow] = true
				}
				all, err := tx.RatedGames(arena.TrackAll, 0, 1000)
				if err != nil {
					return err
				}
				for _, a := range all {
					if !counted[a.GameRow] {
						g = a
					}
				}
				_, err = tx.AddRated(arena.TrackBoard, g)
				return err
			})
		},
		"a fit": func(l *league) {
			l.update(func(tx *store.Tx) error {
				last, err := tx.LastRefit(arena.TrackAll)
				if err != nil {
					return err
				}
				last.Place, err = tx.LastRated(arena.TrackAll)
				last.Fit = []byte(`{}`)
				if err != nil {
					return err
				}
				return tx.AddRefit(arena.TrackAll, last, nil)
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLeague(t, 4)
			r := refit.New(l.db, nil)
			for i := range 40 {
				l.play()
				if i == 30 {
					if err := r.Fit(t.Context(), arena.TrackAll); err != nil {
						t.Fatal(err)
					}
				}
			}
			if report := l.check(r); !report.OK {
				t.Fatalf("before anything was changed: %+v", report)
			}
			tamper(l)
			report := l.check(r)
			if report.OK {
				t.Error("the check found nothing")
			}
		})
	}
}

func TestMendPutsLiveRatingsRightAndNothingElse(t *testing.T) {
	l := newLeague(t, 4)
	r := refit.New(l.db, nil)
	for range 30 {
		l.play()
	}
	right := l.standing(2, arena.TrackAll)
	spoilt := right
	spoilt.R += 100
	l.update(func(tx *store.Tx) error { return tx.SaveStanding(l.buckets[2], arena.TrackAll, spoilt) })
	var mended []refit.Mended
	l.update(func(tx *store.Tx) (err error) { _, mended, err = refit.Mend(tx); return err })
	if len(mended) != 1 || mended[0].Bucket != l.buckets[2] || mended[0].Was.R != spoilt.R {
		t.Errorf("mended: %+v", mended)
	}
	if got := l.standing(2, arena.TrackAll); got.Rating != right.Rating {
		t.Errorf("the rating is %v, want %v", got.Rating, right.Rating)
	}
	if report := l.check(r); !report.OK {
		t.Errorf("after mending: %+v", report)
	}
}
