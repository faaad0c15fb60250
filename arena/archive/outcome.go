package archive

import (
	"fmt"

	"chessarena/arena"
	"chessarena/rules"
)

// drawn says how a drawn game ended, after "Draw ".
var drawn = map[arena.Termination]string{
	arena.Termination(rules.Stalemate):            "by stalemate",
	arena.Termination(rules.InsufficientMaterial): "by insufficient material",
	arena.Termination(rules.ThreefoldRepetition):  "by threefold repetition",
	arena.Termination(rules.FivefoldRepetition):   "by fivefold repetition",
	arena.Termination(rules.FiftyMoves):           "by the fifty-move rule",
	arena.Termination(rules.SeventyFiveMoves):     "by the 75-move rule",
	arena.Termination(rules.MaxPlies):             "at the longest length a game may have",
	arena.DrawAgreed:                              "by agreement",
}

// outcome says in one sentence how a game stands or ended.
func outcome(g *arena.Game) string {
	switch g.Status {
	case arena.Active:
		return title(g.Turn()) + " to move"
	case arena.Void:
		return "Void: " + voided(g)
	}
	if g.Result == arena.Draw {
		if g.Termination == arena.Timeout && g.Forfeiter != nil {
			return fmt.Sprintf("Draw: %s ran out of time, %s cannot mate", title(*g.Forfeiter), title(g.Forfeiter.Other()))
		}
		if words, ok := drawn[g.Termination]; ok {
			return "Draw " + words
		}
		return "Draw"
	}
	winner := rules.White
	if g.Result == arena.BlackWins {
		winner = rules.Black
	}
	switch g.Termination {
	case arena.Termination(rules.Checkmate):
		return title(winner) + " wins by checkmate"
	case arena.Resignation:
		return fmt.Sprintf("%s wins, %s resigned", title(winner), title(winner.Other()))
	case arena.Timeout:
		return fmt.Sprintf("%s wins, %s ran out of time", title(winner), title(winner.Other()))
	case arena.IllegalMoves:
		return fmt.Sprintf("%s wins, %s had no legal move in %s", title(winner), title(winner.Other()), attempts(g.Illegal))
	}
	return title(winner) + " wins"
}

func voided(g *arena.Game) string {
	switch {
	case g.Termination == arena.ByAdmin:
		return "ended by an operator"
	case g.Termination == arena.Timeout && g.Forfeiter != nil:
		return title(*g.Forfeiter) + " ran out of time in the opening moves"
	}
	return "does not count"
}

func attempts(n int) string {
	if n == 1 {
		return "one attempt"
	}
	return fmt.Sprintf("%d attempts", n)
}

func title(c rules.Color) string {
	if c == rules.White {
		return "White"
	}
	return "Black"
}
