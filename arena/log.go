package arena

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"chessarena/rules"
)

// EventKind names an entry of a game's log.
type EventKind string

// The kinds of entry. Moves are kept in the history of the game and become entries
// when the log is read; the others are stored as they are.
const (
	EventCreated     EventKind = "created"
	EventMove        EventKind = "move"
	EventIllegal     EventKind = "illegal_attempt"
	EventOffer       EventKind = "draw_offer"
	EventShift       EventKind = "clock_shift"
	EventUnrated     EventKind = "unrated"
	EventFinished    EventKind = "finished"
	EventAdjudicated EventKind = "adjudicated"
)

// Event is one thing that happened in a game besides its moves. Seq orders the events
// of one game, from 1.
type Event struct {
	Seq  int
	At   time.Time
	Ply  int
	Kind EventKind
	Data json.RawMessage // one of the …Data types below, as JSON
}

// NewEvent makes an event of data, which must be the type that goes with kind.
func NewEvent(at time.Time, ply int, kind EventKind, data any) Event {
	text, err := json.Marshal(data)
	if err != nil {
		panic(fmt.Sprintf("event %s: %v", kind, err)) // plain structs only
	}
	return Event{At: at, Ply: ply, Kind: kind, Data: text}
}

// CreatedData opens a log with everything that the verdict on a game hangs on.
type CreatedData struct {
	GameID     GameID   `json:"game_id"`
	White      SeatData `json:"white"`
	Black      SeatData `json:"black"`
	FEN        string   `json:"fen"`
	Opening    *Opening `json:"opening"`
	Book       []string `json:"book"` // UCI
	Rated      bool     `json:"rated"`
	SoftMS     int64    `json:"soft_ms"`
	BankMS     int64    `json:"bank_ms"`
	HardCapMS  int64    `json:"hard_cap_ms"`
	IllegalMax int      `json:"illegal_max"`
	MaxPlies   int      `json:"max_plies"`
}

// SeatData is a player in a log.
type SeatData struct {
	Nickname    Nickname    `json:"nickname"`
	Fingerprint Fingerprint `json:"fingerprint"`
	BucketKey   BucketKey   `json:"bucket_key"`
	Model       string      `json:"model"`
}

// MoveData is a move in a log; the entry's ply is the one before the move.
type MoveData struct {
	Side     rules.Color `json:"side"`
	UCI      string      `json:"uci"`
	SAN      string      `json:"san"`
	ThinkMS  int64       `json:"think_ms"`
	OverSoft bool        `json:"over_soft_deadline"`
}

// IllegalData is an attempt that was no legal move. Text is public in part only.
type IllegalData struct {
	Side    rules.Color  `json:"side"`
	Text    string       `json:"text"`
	Reason  rules.Reason `json:"reason"`
	Attempt int          `json:"attempt"` // on this ply, from 1
}

// OfferData is a draw offer.
type OfferData struct {
	Side rules.Color `json:"side"`
}

// ShiftData is a movement of the running turn's start, because for that long the arena
// could not take a move.
type ShiftData struct {
	ByMS   int64       `json:"by_ms"`
	Reason ShiftReason `json:"reason"`
}

// ShiftReason says why clocks were moved.
type ShiftReason string

// The reasons.
const (
	ShiftRestart ShiftReason = "restart" // the arena was stopped, or had died
	ShiftAway    ShiftReason = "away"    // the machine slept, or its clock was set
	ShiftStorage ShiftReason = "storage" // the disk took no moves
)

// UnratedData says why a game that began as a rated one does not count: the player of
// one side had to be replaced in the middle of it.
type UnratedData struct {
	Side rules.Color `json:"side"`
	Why  string      `json:"why"`
}

// FinishedData is the end of a game.
type FinishedData struct {
	Status      Status       `json:"status"`
	Result      Result       `json:"result"`
	Termination Termination  `json:"termination"`
	ForfeitSide *rules.Color `json:"forfeit_side"`
	FEN         string       `json:"fen"`
	Why         string       `json:"why,omitempty"` // an operator's reason
}

// AdjudicatedData says whether a forfeited game counts on the board track, and from
// which evaluation of its last position.
type AdjudicatedData struct {
	Counts bool   `json:"counts_on_board"`
	CP     *int   `json:"cp,omitempty"`   // centipawns, from the forfeiting side's view
	Mate   *int   `json:"mate,omitempty"` // moves to mate, negative when that side is mated
	Engine string `json:"engine"`
	Nodes  int    `json:"nodes"`
}

// LogHash is the hash of a log up to an entry.
type LogHash [sha256.Size]byte

// MarshalText writes the hash in hex.
func (h LogHash) MarshalText() ([]byte, error) { return []byte(hex.EncodeToString(h[:])), nil }

// UnmarshalText reads what MarshalText wrote.
func (h *LogHash) UnmarshalText(text []byte) error {
	if len(text) != 2*len(h) {
		return fmt.Errorf("a hash has %d hex digits", 2*len(h))
	}
	_, err := hex.Decode(h[:], text)
	return err
}

// LogEntry is one line of a game's log as it is published. The log is append-only:
// Hash covers the entry and, through the hash before it, all earlier ones.
type LogEntry struct {
	Seq  int             `json:"seq"` // from 1
	At   int64           `json:"at_ms"`
	Ply  int             `json:"ply"`
	Kind EventKind       `json:"kind"`
	Data json.RawMessage `json:"data"`
	Hash LogHash         `json:"hash"`
}

// Link returns the hash of an entry that follows one with the hash before; the first
// entry follows the zero hash. It is sha256 of the 32 bytes of before and the JSON of
// the entry without its hash: members seq, at_ms, ply, kind, data in this order and
// no spaces.
func (e LogEntry) Link(before LogHash) LogHash {
	text, err := json.Marshal(struct {
		Seq  int             `json:"seq"`
		At   int64           `json:"at_ms"`
		Ply  int             `json:"ply"`
		Kind EventKind       `json:"kind"`
		Data json.RawMessage `json:"data"`
	}{e.Seq, e.At, e.Ply, e.Kind, e.Data})
	if err != nil {
		return LogHash{} // data is no JSON: no chain holds
	}
	return sha256.Sum256(append(before[:], text...))
}

// LogHead is where a log ends: how many entries it has, and the hash of the last.
type LogHead struct {
	Len  int
	Hash LogHash
}

// Append returns the head after one more event, and the entry it became.
func (h LogHead) Append(e Event) (LogHead, LogEntry) {
	entry := LogEntry{Seq: h.Len + 1, At: e.At.UnixMilli(), Ply: e.Ply, Kind: e.Kind, Data: e.Data}
	entry.Hash = entry.Link(h.Hash)
	return LogHead{entry.Seq, entry.Hash}, entry
}

// MoveEvent is the event of a move that side made at ply.
func MoveEvent(side rules.Color, ply int, m Move) Event {
	return NewEvent(m.At, ply, EventMove, MoveData{
		Side: side, UCI: m.UCI, SAN: m.SAN, ThinkMS: m.Think.Milliseconds(), OverSoft: m.OverSoft,
	})
}

// Log puts a game's moves and events back into the order in which they happened. At
// one ply the events come before the move, since a move ends its ply. Book moves stand
// in the first entry.
func Log(g *Game, moves []Move, events []Event) []LogEntry {
	var head LogHead
	log := make([]LogEntry, 0, len(moves)+len(events))
	add := func(e Event) {
		var entry LogEntry
		head, entry = head.Append(e)
		log = append(log, entry)
	}
	side := g.first()
	if g.Book%2 == 1 {
		side = side.Other()
	}
	next := 0
	for ply := g.Book; ply <= len(moves); ply++ {
		for ; next < len(events) && events[next].Ply <= ply; next++ {
			add(events[next])
		}
		if ply < len(moves) {
			add(MoveEvent(side, ply, moves[ply]))
			side = side.Other()
		}
	}
	return log
}
