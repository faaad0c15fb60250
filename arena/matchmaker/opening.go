package matchmaker

import (
	"fmt"
	"slices"
	"strings"

	"chessarena/arena"
	"chessarena/assets"
)

// Line is an opening from the book.
type Line struct {
	arena.Opening
	UCI []string
	CP  int // Stockfish's evaluation at the end, from White's view (see the book's head)
}

// Key is the line as arena.Pair remembers it.
func (l Line) Key() string { return strings.Join(l.UCI, " ") }

// Book is the openings that paired games begin from, in the order of the file.
var Book = mustRead(assets.Openings)

// mustRead reads the book, which is part of the program.
func mustRead(text string) (book []Line) {
	for row := range strings.Lines(text) {
		if strings.HasPrefix(row, "#") {
			continue
		}
		fields := strings.Split(strings.TrimSuffix(row, "\n"), "\t")
		if len(fields) != 4 {
			panic(fmt.Sprintf("matchmaker: the book has a row of %d fields: %q", len(fields), row))
		}
		line := Line{Opening: arena.Opening{ECO: fields[0], Name: fields[1]}, UCI: strings.Fields(fields[2])}
		if _, err := fmt.Sscan(fields[3], &line.CP); err != nil {
			panic(fmt.Sprintf("matchmaker: the book: %q: %v", row, err))
		}
		book = append(book, line)
	}
	return book
}

// find returns the line that a pair remembers, which may come from an older book: then
// it has no name.
func find(key string) Line {
	for _, l := range Book {
		if l.Key() == key {
			return l
		}
	}
	return Line{UCI: strings.Fields(key)}
}

// Pick returns a line for a game that belongs to no opening pair, by the game's id.
func Pick(id arena.GameID) Line { return choose(id, nil) }

// choose picks a line for the first game of an opening pair, by the game's id, among
// those that the pair did not have in its last games.
func choose(id arena.GameID, recent []string) Line {
	fresh := slices.DeleteFunc(slices.Clone(Book), func(l Line) bool { return slices.Contains(recent, l.Key()) })
	if len(fresh) == 0 {
		fresh = Book // a rotation is shorter than the book, unless somebody cuts the book
	}
	return fresh[toss(id)/2%uint64(len(fresh))]
}
