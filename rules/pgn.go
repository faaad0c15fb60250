package rules

import "strings"

// Game is a game as PGN holds it: tags, an optional start position, moves with
// their annotations, and the result. Variations are not kept.
type Game struct {
	Tags    []Tag
	Start   *Position // nil for the initial position
	Comment string    // before the first move
	Moves   []GameMove
	Result  string // "1-0", "0-1", "1/2-1/2" or "*"
}

// Tag is one tag pair. Name is one word of letters, digits and underscores.
type Tag struct {
	Name, Value string
}

// GameMove is a move of a Game. The writer uses SAN and never looks at Move;
// the reader fills in both, SAN in its exact form whatever the file said.
type GameMove struct {
	Move    Move
	SAN     string
	NAGs    []uint8 // numeric annotation glyphs, such as 2 for "?"
	Comment string  // after the move; words are divided by single spaces
}

// Tag returns the value of the first tag with this name, or "".
func (g *Game) Tag(name string) string {
	for _, tag := range g.Tags {
		if tag.Name == name {
			return tag.Value
		}
	}
	return ""
}

// GameMoves returns the moves of the game for a Game, without annotations.
func (r *Replay) GameMoves() []GameMove {
	moves, sans := make([]GameMove, r.Ply()), r.SANs()
	for i, san := range sans {
		moves[i] = GameMove{Move: r.steps[i].move, SAN: san}
	}
	return moves
}

// roster are the seven tags every game has, in their order, and what stands in
// them when nothing is known (PGN standard 8.1.1).
var roster = []Tag{
	{"Event", "?"}, {"Site", "?"}, {"Date", "????.??.??"}, {"Round", "?"},
	{"White", "?"}, {"Black", "?"}, {"Result", "*"},
}

func isResult(token string) bool {
	return token == "1-0" || token == "0-1" || token == "1/2-1/2" || token == "*"
}

// isTagName is the standard's rule for tag names.
func isTagName(name string) bool {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	return name != "" && !strings.Contains("0123456789_", name[:1]) && strings.Trim(name, letters+"0123456789_") == ""
}
