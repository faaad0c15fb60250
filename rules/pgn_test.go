package rules

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

// mustRead reads all games of a text that is wholly right.
func mustRead(t testing.TB, pgn string) []*Game {
	t.Helper()
	var games []*Game
	for g, err := range ReadPGN(strings.NewReader(pgn)) {
		if err != nil {
			t.Fatalf("%v in:\n%.2000s", err, pgn)
		}
		games = append(games, g)
	}
	return games
}

func mustWrite(t testing.TB, g *Game) string {
	t.Helper()
	var b strings.Builder
	if err := WritePGN(&b, g); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func sans(g *Game) string {
	var list []string
	for _, m := range g.Moves {
		list = append(list, m.SAN)
	}
	return strings.Join(list, " ")
}

func TestWritePGN(t *testing.T) {
	got := mustWrite(t, &Game{
		Tags: []Tag{
			{"TerminationCode", "checkmate"}, {"Black", `b "the \ rook"`}, {"White", "w (model)"},
			{"Date", "2026.01.02"}, {"ECO", "A00"}, {"Result", "1-0"},
		},
		Moves:  mustPlay(t, nil, "f3 e5 g4 Qh4").GameMoves(),
		Result: "0-1",
	})
	want := `[Event "?"]
[Site "?"]
[Date "2026.01.02"]
[Round "?"]
[White "w (model)"]
[Black "b \"the \\ rook\""]
[Result "0-1"]
[ECO "A00"]
[TerminationCode "checkmate"]

1. f3 e5 2. g4 Qh4# 0-1

`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestWritePGNWhenBlackBegins(t *testing.T) {
	start := mustFEN(t, "6k1/5ppp/8/8/8/8/5PPP/R5K1 b - - 3 31")
	moves := mustPlay(t, start, "h6 Ra8+ Kh7 Ra7").GameMoves()
	moves[1].Comment = "a check"
	moves[2].NAGs = []uint8{1, 14}
	got := mustWrite(t, &Game{
		Tags: []Tag{{"FEN", "nonsense"}, {"SetUp", "0"}}, Start: start, Comment: "from a study", Moves: moves, Result: "1/2-1/2",
	})
	_, got, _ = strings.Cut(got, "[Result ")
	want := `"1/2-1/2"]
[FEN "6k1/5ppp/8/8/8/8/5PPP/R5K1 b - - 3 31"]
[SetUp "1"]

{from a study} 31... h6 32. Ra8+ {a check} 32... Kh7 $1 $14 33. Ra7 1/2-1/2

`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestWritePGNKeepsLinesShortAndReadable(t *testing.T) {
	moves := mustPlay(t, nil, strings.Repeat("Nf3 Nf6 Ng1 Ng8 ", 40)).GameMoves()
	moves[3].Comment = strings.Repeat("wörd ", 60) + strings.Repeat("x", 300) + " %eval at a line's start"
	for i := range 20 {
		moves[20+i].Comment = strings.Repeat("a ", i) + "%" + strings.Repeat("b", 70)
	}
	moves[5].Comment = "a } and a {\nand\x00 more"
	text := mustWrite(t, &Game{Tags: []Tag{{"Event", "two\nlines\t\x1b"}}, Moves: moves, Result: "*"})
	for line := range strings.Lines(text) {
		if n := len([]rune(strings.TrimSuffix(line, "\n"))); n >= 80 {
			t.Errorf("a line has %d columns: %s", n, line)
		}
		if strings.HasPrefix(line, "%") {
			t.Errorf("a line would be skipped by readers: %s", line)
		}
	}
	games := mustRead(t, text)
	if len(games) != 1 || len(games[0].Moves) != 160 {
		t.Fatalf("%d games come back", len(games))
	}
	if got := games[0].Moves[5].Comment; got != "a ) and a ( and more" {
		t.Errorf("the comment comes back as %q", got)
	}
	if got := games[0].Tag("Event"); got != "two lines  " {
		t.Errorf("the event comes back as %q", got)
	}
}

func TestWritePGNRefuses(t *testing.T) {
	for name, g := range map[string]*Game{
		"no result":          {},
		"the arena's 1/2":    {Result: "1/2"},
		"a tag with a space": {Result: "*", Tags: []Tag{{"My Tag", ""}}},
		"a tag with a quote": {Result: "*", Tags: []Tag{{`X"]`, ""}}},
		"a tag twice":        {Result: "*", Tags: []Tag{{"ECO", "A"}, {"ECO", "B"}}},
		"no move text":       {Result: "*", Moves: []GameMove{{}}},
		"a move with a tail": {Result: "*", Moves: []GameMove{{SAN: "e4 *"}}},
	} {
		var b bytes.Buffer
		if err := WritePGN(&b, g); err == nil || b.Len() > 0 {
			t.Errorf("%s: error %v and %d bytes", name, err, b.Len())
		}
	}
}

func TestReadPGN(t *testing.T) {
	for _, test := range []struct{ name, pgn, want string }{
		{"no tags", "1. e4 e5 *", "e4 e5"},
		{"no numbers", "e4 e5 Nf3 1-0", "e4 e5 Nf3"},
		{"numbers in every form", "1.e4 1...e5 2 . Nf3 2 ... Nc6 3. ... *", "e4 e5 Nf3 Nc6"},
		{"CRLF and a byte order mark", "\ufeff[Event \"x\"]\r\n[Result \"*\"]\r\n\r\n1. e4\r\ne5\r\n*\r\n", "e4 e5"},
		{"brace comments", "{a} 1. e4 {b ; c (d} e5{no space}2. Nf3 *", "e4 e5 Nf3"},
		{"a comment over lines with a bracket at the edge", "1. e4 {x\n[%clk 0:01]\n[Event \"y\"]} e5 *", "e4 e5"},
		{"rest of line comments", "1. e4 ; e5 {\ne5 *", "e4 e5"},
		{"escape lines", "% header\n1. e4\n% e5 {\ne5 *", "e4 e5"},
		{"a percent sign elsewhere is no escape", "1. e4 {%} e5\n{\n% inside }*", "e4 e5"},
		{"nested variations", "1. e4 (1. d4 d5 (1... Nf6 {)} 2. c4 ; )\n) 2. c4) e5 *", "e4 e5"},
		{"glyphs", "1. e4! e5?? 2. Nf3!? $10 Nc6 $139 *", "e4 e5 Nf3 Nc6"},
		{"castling with zeros", "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. 0-0 O-O *", "e4 e5 Nf3 Nf6 Bc4 Bc5 O-O O-O"},
		{"loose SAN is made exact", "1. e2-e4 e7e5 2. Ng1f3 Nb8-c6 3. Bb5+ a6 4. Bc6 *", "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6"},
		{"a start position", "[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 12\"]\n12... Kd7 13. e4 *", "Kd7 e4"},
		{"a draw", "1. e4 e5 1/2-1/2", "e4 e5"},
		{"no moves", "[Result \"1-0\"]\n\n1-0", ""},
		{"zero bytes", "1. e4\x00e5 *", "e4 e5"},
	} {
		t.Run(test.name, func(t *testing.T) {
			games := mustRead(t, test.pgn)
			if len(games) != 1 {
				t.Fatalf("%d games", len(games))
			}
			if got := sans(games[0]); got != test.want {
				t.Errorf("moves are %s, want %s", got, test.want)
			}
		})
	}
}

func TestReadPGNKeepsAnnotations(t *testing.T) {
	g := mustRead(t, `[White "a \"b\" \\ c"] [Black "d"]
{before  the
game} 1. e4 $1 {first} {second} e5?! ; third
2. Nf3 1-0`)[0]
	e4, _ := Start().Resolve("e4")
	want := &Game{
		Tags:    []Tag{{"White", `a "b" \ c`}, {"Black", "d"}},
		Comment: "before the game",
		Result:  "1-0",
		Moves: []GameMove{
			{SAN: "e4", NAGs: []uint8{1}, Comment: "first second"},
			{SAN: "e5", NAGs: []uint8{6}, Comment: "third"},
			{SAN: "Nf3"},
		},
	}
	if g.Moves[0].Move != e4 {
		t.Errorf("the first move is %s", g.Moves[0].Move.UCI())
	}
	for i := range g.Moves {
		g.Moves[i].Move = Move{}
	}
	if diff := cmp.Diff(want, g, cmp.AllowUnexported(Move{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestReadPGNRefuses(t *testing.T) {
	const good = "\n\n[Event \"next\"]\n\n1. d4 *\n"
	for _, test := range []struct {
		name, pgn string
		line      int
		reason    string
	}{
		{"an illegal move", "[Event \"x\"]\n\n1. e4 e5\n2. Nf5 *", 4, "ply 2"},
		{"a null move", "1. e4 -- *", 1, "ply 1"},
		{"no result before the next game", "1. e4 e5", 3, "no result"},
		{"a result that contradicts its tag", "[Result \"1-0\"]\n1. e4 0-1", 2, "Result tag"},
		{"a bad FEN", "[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n*", 1, "king"},
		{"an open tag", "[Event \"x\n]\n1. e4 *", 2, "does not end"},
		{"a tag without a value", "[Event x]\n1. e4 *", 1, "quotes"},
		{"a tag with a strange name", "[1x \"y\"]\n1. e4 *", 1, "tag name"},
		{"a bad tag among good ones", "[Event x]\n[White \"y\"]\n\n1. e4 *", 1, "quotes"},
		{"a tag without its bracket", "[Event \"x\"\n1. e4 *", 2, "]"},
		{"a tag twice", "[Event \"x\"]\n[Event \"y\"]\n1. e4 *", 2, "twice"},
		{"a stray parenthesis", "1. e4 ) e5 *", 1, "does not belong"},
		{"a big glyph", "1. e4 $256 *", 1, "glyph"},
		{"an unknown glyph", "1. e4 ?!? *", 1, "glyph"},
		{"a glyph before the first move", "$1 1. e4 *", 1, "glyph"},
		{"a reserved character", "1. e4 <e5> *", 1, "does not belong"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var games []string
			var first error
			for g, err := range ReadPGN(strings.NewReader(test.pgn + good)) {
				if err != nil && first == nil {
					first = err
				}
				if g != nil {
					games = append(games, sans(g))
				}
			}
			var wrong *PGNError
			if !errors.As(first, &wrong) {
				t.Fatalf("error %v, want a *PGNError", first)
			}
			if wrong.Line != test.line || !strings.Contains(wrong.Reason, test.reason) {
				t.Errorf("line %d: %s; want line %d and %q", wrong.Line, wrong.Reason, test.line, test.reason)
			}
			if len(games) != 1 || games[0] != "d4" {
				t.Errorf("after the wrong game come %q, want the next one", games)
			}
		})
	}
}

func TestReadPGNOfUnfinishedText(t *testing.T) {
	for _, pgn := range []string{"1. e4", "1. e4 {", "1. e4 (", "[Event \"", "[", "[Event", "[Event \"x\"", "1. e4 ;", "\ufeff1", "$", "e"} {
		n := 0
		for g, err := range ReadPGN(strings.NewReader(pgn)) {
			if g != nil || err == nil {
				t.Errorf("%q gives a game", pgn)
			}
			n++
		}
		if n != 1 {
			t.Errorf("%q gives %d answers, want one error", pgn, n)
		}
	}
	for _, pgn := range []string{"", " \n\n", "% only an escape", "{only a comment}", "\ufeff"} {
		for g, err := range ReadPGN(strings.NewReader(pgn)) {
			t.Errorf("%q gives %v, %v", pgn, g, err)
		}
	}
}

func TestReadPGNOfAFailingReader(t *testing.T) {
	broken := errors.New("the disk is gone")
	in := io.MultiReader(strings.NewReader("1. e4 *\n1. d4 "), iotest.ErrReader(broken))
	var games int
	var last error
	for g, err := range ReadPGN(in) {
		if g != nil {
			games++
		}
		last = err
	}
	if games != 1 || !errors.Is(last, broken) {
		t.Errorf("%d games and then %v", games, last)
	}
}

func TestReadPGNLimitsOneGame(t *testing.T) {
	for name, part := range map[string]string{"comments": "{x} ", "variations": "(x) ", "blank lines": "\n", "tags": "[X \"y\"]\n", "deep variations": "((((", "one word": "eeee"} {
		in := io.MultiReader(strings.NewReader("1. e4 "), &endless{text: part, left: 64 << 20})
		answers := 0
		for g, err := range ReadPGN(in) {
			if g != nil || err == nil {
				t.Errorf("%s: a game comes out", name)
			}
			answers++
			break
		}
		if answers != 1 {
			t.Errorf("%s: no error", name)
		}
	}
}

// endless repeats a text for a number of bytes.
type endless struct {
	text string
	at   int
	left int
}

func (e *endless) Read(b []byte) (int, error) {
	if e.left <= 0 {
		return 0, io.EOF
	}
	for i := range b {
		b[i] = e.text[e.at]
		e.at = (e.at + 1) % len(e.text)
	}
	e.left -= len(b)
	return len(b), nil
}

// Real games must survive reading, writing and reading again.
func TestPGNRoundTripOfRealGames(t *testing.T) {
	for _, test := range []struct {
		file          string
		nth, min      int
		draws, setups int // at least
	}{
		{"pgns/big.pgn", 3, 300, 20, 5},
		{"pgns/big_big.pgn", 60, 150, 5, 0},
	} {
		t.Run(test.file, func(t *testing.T) {
			t.Parallel()
			games := mustRead(t, string(someGames(t, test.file, test.nth)))
			var text strings.Builder
			draws, setups := 0, 0
			for _, g := range games {
				text.WriteString(mustWrite(t, g))
				if g.Result == "1/2-1/2" {
					draws++
				}
				if g.Start != nil {
					setups++
				}
			}
			if len(games) < test.min || draws < test.draws || setups < test.setups {
				t.Errorf("%d games, %d draws, %d set up", len(games), draws, setups)
			}
			again := mustRead(t, text.String())
			if len(again) != len(games) {
				t.Fatalf("%d games come back of %d", len(again), len(games))
			}
			for i, g := range games {
				back := again[i]
				if diff := cmp.Diff(g.Moves, back.Moves, cmp.AllowUnexported(Move{})); diff != "" {
					t.Fatalf("game %d (-want +got):\n%s", i, diff)
				}
				for _, tag := range g.Tags {
					if got := back.Tag(tag.Name); got != tag.Value {
						t.Errorf("game %d: tag %s comes back as %q, was %q", i, tag.Name, got, tag.Value)
					}
				}
				if mustWrite(t, back) != mustWrite(t, g) {
					t.Errorf("game %d is written differently the second time", i)
				}
			}
			t.Logf("%d games, %d draws, %d set up", len(games), draws, setups)
		})
	}
}
