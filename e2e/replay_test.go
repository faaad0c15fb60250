package e2e_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"chessarena/arena/arbiter"
	"chessarena/e2e/agent"
	"chessarena/rules"
)

// record is a game of testdata/games: moves as the source wrote them, and what chess.js
// says of the end.
type record struct {
	id, fen, result string
	sans            []string
	ending          string // termination that the board decides, or "-"
}

// readRecords reads testdata/games/games.pgn without the reader under test: the file is
// plain (no comments, no numbers), one line of moves a game.
func readRecords(t *testing.T) []record {
	t.Helper()
	text, err := os.ReadFile("testdata/games/games.pgn")
	if err != nil {
		t.Fatal(err)
	}
	var list []record
	var r record
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		name, value, isTag := strings.Cut(strings.Trim(line, "[]"), " ")
		value = strings.Trim(value, `"`)
		switch {
		case line == "":
		case !isTag || line[0] != '[':
			words := strings.Fields(line)
			r.sans, r.result = words[:len(words)-1], words[len(words)-1]
			list, r = append(list, r), record{}
		case name == "Round":
			r.id = value
		case name == "FEN":
			r.fen = value
		case name == "BoardEnding":
			r.ending = value
		}
	}
	return list
}

// TestRealGamesThroughMCP plays the games of testdata/games through the tools, half in
// SAN and half in UCI, and compares the arena's records with their sources.
func TestRealGamesThroughMCP(t *testing.T) {
	records := readRecords(t)
	if len(records) < 200 {
		t.Fatalf("%d games in testdata, want 200 or more", len(records))
	}
	a := serve(t)
	caller := wire(t, a)
	white, black := register(t, caller, "Morphy"), register(t, caller, "Anderssen")
	pairings := make([]arbiter.Pairing, len(records))
	for i, r := range records {
		pairings[i] = arbiter.Pairing{White: white.ConfigID, Black: black.ConfigID, Start: r.fen}
	}
	ids := createGames(t, a, pairings...)

	const workers = 16
	work := make(chan int)
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for i := range work {
				form := []string{"SAN", "UCI"}[i%2]
				t.Run(fmt.Sprintf("%s_as_%s", records[i].id, form), func(t *testing.T) {
					replayRecord(t, records[i], ids[i], form, white, black)
				})
			}
		})
	}
	plies, endings := 0, map[string]int{}
	for i, r := range records {
		work <- i
		plies += len(r.sans)
		endings[r.ending]++
	}
	close(work)
	group.Wait()
	t.Logf("%d games, %d plies; endings on the board: %v", len(records), plies, endings)
}

// replayRecord plays one game for both sides, ends it as the source did, and compares
// the PGN that the arena writes with the source.
func replayRecord(t *testing.T, r record, game, form string, white, black *agent.Player) {
	ctx := t.Context()
	st, err := white.State(ctx, game, 0)
	if err != nil {
		t.Fatal(err)
	}
	sides := map[bool]*agent.Player{true: white, false: black}
	whiteToMove := st.YourTurn
	if st, err = sides[whiteToMove].State(ctx, game, 0); err != nil {
		t.Fatal(err)
	}
	uci := sourceUCI(t, r)
	for ply, san := range r.sans {
		if st.Over() {
			t.Fatalf("ply %d: the game is over by %s, and the source goes on with %s", ply, st.Termination, san)
		}
		move := san
		if form == "UCI" {
			move = uci[ply]
		}
		if st, err = sides[whiteToMove].Submit(ctx, game, ply, move); err != nil {
			t.Fatalf("ply %d, %s: %v", ply, move, err)
		}
		whiteToMove = !whiteToMove
	}
	want := agent.Result{Status: "finished", Termination: r.ending, Result: strings.ReplaceAll(r.result, "1/2-1/2", "1/2")}
	switch {
	case r.ending == "-":
		want = leave(t, game, r, white, black)
	case r.ending != "checkmate":
		want.Result = "1/2" // the source may have played on beyond the arena's automatic draw
	}
	got, err := white.Result(ctx, game)
	if err != nil {
		t.Fatal(err)
	}
	want.PGN, want.Plies = got.PGN, len(r.sans)
	if diff := cmp.Diff(want, *got); diff != "" {
		t.Errorf("result (-want +got):\n%s", diff)
	}
	comparePGN(t, r, got)
}

// leave ends a game that its players ended: by resignation or by agreement.
func leave(t *testing.T, game string, r record, white, black *agent.Player) agent.Result {
	t.Helper()
	want := agent.Result{Status: "finished", Termination: "resignation", Result: r.result}
	var err error
	switch r.result {
	case "1-0":
		err = black.Deed(t.Context(), "resign", game)
	case "0-1":
		err = white.Deed(t.Context(), "resign", game)
	default:
		want.Termination, want.Result = "draw_agreed", "1/2"
		if err = white.Deed(t.Context(), "offer_draw", game); err == nil {
			err = black.Deed(t.Context(), "accept_draw", game)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return want
}

// sourceUCI writes the source's moves in UCI.
func sourceUCI(t *testing.T, r record) []string {
	t.Helper()
	var uci []string
	position := rules.Start()
	if r.fen != "" {
		var err error
		if position, err = rules.ParseFEN(r.fen); err != nil {
			t.Fatal(err)
		}
	}
	for ply, san := range r.sans {
		move, refusal := position.Resolve(san)
		if refusal != nil {
			t.Fatalf("ply %d, %s: %s", ply, san, refusal.Message())
		}
		uci = append(uci, move.UCI())
		position = position.Play(move)
	}
	return uci
}

func comparePGN(t *testing.T, r record, got *agent.Result) {
	t.Helper()
	var games []*rules.Game
	for g, err := range rules.ReadPGN(strings.NewReader(got.PGN)) {
		if err != nil {
			t.Fatalf("%v in\n%s", err, got.PGN)
		}
		games = append(games, g)
	}
	if len(games) != 1 {
		t.Fatalf("get_result holds %d games:\n%s", len(games), got.PGN)
	}
	var sans []string
	for _, m := range games[0].Moves {
		sans = append(sans, m.SAN)
	}
	if !slices.Equal(sans, r.sans) {
		t.Errorf("moves (-source +arena):\n%s", cmp.Diff(r.sans, sans))
	}
	if result := strings.ReplaceAll(got.Result, "1/2", "1/2-1/2"); games[0].Result != result {
		t.Errorf("PGN ends with %s, the game with %s", games[0].Result, got.Result)
	}
	if code := games[0].Tag("TerminationCode"); code != got.Termination {
		t.Errorf("TerminationCode %q, the game ended by %s", code, got.Termination)
	}
}
