package web

import (
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"chessarena/arena"
	"chessarena/arena/arbiter"
	"chessarena/arena/hall"
	"chessarena/rules"
	"chessarena/store"
)

// site is the pages of an arena whose clock a test sets.
type site struct {
	*hall.Hall
	t       testing.TB
	clock   time.Time
	handler http.Handler
}

func newSite(t testing.TB, change ...func(*arena.Settings)) *site {
	t.Helper()
	s := &site{t: t, clock: time.Date(2026, 12, 1, 14, 2, 0, 0, time.UTC)}
	settings := arena.DefaultSettings()
	settings.DB = filepath.Join(t.TempDir(), "arena.db")
	for _, f := range change {
		f(&settings)
	}
	h, err := hall.Open(t.Context(), settings, hall.Options{Store: store.Options{Now: func() time.Time { return s.clock }}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	s.Hall = h
	if s.handler, err = New(h, Options{Version: "test"}); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *site) update(f func(*store.Tx) error) {
	s.t.Helper()
	if err := s.DB.Update(s.t.Context(), f); err != nil {
		s.t.Fatal(err)
	}
}

// player registers a nickname with one configuration, past all checks of what a
// nickname may be, so that a test can plant hostile text.
func (s *site) player(nickname, model string) (config int64) {
	s.t.Helper()
	s.update(func(tx *store.Tx) error {
		agent, err := tx.AddAgent(arena.Nickname(nickname), "hash", "7f3a91c0")
		if err != nil {
			return err
		}
		bucket, err := tx.EnsureBucket(arena.Config{Model: model, Provider: "northwind", Harness: "reference-1.0"})
		if err != nil {
			return err
		}
		entry, _, err := tx.AddEntry(agent.ID, bucket.ID, arena.Entry{Notes: "secret plans", ModelRaw: model})
		config = entry.ID
		return err
	})
	return config
}

// pair begins a game and plays the moves, 10 seconds each.
func (s *site) pair(white, black int64, fen string, sans ...string) *arena.Game {
	s.t.Helper()
	var g *arena.Game
	s.update(func(tx *store.Tx) (err error) {
		g, err = s.Arbiter.Create(tx, arbiter.Pairing{White: white, Black: black, Start: fen, Rated: true})
		return err
	})
	p := rules.Start()
	if fen != "" {
		var err error
		if p, err = rules.ParseFEN(fen); err != nil {
			s.t.Fatal(err)
		}
	}
	for _, san := range sans {
		m, refusal := p.Resolve(san)
		if refusal != nil {
			s.t.Fatalf("%s: %v", san, refusal)
		}
		s.clock = s.clock.Add(10 * time.Second)
		before := *g
		g.Clock, _ = g.Clock.Charge(g.Pace, g.Turn(), s.clock)
		g.Ply++
		s.update(func(tx *store.Tx) error {
			if err := tx.AppendMove(&before, arena.Move{UCI: m.UCI(), SAN: p.SAN(m), At: s.clock, Think: 10 * time.Second}); err != nil {
				return err
			}
			return tx.SaveLive(g, before.Ply)
		})
		p = p.Play(m)
	}
	return g
}

func (s *site) finish(g *arena.Game, status arena.Status, result arena.Result, how arena.Termination) {
	s.t.Helper()
	g.Status, g.Result, g.Termination, g.Finished = status, result, how, s.clock
	s.update(func(tx *store.Tx) error { return tx.FinishGame(g, g.Ply, "") })
}

// get asks for a page with more headers, each "Name: value".
func (s *site) get(path string, headers ...string) *httptest.ResponseRecorder {
	return ask(s.handler, "GET", path, "", headers...)
}

// page is the text of a page that must be there.
func (s *site) page(path string) string {
	s.t.Helper()
	rec := s.get(path)
	if rec.Code != http.StatusOK {
		s.t.Fatalf("%s: status %d\n%s", path, rec.Code, rec.Body)
	}
	return rec.Body.String()
}

var (
	address = regexp.MustCompile(`\b(?:href|src|action)="([^"]*)"`)
	tags    = regexp.MustCompile(`<[^>]*>`)
)

// links are the addresses on a page, but for places on the page itself.
func links(page string) (list []string) {
	for _, m := range address.FindAllStringSubmatch(page, -1) {
		if to := html.UnescapeString(m[1]); !strings.HasPrefix(to, "#") {
			list = append(list, to)
		}
	}
	return list
}

// text is a page as it is read, without its tags and spaces.
func text(page string) string {
	return strings.Join(strings.Fields(html.UnescapeString(tags.ReplaceAllString(page, ""))), "")
}

// arenaWithGames has one game of every status, and one in which black began.
func arenaWithGames(t *testing.T) (s *site, running, mate, blackFirst *arena.Game) {
	s = newSite(t)
	a, b := s.player("lumen-lab", "corvid-3-pro"), s.player("quietrook", "tern-sonnet-5")
	mate = s.pair(a, b, "", "f3", "e5", "g4", "Qh4#")
	s.finish(mate, arena.Finished, arena.BlackWins, "checkmate")
	blackFirst = s.pair(a, b, "4k3/8/8/8/8/8/4p3/4K2R b K - 3 41", "Kf7", "Kxe2", "Kg7")
	s.finish(blackFirst, arena.Finished, arena.Draw, arena.DrawAgreed)
	s.finish(s.pair(b, a, "", "e4"), arena.Void, arena.NoResult, arena.ByAdmin)
	running = s.pair(b, a, "", "e4", "c5")
	return s, running, mate, blackFirst
}

func gameAt(g *arena.Game, ply int) string { return fmt.Sprintf("/games/%s?ply=%d", g.ID, ply) }

// benchSite is a site with six running games, 60 finished ones, and a long one at the
// address long.
func benchSite(b *testing.B) (s struct {
	*site
	long string
}) {
	s.site = newSite(b)
	white, black := s.player("lumen-lab", "corvid-3-pro"), s.player("quietrook", "tern-sonnet-5")
	shuffle := []string{"Nf3", "Nf6", "Ng1", "Ng8"}
	var moves []string
	for range 30 {
		moves = append(moves, shuffle...)
	}
	long := s.pair(white, black, "", moves...)
	s.finish(long, arena.Finished, arena.Draw, arena.DrawAgreed)
	s.long = "/games/" + string(long.ID)
	for range 60 {
		s.finish(s.pair(white, black, "", "f3", "e5", "g4", "Qh4#"), arena.Finished, arena.BlackWins, "checkmate")
	}
	for range 6 {
		s.pair(black, white, "", moves[:60]...)
	}
	return s
}
