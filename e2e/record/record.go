// Package record holds a few hundred real games: their moves as the source wrote them and
// what another program says of their ends. Where they come from and how they were chosen
// is told in README.md.
//
// It reads them without the arena's own PGN reader, so that tests may compare that reader
// with it. The file is plain enough for this: no comments, no move numbers, one line of
// moves a game.
package record

import (
	_ "embed"
	"strings"
)

//go:embed games.pgn
var text string

// Game is one real game.
type Game struct {
	ID     string   // its number in the file
	FEN    string   // of the start; "" for the usual one
	SANs   []string // moves, up to the first ending of the arena's rules
	Result string   // of the source: 1-0, 0-1 or 1/2-1/2
	// Ending is the termination that the board decides, as chess.js sees it; "" when the
	// players ended the game.
	Ending string
}

// Games returns all games in the file's order.
func Games() []Game {
	var list []Game
	var g Game
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if line[0] != '[' {
			words := strings.Fields(line)
			g.SANs, g.Result = words[:len(words)-1], words[len(words)-1]
			list, g = append(list, g), Game{}
			continue
		}
		name, value, _ := strings.Cut(strings.Trim(line, "[]"), " ")
		value = strings.Trim(value, `"`)
		switch name {
		case "Round":
			g.ID = value
		case "FEN":
			g.FEN = value
		case "BoardEnding":
			g.Ending = strings.TrimPrefix(value, "-")
		}
	}
	return list
}
