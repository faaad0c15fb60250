package house

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"chessarena/arena/engine"
	"chessarena/store"
)

// Measuring is how the strength of the house's players is measured on this host.
type Measuring struct {
	Pool  *engine.Pool
	Book  [][]string // opening lines in UCI
	Games int        // of each pairing
	Reach int        // neighbours on each side that a rung meets
	Procs int        // games at once
	// Anew measures all rungs against the one that the scale is fixed by. Otherwise only
	// those are measured of which nothing is known, against the others.
	Anew     bool
	Command  string // how it was called, for who wants to do it again
	Now      time.Time
	Progress func(done, total int)
}

// ErrKnown says that there is nothing to measure: every rung has a rating.
var ErrKnown = errors.New("every player of the house has a measured rating already")

// Measure plays the games and returns what they say, one calibration for each engine.
// Nothing is stored: see Keep. It takes minutes.
func Measure(ctx context.Context, db *store.DB, m Measuring) ([]Calibration, error) {
	var known []Calibration
	err := db.View(ctx, func(tx *store.Tx) (err error) {
		known, err = calibrations(tx)
		return err
	})
	if err != nil {
		return nil, err
	}
	t, err := m.tournament(known)
	if err != nil {
		return nil, err
	}
	pins, err := t.Play(ctx)
	if err != nil {
		return nil, err
	}
	return m.sort(t, pins), nil
}

// tournament is the games to play, given what is known.
func (m Measuring) tournament(known []Calibration) (Tournament, error) {
	t := Tournament{Rungs: Ladder(m.Pool), Book: m.Book, Games: m.Games, Reach: m.Reach, Procs: m.Procs, Seed: uint64(m.Now.UnixMilli()), Progress: m.Progress}
	hash := programHash(m.Pool)
	slices.SortStableFunc(t.Rungs, func(a, b Rung) int { return cmp.Compare(guess(a, known), guess(b, known)) })
	if m.Anew {
		t.Fixed = []Pin{{Name: RandomName, Elo: ReferenceElo}}
		return t, nil
	}
	for _, r := range t.Rungs {
		if _, p, ok := pinOf(r, hash, known); ok {
			t.Fixed = append(t.Fixed, p)
		}
	}
	if len(t.Fixed) == len(t.Rungs) {
		return t, ErrKnown
	}
	return t, nil
}

// guess is what a rung may be worth, to order the ladder before it is measured: what any
// calibration says of its name, whatever the engine's version.
func guess(r Rung, known []Calibration) float64 {
	for _, c := range known {
		for _, p := range c.Pins {
			if p.Name == r.Name {
				return p.Elo
			}
		}
	}
	return ReferenceElo
}

// sort makes calibrations of the pins that were measured, and of what fixed the scale.
func (m Measuring) sort(t Tournament, pins []Pin) (list []Calibration) {
	seats := 0
	for _, p := range pins {
		seats += p.Games
	}
	for i, p := range pins {
		place := slices.IndexFunc(t.Rungs, func(r Rung) bool { return r.Name == p.Name })
		if !m.Anew && t.fixed(place) != nil {
			continue
		}
		r := t.Rungs[place]
		at := slices.IndexFunc(list, func(c Calibration) bool { return slug(c.Engine) == r.Engine })
		if at < 0 {
			c := Calibration{
				Games: seats / 2, ID: m.Now.UTC().Format("20060102t150405"), Engine: engine.BuiltIn, Command: m.Command,
				Method: fmt.Sprintf("%d games a pairing with %d neighbours each side, both colours of each book line, cap %d plies; Bradley-Terry fit", t.Games+t.Games%2, t.Reach, maxPlies),
			}
			if r.Engine != slug(engine.BuiltIn) {
				c.Engine, c.Hash = m.Pool.Program().Name, m.Pool.Program().Hash
			}
			list, at = append(list, c), len(list)
		}
		list[at].Pins = append(list[at].Pins, pins[i])
	}
	return list
}

// Keep stores calibrations. A server takes them up at its next start, as rungs of their
// own: what was pinned before stays.
func Keep(ctx context.Context, db *store.DB, list []Calibration) error {
	return db.Update(ctx, func(tx *store.Tx) error {
		for _, c := range list {
			spec, err := json.Marshal(c)
			if err != nil {
				return err
			}
			if err := tx.AddCalibration(spec); err != nil {
				return fmt.Errorf("keep a calibration: %w", err)
			}
		}
		return nil
	})
}
