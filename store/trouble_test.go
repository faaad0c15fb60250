package store

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"

	"chessarena/arena"
)

// setMaxPages makes the disk end after so many pages of the file.
func setMaxPages(t *testing.T, db *DB, pages string) {
	t.Helper()
	update(t, db, func(tx *Tx) error {
		_, err := tx.c.raw.ExecContext(context.Background(), "PRAGMA max_page_count = "+pages)
		return err
	})
}

// fill adds audit rows until the disk is full.
func fill(tx *Tx) error {
	for range 1000 {
		if _, err := tx.AddAudit(Audit{Actor: "test", Tool: string(make([]byte, 8000)), Outcome: "ok"}); err != nil {
			return err
		}
	}
	return errors.New("the disk did not fill")
}

func checkUnavailable(t *testing.T, who string, err error) {
	t.Helper()
	var public *arena.Error
	if !errors.As(err, &public) || public.Code != arena.StorageUnavailable || public.RetryAfter <= 0 {
		t.Errorf("%s: error %v, want storage_unavailable with a time to retry", who, err)
	}
}

func TestDiskFull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := openNew(t)
		setMaxPages(t, db, "80")
		before := db.Version()

		swallowed := func(tx *Tx) error {
			_ = fill(tx)
			_ = add("bbb")(tx) // SQLite has rolled back: alone, this would be committed at once
			return nil
		}
		errs := together(t.Context(), db, add("aaa"), swallowed, add("ccc"))
		checkUnavailable(t, "in the batch before", errs[0])
		checkUnavailable(t, "the one that met it", errs[1])
		if errs[2] != nil {
			t.Errorf("the one after, in a batch of its own: %v", errs[2])
		}
		if got := nicknames(t, db); got != "c" {
			t.Errorf("kept %q, want only c", got)
		}
		if n := db.Version() - before; n != 1 {
			t.Errorf("version rose by %d, want 1", n)
		}

		checkUnavailable(t, "alone", db.Update(t.Context(), fill))
		if db.Trouble() == nil {
			t.Error("the store does not know of its trouble")
		}
		setMaxPages(t, db, "1000000")
		update(t, db, add("ddd"))
		if err := db.Trouble(); err != nil {
			t.Errorf("trouble after a good commit: %v", err)
		}
		if got := nicknames(t, db); got != "cd" {
			t.Errorf("kept %q, want cd", got)
		}
	})
}

// TestSwallowedFailure is a closure that goes on after the disk refused a statement, while
// SQLite has kept the transaction.
func TestSwallowedFailure(t *testing.T) {
	db := openNew(t)
	queryOnly := func(tx *Tx, on string) {
		t.Helper()
		if _, err := tx.c.raw.ExecContext(context.Background(), "PRAGMA query_only = "+on); err != nil {
			t.Fatal(err)
		}
	}
	err := db.Update(t.Context(), func(tx *Tx) error {
		if err := add("aaa")(tx); err != nil {
			return err
		}
		queryOnly(tx, "1")
		_ = add("bbb")(tx)
		queryOnly(tx, "0")
		return nil
	})
	checkUnavailable(t, "the closure", err)
	if got := nicknames(t, db); got != "" {
		t.Errorf("kept %q of a change that was refused in the middle", got)
	}
}

func TestCommitFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := openNew(t)
		hooks := 0
		hooked := func(name string) func(*Tx) error {
			return func(tx *Tx) error {
				tx.After(func() { hooks++ })
				return add(name)(tx)
			}
		}
		// A foreign key that is only looked at by COMMIT.
		late := func(tx *Tx) error {
			if _, err := tx.c.raw.ExecContext(context.Background(), "PRAGMA defer_foreign_keys = 1"); err != nil {
				return err
			}
			_, err := tx.exec(queryAddEntry, 999, 999, "", "", nil, 0)
			return err
		}
		for i, err := range together(t.Context(), db, hooked("aaa"), late, hooked("bbb")) {
			checkUnavailable(t, fmt.Sprint("closure ", i), err)
		}
		if got := nicknames(t, db); got != "" || hooks != 0 {
			t.Errorf("kept %q and ran %d hooks, want nothing", got, hooks)
		}
		update(t, db, add("ccc"))
		if got := nicknames(t, db); got != "c" {
			t.Errorf("kept %q, want c", got)
		}
	})
}

func TestBusy(t *testing.T) {
	db := openNew(t)
	other := openAt(t, db.Path(), Options{BusyTimeout: 1e6}) // 1 ms
	update(t, db, func(*Tx) error {
		checkUnavailable(t, "behind another writer", other.Update(t.Context(), add("aaa")))
		return nil
	})
	update(t, other, add("bbb"))
	if got := nicknames(t, db); got != "b" {
		t.Errorf("kept %q, want b", got)
	}
}
