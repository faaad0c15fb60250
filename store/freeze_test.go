package store

import (
	"testing"

	"chessarena/arena"
)

func TestWhatOperatorsDoToANickname(t *testing.T) {
	db := openNew(t)
	pair := seats(t, db)
	id := pair[0].NicknameID
	agent := func() (a arena.Agent) {
		t.Helper()
		view(t, db, func(tx *Tx) (err error) { a, err = tx.Agent(id); return err })
		return a
	}
	first := agent()
	update(t, db, func(tx *Tx) error { return tx.SetAgentStatus(id, arena.AgentFrozen) })
	if a := agent(); a.Status != arena.AgentFrozen || a.KeyGeneration != first.KeyGeneration+1 {
		t.Errorf("frozen: %s, generation %d", a.Status, a.KeyGeneration)
	}
	update(t, db, func(tx *Tx) error { return tx.SetAgentStatus(id, arena.AgentActive) })
	if a := agent(); a.Status != arena.AgentActive || a.KeyGeneration != first.KeyGeneration+1 {
		t.Errorf("active again: %s, generation %d", a.Status, a.KeyGeneration)
	}
	update(t, db, func(tx *Tx) error { return tx.ReplaceKey(id, "another hash", "89abcdef") })
	if a := agent(); a.Fingerprint != "89abcdef" || a.KeyGeneration != first.KeyGeneration+2 {
		t.Errorf("another key: %s, generation %d", a.Fingerprint, a.KeyGeneration)
	}
	view(t, db, func(tx *Tx) error {
		agents, err := tx.Agents(0, 10)
		if err != nil || len(agents) != 2 || agents[0].ID != id {
			t.Errorf("agents: %+v, %v", agents, err)
		}
		entries, err := tx.AllEntries(0, 1)
		if err != nil || len(entries) != 1 {
			t.Errorf("entries: %+v, %v", entries, err)
		}
		return nil
	})
	for name, f := range map[string]func(*Tx) error{
		"status": func(tx *Tx) error { return tx.SetAgentStatus(999, arena.AgentFrozen) },
		"wake":   func(tx *Tx) error { return tx.WakeAgent(999) },
		"key":    func(tx *Tx) error { return tx.ReplaceKey(999, "h", "f") },
	} {
		if err := db.Update(t.Context(), f); arena.CodeOf(err) != arena.NotFound {
			t.Errorf("%s of nobody: %v", name, err)
		}
	}
}

func TestReleaseFreesANicknameWithoutGames(t *testing.T) {
	db := openNew(t)
	pair := seats(t, db)
	addGame(t, db, 1, pair)
	var idle arena.Agent
	update(t, db, func(tx *Tx) (err error) { idle, err = tx.AddAgent("idle", "hash", "01234567"); return err })
	view(t, db, func(tx *Tx) error {
		for id, want := range map[int64]bool{pair[0].NicknameID: true, pair[1].NicknameID: true, idle.ID: false} {
			if has, err := tx.HasGames(id); err != nil || has != want {
				t.Errorf("nickname %d has games: %v, want %v (%v)", id, has, want, err)
			}
		}
		return nil
	})
	update(t, db, func(tx *Tx) error { return tx.ReleaseAgent(idle.ID) })
	var next arena.Agent
	update(t, db, func(tx *Tx) (err error) { next, err = tx.AddAgent("idle", "hash", "89abcdef"); return err })
	view(t, db, func(tx *Tx) error {
		found, _, err := tx.AgentBySkeleton(arena.Nickname("idle").Skeleton())
		if err != nil || found.ID != next.ID || next.ID == idle.ID {
			t.Errorf("the name leads to %d (%v), want %d", found.ID, err, next.ID)
		}
		old, err := tx.Agent(idle.ID)
		if old.Status != arena.AgentFrozen {
			t.Errorf("the released nickname is %s", old.Status)
		}
		return err
	})
}
