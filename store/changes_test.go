package store

import (
	"fmt"
	"strings"
	"testing"

	"chessarena/arena"
)

func TestPoll(t *testing.T) {
	poll := func(t *testing.T, db *DB) string {
		t.Helper()
		changes, err := db.Poll(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var said []string
		for _, c := range changes {
			said = append(said, fmt.Sprint(c.Noun, " ", c.ID))
		}
		return strings.Join(said, ", ")
	}
	announce := func(noun Noun, id int64) func(*Tx) error {
		return func(tx *Tx) error { return tx.Changed(noun, id) }
	}
	t.Run("one's own commits are nothing new", func(t *testing.T) {
		db := openNew(t)
		update(t, db, then(add("aaa"), nil))
		if said := poll(t, db); said != "" {
			t.Errorf("poll said %q", said)
		}
	})
	t.Run("another connection's changes are told once, in order", func(t *testing.T) {
		db := openNew(t)
		other := openAt(t, db.Path(), Options{Announce: true})
		before := db.Version()
		update(t, other, announce(NounConfig, 7))
		update(t, other, func(tx *Tx) error {
			if err := tx.Changed(NounGame, 12); err != nil {
				return err
			}
			return tx.Changed(NounNickname, 3)
		})
		if said := poll(t, db); said != "config 7, game 12, nickname 3" {
			t.Errorf("poll said %q", said)
		}
		if db.Version() == before {
			t.Error("the version is the same")
		}
		before = db.Version()
		if said := poll(t, db); said != "" || db.Version() != before {
			t.Errorf("a second poll said %q, version %d after %d", said, db.Version(), before)
		}
	})
	t.Run("a commit that names nothing still changes the version", func(t *testing.T) {
		db := openNew(t)
		other := openAt(t, db.Path(), Options{})
		before := db.Version()
		update(t, other, func(tx *Tx) error {
			if err := add("aaa")(tx); err != nil {
				return err
			}
			return tx.Changed(NounGame, 1) // without Announce: nothing
		})
		if said := poll(t, db); said != "" || db.Version() == before {
			t.Errorf("poll said %q, version %d after %d", said, db.Version(), before)
		}
	})
	t.Run("what was pruned unread is told as all", func(t *testing.T) {
		db := openNew(t)
		other := openAt(t, db.Path(), Options{Announce: true})
		for range 3 {
			update(t, other, announce(NounGame, 1))
		}
		update(t, other, func(tx *Tx) error { _, err := tx.exec(queryPruneChanges, 1); return err })
		if said := poll(t, db); said != "all 0" {
			t.Errorf("poll said %q", said)
		}
		update(t, other, announce(NounGame, 2))
		if said := poll(t, db); said != "game 2" {
			t.Errorf("the poll after it said %q", said)
		}
	})
	t.Run("the table does not grow for ever", func(t *testing.T) {
		db := openAt(t, t.TempDir()+"/a.db", Options{Announce: true})
		update(t, db, func(tx *Tx) error {
			for range keptChanges + 5 {
				if err := tx.Changed(NounGame, 1); err != nil {
					return err
				}
			}
			kept, err := all(tx, queryChanges, scanChange, 0)
			if len(kept) != keptChanges {
				t.Errorf("%d rows are kept, want %d", len(kept), keptChanges)
			}
			return err
		})
	})
	t.Run("another process is noticed", func(t *testing.T) {
		db := openNew(t)
		if err := child(t, "announce", db.Path()).Run(); err != nil {
			t.Fatal(err)
		}
		var a arena.Agent
		view(t, db, func(tx *Tx) (err error) {
			a, _, err = tx.AgentBySkeleton(arena.Nickname("from-afar").Skeleton())
			return err
		})
		if said := poll(t, db); said != fmt.Sprint("nickname ", a.ID) {
			t.Errorf("poll said %q, want nickname %d", said, a.ID)
		}
		update(t, db, add("bbb")) // and the file is still ours to write
	})
}
