package arena

import (
	"slices"
	"strings"

	"chessarena/rules"
)

// Rotation is how many games of a pair must pass before it meets an opening line again.
const Rotation = 20

// Pair is what two buckets have had with each other. A is the bucket with the lower id;
// when one bucket has both seats, A and B are the same. Void games leave no trace but
// the return they owe.
type Pair struct {
	A, B          int64
	Games, AWhite int // finished games, and in how many of them A had White
	AWins, Draws  int
	Recent        []string // opening lines (Line) of the last Rotation games, oldest first
	Return        *Return  // the game that is owed
}

// Return is a game that must be played from a known line with known colours: the second
// of an opening pair, or a void game again.
type Return struct {
	Line   string // Line of the opening
	AWhite bool
	Of     int64 // Game.RowID of the pair's first game; 0 when that is the one to replay
}

// PairOf puts two buckets in order.
func PairOf(x, y int64) (a, b int64) { return min(x, y), max(x, y) }

// Balance is how many games more A had White than Black.
func (p Pair) Balance() int { return 2*p.AWhite - p.Games }

// Add returns p with a game that is over, finished or void. line is its opening, "" for
// none; first is the game whose line it returned, 0 when it began an opening pair.
// Games that run side by side may both come to owe a return: the earlier one stands.
func (p Pair) Add(g *Game, line string, first int64) Pair {
	aWhite := g.Seats[rules.White].BucketID == p.A
	owed := Return{line, aWhite, first}
	if g.Status == Finished {
		owed = Return{line, !aWhite, g.RowID}
		p = p.count(g, line, aWhite)
	}
	if complete := g.Status == Finished && first != 0; p.Return == nil && line != "" && !complete && p.A != p.B {
		p.Return = &owed
	}
	return p
}

func (p Pair) count(g *Game, line string, aWhite bool) Pair {
	a := rules.Black
	if aWhite {
		a = rules.White
		p.AWhite++
	}
	p.Games++
	switch g.Result.Score(a) {
	case 1:
		p.AWins++
	case 0.5:
		p.Draws++
	}
	p.Recent = append(slices.Clone(p.Recent), line)
	p.Recent = p.Recent[max(0, len(p.Recent)-Rotation):]
	return p
}

// Colors is how often a configuration had each colour in its finished games, and which
// it had last.
type Colors struct {
	White, Black int
	Last         string // of the last two games, oldest first: "w" or "b" each
}

// Balance is how many games more it had White than Black.
func (c Colors) Balance() int { return c.White - c.Black }

// Add returns c after one more game.
func (c Colors) Add(color rules.Color) Colors {
	if color == rules.White {
		c.White++
		c.Last += "w"
	} else {
		c.Black++
		c.Last += "b"
	}
	c.Last = c.Last[max(0, len(c.Last)-2):]
	return c
}

// Recent is how many of the last two games were with color.
func (c Colors) Recent(color rules.Color) int {
	letter := "b"
	if color == rules.White {
		letter = "w"
	}
	return strings.Count(c.Last, letter)
}
