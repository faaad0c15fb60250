package arbiter_test

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"chessarena/arena"
	"chessarena/store"
)

// reopen is a restart: the old room is closed, a new one takes the games up.
func (r *room) reopen() *room {
	r.t.Helper()
	if err := r.db.Close(); err != nil {
		r.t.Fatal(err)
	}
	return openRoom(r.t, r.db.Path(), r.settings)
}

func (r *room) banks(id arena.GameID) [2]time.Duration {
	g, _, _ := r.stored(id)
	return g.Clock.Bank
}

func (r *room) shifts(id arena.GameID) (list []arena.ShiftData) {
	r.t.Helper()
	_, _, events := r.stored(id)
	for _, e := range events {
		if e.Kind == arena.EventShift {
			var s arena.ShiftData
			if err := json.Unmarshal(e.Data, &s); err != nil {
				r.t.Fatal(err)
			}
			list = append(list, s)
		}
	}
	return list
}

func TestAStopOnPurposeCostsNobodyASecond(t *testing.T) {
	inBubble(t, func(t *testing.T, r *room) {
		stop := r.work()
		id := r.game()
		time.Sleep(100 * time.Second)
		stop() // the last beat is at this instant
		time.Sleep(7 * time.Hour)
		again := r.reopen()
		defer again.db.Close()
		stop = again.work()
		defer stop()
		time.Sleep(90 * time.Second) // 190 s of White's own time: 10 over
		again.play(id, "e4")
		if got, want := again.banks(id)[0], 1190*time.Second; got != want {
			t.Errorf("White's bank is %v, want %v", got, want)
		}
		shifts := again.shifts(id)
		if len(shifts) != 1 || shifts[0] != (arena.ShiftData{ByMS: 7 * 3600_000, Reason: arena.ShiftRestart}) {
			t.Errorf("shifts %+v, want one of 7 h for a restart", shifts)
		}
		if st := again.look(again.bob, id); len(st.ClockShifts) != 1 || st.ClockShifts[0].ByS != 25200 {
			t.Errorf("the player is told %+v", st.ClockShifts)
		}
	})
}

func TestACrashIsGivenBackToTheHeartbeat(t *testing.T) {
	inBubble(t, func(t *testing.T, r *room) {
		stop := r.work()
		id := r.game()
		time.Sleep(98 * time.Second) // beats at 0, 5 … 95 s; then power is lost
		crashed := time.Now()
		stop()
		// What the final beat of an orderly stop wrote is taken back: the file says 95 s.
		setBeat(t, r, crashed.Add(-3*time.Second))
		time.Sleep(time.Hour)
		again := r.reopen()
		defer again.db.Close()
		defer again.work()()
		time.Sleep(90 * time.Second)
		again.play(id, "e4")
		// 98 + 90 s of White's own time are 8 over; the 3 s since the beat come back too.
		if got, want := again.banks(id)[0], 1195*time.Second; got != want {
			t.Errorf("White's bank is %v, want %v", got, want)
		}
	})
}

// The arena dies within seconds of its first game: it has not stored a beat yet.
func TestACrashBeforeTheFirstHeartbeatIsGivenBackWhole(t *testing.T) {
	inBubble(t, func(t *testing.T, r *room) {
		id := r.game()
		time.Sleep(3 * time.Second)
		r.play(id, "e4")
		time.Sleep(time.Second)
		again := r.reopen()
		defer again.db.Close()
		time.Sleep(20 * time.Minute)
		defer again.work()()
		time.Sleep(100 * time.Second)
		again.play(id, "e5")
		if got := again.banks(id)[1]; got != 1200*time.Second {
			t.Errorf("Black's bank is %v, want all of it", got)
		}
		if s := again.shifts(id); len(s) != 1 || s[0].Reason != arena.ShiftRestart || s[0].ByMS != 1201_000 {
			t.Errorf("shifts %+v, want one of 20 min 1 s", s)
		}
	})
}

func setBeat(t *testing.T, r *room, at time.Time) {
	t.Helper()
	db, err := store.Open(t.Context(), r.db.Path(), store.Options{Now: func() time.Time { return at }})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.Update(t.Context(), func(tx *store.Tx) error { return tx.Beat() }); err != nil {
		t.Fatal(err)
	}
}

func TestASleepOfTheMachineForfeitsNothing(t *testing.T) {
	inBubble(t, func(t *testing.T, r *room) {
		if err := r.Resume(t.Context()); err != nil {
			t.Fatal(err)
		}
		id := r.game()
		r.play(id, ruy[:10]...)
		time.Sleep(3 * time.Hour) // nobody beats: the machine sleeps
		// The first thing after it is a sweep; the second a move.
		if err := r.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		if st := r.look(r.alice, id); st.Status != arena.Active {
			t.Fatalf("the sleep ended the game: %s", *st.Termination)
		}
		r.play(id, "Re1")
		if got := r.banks(id)[0]; got != 1200*time.Second {
			t.Errorf("White's bank is %v, want all of it", got)
		}
		if s := r.shifts(id); len(s) != 1 || s[0].Reason != arena.ShiftAway || s[0].ByMS != 3*3600_000 {
			t.Errorf("shifts %+v", s)
		}
	})
}

func TestAMoveRightAfterASleepIsNotLate(t *testing.T) {
	inBubble(t, func(t *testing.T, r *room) {
		if err := r.Resume(t.Context()); err != nil {
			t.Fatal(err)
		}
		id := r.game()
		r.play(id, ruy[:10]...)
		time.Sleep(3 * time.Hour)
		if err := r.submit(r.alice, id, 10, "Re1"); err != nil {
			t.Fatal(err)
		}
		if got := r.banks(id)[0]; got != 1200*time.Second {
			t.Errorf("White's bank is %v, want all of it", got)
		}
	})
}

// holdStore keeps the database's write lock, so that no other handle can commit, until
// release is called.
func holdStore(t *testing.T, path string) (release func()) {
	t.Helper()
	db, err := store.Open(t.Context(), path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	held, let, done := make(chan struct{}), make(chan struct{}), make(chan error)
	go func() {
		done <- db.Update(context.Background(), func(*store.Tx) error { close(held); <-let; return nil })
	}()
	<-held
	return func() {
		close(let)
		if err := errors.Join(<-done, db.Close()); err != nil {
			t.Error(err)
		}
	}
}

func TestClocksStandStillWhileTheStoreTakesNoMoves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "arena.db")
		r := openRoomWith(t, path, arena.DefaultSettings(), store.Options{BusyTimeout: time.Millisecond})
		defer r.work()()
		id := r.game()
		r.play(id, ruy[:10]...)
		release := holdStore(t, path)
		r.wantCode(r.submit(r.alice, id, 10, "Re1"), arena.StorageUnavailable)
		time.Sleep(2 * time.Hour)
		if st := r.look(r.alice, id); st.Status != arena.Active || st.Ply != 10 {
			t.Fatalf("during the outage: %+v", st)
		}
		release()
		time.Sleep(10 * time.Second) // a beat or two
		r.play(id, "Re1")
		if got := r.banks(id)[0]; got != 1200*time.Second {
			t.Errorf("White's bank is %v, want all of it", got)
		}
		s := r.shifts(id)
		if len(s) == 0 || s[0].Reason != arena.ShiftStorage || s[0].ByMS < 2*3600_000-1000 {
			t.Errorf("shifts %+v, want one of 2 h for storage", s)
		}
	})
}

// The game of issue 3: twelve hours, four restarts, a sleep of three hours. All times
// are chosen so that the arithmetic can be followed by hand; see the comments.
func TestTwelveHoursFourRestartsAndASleep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := arena.DefaultSettings()
		s.Bank = time.Hour // so that the whole of it can be followed
		r := openRoom(t, filepath.Join(t.TempDir(), "arena.db"), s)
		start := time.Now()
		stop := r.work()
		id := r.game()
		ply := 0
		// think lets the mover use d of its own time, then move.
		think := func(d time.Duration) {
			time.Sleep(d)
			r.play(id, ruy[ply])
			ply++
		}
		down := func(d time.Duration) { // an orderly stop of d
			stop()
			time.Sleep(d)
			r = r.reopen()
			stop = r.work()
		}
		sleep := func(d time.Duration) { // the heart does not beat, and nobody says so
			stop()
			time.Sleep(d)
			stop = r.run()
		}
		think(200 * time.Second) // White 20 s over
		think(180 * time.Second) // Black in time
		time.Sleep(100 * time.Second)
		down(2 * time.Hour)
		think(130 * time.Second) // White 100+130: 50 s over
		down(90 * time.Minute)   // at the very start of Black's turn
		think(10 * time.Minute)  // Black 420 s over
		time.Sleep(170 * time.Second)
		sleep(3 * time.Hour)
		think(20 * time.Second) // White 190: 10 s over
		down(time.Hour)
		think(14 * time.Minute) // Black 660 s over
		down(3*time.Hour + 49*time.Minute)
		think(5 * time.Second)
		banks := r.banks(id)
		// White: 20 + 50 + 10 = 80 s; Black: 420 + 660 = 1080 s.
		for side, want := range [2]time.Duration{3520 * time.Second, 2520 * time.Second} {
			// Never against a player, and to the heartbeat's 5 s.
			if got := banks[side]; got < want || got > want+5*time.Second {
				t.Errorf("side %d has %v left, want %v and at most 5 s more", side, got, want)
			}
		}
		if played := time.Since(start); played < 11*time.Hour+55*time.Minute {
			t.Errorf("the game lasted %v, want about 12 h", played)
		}
		if n := len(r.shifts(id)); n < 5 {
			t.Errorf("%d shifts in the log, want 5", n)
		}
		stop()
		if err := r.db.Close(); err != nil {
			t.Error(err)
		}
	})
}

func TestTheLogChainsMovesAndEvents(t *testing.T) {
	r := newRoom(t)
	id := r.game()
	r.play(id, "f3")
	r.wantCode(r.submit(r.bob, id, 1, "Qh4"), arena.IllegalMove)
	if err := r.offer(r.alice, id); err != nil {
		t.Fatal(err)
	}
	r.play(id, "e5", "g4", "Qh4#")
	g, moves, events := r.stored(id)
	log := arena.Log(&g, moves, events)
	var kinds []arena.EventKind
	var before arena.LogHash
	for i, e := range log {
		kinds = append(kinds, e.Kind)
		if e.Seq != i+1 || e.Link(before) != e.Hash {
			t.Errorf("entry %d does not follow the one before", i+1)
		}
		before = e.Hash
	}
	want := []arena.EventKind{"created", "move", "illegal_attempt", "draw_offer", "move", "move", "move", "finished"}
	if len(kinds) != len(want) {
		t.Fatalf("log %v, want %v", kinds, want)
	}
	for i := range want {
		if kinds[i] != want[i] {
			t.Errorf("log %v, want %v", kinds, want)
			break
		}
	}
	if g.Log != (arena.LogHead{Len: len(log), Hash: before}) {
		t.Error("the stored head is not where the log ends")
	}
}
