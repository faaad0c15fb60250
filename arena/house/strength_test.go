package house

import (
	"math"
	"os"
	"slices"
	"testing"

	"chessarena/arena/engine"
	"chessarena/assets"
)

// The built-in engine against the random mover and against Stockfish's low levels: the
// score must be what the pinned ratings say. ARENA_TEST_LONG=1 plays 400 games each.
func TestStrength(t *testing.T) {
	games := 20
	if os.Getenv("ARENA_TEST_LONG") == "1" {
		games = 400
	}
	path, err := engine.Find("")
	if err != nil || path == "" {
		if os.Getenv("ARENA_TEST_ALL") == "1" {
			t.Fatal("Stockfish is not installed")
		}
		t.Skip("Stockfish is not installed")
	}
	program, err := engine.Identify(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	pool := engine.NewPool(2, program, nil)
	defer pool.Close()
	ladder, known := Ladder(pool), mustRead(assets.Anchors)
	rung := func(name string) Rung {
		return ladder[slices.IndexFunc(ladder, func(r Rung) bool { return r.Name == name })]
	}
	const us = "house-1000"
	for _, name := range []string{RandomName, "stockfish-skill-0", "stockfish-skill-1", "stockfish-skill-2"} {
		tour := Tournament{Rungs: []Rung{rung(name), rung(us)}, Book: [][]string{{"e2e4", "e7e5"}, {"d2d4", "d7d5"}, {"c2c4", "e7e5"}, {"g1f3", "g8f6"}}, Games: games, Procs: 2, Seed: 4}
		results, err := tour.games(t.Context(), []pairing{{0, 1}})
		if err != nil {
			t.Fatal(err)
		}
		score := 0.0
		for _, r := range results {
			if r.white == 1 {
				score += r.score
			} else {
				score += 1 - r.score
			}
		}
		score /= float64(games)
		_, own, _ := pinOf(rung(us), program.Hash, known)
		_, other, _ := pinOf(rung(name), program.Hash, known)
		want := 1 / (1 + math.Pow(10, (other.Elo-own.Elo)/400))
		t.Logf("%s against %s: %.3f of %d games, the pins say %.3f", us, name, score, games, want)
		// Four standard deviations of games of which some are drawn: .08 for 400.
		if math.Abs(score-want) > 1.6/math.Sqrt(float64(games)) {
			t.Errorf("against %s it scores %.3f, its rating says %.3f", name, score, want)
		}
	}
}
