package arena_test

import (
	"testing"
	"time"

	"chessarena/arena"
	"chessarena/rules"
)

// pace is the default: 3 minutes a move, 20 minutes of bank, at most 15 minutes a move.
var pace = arena.TimeControl{Soft: 3 * time.Minute, Bank: 20 * time.Minute, HardCap: 15 * time.Minute}

func TestClockStart(t *testing.T) {
	c := pace.Start(at)
	if !c.TurnStarted.Equal(at) || c.Bank != [2]time.Duration{20 * time.Minute, 20 * time.Minute} {
		t.Errorf("Start = %+v", c)
	}
	if got := c.SoftDeadline(pace); !got.Equal(at.Add(3 * time.Minute)) {
		t.Errorf("SoftDeadline = %v", got)
	}
}

func TestClockFlag(t *testing.T) {
	for _, c := range []struct {
		name string
		bank time.Duration
		want time.Duration // after the turn's start
	}{
		{"a full bank: the hard cap comes first", 20 * time.Minute, 15 * time.Minute},
		{"3 + 12 minutes: both at once", 12 * time.Minute, 15 * time.Minute},
		{"a small bank: soft deadline and bank", 5 * time.Minute, 8 * time.Minute},
		{"an empty bank: the soft deadline", 0, 3 * time.Minute},
	} {
		t.Run(c.name, func(t *testing.T) {
			clock := arena.Clock{TurnStarted: at, Bank: [2]time.Duration{rules.White: c.bank, rules.Black: time.Hour}}
			if got := clock.Flag(pace, rules.White).Sub(at); got != c.want {
				t.Errorf("flag after %v, want %v", got, c.want)
			}
		})
	}
}

func TestClockCharge(t *testing.T) {
	for _, c := range []struct {
		name               string
		bank, took         time.Duration
		wantBank, wantOver time.Duration
	}{
		{"in time costs nothing", 20 * time.Minute, 2 * time.Minute, 20 * time.Minute, 0},
		{"on the deadline costs nothing", 20 * time.Minute, 3 * time.Minute, 20 * time.Minute, 0},
		{"a millisecond over costs a millisecond", 20 * time.Minute, 3*time.Minute + time.Millisecond, 20*time.Minute - time.Millisecond, time.Millisecond},
		{"ten minutes cost seven", 20 * time.Minute, 10 * time.Minute, 13 * time.Minute, 7 * time.Minute},
		{"the bank ends at zero", 2 * time.Minute, 10 * time.Minute, 0, 7 * time.Minute},
		{"a clock that stepped back costs nothing", 20 * time.Minute, -time.Hour, 20 * time.Minute, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := arena.Clock{TurnStarted: at, Bank: [2]time.Duration{rules.White: 9 * time.Minute, rules.Black: c.bank}}
			now := at.Add(c.took)
			after, over := before.Charge(pace, rules.Black, now)
			if over != c.wantOver || after.Bank[rules.Black] != c.wantBank {
				t.Errorf("over %v, bank %v; want %v, %v", over, after.Bank[rules.Black], c.wantOver, c.wantBank)
			}
			if after.Bank[rules.White] != 9*time.Minute || !after.TurnStarted.Equal(now) {
				t.Errorf("the opponent has %v from %v, want 9m from %v", after.Bank[rules.White], after.TurnStarted, now)
			}
			if before.Bank[rules.Black] != c.bank || !before.TurnStarted.Equal(at) {
				t.Error("Charge changed the clock it was called on")
			}
		})
	}
}

func TestClockOverAWholeGame(t *testing.T) {
	// White takes 4, 3 and 5 minutes: 1 + 0 + 2 over. Black is always in time.
	c, now := pace.Start(at), at
	for _, took := range []time.Duration{4 * time.Minute, time.Minute, 3 * time.Minute, time.Minute, 5 * time.Minute} {
		side := rules.White
		if took == time.Minute {
			side = rules.Black
		}
		now = now.Add(took)
		c, _ = c.Charge(pace, side, now)
	}
	if c.Bank != [2]time.Duration{rules.White: 17 * time.Minute, rules.Black: 20 * time.Minute} || !c.TurnStarted.Equal(at.Add(14*time.Minute)) {
		t.Errorf("clock = %+v", c)
	}
}
