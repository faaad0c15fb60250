package house

import (
	"math"
	"os"
	"slices"
	"testing"

	"chessarena/arena/engine"
	"chessarena/assets"
)

// The built-in engine in 400 games each against the random mover and against Stockfish's
// low levels: the score must be what the pinned ratings say. It takes some minutes.
func TestStrength(t *testing.T) {
	if os.Getenv("ARENA_TEST_LONG") != "1" {
		t.Skip("1,600 games: ARENA_TEST_LONG=1")
	}
	path, err := engine.Find("")
	if err != nil || path == "" {
		t.Fatal("Stockfish is not installed, and whoever asked for the long tests needs it")
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
	const games, us = 400, "house-1000"
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
		score /= games
		_, own, _ := pinOf(rung(us), program.Hash, known)
		_, other, _ := pinOf(rung(name), program.Hash, known)
		want := 1 / (1 + math.Pow(10, (other.Elo-own.Elo)/400))
		t.Logf("%s against %s: %.3f of %d games, the pins say %.3f", us, name, score, games, want)
		if math.Abs(score-want) > .08 { // four standard deviations of 400 games with some draws
			t.Errorf("against %s it scores %.3f, its rating says %.3f", name, score, want)
		}
	}
}
