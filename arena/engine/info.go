package engine

import (
	"strconv"
	"strings"
)

// score is what an engine thinks of a position, from the view of the side to move.
type score struct {
	cp   int // meaningless when mate is not 0
	mate int // moves to mate, negative when the side to move is mated
}

// fromWhite turns the score of a side to move into White's view.
func (s score) fromWhite(blackToMove bool) score {
	if blackToMove {
		return score{cp: -s.cp, mate: -s.mate}
	}
	return s
}

// info is what is read of one info line.
type info struct {
	depth int
	nodes int
	score score
	exact bool // whether score holds an exact one; a bound is none
}

// parseInfo reads an info line of the best variation. It reports false for every
// other line: free text, other variations, and lines that do not follow the protocol.
func parseInfo(line string) (info, bool) {
	words := strings.Fields(line)
	if len(words) == 0 || words[0] != "info" {
		return info{}, false
	}
	var in info
	bound := false
	for words = words[1:]; len(words) > 0; {
		word := words[0]
		words = words[1:]
		switch word {
		case "string":
			return info{}, false
		case "pv", "refutation", "currline":
			words = nil // moves up to the end of the line
		case "lowerbound", "upperbound":
			// The last line before a node limit is often a bound. It can be
			// hundreds of centipawns off, so it is no judgement.
			bound = true
		case "depth", "nodes", "multipv", "cp", "mate":
			if len(words) == 0 {
				return info{}, false
			}
			n, err := strconv.Atoi(words[0])
			if err != nil {
				return info{}, false
			}
			words = words[1:]
			if word == "multipv" && n > 1 {
				return info{}, false
			}
			in.set(word, n)
		}
	}
	in.exact = in.exact && !bound
	return in, true
}

func (in *info) set(word string, n int) {
	switch word {
	case "depth":
		in.depth = n
	case "nodes":
		in.nodes = n
	case "cp":
		in.score, in.exact = score{cp: n}, true
	case "mate":
		// "mate 0" says that the side to move is mated already. Such a position
		// never reaches an engine, and Evaluation has no way to say it.
		in.score, in.exact = score{mate: n}, n != 0
	}
}

// thought collects the info lines of one think.
type thought struct {
	move  string // UCI text
	last  info   // the last exact score, with its depth
	nodes int    // searched in all, by whatever line said so last
}

func (t *thought) hear(line string) {
	in, ok := parseInfo(line)
	if !ok {
		return
	}
	if in.nodes > 0 {
		t.nodes = in.nodes
	}
	if in.exact {
		t.last = in
	}
}

// shownName is an engine's name as it may be stored and shown: one line of printable
// text of bounded length, whatever the process wrote.
func shownName(name string) string {
	name = strings.Map(func(r rune) rune {
		if r == '\uFFFD' || !strconv.IsPrint(r) {
			return ' '
		}
		return r
	}, name)
	name = strings.Join(strings.Fields(name), " ")
	if runes := []rune(name); len(runes) > 64 {
		name = string(runes[:64])
	}
	return name
}
