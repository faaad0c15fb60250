package matchmaker

import (
	"testing"

	"chessarena/arena"
	"chessarena/arena/engine/search"
	"chessarena/rules"
)

func TestTheBook(t *testing.T) {
	t.Parallel()
	if len(Book) < 45 || len(Book) > 60 {
		t.Errorf("%d lines", len(Book))
	}
	names, ends := make(map[string]bool), make(map[string]bool)
	turns := make(map[rules.Color]int)
	engine := search.New(4 << 20)
	for _, l := range Book {
		replay, err := rules.ReplayUCI(nil, l.UCI)
		if err != nil {
			t.Errorf("%s: %v", l.Name, err)
			continue
		}
		end := replay.Position()
		if n := len(l.UCI); n < 1 || n > 10 || end.InCheck() || l.CP < -60 || l.CP > 60 {
			t.Errorf("%s: %d plies, %d cp, in check %v", l.Name, n, l.CP, end.InCheck())
		}
		if len(l.ECO) != 3 || names[l.Name] || ends[end.FEN()] {
			t.Errorf("%s %s: no code, or twice in the book", l.ECO, l.Name)
		}
		names[l.Name], ends[end.FEN()] = true, true
		turns[end.Turn()]++
		// A second opinion, from an engine that wrote none of the evaluations.
		r, err := engine.Search(t.Context(), replay, search.Limit{Nodes: 60_000})
		if err != nil || r.CP > 130 || r.CP < -130 || r.Mate != 0 {
			t.Errorf("%s: %+v, %v", l.Name, r, err)
		}
	}
	if turns[rules.White] < 10 || turns[rules.Black] < 10 {
		t.Errorf("who is to move at the end: %v", turns)
	}
}

func TestALineIsNotChosenAgainWithinItsRotation(t *testing.T) {
	t.Parallel()
	var recent []string
	for i := range 45 {
		l := choose(arena.GameID(rune('a'+i)), recent)
		for _, old := range recent {
			if old == l.Key() {
				t.Fatalf("%s comes again", l.Name)
			}
		}
		recent = append(recent, l.Key())
	}
}

func TestAnUnknownLineIsPlayedWithoutItsName(t *testing.T) {
	t.Parallel()
	if l := find("a2a3 a7a6"); l.Name != "" || len(l.UCI) != 2 {
		t.Errorf("%+v", l)
	}
	if l := find(Book[3].Key()); l.Name != Book[3].Name {
		t.Errorf("%+v", l)
	}
}
