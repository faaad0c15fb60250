package matchmaker_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"chessarena/arena"
	"chessarena/arena/arbiter"
	"chessarena/arena/matchmaker"
	"chessarena/store"
)

type storeTx = *store.Tx

func TestWaitingKeepsItsPlace(t *testing.T) {
	t.Parallel()
	l := newLobby(t)
	var agents []arena.Agent
	var configs []int64
	for i, model := range models(3) {
		a, c := l.player(arena.Nickname(fmt.Sprintf("agent%d", i+1)), model)
		agents, configs = append(agents, a), append(configs, c)
		l.join(a, c, arena.AnchorsOnly)
	}
	for i, a := range agents {
		for range 2 {
			w, ok := l.join(a, configs[i], arena.AnchorsOnly).(matchmaker.Waiting)
			if !ok || w.Status != "waiting" || w.Position != i+1 || w.Size != 3 || w.Message != "No opponent yet; call join_queue again to keep waiting." {
				t.Errorf("%s: %+v", a.Nickname, w)
			}
		}
	}
	t.Run("also when its filter changes, and after a restart", func(t *testing.T) {
		l.join(agents[1], configs[1], arena.AgentsOnly)
		l.open()
		if w := l.join(agents[1], configs[1], arena.AgentsOnly).(matchmaker.Waiting); w.Position != 2 {
			t.Errorf("%+v", w)
		}
	})
	t.Run("until it leaves", func(t *testing.T) {
		for i, want := range []bool{true, false} {
			left, err := l.Leave(t.Context(), agents[1], matchmaker.LeaveInput{ConfigID: configs[1]})
			if err != nil || left.Left != want || left.Message == "" {
				t.Errorf("call %d: %+v, %v", i+1, left, err)
			}
		}
		if w := l.join(agents[2], configs[2], arena.AnchorsOnly).(matchmaker.Waiting); w.Position != 2 || w.Size != 2 {
			t.Errorf("%+v", w)
		}
	})
}

func TestJoinIsRefused(t *testing.T) {
	t.Parallel()
	l := newLobby(t)
	l.settings.MaxActiveGames = 1
	l.open()
	alice, ac := l.player("alice", "gpt-5")
	_, ac2 := l.player("alice", "gpt-4")
	bob, bc := l.player("bob", "claude-3")
	refused := func(agent arena.Agent, config int64, opponents string, want arena.Code) {
		t.Helper()
		once := 0.0
		_, err := l.Join(t.Context(), agent, matchmaker.JoinInput{ConfigID: config, Wait: &once, Opponents: opponents})
		if arena.CodeOf(err) != want {
			t.Errorf("config %d, %q: %v, want %s", config, opponents, err, want)
		}
	}
	refused(alice, ac, "humans", arena.InvalidOpponents)
	refused(alice, bc, "any", arena.ConfigNotFound)
	refused(alice, 99, "any", arena.ConfigNotFound)
	if _, err := l.Leave(t.Context(), alice, matchmaker.LeaveInput{ConfigID: bc}); arena.CodeOf(err) != arena.ConfigNotFound {
		t.Errorf("leaving for another: %v", err)
	}
	l.join(alice, ac, arena.AgentsOnly)
	l.join(alice, ac2, arena.AgentsOnly)
	l.join(bob, bc, arena.AgentsOnly)
	if n := l.wave(); n != 1 {
		t.Fatalf("%d games, and alice may have one", n)
	}
	playing, other := ac, ac2
	if _, ok := l.join(alice, ac, arena.AgentsOnly).(matchmaker.Matched); !ok {
		playing, other = ac2, ac
	}
	l.matched(alice, playing)
	if w := l.join(alice, other, arena.AgentsOnly).(matchmaker.Waiting); w.Position != 1 {
		t.Errorf("who waits already goes on waiting: %+v", w)
	}
	if _, err := l.Leave(t.Context(), alice, matchmaker.LeaveInput{ConfigID: other}); err != nil {
		t.Fatal(err)
	}
	refused(alice, other, "any", arena.TooManyGames)
}

func TestAWaitEndsWithTheGame(t *testing.T) {
	t.Parallel()
	l := newLobby(t)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- l.Run(ctx) }()
	alice, ac := l.player("alice", "gpt-5")
	bob, bc := l.player("bob", "claude-3")
	answers := make(chan any, 2)
	long := 60.0
	for agent, config := range map[int64]arena.Agent{ac: alice, bc: bob} {
		go func() {
			answer, err := l.Join(ctx, config, matchmaker.JoinInput{ConfigID: agent, Wait: &long, Opponents: "agents_only"})
			if err != nil {
				answer = err
			}
			answers <- answer
		}()
	}
	for range 2 {
		select {
		case answer := <-answers:
			if m, ok := answer.(matchmaker.Matched); !ok || m.State == nil || m.GameID == "" || m.Opening == nil {
				t.Errorf("%+v", answer)
			}
		case <-time.After(20 * time.Second):
			t.Fatal("nobody was paired")
		}
	}
	stop()
	if err := <-done; err != nil && !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestLeavingEndsTheWait(t *testing.T) {
	t.Parallel()
	l := newLobby(t)
	alice, ac := l.player("alice", "gpt-5")
	answers := make(chan any, 1)
	go func() {
		long := 60.0
		answer, err := l.Join(t.Context(), alice, matchmaker.JoinInput{ConfigID: ac, Wait: &long})
		if err != nil {
			answer = err
		}
		answers <- answer
	}()
	for l.hub.Waiting() == 0 {
		time.Sleep(time.Millisecond)
	}
	if _, err := l.Leave(t.Context(), alice, matchmaker.LeaveInput{ConfigID: ac}); err != nil {
		t.Fatal(err)
	}
	if w, ok := (<-answers).(matchmaker.Waiting); !ok || w.Position != 0 {
		t.Errorf("%+v", w)
	}
}

func TestWhoHasAGameIsGivenThatOne(t *testing.T) {
	t.Parallel()
	l := newLobby(t)
	alice, ac := l.player("alice", "gpt-5")
	_, bc := l.player("bob", "claude-3")
	l.join(alice, ac, arena.AnyOpponents)
	var id arena.GameID
	l.update(func(tx *store.Tx) error {
		g, err := l.arbiter.Create(tx, arbiter.Pairing{White: ac, Black: bc})
		if err == nil {
			id = g.ID
		}
		return err
	})
	if m := l.matched(alice, ac); m.GameID != id || m.Opening != nil || m.State.Opponent.Nickname != "bob" {
		t.Errorf("%+v", m)
	}
	l.update(func(tx *store.Tx) error {
		queue, err := tx.Queue()
		if len(queue) != 0 {
			t.Errorf("still in the queue: %+v", queue)
		}
		return err
	})
}

func TestTheFrozenAreNotPaired(t *testing.T) {
	t.Parallel()
	l := newLobby(t)
	alice, ac := l.player("alice", "gpt-5")
	bob, bc := l.player("bob", "claude-3")
	l.join(alice, ac, arena.AgentsOnly)
	l.join(bob, bc, arena.AgentsOnly)
	l.update(func(tx *store.Tx) error { return tx.SetAgentStatus(bob.ID, arena.AgentFrozen) })
	if n := l.wave(); n != 0 {
		t.Errorf("%d games", n)
	}
}
