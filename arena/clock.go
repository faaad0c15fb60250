package arena

import (
	"time"

	"chessarena/rules"
)

// TimeControl is the pace of a game: each move has a soft deadline; time beyond it
// comes out of that side's bank, which lasts the whole game; no move may take longer
// than the hard cap.
type TimeControl struct {
	Soft, Bank, HardCap time.Duration
}

// Clock is the state of both clocks between two moves. It is a value: a move makes
// the next clock out of this one.
type Clock struct {
	TurnStarted time.Time
	Bank        [2]time.Duration // left, by colour
}

// Start returns the clock of a game whose first turn begins at now.
func (tc TimeControl) Start(now time.Time) Clock {
	return Clock{TurnStarted: now, Bank: [2]time.Duration{tc.Bank, tc.Bank}}
}

// SoftDeadline is the moment from which the side to move spends its bank.
func (c Clock) SoftDeadline(tc TimeControl) time.Time { return c.TurnStarted.Add(tc.Soft) }

// Flag is the moment at which side forfeits if it has not moved: its bank is empty or
// the hard cap is reached, whichever comes first.
func (c Clock) Flag(tc TimeControl, side rules.Color) time.Time {
	return c.TurnStarted.Add(min(tc.HardCap, tc.Soft+c.Bank[side]))
}

// Charge ends side's turn at now: it returns the clock with the opponent's turn begun
// and how far the move was over its soft deadline (0 when in time). The bank never
// goes below zero, and a wall clock that stepped back costs nothing.
func (c Clock) Charge(tc TimeControl, side rules.Color, now time.Time) (Clock, time.Duration) {
	over := max(0, now.Sub(c.SoftDeadline(tc)))
	c.Bank[side] = max(0, c.Bank[side]-over)
	c.TurnStarted = now
	return c, over
}
