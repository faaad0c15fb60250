package house

import (
	"fmt"
	"strings"

	"chessarena/arena/engine"
)

// Rung is one way in which the house plays.
type Rung struct {
	Name   string // the model's name on the boards
	Engine string // whose moves they are, such as "arena-search-1"; part of its identity
	player engine.Player
	nodes  int // of the built-in engine; 0 for other players
}

// RandomName is the rung by which the scale is fixed.
const RandomName = "random"

// ReferenceElo is the rating of the rung RandomName: that of a random mover on the scale on
// which Stockfish's weakest level has 1320 (ratings research §2).
const ReferenceElo = -340

// The rungs of the built-in engine, weakest first. Between the random mover and the first
// of them the house mixes: so many moves of a hundred are random ones.
var (
	shares    = []int{90, 75, 60, 45, 30, 20, 10}
	nodeRungs = []int{100, 300, 1_000, 3_000, 10_000, 30_000}
)

// mixNodes is how the mixes play when they do not play at random.
const mixNodes = 1_000

// stockfishLevels is how many of Stockfish's levels are rungs, from 0. The higher ones
// need a depth per move that a small host cannot afford.
const stockfishLevels = 7

// Ladder returns the rungs that pool can play, the weakest of each engine first: those of
// the built-in engine always, Stockfish's when it is the pool's program.
func Ladder(pool *engine.Pool) []Rung {
	own := slug(engine.BuiltIn)
	list := []Rung{{Name: RandomName, Engine: own, player: engine.Random{}}}
	for _, share := range shares {
		list = append(list, Rung{
			Name: fmt.Sprintf("house-mix-%d", share), Engine: own,
			player: engine.Mixed{Share: float64(share) / 100, Other: pool.Player(mixNodes)},
		})
	}
	for _, nodes := range nodeRungs {
		list = append(list, Rung{Name: fmt.Sprintf("house-%d", nodes), Engine: own, player: pool.Player(nodes), nodes: nodes})
	}
	program := pool.Program()
	if program == nil || !strings.HasPrefix(program.Name, "Stockfish ") {
		return list
	}
	for level := range stockfishLevels {
		list = append(list, Rung{
			Name: fmt.Sprintf("stockfish-skill-%d", level), Engine: slug(program.Name),
			player: pool.ProgramPlayer(level, level+1),
		})
	}
	return list
}

// slug is an engine's name as a harness is written: "Stockfish 15.1" is "stockfish-15.1".
func slug(name string) string {
	return strings.Join(strings.Fields(strings.ToLower(name)), "-")
}
