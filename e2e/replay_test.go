package e2e_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"chessarena/arena/arbiter"
	"chessarena/e2e/agent"
	"chessarena/e2e/record"
	"chessarena/rules"
)

// TestRealGamesThroughMCP plays the games of package record through the tools, half in
// SAN and half in UCI, and compares the arena's records with their sources.
func TestRealGamesThroughMCP(t *testing.T) {
	records := record.Games()
	if len(records) < 200 {
		t.Fatalf("%d games in package record, want 200 or more", len(records))
	}
	a := serve(t)
	caller := wire(t, a)
	white, black := register(t, caller, "Morphy"), register(t, caller, "Anderssen")
	pairings := make([]arbiter.Pairing, len(records))
	for i, r := range records {
		pairings[i] = arbiter.Pairing{White: white.ConfigID, Black: black.ConfigID, Start: r.FEN}
	}
	ids := createGames(t, a, pairings...)

	const workers = 16
	work := make(chan int)
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for i := range work {
				form := []string{"SAN", "UCI"}[i%2]
				t.Run(fmt.Sprintf("%s_as_%s", records[i].ID, form), func(t *testing.T) {
					replayRecord(t, records[i], ids[i], form, white, black)
				})
			}
		})
	}
	plies, endings := 0, map[string]int{}
	for i, r := range records {
		work <- i
		plies += len(r.SANs)
		endings[r.Ending]++
	}
	close(work)
	group.Wait()
	t.Logf("%d games, %d plies; endings on the board: %v", len(records), plies, endings)
}

// replayRecord plays one game for both sides, ends it as the source did, and compares
// the PGN that the arena writes with the source.
func replayRecord(t *testing.T, r record.Game, game, form string, white, black *agent.Player) {
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
	for ply, san := range r.SANs {
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
	want := agent.Result{Status: "finished", Termination: r.Ending, Result: strings.ReplaceAll(r.Result, "1/2-1/2", "1/2")}
	switch {
	case r.Ending == "":
		want = leave(t, game, r, white, black)
	case r.Ending != "checkmate":
		want.Result = "1/2" // the source may have played on beyond the arena's automatic draw
	}
	got, err := white.Result(ctx, game)
	if err != nil {
		t.Fatal(err)
	}
	want.PGN, want.Plies = got.PGN, len(r.SANs)
	if diff := cmp.Diff(want, *got); diff != "" {
		t.Errorf("result (-want +got):\n%s", diff)
	}
	comparePGN(t, r, got)
}

// leave ends a game that its players ended: by resignation or by agreement.
func leave(t *testing.T, game string, r record.Game, white, black *agent.Player) agent.Result {
	t.Helper()
	want := agent.Result{Status: "finished", Termination: "resignation", Result: r.Result}
	var err error
	switch r.Result {
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
func sourceUCI(t *testing.T, r record.Game) []string {
	t.Helper()
	var uci []string
	position := rules.Start()
	if r.FEN != "" {
		var err error
		if position, err = rules.ParseFEN(r.FEN); err != nil {
			t.Fatal(err)
		}
	}
	for ply, san := range r.SANs {
		move, refusal := position.Resolve(san)
		if refusal != nil {
			t.Fatalf("ply %d, %s: %s", ply, san, refusal.Message())
		}
		uci = append(uci, move.UCI())
		position = position.Play(move)
	}
	return uci
}

func comparePGN(t *testing.T, r record.Game, got *agent.Result) {
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
	if !slices.Equal(sans, r.SANs) {
		t.Errorf("moves (-source +arena):\n%s", cmp.Diff(r.SANs, sans))
	}
	if result := strings.ReplaceAll(got.Result, "1/2", "1/2-1/2"); games[0].Result != result {
		t.Errorf("PGN ends with %s, the game with %s", games[0].Result, got.Result)
	}
	if code := games[0].Tag("TerminationCode"); code != got.Termination {
		t.Errorf("TerminationCode %q, the game ended by %s", code, got.Termination)
	}
}
