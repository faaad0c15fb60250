package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"chessarena/arena"
)

// together runs the closures as one batch, in this order, behind a closure that writes
// nothing, and returns their errors. It must be called in a synctest bubble.
func together(ctx context.Context, db *DB, closures ...func(*Tx) error) []error {
	gate := make(chan struct{})
	go func() { _ = db.Update(context.Background(), func(*Tx) error { <-gate; return nil }) }()
	synctest.Wait()
	errs := make([]error, len(closures))
	for i, f := range closures {
		go func() {
			defer func() {
				if p := recover(); p != nil {
					errs[i] = fmt.Errorf("panic: %v", p)
				}
			}()
			errs[i] = errors.New("ended its goroutine")
			errs[i] = db.Update(ctx, f)
		}()
		synctest.Wait()
	}
	close(gate)
	synctest.Wait()
	return errs
}

func add(name string) func(*Tx) error {
	return func(tx *Tx) error {
		_, err := tx.AddAgent(arena.Nickname(name), "hash", "f00d")
		return err
	}
}

func then(f func(*Tx) error, last error) func(*Tx) error {
	return func(tx *Tx) error { return errors.Join(f(tx), last) }
}

// nicknames lists what is stored, and checks the counter against it.
func nicknames(t *testing.T, db *DB) string {
	t.Helper()
	var names []string
	view(t, db, func(tx *Tx) error {
		for _, name := range []string{"aaa", "bbb", "ccc", "ddd", "eee", "fff", "ggg", "hhh", "iii", "jjj"} {
			if _, _, err := tx.AgentBySkeleton(arena.Nickname(name).Skeleton()); err == nil {
				names = append(names, name[:1])
			} else if arena.CodeOf(err) != arena.NotFound {
				return err
			}
		}
		totals, err := tx.Totals()
		if totals.Nicknames != len(names) {
			t.Errorf("the counter says %d nicknames, %d are there", totals.Nicknames, len(names))
		}
		return err
	})
	return strings.Join(names, "")
}

func TestUpdate(t *testing.T) {
	refuse := errors.New("refused")
	bubble := func(name string, f func(*testing.T, *DB)) {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { f(t, openNew(t)) })
		})
	}
	bubble("seven of ten closures in one batch are kept", func(t *testing.T, db *DB) {
		before := db.Version()
		errs := together(t.Context(), db, add("aaa"), then(add("bbb"), refuse), add("ccc"), add("ddd"), then(add("eee"), refuse),
			add("fff"), add("ggg"), add("hhh"), then(add("iii"), refuse), add("jjj"))
		for i, err := range errs {
			if i == 1 || i == 4 || i == 8 {
				if !errors.Is(err, refuse) {
					t.Errorf("closure %d: error %v, want its own", i, err)
				}
			} else if err != nil {
				t.Errorf("closure %d: %v", i, err)
			}
		}
		if got := nicknames(t, db); got != "acdfghj" {
			t.Errorf("kept %q", got)
		}
		if n := db.Version() - before; n != 1 {
			t.Errorf("%d commits, want 1", n)
		}
	})
	bubble("a batch survives the failure of its first closure", func(t *testing.T, db *DB) {
		gate := make(chan struct{})
		first := make(chan error)
		go func() {
			first <- db.Update(t.Context(), func(tx *Tx) error { <-gate; return then(add("aaa"), refuse)(tx) })
		}()
		synctest.Wait()
		second := make(chan error)
		go func() { second <- db.Update(t.Context(), add("bbb")) }()
		synctest.Wait()
		close(gate)
		if err := <-first; !errors.Is(err, refuse) {
			t.Errorf("first: %v", err)
		}
		if err := <-second; err != nil {
			t.Errorf("second: %v", err)
		}
		if got := nicknames(t, db); got != "b" {
			t.Errorf("kept %q", got)
		}
	})
	bubble("a constraint says what it means and harms nobody else", func(t *testing.T, db *DB) {
		errs := together(t.Context(), db, add("aaa"), add("A-A-4"), add("bbb"))
		if arena.CodeOf(errs[1]) != arena.NicknameTaken || errs[0] != nil || errs[2] != nil {
			t.Errorf("errors %v", errs)
		}
		if got := nicknames(t, db); got != "ab" {
			t.Errorf("kept %q", got)
		}
	})
	bubble("hooks run after the commit, in order, before any caller returns", func(t *testing.T, db *DB) {
		var seen []string
		var returned atomic.Int32
		hooked := func(name string, last error) func(*Tx) error {
			return func(tx *Tx) error {
				tx.After(func() {
					synctest.Wait() // whoever could return has returned
					seen = append(seen, fmt.Sprint(name, " ", nicknames(t, db), " ", returned.Load()))
				})
				return then(add(name), last)(tx)
			}
		}
		gate := make(chan struct{})
		ended := make(chan struct{})
		caller := func(f func(*Tx) error) {
			go func() {
				if db.Update(t.Context(), f) == nil {
					returned.Add(1)
				}
				ended <- struct{}{}
			}()
			synctest.Wait()
		}
		caller(func(tx *Tx) error { <-gate; return hooked("aaa", nil)(tx) })
		caller(hooked("bbb", refuse))
		caller(hooked("ccc", nil))
		close(gate)
		for range 3 {
			<-ended
		}
		if want := []string{"aaa ac 0", "ccc ac 0"}; !slices.Equal(seen, want) {
			t.Errorf("hooks saw %q, want %q", seen, want)
		}
		if n := returned.Load(); n != 2 {
			t.Errorf("%d callers returned, want 2", n)
		}
	})
	bubble("a closure whose context ended first is not run", func(t *testing.T, db *DB) {
		ctx, cancel := context.WithCancel(t.Context())
		errs := together(ctx, db,
			func(tx *Tx) error { cancel(); return add("aaa")(tx) }, // begun: decided
			add("bbb"))
		if errs[0] != nil || !errors.Is(errs[1], context.Canceled) {
			t.Errorf("errors %v", errs)
		}
		if err := db.Update(ctx, add("ccc")); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v with an ended context", err)
		}
		if got := nicknames(t, db); got != "a" {
			t.Errorf("kept %q", got)
		}
	})
	bubble("also when it ends at the very moment of the turn", func(t *testing.T, db *DB) {
		ctx, cancel := context.WithCancel(t.Context())
		if err := db.turns.take(ctx); err != nil {
			t.Fatal(err)
		}
		cancel()
		if _, err := db.join(ctx, add("aaa")); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
		update(t, db, add("bbb")) // the turn was given back
		if got := nicknames(t, db); got != "b" {
			t.Errorf("kept %q", got)
		}
	})
	bubble("a panic reaches its caller and undoes only its own changes", func(t *testing.T, db *DB) {
		errs := together(t.Context(), db, add("aaa"),
			func(tx *Tx) error { _ = add("bbb")(tx); panic("told you") },
			add("ccc"),
			func(tx *Tx) error { _ = add("ddd")(tx); runtime.Goexit(); return nil },
			add("eee"))
		if errs[1] == nil || errs[1].Error() != "panic: told you" || errs[3] == nil || errs[0] != nil || errs[2] != nil || errs[4] != nil {
			t.Errorf("errors %v", errs)
		}
		if got := nicknames(t, db); got != "ace" {
			t.Errorf("kept %q", got)
		}
	})
	bubble("a full batch commits and the rest follows in another", func(t *testing.T, db *DB) {
		before := db.Version()
		closures := make([]func(*Tx) error, 300)
		for i := range closures {
			closures[i] = add(fmt.Sprintf("player%d", i))
		}
		if err := errors.Join(together(t.Context(), db, closures...)...); err != nil {
			t.Fatal(err)
		}
		if n := db.Version() - before; n != 2 {
			t.Errorf("%d commits for 301 closures, want 2", n)
		}
	})
	t.Run("a crowd leaves a gap for other processes every 100 ms", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			const delay = 5 * time.Millisecond
			db := openAt(t, filepath.Join(t.TempDir(), "a.db"), Options{CommitDelay: delay})
			before, start := db.Version(), time.Now()
			var crowd sync.WaitGroup
			for range 3 {
				crowd.Go(func() {
					for range 50 {
						update(t, db, func(*Tx) error { return nil })
					}
				})
			}
			crowd.Wait()
			// In the bubble time moves only by what the store sleeps.
			busy := time.Duration(db.Version()-before) * delay
			if paused := time.Since(start) - busy; paused < busy/runLimit*pause/2 || paused > busy/runLimit*pause {
				t.Errorf("%v of pauses in %v of commits", paused, busy)
			}
		})
	})
	bubble("after close, work in line is done and late work refused", func(t *testing.T, db *DB) {
		gate := make(chan struct{})
		inLine := make(chan error, 2)
		go func() { inLine <- db.Update(t.Context(), func(tx *Tx) error { <-gate; return add("aaa")(tx) }) }()
		synctest.Wait()
		go func() { inLine <- db.Update(t.Context(), add("bbb")) }()
		synctest.Wait()
		closed := make(chan error)
		go func() { closed <- db.Close() }()
		synctest.Wait()
		if err := db.Update(t.Context(), add("ccc")); !errors.Is(err, ErrClosed) || arena.CodeOf(err) != arena.StorageUnavailable {
			t.Errorf("late update: %v", err)
		}
		close(gate)
		if err := errors.Join(<-inLine, <-inLine, <-closed, db.Close()); err != nil {
			t.Errorf("close: %v", err)
		}
		if err := db.View(t.Context(), func(*Tx) error { return nil }); !errors.Is(err, ErrClosed) {
			t.Errorf("late view: %v", err)
		}
		if _, err := db.Poll(t.Context()); !errors.Is(err, ErrClosed) {
			t.Errorf("late poll: %v", err)
		}
		again := openAt(t, db.Path(), Options{})
		if got := nicknames(t, again); got != "ab" {
			t.Errorf("kept %q", got)
		}
	})
}

func TestTx(t *testing.T) {
	t.Run("now stands still, in UTC and whole milliseconds", func(t *testing.T) {
		clock := time.Date(2026, 1, 2, 3, 4, 5, 6_789_000, time.FixedZone("", 3600))
		db := openAt(t, filepath.Join(t.TempDir(), "a.db"), Options{Now: func() time.Time {
			clock = clock.Add(time.Hour)
			return clock
		}})
		check := func(tx *Tx) error {
			want := clock.UTC().Truncate(time.Millisecond)
			if a, b := tx.Now(), tx.Now(); a != want || b != want {
				t.Errorf("now is %v, then %v; want %v", a, b, want)
			}
			return nil
		}
		update(t, db, check)
		view(t, db, check)
	})
	t.Run("fails once its closure has returned", func(t *testing.T) {
		db := openNew(t)
		var kept *Tx
		update(t, db, func(tx *Tx) error { kept = tx; return nil })
		if _, err := kept.Totals(); err == nil {
			t.Error("it answered")
		}
	})
	t.Run("a view cannot write", func(t *testing.T) {
		db := openNew(t)
		if err := db.View(t.Context(), add("aaa")); err == nil || arena.CodeOf(err) != arena.Internal {
			t.Errorf("error %v", err)
		}
	})
	t.Run("a view is one snapshot", func(t *testing.T) {
		db := openNew(t)
		view(t, db, func(tx *Tx) error {
			before, err := tx.Totals()
			update(t, db, add("aaa"))
			after, err2 := tx.Totals()
			if before != after {
				t.Errorf("totals went from %v to %v inside a view", before, after)
			}
			return errors.Join(err, err2)
		})
	})
	t.Run("a view beyond its time ends", func(t *testing.T) {
		db := openNew(t)
		ctx, cancel := context.WithCancel(t.Context())
		err := db.View(ctx, func(tx *Tx) error {
			cancel()
			_, err := tx.Totals()
			return err
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
		for range 2 * readers { // and its connection still serves
			view(t, db, func(tx *Tx) error { _, err := tx.Totals(); return err })
		}
	})
	t.Run("a hook that panics is logged and the next one runs", func(t *testing.T) {
		var log bytes.Buffer
		db := openAt(t, filepath.Join(t.TempDir(), "a.db"), Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
		ran := false
		update(t, db, func(tx *Tx) error {
			tx.After(func() { panic("the hook fell") })
			tx.After(func() { ran = true })
			return nil
		})
		if !ran || !strings.Contains(log.String(), "the hook fell") {
			t.Errorf("the next hook ran: %v; log %q", ran, log.String())
		}
	})
}
