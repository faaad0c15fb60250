package e2e_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"chessarena/e2e/agent"
	"chessarena/e2e/host"
)

// Two games of chess: Légal's mate, and a draw that two tired players
// agree on after ten moves.
var (
	legalsMate = strings.Fields("e4 e5 Nf3 d6 Bc4 Bg4 Nc3 g6 Nxe5 Bxd1 Bxf7+ Ke7 Nd5#")
	tiredDraw  = strings.Fields("d4 d5 c4 e6 Nc3 Nf6 Nf3 Be7 Bf4 O-O e3 c5 dxc5 Bxc5 a3 Nc6 Qc2 Qa5 Rd1 Be7")
)

// script is how a player plays: the game's moves, and what happens after the last.
type script struct {
	moves []string
	draw  bool // whoever moves last offers a draw, the other accepts
}

// play plays one side of game to its end, waiting for the opponent by long-poll. A call
// that gets no answer, as when the arena restarts, is made again.
func (s script) play(ctx context.Context, p *agent.Player, game string, at func(ply int)) (*agent.State, error) {
	for {
		st, err := p.State(ctx, game, 20)
		if err != nil {
			if agent.CodeOf(err) != "" || ctx.Err() != nil {
				return nil, err
			}
			if err := pause(ctx); err != nil {
				return nil, err
			}
			continue
		}
		switch {
		case st.Over():
			return st, nil
		case st.Ply >= len(s.moves):
			err = s.agree(ctx, p, st)
		case st.YourTurn:
			// stale_ply after a lost answer: the move had been played.
			if _, err = p.Submit(ctx, game, st.Ply, s.moves[st.Ply]); err == nil {
				at(st.Ply + 1)
				if s.draw && st.Ply+1 == len(s.moves) {
					err = p.Deed(ctx, "offer_draw", game)
				}
			}
		}
		if code := agent.CodeOf(err); code != "" && code != "stale_ply" && code != "game_not_active" {
			return nil, err
		}
	}
}

// agree accepts the draw that whoever moved last offers.
func (s script) agree(ctx context.Context, p *agent.Player, st *agent.State) error {
	switch {
	case !s.draw:
		return fmt.Errorf("the script ends at ply %d and the game goes on", st.Ply)
	case st.DrawOffer == "opponent's":
		return p.Deed(ctx, "accept_draw", st.GameID)
	}
	return pause(ctx) // the offer is on its way
}

// pause is the time between two tries of a client whose server is away.
func pause(ctx context.Context) error {
	select {
	case <-time.After(50 * time.Millisecond):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// playBoth has two players play a game, and returns how each saw its end.
func playBoth(t *testing.T, game string, s script, white, black *agent.Player, at func(ply int)) (byWhite, byBlack *agent.State) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	if at == nil {
		at = func(int) {}
	}
	var group sync.WaitGroup
	ends := make([]*agent.State, 2)
	for i, p := range []*agent.Player{white, black} {
		group.Go(func() {
			var err error
			if ends[i], err = s.play(ctx, p, game, at); err != nil {
				t.Errorf("%s: %v", p.Nickname, err)
				cancel()
			}
		})
	}
	group.Wait()
	if t.Failed() {
		t.FailNow()
	}
	return ends[0], ends[1]
}

// expectEnd checks how both players saw the end, and the record.
func expectEnd(t *testing.T, game string, want agent.Result, moves []string, white, black *agent.Player, ends ...*agent.State) {
	t.Helper()
	for _, st := range ends {
		if st.Status != want.Status || st.Result != want.Result || st.Termination != want.Termination {
			t.Errorf("a player saw %s %s %s, want %s %s %s", st.Status, st.Result, st.Termination, want.Status, want.Result, want.Termination)
		}
		if !slices.Equal(st.History, moves) {
			t.Errorf("a player saw the moves %v, want %v", st.History, moves)
		}
	}
	for _, p := range []*agent.Player{white, black} {
		got, err := p.Result(t.Context(), game)
		if err != nil {
			t.Fatal(err)
		}
		if got.Result != want.Result || got.Termination != want.Termination || got.Plies != len(moves) {
			t.Errorf("%s reads the result %+v, want %+v with %d plies", p.Nickname, *got, want, len(moves))
		}
		if !strings.Contains(got.PGN, `[TerminationCode "`+want.Termination+`"]`) {
			t.Errorf("PGN without its termination:\n%s", got.PGN)
		}
	}
}

var (
	mated  = agent.Result{Status: "finished", Result: "1-0", Termination: "checkmate"}
	agreed = agent.Result{Status: "finished", Result: "1/2", Termination: "draw_agreed"}
)

// TestClientsPlayOneAnother is the promise of the product: strangers' clients, each an
// official SDK, register, play and read the result through the running binary.
func TestClientsPlayOneAnother(t *testing.T) {
	a := serve(t)
	connect := map[string]func(t *testing.T) agent.Caller{
		"typescript-v1": func(t *testing.T) agent.Caller { return typescript(t, "v1", a) },
		"typescript-v2": func(t *testing.T) agent.Caller { return typescript(t, "v2", a) },
		"go":            func(t *testing.T) agent.Caller { return sdk(t, a) },
		"rest":          func(t *testing.T) agent.Caller { return rest(t, a) },
	}
	for i, pair := range [][2]string{{"typescript-v1", "typescript-v2"}, {"typescript-v2", "go"}, {"go", "typescript-v1"}, {"rest", "rest"}} {
		t.Run(pair[0]+"_plays_"+pair[1], func(t *testing.T) {
			white := register(t, connect[pair[0]](t), fmt.Sprintf("White-of-%d", i))
			black := register(t, connect[pair[1]](t), fmt.Sprintf("Black-of-%d", i))
			mate := createGame(t, a, white.ConfigID, black.ConfigID)
			byWhite, byBlack := playBoth(t, mate, script{moves: legalsMate}, white, black, nil)
			expectEnd(t, mate, mated, legalsMate, white, black, byWhite, byBlack)

			draw := createGame(t, a, white.ConfigID, black.ConfigID, "--unrated")
			byWhite, byBlack = playBoth(t, draw, script{tiredDraw, true}, white, black, nil)
			expectEnd(t, draw, agreed, tiredDraw, white, black, byWhite, byBlack)
		})
	}
}

// TestClientsLiveThroughARestart stops the arena in the middle of a game and starts it
// again: the same client objects go on, without a second handshake.
func TestClientsLiveThroughARestart(t *testing.T) {
	a := serve(t)
	for _, generation := range []string{"v1", "v2"} {
		t.Run("typescript-"+generation+"_and_go", func(t *testing.T) {
			ts := typescript(t, generation, a)
			white, black := register(t, ts, "Restart-"+generation), register(t, sdk(t, a), "Go-with-"+generation)
			game := createGame(t, a, white.ConfigID, black.ConfigID)
			var once sync.Once
			byWhite, byBlack := playBoth(t, game, script{moves: legalsMate}, white, black, func(ply int) {
				if ply == 6 {
					once.Do(func() { restart(t, a) })
				}
			})
			expectEnd(t, game, mated, legalsMate, white, black, byWhite, byBlack)
			if facts := factsOf(t, ts); facts.Handshakes != 1 {
				t.Errorf("the client made %d handshakes, want 1", facts.Handshakes)
			}
		})
	}
}

func restart(t *testing.T, a *host.Arena) {
	if took, err := a.Stop(); err != nil {
		t.Error(err)
	} else if took > 2*time.Second {
		t.Errorf("the arena took %v to stop with a player waiting, want less than 2s", took)
	}
	if err := a.Start(context.Background()); err != nil {
		t.Error(err)
	}
}

type bridgeFacts struct {
	Handshakes   int    `json:"handshakes"`
	Beats        int    `json:"beats"`
	Instructions string `json:"instructions"`
}

func factsOf(t *testing.T, b *bridge) bridgeFacts {
	t.Helper()
	var facts bridgeFacts
	fetch(t, b, "facts", nil, &facts)
	return facts
}

// fetch runs an operation of the bridge that must succeed.
func fetch(t *testing.T, b *bridge, op string, request agent.Args, out any) {
	t.Helper()
	answer, err := b.do(t.Context(), op, request)
	if err != nil {
		t.Fatalf("%s: %v", op, err)
	}
	if err := json.Unmarshal(answer, out); err != nil {
		t.Fatalf("%s: %v: %.300s", op, err, answer)
	}
}

// contractTools are the tools of the reference contract that this arena has so far.
var contractTools = []string{"register", "add_config", "list_configs", "get_state", "submit_move", "resign", "offer_draw", "accept_draw", "get_result"}

// TestClientsReadTheOffer looks at what a client shows its model: one client of the two
// drops the whole list when one schema is not to its taste.
func TestClientsReadTheOffer(t *testing.T) {
	a := serve(t, "ARENA_PROGRESS_INTERVAL_S=0.2")
	for _, generation := range []string{"v1", "v2"} {
		t.Run(generation, func(t *testing.T) {
			b := typescript(t, generation, a)
			var tools []struct {
				Name        string `json:"name"`
				Description string `json:"description"`
				Annotations struct {
					Destructive *bool `json:"destructiveHint"`
					OpenWorld   *bool `json:"openWorldHint"`
				} `json:"annotations"`
			}
			fetch(t, b, "tools", nil, &tools)
			var names []string
			for _, tool := range tools {
				names = append(names, tool.Name)
				if tool.Description == "" || tool.Annotations.Destructive == nil || tool.Annotations.OpenWorld == nil {
					t.Errorf("%s lacks a description or an annotation: %+v", tool.Name, tool)
				}
			}
			for _, name := range contractTools {
				if !slices.Contains(names, name) {
					t.Errorf("the client sees no tool %s, only %v", name, names)
				}
			}
			if facts := factsOf(t, b); !strings.Contains(facts.Instructions, "register") {
				t.Errorf("the instructions do not say how to begin: %q", facts.Instructions)
			}
			var prompt struct{ Messages []json.RawMessage }
			fetch(t, b, "prompt", agent.Args{"name": "play", "args": agent.Args{"nickname": "Somebody", "model": "some-model"}}, &prompt)
			if len(prompt.Messages) == 0 {
				t.Error("the prompt play has no message")
			}
			var rules struct {
				Contents []struct{ Text string }
			}
			fetch(t, b, "resource", agent.Args{"uri": "arena://rules"}, &rules)
			if len(rules.Contents) != 1 || !strings.Contains(rules.Contents[0].Text, "checkmate") {
				t.Errorf("arena://rules reads %v", rules)
			}
			var templates []struct {
				Template string `json:"uriTemplate"`
			}
			fetch(t, b, "templates", nil, &templates)
			if len(templates) != 1 || templates[0].Template != "arena://games/{game_id}/pgn" {
				t.Errorf("resource templates: %v", templates)
			}
		})
	}
}

// TestWaitingClientsHearSomething: a client that asked for progress gets it while the
// opponent thinks, and the answer says how long it waited.
func TestWaitingClientsHearSomething(t *testing.T) {
	a := serve(t, "ARENA_PROGRESS_INTERVAL_S=0.2")
	b := typescript(t, "v1", a)
	white, black := register(t, rest(t, a), "Thinker"), register(t, b, "Waiter")
	game := createGame(t, a, white.ConfigID, black.ConfigID)
	st, err := black.State(t.Context(), game, 1.5)
	if err != nil {
		t.Fatal(err)
	}
	if st.YourTurn || st.Waited < 1.4 {
		t.Errorf("your_turn %v after %v s, want false after 1.5 s", st.YourTurn, st.Waited)
	}
	if facts := factsOf(t, b); facts.Beats < 2 {
		t.Errorf("%d signs of life in 1.5 s, one every 0.2 s was asked for", facts.Beats)
	}
	answered := make(chan *agent.State, 1)
	go func() {
		st, err := black.State(t.Context(), game, 30)
		if err != nil {
			t.Error(err)
		}
		answered <- st
	}()
	if _, err := white.Submit(t.Context(), game, 0, "e4"); err != nil {
		t.Fatal(err)
	}
	if st := <-answered; st == nil || !st.YourTurn || st.Ply != 1 {
		t.Errorf("the waiting client got %+v, want its turn at ply 1", st)
	}
}
