package rules

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func mustFEN(t testing.TB, fen string) *Position {
	t.Helper()
	p, err := ParseFEN(fen)
	if err != nil {
		t.Fatalf("ParseFEN(%q): %v", fen, err)
	}
	return p
}

// mustPlay plays moves, in any notation, from a position on.
func mustPlay(t testing.TB, start *Position, moves string) *Replay {
	t.Helper()
	r := NewReplay(start)
	for _, text := range strings.Fields(moves) {
		m, refusal := r.Position().Resolve(text)
		if refusal != nil {
			t.Fatalf("%s in %s: %s", text, r.Position().FEN(), refusal.Message())
		}
		r = r.Push(m)
	}
	return r
}

// fixtures is the folder of real games inside the chess library's module. The
// module is a dependency, so it is on every machine that can build this.
var fixtures = sync.OnceValues(func() (string, error) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/corentings/chess/v2").Output()
	return filepath.Join(strings.TrimSpace(string(dir)), "fixtures"), err
})

func fixture(t testing.TB, name string) []byte {
	t.Helper()
	dir, err := fixtures()
	if err != nil {
		t.Fatalf("go list the chess module: %v", err)
	}
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// someGames returns the PGN of every nth game of a file of real games, cut
// without the reader under test: a game begins with its Event tag.
func someGames(t testing.TB, name string, nth int) []byte {
	t.Helper()
	var some bytes.Buffer
	lines := bufio.NewScanner(bytes.NewReader(fixture(t, name)))
	lines.Buffer(nil, 1<<20)
	game := -1
	for lines.Scan() {
		if bytes.HasPrefix(lines.Bytes(), []byte("[Event ")) {
			game++
		}
		if game%nth == 0 {
			some.Write(lines.Bytes())
			some.WriteByte('\n')
		}
	}
	if lines.Err() != nil {
		t.Fatal(lines.Err())
	}
	return some.Bytes()
}
