package matchmaker_test

import (
	"testing"

	"chessarena/arena"
	"chessarena/rules"
)

func TestTwentyRounds(t *testing.T) {
	t.Parallel()
	l := newLobby(t)
	alice, ac := l.player("alice", "gpt-5")
	bob, bc := l.player("bob", "claude-sonnet-5")
	seen := make(map[string]bool)
	lines := make(map[string]int)
	var last string
	for round := range 20 {
		l.join(alice, ac, arena.AgentsOnly)
		l.join(bob, bc, arena.AgentsOnly)
		if n := l.wave(); n != 1 {
			t.Fatalf("round %d: %d games", round, n)
		}
		m := l.matched(alice, ac)
		g, line := l.game(m.GameID)
		if !g.Rated || line == "" || g.Open == nil || g.Open.Name == "" {
			t.Errorf("round %d: %+v from %q", round, g.Open, line)
		}
		if white := g.Seats[rules.White].NicknameID == alice.ID; round%2 == 1 && white == seen[last+"w"] {
			t.Errorf("round %d: colours do not alternate", round)
		}
		key := line + m.Color.String()[:1]
		if seen[key] {
			t.Errorf("round %d: %s was played with these colours", round, line)
		}
		if round%2 == 1 && line != last {
			t.Errorf("round %d opens with %s, the one before with %s", round, line, last)
		}
		seen[key], last = true, line
		lines[line]++
		l.resign([]arena.Agent{alice, bob}[round/2%2], m.GameID)
	}
	if len(lines) != 10 {
		t.Errorf("%d lines in 10 opening pairs", len(lines))
	}
	for line, n := range lines {
		if n != 2 {
			t.Errorf("%s was played %d times", line, n)
		}
	}
	var owed []int64
	l.update(func(tx storeTx) error {
		for id := int64(1); id <= 20; id++ {
			first, err := tx.ReturnOf(id)
			if err != nil {
				return err
			}
			owed = append(owed, first)
		}
		return nil
	})
	for i, first := range owed {
		if want := int64(i%2) * int64(i); first != want {
			t.Errorf("game %d completes the pair of %d, want %d", i+1, first, want)
		}
	}
}

func TestAVoidGameIsPlayedAgainWithItsColours(t *testing.T) {
	t.Parallel()
	l := newLobby(t)
	alice, ac := l.player("alice", "gpt-5")
	bob, bc := l.player("bob", "claude-sonnet-5")
	next := func() (arena.GameID, rules.Color, string) {
		l.join(alice, ac, arena.AgentsOnly)
		l.join(bob, bc, arena.AgentsOnly)
		l.wave()
		m := l.matched(alice, ac)
		_, line := l.game(m.GameID)
		return m.GameID, m.Color, line
	}
	first, color, line := next()
	l.void(first)
	again, color2, line2 := next()
	if color2 != color || line2 != line {
		t.Errorf("%s with %s was void, and then came %s with %s", line, color, line2, color2)
	}
	l.resign(bob, again)
	back, color3, line3 := next()
	if color3 == color || line3 != line {
		t.Errorf("the second game: %s with %s, want %s with the other colour", line3, color3, line)
	}
	l.void(back)
	_, color4, line4 := next()
	if color4 != color3 || line4 != line {
		t.Errorf("the second game again: %s with %s", line4, color4)
	}
}

func TestConfigurationsOfOneNicknameNeverMeet(t *testing.T) {
	t.Parallel()
	l := newLobby(t)
	alice, _ := l.player("alice", "model-a")
	var configs []int64
	for _, model := range models(4) {
		_, c := l.player("alice", model)
		configs = append(configs, c)
		l.join(alice, c, arena.AgentsOnly)
	}
	for range 20 {
		if n := l.wave(); n != 0 {
			t.Fatalf("%d games among themselves", n)
		}
	}
	bob, bc := l.player("bob", "gpt-5")
	l.join(bob, bc, arena.AgentsOnly)
	if n := l.wave(); n != 1 {
		t.Errorf("%d games when another came", n)
	}
	if m := l.matched(bob, bc); m.State.Opponent.Nickname != "alice" {
		t.Errorf("bob plays %s", m.State.Opponent.Nickname)
	}
	if len(configs) != 4 {
		t.Fatal(configs)
	}
}

func TestOneBucketOfTwoNicknamesMayMeetItself(t *testing.T) {
	t.Parallel()
	l := newLobby(t)
	alice, ac := l.player("alice", "gpt-5")
	bob, bc := l.player("bob", "gpt-5")
	for range 6 {
		l.join(alice, ac, arena.AgentsOnly)
		l.join(bob, bc, arena.AgentsOnly)
		if n := l.wave(); n != 1 {
			t.Fatalf("%d games", n)
		}
		l.resign(alice, l.matched(alice, ac).GameID)
	}
}

func TestAnchorsAreForThoseWhoWantThem(t *testing.T) {
	t.Parallel()
	l := newLobby(t)
	l.settings.BotFallback = 0
	l.open()
	l.anchor("house-random", -340)
	l.anchor("house-low", 500)
	l.anchor("house-high", 1500)
	alice, ac := l.player("alice", "gpt-5")
	bob, bc := l.player("bob", "gpt-4")
	carol, cc := l.player("carol", "claude-3")
	l.join(alice, ac, arena.AnyOpponents)
	l.join(bob, bc, arena.AgentsOnly)
	l.join(carol, cc, arena.AnchorsOnly)
	if n := l.wave(); n != 2 {
		t.Fatalf("%d games, want 2: alice is new, carol asked for it", n)
	}
	m := l.matched(alice, ac)
	if g, _ := l.game(m.GameID); m.State.Opponent.Nickname != "house" || !g.Rated {
		t.Errorf("alice plays %s", m.State.Opponent.Nickname)
	}
	if m := l.matched(carol, cc); m.State.Opponent.Nickname != "house" {
		t.Errorf("carol plays %s", m.State.Opponent.Nickname)
	}
	l.resign(alice, m.GameID)
	var bucket arena.Bucket
	l.update(func(tx storeTx) (err error) {
		entry, err := tx.Entry(ac)
		bucket = entry.Bucket
		return err
	})
	if bucket.Record.Games != 1 || bucket.All.R >= 1000 {
		t.Errorf("after losing to an anchor: %+v", bucket)
	}
}
