package arbiter_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"chessarena/arena"
	"chessarena/rules"
	"chessarena/store"
)

// ruy is ten plies and more of a game in which nothing is taken.
var ruy = []string{"e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6", "O-O", "Be7", "Re1", "b5"}

// sweeping runs f in a bubble with the sweeper and the heart at work.
func sweeping(t *testing.T, f func(t *testing.T, r *room)) {
	t.Helper()
	inBubble(t, func(t *testing.T, r *room) {
		stop := r.work()
		defer stop()
		f(t, r)
	})
}

// work resumes the games and runs the arbiter's workers until stop is called.
func (r *room) work() (stop func()) {
	r.t.Helper()
	if err := r.Resume(r.t.Context()); err != nil {
		r.t.Fatal(err)
	}
	return r.run()
}

func (r *room) run() (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 2)
	go func() { ended <- r.RunHeart(ctx) }()
	go func() { ended <- r.RunSweeper(ctx) }()
	return func() {
		cancel()
		for range 2 {
			if err := <-ended; err != nil {
				r.t.Error(err)
			}
		}
	}
}

func (r *room) mustEnd(id arena.GameID, status arena.Status, result arena.Result, how arena.Termination) arena.Game {
	r.t.Helper()
	g, _, _ := r.stored(id)
	if g.Status != status || g.Result != result || g.Termination != how {
		r.t.Errorf("game is %s %s %s, want %s %s %s", g.Status, g.Result, g.Termination, status, result, how)
	}
	return g
}

func TestTheFlagFalls(t *testing.T) {
	t.Run("at the hard cap though the bank is full", func(t *testing.T) {
		sweeping(t, func(t *testing.T, r *room) {
			id := r.game()
			r.play(id, ruy[:10]...)
			done := r.wait(r.bob, id, seconds(600))
			time.Sleep(15 * time.Minute)
			synctest.Wait()
			if g, _, _ := r.stored(id); g.Status != arena.Active {
				t.Fatalf("the game is %s at the very instant of the flag", g.Status)
			}
			<-done
			done = r.wait(r.bob, id, seconds(600))
			time.Sleep(time.Second)
			a := <-done // who waited is told at once
			if a.st.Status != arena.Finished || *a.st.Result != arena.BlackWins || *a.st.Termination != arena.Timeout {
				t.Errorf("bob is told %+v", a.st)
			}
			g := r.mustEnd(id, arena.Finished, arena.BlackWins, arena.Timeout)
			if g.Forfeiter == nil || *g.Forfeiter != rules.White {
				t.Errorf("forfeiter %v, want white", g.Forfeiter)
			}
			if b := r.agent(r.bob.ID); b.Record.Wins != 1 || b.Record.ForfeitsFor != 1 {
				t.Errorf("bob's record %+v", b.Record)
			}
		})
	})
	t.Run("when the bank is empty, before the cap", func(t *testing.T) {
		sweeping(t, func(t *testing.T, r *room) {
			id := r.game()
			r.play(id, ruy[:10]...)
			time.Sleep(14 * time.Minute) // 11 of the bank's 20 minutes are spent
			r.play(id, "Re1", "b5")
			time.Sleep(12*time.Minute - time.Millisecond) // 3 free, 9 left
			synctest.Wait()
			if g, _, _ := r.stored(id); g.Status != arena.Active {
				t.Fatalf("the game is %s a millisecond early", g.Status)
			}
			time.Sleep(2 * time.Millisecond)
			synctest.Wait()
			r.mustEnd(id, arena.Finished, arena.BlackWins, arena.Timeout)
		})
	})
	t.Run("before ply 10 the game is void", func(t *testing.T) {
		sweeping(t, func(t *testing.T, r *room) {
			id := r.game()
			r.play(id, ruy[:9]...)
			time.Sleep(16 * time.Minute)
			synctest.Wait()
			g := r.mustEnd(id, arena.Void, arena.NoResult, arena.Timeout)
			if g.Forfeiter == nil || *g.Forfeiter != rules.Black {
				t.Errorf("forfeiter %v, want black", g.Forfeiter)
			}
			if b := r.agent(r.bob.ID); b.Record != (arena.Record{}) {
				t.Errorf("a void game stands in bob's record: %+v", b.Record)
			}
		})
	})
	t.Run("against a bare king it is a draw", func(t *testing.T) {
		sweeping(t, func(t *testing.T, r *room) {
			id := r.gameFrom("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
			r.play(id, "Kd2", "Kd7", "Kd3", "Kd6", "Kd4", "Ke6", "Kd3", "Kd5", "e3", "Ke5")
			time.Sleep(16 * time.Minute) // White runs out of time; Black has a king only
			synctest.Wait()
			g := r.mustEnd(id, arena.Finished, arena.Draw, arena.Timeout)
			if next := r.owedVerdict(); next != "" {
				t.Errorf("a drawn forfeit waits for a verdict: %s (%v)", next, g.ID)
			}
		})
	})
}

func TestBothSidesSilentEndsAllTheSame(t *testing.T) {
	sweeping(t, func(t *testing.T, r *room) {
		fresh, late := r.game(), r.game()
		r.play(late, ruy...)
		time.Sleep(time.Hour)
		synctest.Wait()
		r.mustEnd(fresh, arena.Void, arena.NoResult, arena.Timeout)
		r.mustEnd(late, arena.Finished, arena.BlackWins, arena.Timeout)
	})
}

func TestAMoveAndTheFlagInOneInstantHaveOneOutcome(t *testing.T) {
	for range 20 {
		sweeping(t, func(t *testing.T, r *room) {
			id := r.game()
			r.play(id, ruy[:10]...)
			time.Sleep(15*time.Minute + time.Millisecond) // the sweeper wakes now, too
			err := r.submit(r.alice, id, 10, "Re1")
			g, moves, _ := r.stored(id)
			switch {
			case err == nil:
				if g.Status != arena.Active || len(moves) != 11 {
					t.Errorf("the move was accepted and the game is %s with %d moves", g.Status, len(moves))
				}
			case arena.CodeOf(err) == arena.GameNotActive:
				if g.Termination != arena.Timeout || len(moves) != 10 {
					t.Errorf("the move was refused and the game is %s %s with %d moves", g.Status, g.Termination, len(moves))
				}
			default:
				t.Error(err)
			}
		})
	}
}

// Without a sweeper the late move itself finds out.
func TestALateMoveLosesAtOnce(t *testing.T) {
	inBubble(t, func(t *testing.T, r *room) {
		id := r.game()
		r.play(id, ruy[:10]...)
		time.Sleep(15*time.Minute + time.Millisecond)
		err := r.submit(r.alice, id, 10, "Re1")
		r.wantCode(err, arena.GameNotActive)
		if st := detail(t, err)["state"].(map[string]any); st["termination"] != "timeout" || st["result"] != "0-1" {
			t.Errorf("the answer shows %v %v", st["termination"], st["result"])
		}
		r.mustEnd(id, arena.Finished, arena.BlackWins, arena.Timeout)
	})
}

func (r *room) owedVerdict() (id arena.GameID) {
	r.t.Helper()
	err := r.db.View(r.t.Context(), func(tx *store.Tx) (err error) { id, err = tx.NextAdjudication(); return err })
	if err != nil {
		r.t.Fatal(err)
	}
	return id
}

func TestManyFlagsFallTogether(t *testing.T) {
	sweeping(t, func(t *testing.T, r *room) {
		var ids []arena.GameID
		for range 150 {
			ids = append(ids, r.game())
		}
		time.Sleep(15*time.Minute + time.Second)
		synctest.Wait()
		for _, id := range ids {
			r.mustEnd(id, arena.Void, arena.NoResult, arena.Timeout)
		}
	})
}
