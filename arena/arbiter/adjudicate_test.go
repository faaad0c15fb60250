package arbiter_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"chessarena/arena"
	"chessarena/arena/arbiter"
	"chessarena/arena/engine"
	"chessarena/store"
)

// scripted answers every position with one evaluation and keeps what it was asked.
type scripted struct {
	answer engine.Evaluation
	err    error
	asked  []string
}

func (s *scripted) Evaluate(_ context.Context, fen string) (engine.Evaluation, error) {
	s.asked = append(s.asked, fen)
	return s.answer, s.err
}

func TestAdjudication(t *testing.T) {
	// Black runs out of time after eleven plies; evaluations are from White's view.
	for _, c := range []struct {
		name   string
		answer engine.Evaluation
		counts bool
	}{
		{"lost anyway", engine.Evaluation{CP: 300}, true},
		{"just not lost", engine.Evaluation{CP: 299}, false},
		{"winning", engine.Evaluation{CP: -900}, false},
		{"about to be mated", engine.Evaluation{Mate: 3}, true},
		{"about to mate", engine.Evaluation{Mate: -1}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			sweeping(t, func(t *testing.T, r *room) {
				id := r.game()
				st := r.play(id, ruy[:11]...)
				time.Sleep(16 * time.Minute)
				r.mustEnd(id, arena.Finished, arena.WhiteWins, arena.Timeout)
				c.answer.Engine, c.answer.Nodes = "script 1", 7
				ev := &scripted{answer: c.answer}
				did, err := r.Adjudicate(t.Context(), ev)
				if err != nil || !did {
					t.Fatalf("Adjudicate: %v, %v", did, err)
				}
				if len(ev.asked) != 1 || ev.asked[0] != st.FEN {
					t.Errorf("the engine was asked about %q, want %q", ev.asked, st.FEN)
				}
				g := r.mustEnd(id, arena.Finished, arena.WhiteWins, arena.Timeout)
				if g.OnBoard == nil || *g.OnBoard != c.counts {
					t.Errorf("counts on the board: %v, want %v", g.OnBoard, c.counts)
				}
				_, _, events := r.stored(id)
				last := events[len(events)-1]
				var data arena.AdjudicatedData
				if err := json.Unmarshal(last.Data, &data); err != nil || last.Kind != arena.EventAdjudicated {
					t.Fatalf("last event %s: %v", last.Kind, err)
				}
				if data.Counts != c.counts || data.Engine != "script 1" || data.Nodes != 7 {
					t.Errorf("the log says %+v", data)
				}
				if did, err := r.Adjudicate(t.Context(), ev); did || err != nil {
					t.Errorf("a second verdict: %v, %v", did, err)
				}
			})
		})
	}
}

func TestAVerdictWaitsForAnEngine(t *testing.T) {
	sweeping(t, func(t *testing.T, r *room) {
		id := r.game()
		r.play(id, ruy[:11]...)
		time.Sleep(16 * time.Minute)
		broken := errors.New("the engine died")
		if _, err := r.Adjudicate(t.Context(), &scripted{err: broken}); !errors.Is(err, broken) {
			t.Errorf("Adjudicate: %v", err)
		}
		if g, _, _ := r.stored(id); g.OnBoard != nil || r.owedVerdict() != id {
			t.Errorf("verdict %v, waiting %q; want none and the game", g.OnBoard, r.owedVerdict())
		}
	})
}

func TestThirdIllegalAttemptAsksForAVerdictOnlyFromPlyTen(t *testing.T) {
	r := newRoom(t)
	early, late := r.game(), r.game()
	r.play(late, ruy[:10]...)
	for range 3 {
		r.wantCode(r.submit(r.alice, early, 0, "x"), arena.IllegalMove)
		r.wantCode(r.submit(r.alice, late, 10, "x"), arena.IllegalMove)
	}
	if next := r.owedVerdict(); next != late {
		t.Errorf("waiting: %q, want the late game only", next)
	}
	if _, err := r.Adjudicate(t.Context(), &scripted{}); err != nil {
		t.Fatal(err)
	}
	if next := r.owedVerdict(); next != "" {
		t.Errorf("still waiting: %q", next)
	}
}

func TestVoid(t *testing.T) {
	r := newRoom(t)
	id := r.game()
	r.play(id, ruy...)
	void := func() error {
		return r.db.Update(t.Context(), func(tx *store.Tx) error { _, err := r.Void(tx, id, "a test"); return err })
	}
	if err := void(); err != nil {
		t.Fatal(err)
	}
	r.mustEnd(id, arena.Void, arena.NoResult, arena.ByAdmin)
	if st := r.look(r.alice, id); st.Status != arena.Void || *st.Result != arena.NoResult {
		t.Errorf("alice is shown %s %v", st.Status, st.Result)
	}
	if a := r.agent(r.alice.ID); a.Record != (arena.Record{}) {
		t.Errorf("a void game stands in alice's record: %+v", a.Record)
	}
	r.wantCode(void(), arena.GameNotActive)
	_, err := r.Resign(t.Context(), r.alice, arbiter.GameInput{GameID: id})
	r.wantCode(err, arena.GameNotActive)
}
