package archive

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"chessarena/arena"
	"chessarena/rules"
)

// Verdict is what a replay of a game's log found.
type Verdict struct {
	OK      bool    `json:"ok"`      // every check holds
	Entries int     `json:"entries"` // of the log
	Checks  []Check `json:"checks"`
}

// Check is one thing that was compared. Of faults the first is told.
type Check struct {
	Name     string `json:"name"`
	Compared string `json:"compared"` // what with what, and how often
	OK       bool   `json:"ok"`
	Fault    string `json:"fault,omitempty"` // with the number of the entry
}

// The checks, in the order of a Verdict.
const (
	checkChain = iota
	checkOrder
	checkStart
	checkMoves
	checkClock
	checkAttempts
	checkOffers
	checkEnd
	checkVerdict
	checkCount
)

var checkNames = [checkCount]string{"hash chain", "order", "start", "moves", "clock", "illegal attempts", "draw offers", "end", "board verdict"}

// Verify replays a log through the rules and the clock. It needs nothing but the log,
// so it says the same here and on anybody's own machine: that the log was not altered
// after it was written, and that the game it tells was played and decided by the rules.
// A log of a running game is judged as far as it goes.
func Verify(log []arena.LogEntry) Verdict {
	v := verifier{offered: [2]int{-1, -1}}
	for i := range log {
		v.entry(log, i)
	}
	if len(log) == 0 {
		v.fault(checkStart, 0, "the log is empty")
	}
	out := Verdict{OK: true, Entries: len(log)}
	for i, name := range checkNames {
		c := Check{Name: name, Compared: v.compared(i), OK: v.faults[i] == "", Fault: v.faults[i]}
		out.OK = out.OK && c.OK
		out.Checks = append(out.Checks, c)
	}
	return out
}

// verifier is the game as far as the log has been replayed.
type verifier struct {
	faults [checkCount]string
	counts [checkCount]int

	created  arena.CreatedData
	replay   *rules.Replay // nil until the first entry was read
	pace     arena.TimeControl
	clock    arena.Clock
	attempts int // on this ply
	offered  [2]int
	finished *arena.FinishedData
	judged   bool
	lastAt   int64
}

func (v *verifier) fault(check, seq int, format string, args ...any) {
	if v.faults[check] == "" {
		v.faults[check] = fmt.Sprintf("entry %d: ", seq) + fmt.Sprintf(format, args...)
	}
}

// holds counts a comparison and notes its fault when it fails.
func (v *verifier) holds(check, seq int, ok bool, format string, args ...any) {
	v.counts[check]++
	if !ok {
		v.fault(check, seq, format, args...)
	}
}

// entry replays one line of the log.
func (v *verifier) entry(log []arena.LogEntry, i int) {
	e := log[i]
	var before arena.LogHash
	if i > 0 {
		before = log[i-1].Hash
	}
	v.holds(checkChain, e.Seq, e.Link(before) == e.Hash, "its hash does not follow from what it says and the hash before it")
	v.holds(checkOrder, e.Seq, e.Seq == i+1, "it stands at place %d", i+1)
	v.holds(checkOrder, e.Seq, e.At >= v.lastAt, "it is older than the one before")
	v.lastAt = max(v.lastAt, e.At)
	if i == 0 {
		v.begin(e)
		return
	}
	if v.replay == nil {
		return // without a start nothing else can be judged
	}
	v.holds(checkOrder, e.Seq, e.Ply == v.replay.Ply(), "it names ply %d, the game is at %d", e.Ply, v.replay.Ply())
	if v.finished != nil && e.Kind != arena.EventAdjudicated {
		v.fault(checkEnd, e.Seq, "the game was over before it")
		return
	}
	at := time.UnixMilli(e.At)
	switch e.Kind {
	case arena.EventMove:
		v.move(e, at)
	case arena.EventIllegal:
		v.attempt(e, at)
	case arena.EventOffer:
		v.offer(e, at)
	case arena.EventShift:
		v.shift(e, at)
	case arena.EventUnrated:
		var data arena.UnratedData
		v.read(checkOrder, e, &data)
	case arena.EventFinished:
		v.end(e, at)
	case arena.EventAdjudicated:
		v.adjudicated(e)
	default:
		v.fault(checkOrder, e.Seq, "its kind %s is unknown", arena.Quote(string(e.Kind)))
	}
}

// read decodes an entry's data strictly: a member that does not belong there could
// hide a change from a reader.
func (v *verifier) read(check int, e arena.LogEntry, data any) bool {
	dec := json.NewDecoder(strings.NewReader(string(e.Data)))
	dec.DisallowUnknownFields()
	err := dec.Decode(data)
	v.holds(check, e.Seq, err == nil, "its data cannot be read as %s", e.Kind)
	return err == nil
}

func (v *verifier) begin(e arena.LogEntry) {
	v.holds(checkStart, e.Seq, e.Kind == arena.EventCreated, "a log begins with %s", arena.EventCreated)
	if e.Kind != arena.EventCreated || !v.read(checkStart, e, &v.created) {
		return
	}
	start, err := rules.ParseFEN(v.created.FEN)
	v.holds(checkStart, e.Seq, err == nil, "the position is not legal")
	if err != nil {
		return
	}
	replay, err := rules.ReplayUCI(start, v.created.Book)
	v.holds(checkStart, e.Seq, err == nil, "the opening's moves are not legal")
	if err != nil {
		return
	}
	v.replay = replay
	v.holds(checkStart, e.Seq, e.Ply == replay.Ply(), "it names ply %d, the opening has %d", e.Ply, replay.Ply())
	ms := time.Millisecond
	v.pace = arena.TimeControl{
		Soft: time.Duration(v.created.SoftMS) * ms, Bank: time.Duration(v.created.BankMS) * ms, HardCap: time.Duration(v.created.HardCapMS) * ms,
	}
	v.clock = v.pace.Start(time.UnixMilli(e.At))
}

// turn is the side to move.
func (v *verifier) turn() rules.Color { return v.replay.Position().Turn() }

// inTime checks that the side to move had not run out of time at a deed.
func (v *verifier) inTime(seq int, at time.Time) {
	v.holds(checkClock, seq, !at.After(v.clock.Flag(v.pace, v.turn())), "%s had run out of time before it", v.turn())
}

func (v *verifier) move(e arena.LogEntry, at time.Time) {
	var m arena.MoveData
	if !v.read(checkMoves, e, &m) {
		return
	}
	v.inTime(e.Seq, at)
	think := max(0, at.Sub(v.clock.TurnStarted))
	v.holds(checkClock, e.Seq, think.Milliseconds() == m.ThinkMS, "it took %d ms by the clock and %d by the log", think.Milliseconds(), m.ThinkMS)
	clock, over := v.clock.Charge(v.pace, v.turn(), at)
	v.holds(checkClock, e.Seq, m.OverSoft == (over > 0), "over the soft deadline: %v by the clock, %v by the log", over > 0, m.OverSoft)
	v.clock, v.attempts = clock, 0
	v.holds(checkMoves, e.Seq, m.Side == v.turn(), "%s moves on %s's turn", m.Side, v.turn())
	v.holds(checkEnd, e.Seq, v.replay.Ending(v.created.MaxPlies) == "" || v.replay.Ply() == len(v.created.Book), "the game was over on the board before it")
	for _, move := range v.replay.Position().Legal() {
		if move.UCI() == m.UCI {
			v.replay = v.replay.Push(move)
			_, san := v.replay.LastMove()
			v.holds(checkMoves, e.Seq, san == m.SAN, "%s is written %s", san, arena.Quote(m.SAN))
			return
		}
	}
	v.holds(checkMoves, e.Seq, false, "%s is not a legal move", arena.Quote(m.UCI))
}

// attempt checks a counted illegal attempt. Its text is public in part; where it is
// whole it is read again and must be refused for the same reason.
func (v *verifier) attempt(e arena.LogEntry, at time.Time) {
	var a arena.IllegalData
	if !v.read(checkAttempts, e, &a) {
		return
	}
	v.inTime(e.Seq, at)
	v.attempts++
	v.holds(checkAttempts, e.Seq, a.Side == v.turn(), "%s tries on %s's turn", a.Side, v.turn())
	v.holds(checkAttempts, e.Seq, a.Attempt == v.attempts, "it is attempt %d on this ply, the log says %d", v.attempts, a.Attempt)
	v.holds(checkAttempts, e.Seq, v.attempts <= v.created.IllegalMax, "there were %d attempts already", v.created.IllegalMax)
	whole := len(a.Text) < 16 && !strings.Contains(a.Text, "?")
	if _, refusal := v.replay.Position().Resolve(a.Text); whole && (refusal == nil || refusal.Reason != a.Reason) {
		v.holds(checkAttempts, e.Seq, false, "%s is not refused as %s", arena.Quote(a.Text), a.Reason)
	}
}

func (v *verifier) offer(e arena.LogEntry, at time.Time) {
	var o arena.OfferData
	if !v.read(checkOffers, e, &o) {
		return
	}
	v.inTime(e.Seq, at)
	v.holds(checkOffers, e.Seq, v.offered[o.Side] != e.Ply, "%s's offer stood already", o.Side)
	v.offered[o.Side] = e.Ply
}

func (v *verifier) shift(e arena.LogEntry, at time.Time) {
	var s arena.ShiftData
	if !v.read(checkClock, e, &s) {
		return
	}
	v.clock.TurnStarted = v.clock.TurnStarted.Add(time.Duration(s.ByMS) * time.Millisecond)
	v.holds(checkClock, e.Seq, !v.clock.TurnStarted.After(at), "the turn would begin after it")
}
