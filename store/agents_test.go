package store

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"chessarena/arena"
)

func TestAgents(t *testing.T) {
	now := noon
	db := openAt(t, t.TempDir()+"/a.db", Options{Now: func() time.Time { return now }})
	var alice arena.Agent
	update(t, db, func(tx *Tx) (err error) {
		alice, err = tx.AddAgent("Alice-1", "the hash", "0123abcd")
		return err
	})
	want := arena.Agent{ID: alice.ID, Nickname: "Alice-1", Fingerprint: "0123abcd", KeyGeneration: 1, Status: arena.AgentActive,
		Created: noon, LastSeen: noon.Truncate(time.Hour)}
	check := func(t *testing.T) {
		t.Helper()
		view(t, db, func(tx *Tx) error {
			byID, err := tx.Agent(alice.ID)
			if diff := cmp.Diff(want, byID); diff != "" {
				t.Errorf("by id (-want +got):\n%s", diff)
			}
			if err != nil {
				return err
			}
			bySkeleton, hash, err := tx.AgentBySkeleton("aiicei") // what "Alice-1" folds to
			if diff := cmp.Diff(want, bySkeleton); diff != "" {
				t.Errorf("by skeleton (-want +got):\n%s", diff)
			}
			if hash != "the hash" {
				t.Errorf("key hash %q", hash)
			}
			return err
		})
	}
	t.Run("a new one has nothing behind it", check)
	t.Run("a look-alike is nickname_taken", func(t *testing.T) {
		err := db.Update(t.Context(), func(tx *Tx) error {
			_, err := tx.AddAgent("a11ce_L", "h", "f")
			return err
		})
		if arena.CodeOf(err) != arena.NicknameTaken {
			t.Errorf("error %v", err)
		}
	})
	t.Run("record and streak are saved", func(t *testing.T) {
		want.Record = arena.Record{Games: 9, Wins: 4, Draws: 3, Losses: 2, ForfeitsFor: 1, ForfeitsAgainst: 2}
		want.Streak = arena.Streak{Current: 1, Best: 3}
		update(t, db, func(tx *Tx) error { return tx.SaveAgentRecord(want) })
		check(t)
	})
	t.Run("a record that does not add up is refused", func(t *testing.T) {
		wrong := want
		wrong.Record.Games++
		if err := db.Update(t.Context(), func(tx *Tx) error { return tx.SaveAgentRecord(wrong) }); err == nil {
			t.Error("it was saved")
		}
		check(t)
	})
	t.Run("last seen is kept to the hour and never goes back", func(t *testing.T) {
		for _, step := range []time.Duration{30 * time.Minute, 59*time.Minute + 59*time.Second, 90 * time.Minute, -48 * time.Hour} {
			now = noon.Add(step)
			update(t, db, func(tx *Tx) error { return tx.TouchAgent(alice.ID) })
		}
		want.LastSeen = time.Date(2026, 12, 1, 13, 0, 0, 0, time.UTC)
		check(t)
	})
	t.Run("an unknown one is not_found", func(t *testing.T) {
		for name, f := range map[string]func(*Tx) error{
			"by id":       func(tx *Tx) error { _, err := tx.Agent(99); return err },
			"by skeleton": func(tx *Tx) error { _, _, err := tx.AgentBySkeleton("nobody"); return err },
			"record":      func(tx *Tx) error { return tx.SaveAgentRecord(arena.Agent{ID: 99}) },
		} {
			if err := db.Update(t.Context(), f); arena.CodeOf(err) != arena.NotFound {
				t.Errorf("%s: error %v", name, err)
			}
		}
	})
}
