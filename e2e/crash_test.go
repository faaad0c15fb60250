package e2e_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptrace"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"chessarena/arena/arbiter"
	"chessarena/e2e/agent"
	"chessarena/e2e/host"
	"chessarena/rules"
)

// match is one game that the test plays for both sides, and what it was told about it.
type match struct {
	id       string
	sides    [2]*agent.Player // by rules.Color
	random   *rand.Rand
	position *rules.Position
	acked    []string // SAN of every move the arena acknowledged
	over     bool
}

// step plays one random move. An error that is no *agent.Refusal means that nobody knows
// whether the move was played.
func (m *match) step(ctx context.Context) error {
	legal := m.position.Legal()
	move := legal[m.random.IntN(len(legal))]
	san := m.position.SAN(move)
	st, err := m.sides[m.position.Turn()].Submit(ctx, m.id, len(m.acked), move.UCI())
	if err != nil {
		return fmt.Errorf("game %s, ply %d, %s: %w", m.id, len(m.acked), san, err)
	}
	m.acked = append(m.acked, san)
	m.position = m.position.Play(move)
	m.over = st.Over()
	return nil
}

// resume asks the arena where the game stands. Every acknowledged move must be there, and
// at most one more: the one that was on its way when the power went.
func (m *match) resume(ctx context.Context) error {
	var st *agent.State
	for {
		var err error
		if st, err = m.sides[0].State(ctx, m.id, 0); err == nil {
			break
		}
		// After a start every key has to be proven again, a few at a time.
		if agent.CodeOf(err) != "rate_limited" {
			return err
		}
		if err := pause(ctx); err != nil {
			return err
		}
	}
	if len(st.History) < len(m.acked) || !slices.Equal(st.History[:len(m.acked)], m.acked) {
		return fmt.Errorf("game %s: acknowledged moves are lost: %d plies of %d: %v, want %v", m.id, len(st.History), len(m.acked), st.History, m.acked)
	}
	if len(st.History) > len(m.acked)+1 {
		return fmt.Errorf("game %s: %d moves more than were sent", m.id, len(st.History)-len(m.acked))
	}
	for _, san := range st.History[len(m.acked):] {
		move, refusal := m.position.Resolve(san)
		if refusal != nil {
			return fmt.Errorf("game %s: the arena has %s: %s", m.id, san, refusal.Message())
		}
		m.position, m.acked = m.position.Play(move), append(m.acked, san)
	}
	if fen := m.position.FEN(); st.FEN != fen {
		return fmt.Errorf("game %s: the arena has %s, the moves give %s", m.id, st.FEN, fen)
	}
	m.over = st.Over()
	return nil
}

// together runs f for every match that goes on, side by side, until all have returned.
func together(matches []*match, f func(*match) error) []error {
	errs := make([]error, len(matches))
	var group sync.WaitGroup
	for i, m := range matches {
		if !m.over {
			group.Go(func() { errs[i] = f(m) })
		}
	}
	group.Wait()
	return slices.DeleteFunc(errs, func(err error) bool { return err == nil })
}

// TestKill kills the arena while 50 games are played as fast as they can be, and starts
// it again: every acknowledged move is there, and the same clients go on with the keys
// they have and no new handshake.
func TestKill(t *testing.T) {
	cycles, games := 1, 50
	if os.Getenv("ARENA_TEST_LONG") == "1" {
		cycles = 100
	}
	a := serve(t)
	players := newSurvivors(t, a)
	total := int64(0)
	for cycle := range cycles {
		matches := newMatches(t, a, players, games)
		var acked atomic.Int64
		enough, killed := make(chan struct{}), make(chan error, 1)
		go func() {
			<-enough
			killed <- a.Kill()
		}()
		errs := together(matches, func(m *match) error {
			for !m.over {
				if err := m.step(t.Context()); err != nil {
					return err
				}
				if acked.Add(1) == 1000 {
					close(enough)
				}
			}
			return nil
		})
		if acked.Load() < 1000 {
			t.Fatalf("the games stopped before the kill: %v", errs)
		}
		if err := <-killed; err != nil {
			t.Fatal(err)
		}
		for _, err := range errs {
			if agent.CodeOf(err) != "" {
				t.Fatalf("refused under load: %v", err)
			}
		}
		if len(errs) < games/2 {
			t.Fatalf("only %d of %d games were hit by the kill", len(errs), games)
		}
		if err := a.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		before := acked.Load()
		for _, err := range together(matches, func(m *match) error { return m.resume(t.Context()) }) {
			t.Error(err)
		}
		for _, err := range together(matches, func(m *match) error {
			for i := 0; i < 4 && !m.over; i++ {
				if err := m.step(t.Context()); err != nil {
					return err
				}
			}
			return nil
		}) {
			t.Errorf("after the restart: %v", err)
		}
		// The file is whole, and nobody was punished for the host's failure.
		if _, err := a.Admin(t.Context(), "doctor"); err != nil {
			t.Errorf("after the restart: %v", err)
		}
		for _, m := range matches {
			wantHonest(t, a, m.id)
		}
		if t.Failed() {
			return
		}
		total += before
		t.Logf("cycle %d: killed after %d acknowledged moves with %d calls on their way; none is lost", cycle+1, before, len(errs))
	}
	t.Logf("%d kills, %d acknowledged moves: 0 lost, 0 files damaged, 0 wrong forfeits", cycles, total)
}

// wantHonest checks that a game's log verifies and that nobody lost it on time.
func wantHonest(t *testing.T, a *host.Arena, id string) {
	t.Helper()
	for path, want := range map[string]string{"/verify": `"ok":true`, "": `"game_id"`} {
		res, err := http.Get(a.URL() + "/v1/games/" + id + path)
		if err != nil {
			t.Error(err)
			return
		}
		body, err := io.ReadAll(res.Body)
		res.Body.Close()
		if err != nil || !strings.Contains(string(body), want) || strings.Contains(string(body), `"termination":"timeout"`) {
			t.Errorf("game %s%s: %.400s (%v)", id, path, body, err)
		}
	}
}

// newSurvivors registers ten nicknames, half of them over MCP and half over REST.
func newSurvivors(t *testing.T, a *host.Arena) []*agent.Player {
	t.Helper()
	var players []*agent.Player
	for i := range 10 {
		var c agent.Caller = rest(t, a)
		if i%2 == 0 {
			c = sdk(t, a)
		}
		players = append(players, register(t, c, fmt.Sprintf("Survivor-%c", 'A'+i)))
	}
	return players
}

// newMatches seats ten players in n games.
func newMatches(t *testing.T, a *host.Arena, players []*agent.Player, n int) []*match {
	t.Helper()
	pairings := make([]arbiter.Pairing, n)
	matches := make([]*match, n)
	for i := range matches {
		white, black := players[i%10], players[(i+1+i/10)%10]
		pairings[i] = arbiter.Pairing{White: white.ConfigID, Black: black.ConfigID, Rated: true}
		matches[i] = &match{
			sides: [2]*agent.Player{white, black}, position: rules.Start(),
			random: rand.New(rand.NewPCG(uint64(i), 2)),
		}
	}
	for i, id := range createGames(t, a, pairings...) {
		matches[i].id = id
	}
	return matches
}

// TestOrderlyStopAnswersWaiters: whoever waits when the arena is closed gets an ordinary
// answer, and the arena is gone within two seconds.
func TestOrderlyStopAnswersWaiters(t *testing.T) {
	a := serve(t)
	white, black := register(t, rest(t, a), "Stopper"), register(t, rest(t, a), "Stopped")
	const waiters = 20
	pairings := make([]arbiter.Pairing, waiters)
	for i := range pairings {
		pairings[i] = arbiter.Pairing{White: white.ConfigID, Black: black.ConfigID}
	}
	overMCP := &agent.Player{Caller: wire(t, a), Key: black.Key}
	answers := make(chan error, waiters)
	var waiting sync.WaitGroup
	waiting.Add(waiters)
	// A waiting call hears something within a second, and not before it waits.
	ctx := httptrace.WithClientTrace(context.Background(), &httptrace.ClientTrace{GotFirstResponseByte: waiting.Done})
	for i, id := range createGames(t, a, pairings...) {
		p := black
		if i%2 == 0 {
			p = overMCP
		}
		go func() {
			st, err := p.State(ctx, id, 60)
			if err == nil && (st.YourTurn || st.Waited == 0) {
				err = fmt.Errorf("answered with %+v, want a wait that ended early", st)
			}
			answers <- err
		}()
	}
	waiting.Wait()
	took, err := a.Stop()
	if err != nil {
		t.Error(err)
	}
	if took > 2*time.Second {
		t.Errorf("the stop took %v", took)
	}
	for range waiters {
		if err := <-answers; err != nil {
			t.Error(err)
		}
	}
}
