package store

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"chessarena/arena"
)

// full has every member of a configuration.
var full = arena.Config{
	Model: "claude-sonnet-5", Provider: "anthropic", Harness: "reference-1.0",
	Effort: &arena.Effort{Budget: 1 << 53}, Temperature: ptr(0.1), Quantization: ptr("q4_k_m"),
	ContextWindow: ptr(int64(200_000)), ToolsAllowed: ptr(false), Finetuned: ptr(true),
}

func TestBuckets(t *testing.T) {
	db := openNew(t)
	for name, c := range map[string]arena.Config{"only what is required": plain, "every member": full} {
		t.Run(name+" comes back", func(t *testing.T) {
			var b arena.Bucket
			update(t, db, func(tx *Tx) (err error) { b, err = tx.EnsureBucket(c); return err })
			start := arena.Rating{R: 1000, RD: 350, Vol: 0.06}
			want := arena.Bucket{ID: b.ID, Key: c.BucketKey(), Config: c, All: start, Board: start}
			if diff := cmp.Diff(want, b); diff != "" {
				t.Fatalf("made (-want +got):\n%s", diff)
			}
			want.Record = arena.Record{Games: 6, Wins: 1, Draws: 2, Losses: 3, ForfeitsFor: 1, ForfeitsAgainst: 2}
			noted := c
			noted.Notes = "notes make no difference"
			update(t, db, func(tx *Tx) error {
				if err := tx.SaveBucketRecord(want); err != nil {
					return err
				}
				again, err := tx.EnsureBucket(noted)
				if diff := cmp.Diff(want, again); diff != "" {
					t.Errorf("found again (-want +got):\n%s", diff)
				}
				return err
			})
			view(t, db, func(tx *Tx) error {
				byID, err := tx.Bucket(b.ID)
				if err != nil {
					return err
				}
				byKey, err := tx.BucketByKey(b.Key)
				if diff := cmp.Diff(want, byID) + cmp.Diff(want, byKey); diff != "" {
					t.Errorf("read (-want +got):\n%s", diff)
				}
				return err
			})
		})
	}
	t.Run("an unknown one is not_found", func(t *testing.T) {
		for name, f := range map[string]func(*Tx) error{
			"by id":         func(tx *Tx) error { _, err := tx.Bucket(99); return err },
			"by key":        func(tx *Tx) error { _, err := tx.BucketByKey(arena.BucketKey("00")); return err },
			"by no key":     func(tx *Tx) error { _, err := tx.BucketByKey("not hex"); return err },
			"record of one": func(tx *Tx) error { return tx.SaveBucketRecord(arena.Bucket{ID: 99}) },
		} {
			if err := db.Update(t.Context(), f); arena.CodeOf(err) != arena.NotFound {
				t.Errorf("%s: error %v", name, err)
			}
		}
	})
}

func TestEntries(t *testing.T) {
	db := openNew(t)
	var alice, bob arena.Agent
	var one, two arena.Bucket
	update(t, db, func(tx *Tx) (err error) {
		if alice, err = tx.AddAgent("alice", "h", "f"); err != nil {
			return err
		}
		if bob, err = tx.AddAgent("bob", "h", "f"); err != nil {
			return err
		}
		if one, err = tx.EnsureBucket(plain); err != nil {
			return err
		}
		two, err = tx.EnsureBucket(full)
		return err
	})
	put := func(nickname, bucket int64, e arena.Entry) (got arena.Entry, created bool) {
		t.Helper()
		update(t, db, func(tx *Tx) (err error) { got, created, err = tx.AddEntry(nickname, bucket, e); return err })
		return got, created
	}
	first, created := put(alice.ID, one.ID, arena.Entry{Notes: "n", ModelRaw: "Some Model", Version: ptr("20251001")})
	want := arena.Entry{ID: first.ID, NicknameID: alice.ID, Bucket: one, Notes: "n", ModelRaw: "Some Model", Version: ptr("20251001"), Created: noon}
	if diff := cmp.Diff(want, first); diff != "" || !created {
		t.Fatalf("created %v (-want +got):\n%s", created, diff)
	}
	t.Run("the same bucket and notes are the same entry", func(t *testing.T) {
		again, created := put(alice.ID, one.ID, arena.Entry{Notes: "n", ModelRaw: "some-model"})
		if diff := cmp.Diff(want, again); diff != "" || created {
			t.Errorf("created %v (-want +got):\n%s", created, diff)
		}
	})
	other, _ := put(alice.ID, one.ID, arena.Entry{Notes: "other"})
	another, _ := put(alice.ID, two.ID, arena.Entry{Notes: "n"})
	_, bobs := put(bob.ID, one.ID, arena.Entry{Notes: "n"})
	if !bobs {
		t.Error("another nickname's entry was taken for alice's")
	}
	view(t, db, func(tx *Tx) error {
		list, err := tx.Entries(alice.ID)
		if diff := cmp.Diff([]arena.Entry{want, other, another}, list); diff != "" {
			t.Errorf("list (-want +got):\n%s", diff)
		}
		if err != nil {
			return err
		}
		byID, err := tx.Entry(first.ID)
		if diff := cmp.Diff(want, byID); diff != "" {
			t.Errorf("by id (-want +got):\n%s", diff)
		}
		if err != nil {
			return err
		}
		if n, err := tx.CountEntries(alice.ID); n != 3 || err != nil {
			t.Errorf("count %d, %v; want 3", n, err)
		}
		if totals, err := tx.Totals(); totals.Configs != 4 || totals.Models != 2 || err != nil {
			t.Errorf("totals %+v, %v; want 4 configs of 2 models", totals, err)
		}
		if _, err := tx.Entry(99); arena.CodeOf(err) != arena.ConfigNotFound {
			t.Errorf("unknown entry: %v", err)
		}
		none, err := tx.Entries(99)
		if none == nil || len(none) != 0 {
			t.Errorf("entries of nobody: %v, want an empty list", none)
		}
		return err
	})
	t.Run("an owner who is not there is not_found", func(t *testing.T) {
		err := db.Update(t.Context(), func(tx *Tx) error { _, _, err := tx.AddEntry(99, one.ID, arena.Entry{}); return err })
		if arena.CodeOf(err) != arena.NotFound {
			t.Errorf("error %v", err)
		}
	})
}
