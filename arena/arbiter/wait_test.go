package arbiter_test

import (
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"chessarena/arena"
	"chessarena/arena/arbiter"
	"chessarena/rules"
)

// inBubble runs f with a fake clock; its database is closed before the bubble ends.
func inBubble(t *testing.T, f func(t *testing.T, r *room)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { f(t, newRoom(t)) })
}

type answer struct {
	st  *arbiter.State
	err error
}

// wait starts a get_state of who and gives its answer when it comes.
func (r *room) wait(who arena.Agent, id arena.GameID, s *float64) <-chan answer {
	done := make(chan answer, 1)
	go func() {
		st, err := r.GetState(r.t.Context(), who, arbiter.StateInput{GameID: id, Wait: s})
		done <- answer{st, err}
	}()
	synctest.Wait()
	return done
}

func TestGetStateWaits(t *testing.T) {
	t.Run("until the opponent moves", func(t *testing.T) {
		inBubble(t, func(t *testing.T, r *room) {
			id := r.game()
			done := r.wait(r.bob, id, nil)
			time.Sleep(10 * time.Second)
			r.play(id, "e4")
			a := <-done
			if a.err != nil || !a.st.YourTurn || a.st.Waited != nil {
				t.Errorf("%+v, %v", a.st, a.err)
			}
		})
	})
	t.Run("at most the default when nothing is said", func(t *testing.T) {
		inBubble(t, func(t *testing.T, r *room) {
			start := time.Now()
			a := <-r.wait(r.bob, r.game(), nil)
			if a.err != nil || a.st.YourTurn || a.st.Waited == nil || *a.st.Waited != 45 {
				t.Errorf("waited %v, %v", a.st.Waited, a.err)
			}
			if took := time.Since(start); took != 45*time.Second {
				t.Errorf("returned after %v, want 45 s", took)
			}
		})
	})
	t.Run("never beyond the longest", func(t *testing.T) {
		inBubble(t, func(t *testing.T, r *room) {
			start := time.Now()
			<-r.wait(r.bob, r.game(), seconds(1e300))
			if took := time.Since(start); took != 600*time.Second {
				t.Errorf("returned after %v, want 600 s", took)
			}
		})
	})
	t.Run("not at all below zero", func(t *testing.T) {
		inBubble(t, func(t *testing.T, r *room) {
			start := time.Now()
			a := <-r.wait(r.bob, r.game(), seconds(-5))
			if took := time.Since(start); took != 0 || a.st.Waited != nil {
				t.Errorf("returned after %v", took)
			}
		})
	})
	t.Run("until the game ends", func(t *testing.T) {
		inBubble(t, func(t *testing.T, r *room) {
			id := r.game()
			done := r.wait(r.bob, id, nil)
			if _, err := r.Resign(t.Context(), r.alice, arbiter.GameInput{GameID: id}); err != nil {
				t.Fatal(err)
			}
			if a := <-done; a.err != nil || a.st.Status != arena.Finished || *a.st.Result != arena.BlackWins {
				t.Errorf("%+v, %v", a.st, a.err)
			}
		})
	})
	t.Run("until the hub closes", func(t *testing.T) {
		inBubble(t, func(t *testing.T, r *room) {
			done := r.wait(r.bob, r.game(), nil)
			time.Sleep(3 * time.Second)
			r.hub.Close()
			if a := <-done; a.err != nil || a.st.Waited == nil || *a.st.Waited != 3 {
				t.Errorf("%+v, %v", a.st, a.err)
			}
		})
	})
	t.Run("until a newer wait of the same player takes over", func(t *testing.T) {
		inBubble(t, func(t *testing.T, r *room) {
			id := r.game()
			older := r.wait(r.bob, id, nil)
			time.Sleep(time.Second)
			newer := r.wait(r.bob, id, nil)
			if a := <-older; a.err != nil || a.st.Waited == nil || *a.st.Waited != 1 {
				t.Errorf("older wait: %+v, %v", a.st, a.err)
			}
			r.play(id, "e4")
			if a := <-newer; !a.st.YourTurn {
				t.Error("the newer wait did not see the move")
			}
		})
	})
}

func TestADrawOfferIsToldOnceToWhoWaits(t *testing.T) {
	inBubble(t, func(t *testing.T, r *room) {
		id := r.game()
		done := r.wait(r.bob, id, nil)
		if _, err := r.OfferDraw(t.Context(), r.alice, arbiter.GameInput{GameID: id}); err != nil {
			t.Fatal(err)
		}
		a := <-done
		if a.err != nil || a.st.YourTurn || a.st.DrawOffer == nil || *a.st.DrawOffer != "opponent's" {
			t.Fatalf("%+v, %v", a.st, a.err)
		}
		start := time.Now()
		<-r.wait(r.bob, id, nil) // told already: this one waits on
		if took := time.Since(start); took != 45*time.Second {
			t.Errorf("the second wait took %v, want 45 s", took)
		}
	})
}

// The arithmetic: 180 s are free; each second beyond comes out of 1200.
func TestClocksAreChargedByHandArithmetic(t *testing.T) {
	inBubble(t, func(t *testing.T, r *room) {
		id := r.game()
		time.Sleep(180 * time.Second)
		r.play(id, "e4") // exactly on the deadline: free
		time.Sleep(200 * time.Second)
		r.play(id, "e5") // 20 s over
		time.Sleep(190500 * time.Millisecond)
		r.play(id, "Nf3") // 10.5 s over
		st := r.look(r.bob, id)
		if st.BankMS != 1_180_000 || st.OpponentBankMS != 1_189_500 {
			t.Errorf("banks %d and %d, want 1180000 and 1189500", st.BankMS, st.OpponentBankMS)
		}
		want := time.Now().Add(180 * time.Second).UTC().Format("2006-01-02T15:04:05.000Z07:00")
		if st.SoftDeadline == nil || *st.SoftDeadline != want {
			t.Errorf("deadline %v, want %s", st.SoftDeadline, want)
		}
		_, moves, _ := r.stored(id)
		if moves[0].OverSoft || !moves[1].OverSoft || !moves[2].OverSoft {
			t.Errorf("over the soft deadline: %v %v %v, want false true true", moves[0].OverSoft, moves[1].OverSoft, moves[2].OverSoft)
		}
		if moves[1].Think != 200*time.Second || moves[2].Think != 190500*time.Millisecond {
			t.Errorf("thinking times %v and %v", moves[1].Think, moves[2].Think)
		}
	})
}

func TestReapForgetsOnlyIdleGames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := arena.DefaultSettings()
		s.SoftDeadline, s.HardCap = time.Hour, time.Hour
		r := openRoom(t, filepath.Join(t.TempDir(), "arena.db"), s)
		idle, busy := r.game(), r.game()
		r.look(r.bob, idle)
		time.Sleep(14 * time.Minute)
		r.look(r.bob, busy)
		time.Sleep(2 * time.Minute)
		if n := r.Reap(time.Now()); n != 1 {
			t.Errorf("%d games in memory, want 1", n)
		}
		if st := r.play(idle, "e4"); st.Ply != 1 {
			t.Errorf("a forgotten game is at ply %d, want 1", st.Ply)
		}
	})
}

func TestCreate(t *testing.T) {
	r := newRoom(t)
	t.Run("a nickname against itself is unrated", func(t *testing.T) {
		_, second := r.player("alice", "another")
		g, err := r.create(arbiter.Pairing{White: r.aliceC, Black: second, Rated: true})
		if err != nil || g.Rated {
			t.Fatalf("rated %v, %v", g.Rated, err)
		}
		r.play(g.ID, "e4") // alice plays both seats
		if st := r.look(r.alice, g.ID); st.YourColor != rules.Black || !st.YourTurn {
			t.Errorf("after White's move alice is %s, turn %v; want black to move", st.YourColor, st.YourTurn)
		}
		if err := r.submit(r.alice, g.ID, 1, "e5"); err != nil {
			t.Error(err)
		}
	})
	t.Run("Black may begin", func(t *testing.T) {
		id := r.gameFrom("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1")
		if st := r.look(r.bob, id); !st.YourTurn || st.Ply != 0 {
			t.Errorf("bob: turn %v at ply %d", st.YourTurn, st.Ply)
		}
		r.play(id, "Kd7")
		if g, _, _ := r.stored(id); g.Turn() != rules.White {
			t.Error("it is not White's turn after Black's first move")
		}
	})
	t.Run("the book's moves are history", func(t *testing.T) {
		g, err := r.create(arbiter.Pairing{
			White: r.aliceC, Black: r.bobC, Rated: true,
			Opening: &arena.Opening{ECO: "C42", Name: "Russian Game"}, Book: []string{"e2e4", "e7e5", "g1f3", "g8f6"},
		})
		if err != nil {
			t.Fatal(err)
		}
		st := r.look(r.alice, g.ID)
		if st.Ply != 4 || strings.Join(st.History, " ") != "e4 e5 Nf3 Nf6" || st.Opening.ECO != "C42" || !st.YourTurn {
			t.Errorf("state: %+v", st)
		}
		if d := detail(t, r.submit(r.alice, g.ID, 0, "e4")); d["already_played"] != nil {
			t.Error("a book move counts as alice's own")
		}
	})
	for name, fen := range map[string]string{
		"nonsense":             "x",
		"two white kings":      "4k3/8/8/8/8/8/8/K3K3 w - - 0 1",
		"mate on the board":    "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
		"nothing to mate with": "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
	} {
		t.Run(name+" is refused", func(t *testing.T) {
			_, err := r.create(arbiter.Pairing{White: r.aliceC, Black: r.bobC, Start: fen})
			r.wantCode(err, arena.InvalidFEN)
		})
	}
	t.Run("an unknown config is refused", func(t *testing.T) {
		_, err := r.create(arbiter.Pairing{White: r.aliceC, Black: 999})
		r.wantCode(err, arena.ConfigNotFound)
	})
}
