package archive

import (
	"fmt"
	"time"

	"chessarena/arena"
	"chessarena/rules"
)

// end checks that the game ended when, how and for whom the rules say.
func (v *verifier) end(e arena.LogEntry, at time.Time) {
	var f arena.FinishedData
	if !v.read(checkEnd, e, &f) {
		return
	}
	v.finished = &f
	v.holds(checkEnd, e.Seq, f.FEN == v.replay.Position().FEN(), "the last position is not the one that was reached")
	board := v.replay.Ending(v.created.MaxPlies)
	if v.replay.Ply() == len(v.created.Book) {
		board = "" // nobody has moved: a start may be drawn by its counters alone
	}
	v.holds(checkEnd, e.Seq, board == "" || f.Termination == arena.Termination(board) || f.Termination == arena.ByAdmin,
		"the board says %s, the log %s", board, f.Termination)
	wrong := v.ending(f, at, board)
	v.holds(checkEnd, e.Seq, wrong == "", "%s", wrong)
}

// ending says what is wrong with an end; "" when nothing is.
func (v *verifier) ending(f arena.FinishedData, at time.Time, board rules.Ending) string {
	want := verdictOf{status: arena.Finished, result: arena.Draw}
	side := v.turn()
	switch f.Termination {
	case arena.ByAdmin:
		want = verdictOf{arena.Void, arena.NoResult, nil}
	case arena.Resignation:
		if f.Result == arena.WhiteWins || f.Result == arena.BlackWins {
			want.result = f.Result // either side may resign at any time
		} else {
			return "a resignation has a winner"
		}
	case arena.DrawAgreed:
		if v.offered[0] != v.replay.Ply() && v.offered[1] != v.replay.Ply() {
			return "a draw was agreed and none was offered"
		}
	case arena.IllegalMoves:
		if v.attempts != v.created.IllegalMax {
			return fmt.Sprintf("lost by illegal moves after %d of %d attempts", v.attempts, v.created.IllegalMax)
		}
		want = verdictOf{arena.Finished, arena.WinFor(side.Other()), &side}
	case arena.Timeout:
		if !at.After(v.clock.Flag(v.pace, side)) {
			return fmt.Sprintf("%s's flag had not fallen", side)
		}
		want = v.outOfTime(side)
	default:
		if board == "" || f.Termination != arena.Termination(board) {
			return fmt.Sprintf("the board does not say %s", arena.Quote(string(f.Termination)))
		}
		if winner, ok := v.replay.Winner(); ok {
			want.result = arena.WinFor(winner)
		}
	}
	got := verdictOf{f.Status, f.Result, f.ForfeitSide}
	if !got.equal(want) {
		return fmt.Sprintf("it should be %s, the log says %s", want, got)
	}
	return ""
}

// outOfTime is how a game ends when side's flag falls (DESIGN §3).
func (v *verifier) outOfTime(side rules.Color) verdictOf {
	switch {
	case v.replay.Ply()-len(v.created.Book) < arena.EarlyPlies:
		return verdictOf{arena.Void, arena.NoResult, &side}
	case !v.replay.Position().CanMate(side.Other()):
		return verdictOf{arena.Finished, arena.Draw, &side}
	}
	return verdictOf{arena.Finished, arena.WinFor(side.Other()), &side}
}

// verdictOf is the outcome of a game as two sources state it.
type verdictOf struct {
	status  arena.Status
	result  arena.Result
	forfeit *rules.Color
}

func (a verdictOf) equal(b verdictOf) bool {
	same := a.forfeit == nil && b.forfeit == nil || a.forfeit != nil && b.forfeit != nil && *a.forfeit == *b.forfeit
	return same && a.status == b.status && a.result == b.result
}

func (a verdictOf) String() string {
	if a.forfeit != nil {
		return fmt.Sprintf("%s %s, forfeited by %s", a.status, a.result, *a.forfeit)
	}
	return fmt.Sprintf("%s %s", a.status, a.result)
}

// lostAt is where a position counts as lost, in centipawns (DESIGN §3).
const lostAt = -300

// adjudicated checks that the verdict on a forfeit follows from its evaluation.
func (v *verifier) adjudicated(e arena.LogEntry) {
	var a arena.AdjudicatedData
	if !v.read(checkVerdict, e, &a) {
		return
	}
	ok := v.finished != nil && v.finished.ForfeitSide != nil && v.finished.Result != arena.Draw
	v.holds(checkVerdict, e.Seq, ok, "there is no forfeit to judge")
	v.holds(checkVerdict, e.Seq, !v.judged, "the game was judged before")
	v.judged = true
	var lost bool
	switch {
	case a.Mate != nil && a.CP == nil:
		lost = *a.Mate < 0
	case a.CP != nil && a.Mate == nil:
		lost = *a.CP <= lostAt
	default:
		v.holds(checkVerdict, e.Seq, false, "it has not exactly one of cp and mate")
		return
	}
	v.holds(checkVerdict, e.Seq, lost == a.Counts, "the evaluation says lost: %v, the log counts it: %v", lost, a.Counts)
}

// compared says what a check held against what.
func (v *verifier) compared(check int) string {
	what := [checkCount]string{
		"each entry's hash with the entry and the hash before it",
		"places, times and plies with those before",
		"the start and the opening with the rules",
		"each move and its notation with the legal moves",
		"thinking times, deadlines and banks with the clock, absences given back",
		"each illegal attempt with the rules and the count",
		"each draw offer with the one before",
		"the end with board, clock and counts",
		"the board track's verdict with its evaluation",
	}[check]
	return fmt.Sprintf("%s (%d comparisons)", what, v.counts[check])
}
