package archive_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"chessarena/arena"
	"chessarena/arena/arbiter"
	"chessarena/arena/archive"
	"chessarena/arena/engine"
	"chessarena/arena/wake"
	"chessarena/store"
)

// played is a real arbiter whose games' logs are verified.
type played struct {
	*arbiter.Arbiter
	games   *archive.Archive
	t       *testing.T
	db      *store.DB
	agents  [2]arena.Agent
	configs [2]int64
}

func newPlayed(t *testing.T) *played {
	t.Helper()
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "arena.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	p := &played{t: t, db: db, games: archive.New(db), Arbiter: arbiter.New(db, new(wake.Hub), arena.DefaultSettings(), nil)}
	p.update(func(tx *store.Tx) error {
		for i, name := range []arena.Nickname{"alice", "bob"} {
			agent, err := tx.AddAgent(name, "hash", "01234567")
			if err != nil {
				return err
			}
			bucket, err := tx.EnsureBucket(arena.Config{Model: string(name), Provider: "p", Harness: "h"})
			if err != nil {
				return err
			}
			entry, _, err := tx.AddEntry(agent.ID, bucket.ID, arena.Entry{})
			if err != nil {
				return err
			}
			p.agents[i], p.configs[i] = agent, entry.ID
		}
		return nil
	})
	return p
}

func (p *played) update(f func(*store.Tx) error) {
	p.t.Helper()
	if err := p.db.Update(p.t.Context(), f); err != nil {
		p.t.Fatal(err)
	}
}

func (p *played) begin(pairing arbiter.Pairing) (id arena.GameID) {
	p.t.Helper()
	pairing.White, pairing.Black, pairing.Rated = p.configs[0], p.configs[1], true
	p.update(func(tx *store.Tx) error {
		g, err := p.Create(tx, pairing)
		if err == nil {
			id = g.ID
		}
		return err
	})
	return id
}

// pass lets time go by with the arena awake: it beats.
func (p *played) pass(d time.Duration) {
	p.t.Helper()
	for ; d > 0; d -= arbiter.BeatEvery {
		time.Sleep(arbiter.BeatEvery)
		if err := p.Beat(p.t.Context()); err != nil {
			p.t.Fatal(err)
		}
	}
}

// submit plays for whoever is to move; an illegal move is no failure of the test.
func (p *played) submit(id arena.GameID, move string) *arbiter.State {
	p.t.Helper()
	for _, agent := range p.agents {
		st, err := p.GetState(p.t.Context(), agent, arbiter.StateInput{GameID: id, Wait: new(float64)})
		if err != nil {
			p.t.Fatal(err)
		}
		if st.YourTurn {
			_, err := p.SubmitMove(p.t.Context(), agent, arbiter.MoveInput{GameID: id, Ply: st.Ply, Move: move})
			if err != nil && arena.CodeOf(err) != arena.IllegalMove {
				p.t.Fatal(err)
			}
			return st
		}
	}
	return nil
}

func (p *played) log(id arena.GameID) []arena.LogEntry {
	p.t.Helper()
	log, err := p.games.Log(p.t.Context(), id)
	if err != nil {
		p.t.Fatal(err)
	}
	return log
}

func wantVerified(t *testing.T, log []arena.LogEntry) {
	t.Helper()
	v := archive.Verify(log)
	for _, c := range v.Checks {
		if !c.OK {
			t.Errorf("%s: %s", c.Name, c.Fault)
		}
	}
	if !v.OK || v.Entries != len(log) || len(log) == 0 {
		t.Errorf("ok %v for %d of %d entries", v.OK, v.Entries, len(log))
	}
}

var ruy = []string{"e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6", "O-O", "Be7", "Re1", "b5"}

// everyEnd plays one game to each kind of end and calls f with its log.
func everyEnd(t *testing.T, f func(t *testing.T, name string, log []arena.LogEntry)) {
	offer := func(p *played, id arena.GameID, side int) {
		if _, err := p.OfferDraw(p.t.Context(), p.agents[side], arbiter.GameInput{GameID: id}); err != nil {
			p.t.Fatal(err)
		}
	}
	for name, play := range map[string]func(p *played) arena.GameID{
		"mate after attempts and offers": func(p *played) arena.GameID {
			id := p.begin(arbiter.Pairing{})
			for _, move := range []string{"f3", "Ke7", "not a move", "e5", "Zz9"} {
				time.Sleep(7 * time.Second)
				p.submit(id, move)
			}
			offer(p, id, 1)
			p.submit(id, "g4")
			p.pass(200 * time.Second)
			p.submit(id, "Qh4#")
			return id
		},
		"agreed draw": func(p *played) arena.GameID {
			id := p.begin(arbiter.Pairing{})
			p.submit(id, "e4")
			offer(p, id, 0)
			if _, err := p.AcceptDraw(p.t.Context(), p.agents[1], arbiter.GameInput{GameID: id}); err != nil {
				p.t.Fatal(err)
			}
			return id
		},
		"resignation": func(p *played) arena.GameID {
			id := p.begin(arbiter.Pairing{Start: "4k3/8/8/8/8/8/4P3/4K3 b - - 3 40"})
			p.submit(id, "Kd7")
			if _, err := p.Resign(p.t.Context(), p.agents[1], arbiter.GameInput{GameID: id}); err != nil {
				p.t.Fatal(err)
			}
			return id
		},
		"illegal moves, judged": func(p *played) arena.GameID {
			id := p.begin(arbiter.Pairing{Opening: &arena.Opening{ECO: "C20", Name: "King's Pawn"}, Book: []string{"e2e4"}})
			for _, move := range append(ruy[1:], "a", "b", "c") {
				p.submit(id, move)
			}
			judge(p.t, p, engine.Evaluation{CP: -300, Engine: "script", Nodes: 1})
			return id
		},
		"time, after a sleep of the machine": func(p *played) arena.GameID {
			id := p.begin(arbiter.Pairing{})
			for _, move := range ruy {
				p.submit(id, move)
			}
			time.Sleep(3 * time.Hour)
			if err := p.Sweep(p.t.Context()); err != nil { // finds the absence
				p.t.Fatal(err)
			}
			p.pass(1000 * time.Second)
			if err := p.Sweep(p.t.Context()); err != nil {
				p.t.Fatal(err)
			}
			judge(p.t, p, engine.Evaluation{Mate: -2, Engine: "script", Nodes: 1})
			return id
		},
		"void by an operator": func(p *played) arena.GameID {
			id := p.begin(arbiter.Pairing{})
			p.submit(id, "d4")
			p.update(func(tx *store.Tx) error { _, err := p.Void(tx, id, "a test"); return err })
			return id
		},
		"still running": func(p *played) arena.GameID {
			id := p.begin(arbiter.Pairing{})
			p.submit(id, "d4")
			p.submit(id, "??")
			return id
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newPlayed(t)
				if err := p.Resume(t.Context()); err != nil {
					t.Fatal(err)
				}
				f(t, name, p.log(play(p)))
			})
		})
	}
}

// evaluator gives one evaluation for every position.
type evaluator struct{ answer engine.Evaluation }

func (e evaluator) Evaluate(context.Context, string) (engine.Evaluation, error) { return e.answer, nil }

func judge(t *testing.T, p *played, e engine.Evaluation) {
	t.Helper()
	if did, err := p.Adjudicate(t.Context(), evaluator{e}); err != nil || !did {
		t.Fatalf("no verdict: %v", err)
	}
}

func TestEveryRealLogVerifies(t *testing.T) {
	ended := 0
	everyEnd(t, func(t *testing.T, name string, log []arena.LogEntry) {
		wantVerified(t, log)
		for _, e := range log {
			if e.Kind == arena.EventFinished {
				ended++
			}
		}
		if _, whole := strings.CutPrefix(name, "time"); whole {
			shifts := 0
			for _, e := range log {
				if e.Kind == arena.EventShift {
					shifts++
				}
			}
			if shifts == 0 {
				t.Error("the absence is not in the log")
			}
		}
	})
	if ended != 6 {
		t.Errorf("%d games ended, want 6", ended)
	}
}

func TestRandomGamesVerify(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPlayed(t)
		dice := rand.New(rand.NewPCG(3, 5))
		for range 12 {
			id := p.begin(arbiter.Pairing{})
			for range 60 {
				time.Sleep(time.Duration(dice.IntN(1000)) * time.Millisecond)
				st := p.look(id)
				if st == nil {
					break
				}
				p.submit(id, st.LegalSAN[dice.IntN(len(st.LegalSAN))])
			}
			wantVerified(t, p.log(id))
		}
	})
}

// look is the state of whoever is to move, nil when the game is over.
func (p *played) look(id arena.GameID) *arbiter.State {
	for _, agent := range p.agents {
		if st, err := p.GetState(p.t.Context(), agent, arbiter.StateInput{GameID: id, Wait: new(float64)}); err == nil && st.YourTurn {
			return st
		}
	}
	return nil
}

// An entry that is changed, left out or moved breaks the chain, wherever it stands.
func TestAnAlteredLogDoesNotVerify(t *testing.T) {
	everyEnd(t, func(t *testing.T, _ string, log []arena.LogEntry) {
		alter := func(what string, f func([]arena.LogEntry) []arena.LogEntry) {
			t.Helper()
			if archive.Verify(f(append([]arena.LogEntry{}, log...))).OK {
				t.Errorf("%s: the log still verifies", what)
			}
		}
		for i := range log {
			last := i == len(log)-1
			alter(fmt.Sprint("data of ", i+1), func(l []arena.LogEntry) []arena.LogEntry {
				text := []byte(string(l[i].Data))
				text[len(text)/2] ^= 1
				l[i].Data = text
				return l
			})
			alter(fmt.Sprint("time of ", i+1), func(l []arena.LogEntry) []arena.LogEntry { l[i].At++; return l })
			alter(fmt.Sprint("ply of ", i+1), func(l []arena.LogEntry) []arena.LogEntry { l[i].Ply++; return l })
			alter(fmt.Sprint("kind of ", i+1), func(l []arena.LogEntry) []arena.LogEntry { l[i].Kind = "draw_offers"; return l })
			alter(fmt.Sprint("hash of ", i+1), func(l []arena.LogEntry) []arena.LogEntry { l[i].Hash[7] ^= 1; return l })
			if !last {
				alter(fmt.Sprint("without ", i+1), func(l []arena.LogEntry) []arena.LogEntry { return append(l[:i], l[i+1:]...) })
				alter(fmt.Sprint("order of ", i+1), func(l []arena.LogEntry) []arena.LogEntry { l[i], l[i+1] = l[i+1], l[i]; return l })
			}
		}
	})
}

// Whoever forges a whole new chain still has to tell a game that the rules allow.
func TestAForgedChainMustStillBeAGame(t *testing.T) {
	for _, c := range []struct{ check, kind, from, to string }{
		{"moves", "move", `"uci":"f2f3"`, `"uci":"f2f5"`},
		{"moves", "move", `"san":"f3"`, `"san":"f4"`},
		{"moves", "move", `"side":"white"`, `"side":"black"`},
		{"clock", "move", `"think_ms":7000`, `"think_ms":6000`},
		{"clock", "move", `"over_soft_deadline":true`, `"over_soft_deadline":false`},
		{"illegal attempts", "illegal_attempt", `"attempt":2`, `"attempt":1`},
		{"illegal attempts", "illegal_attempt", `"text":"Ke7"`, `"text":"e5"`},
		{"draw offers", "draw_offer", `"side":"black"`, `"colour":"black"`},
		{"end", "finished", `"result":"0-1"`, `"result":"1-0"`},
		{"end", "finished", `"termination":"checkmate"`, `"termination":"resignation"`},
		{"end", "finished", `"forfeit_side":null`, `"forfeit_side":"white"`},
		{"end", "finished", `"status":"finished"`, `"status":"void"`},
		{"end", "finished", `"termination":"draw_agreed"`, `"termination":"stalemate"`},
		{"end", "finished", `"termination":"illegal_moves"`, `"termination":"timeout"`},
		{"board verdict", "adjudicated", `"counts_on_board":true`, `"counts_on_board":false`},
		{"start", "created", `"book":["e2e4"]`, `"book":["e2e5"]`},
		{"clock", "created", `"bank_ms":1200000`, `"bank_ms":0`},
	} {
		t.Run(c.check+" "+c.to, func(t *testing.T) {
			forged, caught := 0, 0
			everyEnd(t, func(t *testing.T, _ string, log []arena.LogEntry) {
				log = append([]arena.LogEntry{}, log...)
				changed := false
				var before arena.LogHash
				for i := range log {
					if text := string(log[i].Data); !changed && string(log[i].Kind) == c.kind && strings.Contains(text, c.from) {
						log[i].Data, changed = json.RawMessage(strings.Replace(text, c.from, c.to, 1)), true
					}
					log[i].Hash = log[i].Link(before)
					before = log[i].Hash
				}
				if !changed {
					return
				}
				forged++
				for _, check := range archive.Verify(log).Checks {
					if check.Name == "hash chain" && !check.OK {
						t.Errorf("the forged chain is broken: %s", check.Fault)
					}
					if check.Name == c.check && !check.OK {
						caught++
						break
					}
				}
			})
			if forged == 0 || caught == 0 {
				t.Errorf("%d logs forged, %d caught by the check of %s", forged, caught, c.check)
			}
		})
	}
}

func TestAShiftShowsInThePGNAndInTheGame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPlayed(t)
		if err := p.Resume(t.Context()); err != nil {
			t.Fatal(err)
		}
		id := p.begin(arbiter.Pairing{})
		p.submit(id, "e4")
		time.Sleep(2*time.Hour + 3*time.Second)
		p.submit(id, "e5")
		pgn, err := p.games.PGN(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		flat := strings.Join(strings.Fields(pgn), " ") // lines are folded
		if want := "1. e4 {clock moved by 2h0m3s: the arena's machine slept, or its clock was set} 1... e5 *"; !strings.Contains(flat, want) {
			t.Errorf("PGN:\n%s\nwant %s", pgn, want)
		}
		game, err := p.games.Game(t.Context(), id, archive.Latest)
		if err != nil {
			t.Fatal(err)
		}
		if len(game.Shifts) != 1 || game.Shifts[0].Ply != 1 || game.Shifts[0].ByS != 7203 {
			t.Errorf("shifts: %+v", game.Shifts)
		}
	})
}
