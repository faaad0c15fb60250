package house

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"chessarena/arena/engine"
	"chessarena/assets"
	"chessarena/rules"
)

// Of 300 games between two rungs the stronger makes 192 points. By arithmetic that is
// 400·log10(192/108) = 99.9 points, and the standard error is that of a score of .64:
// sqrt(.64·.36/300) / (.64·.36·ln 10/400) = 20.9.
func TestTheFitOfACalibration(t *testing.T) {
	tour := Tournament{Rungs: []Rung{{Name: "low"}, {Name: "high"}}, Fixed: []Pin{{Name: "low", Elo: -340}}}
	var results []result
	for i := range 300 {
		r := result{white: i % 2, black: 1 - i%2} // high has White in every second game
		if won := i < 192; won == (r.white == 1) {
			r.score = 1
		}
		results = append(results, r)
	}
	pins, err := tour.fit(results)
	if err != nil || len(pins) != 2 {
		t.Fatalf("%v, %v", pins, err)
	}
	if pins[0].Elo != -340 || pins[0].SE != 0 || pins[0].Games != 300 {
		t.Errorf("the fixed rung: %+v", pins[0])
	}
	if math.Abs(pins[1].Elo-(-340+99.9)) > 2 || math.Abs(pins[1].SE-20.9) > 1 {
		t.Errorf("the other: %+v, want -240 ± 21", pins[1])
	}
}

// mater plays Black's mate of a fool's game and, as White, walks into it.
type mater struct{}

func (mater) Move(_ context.Context, g *rules.Replay, _ uint64) (rules.Move, error) {
	line := strings.Fields("f2f3 e7e5 g2g4 d8h4")
	m, refusal := g.Position().Resolve(line[g.Ply()])
	if refusal != nil {
		return m, fmt.Errorf("%s", refusal.Message())
	}
	return m, nil
}

func TestATournamentPlaysBothColoursOfEachPairing(t *testing.T) {
	var told []int
	tour := Tournament{
		Rungs: []Rung{{Name: "a", player: mater{}}, {Name: "b", player: mater{}}, {Name: "c", player: mater{}}, {Name: "d", player: mater{}}},
		Fixed: []Pin{{Name: "a"}, {Name: "d", Elo: 100}}, Book: [][]string{nil}, Games: 3, Reach: 3, Procs: 2,
		Progress: func(done, total int) { told = append(told, done, total) },
	}
	pins, err := tour.Play(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	// Three games become four; five of the six pairings tell something: not a and d.
	if len(told) != 2*5*4 || told[len(told)-2] != 20 || told[len(told)-1] != 20 {
		t.Errorf("progress %v", told)
	}
	want := map[string]int{"a": 8, "b": 12, "c": 12, "d": 8}
	for _, p := range pins {
		if p.Games != want[p.Name] {
			t.Errorf("%+v, want %d games", p, want[p.Name])
		}
	}
	if white, err := playOut(t.Context(), mater{}, mater{}, nil, 1); white != 0 || err != nil {
		t.Errorf("the fool's mate gives White %v, %v", white, err)
	}
}

// The shipped table holds every rung of the built-in engine and Stockfish's, and its
// scale agrees with the one that Stockfish's makers give: level 0 has 1320 there, and the
// two errors are 37 and 34 (ratings research §2).
func TestTheShippedCalibration(t *testing.T) {
	known := mustRead(assets.Anchors)
	pool := engine.NewPool(1, &engine.Program{Name: "Stockfish 15.1"}, nil)
	for _, r := range Ladder(pool) {
		c, p, ok := pinOf(r, "", known)
		if !ok || p.SE < 0 || p.SE > 50 || p.Games < 600 || c.Command == "" {
			t.Errorf("%s: %+v in %+v", r.Name, p, c)
		}
		if r.Name == "stockfish-skill-0" && math.Abs(p.Elo-1320) > 2*math.Hypot(37, 34) {
			t.Errorf("Stockfish's level 0 stands at %.0f", p.Elo)
		}
		if r.Name == RandomName && p.Elo != ReferenceElo {
			t.Errorf("the random mover stands at %v", p.Elo)
		}
	}
	other := engine.NewPool(1, &engine.Program{Name: "Stockfish 99"}, nil)
	for _, r := range Ladder(other) {
		if _, _, ok := pinOf(r, "", known); ok != !strings.HasPrefix(r.Name, "stockfish-") {
			t.Errorf("%s of another version: calibrated %v", r.Name, ok)
		}
	}
	named := engine.NewPool(1, &engine.Program{Name: "Some Engine"}, nil)
	if len(Ladder(named)) != len(Ladder(engine.NewPool(1, nil, nil))) {
		t.Error("another engine's levels are rungs")
	}
}

// A calibration of this host comes before the shipped one, unless it is of another binary.
func TestWhichCalibrationHolds(t *testing.T) {
	r := Rung{Name: "stockfish-skill-0", Engine: "stockfish-15.1"}
	list := []Calibration{
		{ID: "other", Engine: "Stockfish 15.1", Hash: "bb", Pins: []Pin{{Name: r.Name, Elo: 1}}},
		{ID: "own", Engine: "Stockfish 15.1", Hash: "aa", Pins: []Pin{{Name: r.Name, Elo: 2}}},
		{ID: "shipped", Engine: "Stockfish 15.1", Pins: []Pin{{Name: r.Name, Elo: 3}}},
	}
	if c, _, ok := pinOf(r, "aa", list); !ok || c.ID != "own" {
		t.Errorf("%+v", c)
	}
	if c, _, ok := pinOf(r, "cc", list); !ok || c.ID != "shipped" {
		t.Errorf("of an unknown binary: %+v", c)
	}
	if a, b := r.config("own").BucketKey(), r.config("shipped").BucketKey(); a == b {
		t.Error("two calibrations are one bucket")
	}
}

// With a Stockfish that nobody has measured, its levels are measured against the built-in
// players, which stay where they are; with --all everything is, against the random mover.
func TestWhatIsMeasured(t *testing.T) {
	known := mustRead(assets.Anchors)
	pool := engine.NewPool(1, &engine.Program{Name: "Stockfish 99", Hash: "ab"}, nil)
	m := Measuring{Pool: pool, Games: 2, Reach: 3, Command: "arena calibrate"}
	tour, err := m.tournament(known)
	if err != nil {
		t.Fatal(err)
	}
	if own := len(tour.Rungs) - stockfishLevels; len(tour.Fixed) != own {
		t.Errorf("%d rungs are fixed, want the %d built-in ones", len(tour.Fixed), own)
	}
	// The new levels stand among the others, where another version's did.
	place := func(name string) int {
		for i, r := range tour.Rungs {
			if r.Name == name {
				return i
			}
		}
		return -1
	}
	if p := place("stockfish-skill-0"); p < place("house-mix-10") || p > place("house-300") {
		t.Errorf("level 0 at place %d of %d", p, len(tour.Rungs))
	}
	var pins []Pin
	for _, r := range tour.Rungs {
		pins = append(pins, Pin{Name: r.Name, Games: 4})
	}
	list := m.sort(tour, pins)
	if len(list) != 1 || list[0].Engine != "Stockfish 99" || list[0].Hash != "ab" || len(list[0].Pins) != stockfishLevels {
		t.Errorf("%+v", list)
	}
	m.Anew = true
	if tour, err = m.tournament(known); err != nil || len(tour.Fixed) != 1 || tour.Fixed[0].Name != RandomName {
		t.Errorf("anew: %+v, %v", tour.Fixed, err)
	}
	if list = m.sort(tour, pins); len(list) != 2 || list[0].Games != 2*len(pins) {
		t.Errorf("anew: %+v", list)
	}
	m = Measuring{Pool: engine.NewPool(1, nil, nil)}
	if _, err = m.tournament(known); !errors.Is(err, ErrKnown) {
		t.Errorf("with nothing to measure: %v", err)
	}
}
