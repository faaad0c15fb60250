package archive

import (
	"encoding/json"
	"fmt"
	"time"

	"chessarena/arena"
	"chessarena/rules"
)

// Shift is time that a running turn was given back.
type Shift struct {
	At     time.Time         `json:"at"`
	Ply    int               `json:"ply"` // moves made by then
	ByS    float64           `json:"by_s"`
	Reason arena.ShiftReason `json:"reason"`
	Words  string            `json:"words"` // the same as a sentence
}

// why says in a few words what a reason means.
var why = map[arena.ShiftReason]string{
	arena.ShiftRestart: "the arena was not running",
	arena.ShiftAway:    "the arena's machine slept, or its clock was set",
	arena.ShiftStorage: "the arena could not store moves",
}

// shifts lists the movements of the game's clocks, in order.
func (r *record) shifts() []Shift {
	list := []Shift{}
	for _, e := range r.events {
		var data arena.ShiftData
		if e.Kind != arena.EventShift || json.Unmarshal(e.Data, &data) != nil {
			continue
		}
		by := (time.Duration(data.ByMS) * time.Millisecond).Round(time.Second)
		list = append(list, Shift{
			At: e.At.UTC(), Ply: e.Ply, ByS: float64(data.ByMS) / 1000, Reason: data.Reason,
			Words: fmt.Sprintf("clock moved by %s: %s", by, why[data.Reason]),
		})
	}
	return list
}

// annotate writes the shifts into a PGN's comments, after the move they followed.
func annotate(g *rules.Game, shifts []Shift) {
	for _, s := range shifts {
		comment := &g.Comment
		if s.Ply > 0 {
			comment = &g.Moves[s.Ply-1].Comment
		}
		if *comment != "" {
			*comment += "; "
		}
		*comment += s.Words
	}
}
