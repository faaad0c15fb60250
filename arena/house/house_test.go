package house_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"chessarena/arena"
	"chessarena/arena/arbiter"
	"chessarena/arena/arenatest"
	"chessarena/arena/engine"
	"chessarena/arena/house"
	"chessarena/arena/modelname"
	"chessarena/arena/rating"
	"chessarena/assets"
	"chessarena/rules"
	"chessarena/store"
)

// seated is an arena whose house has its built-in players.
func seated(t *testing.T) *arenatest.Arena {
	t.Helper()
	a := arenatest.New(t, arenatest.Settings())
	pool := engine.NewPool(1, nil, nil)
	t.Cleanup(pool.Close)
	if err := a.House.Seat(t.Context(), pool); err != nil {
		t.Fatal(err)
	}
	return a
}

// run has the house play until the end of the test.
func run(t *testing.T, a *arenatest.Arena) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- a.House.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

type state struct {
	Status      string   `json:"status"`
	Ply         int      `json:"ply"`
	YourTurn    bool     `json:"your_turn"`
	Legal       []string `json:"legal_moves_uci"`
	Result      *string  `json:"result"`
	Termination *string  `json:"termination"`
	Rated       bool     `json:"rated"`
}

// playOut plays the agent's side with the first legal move there is, to the end.
func playOut(t *testing.T, agent *arenatest.Agent, id arena.GameID) state {
	t.Helper()
	for {
		var s state
		agent.Must("get_state", map[string]any{"game_id": id, "wait_s": 10}, &s)
		if s.Status != "active" {
			return s
		}
		if s.YourTurn {
			agent.Must("submit_move", map[string]any{"game_id": id, "ply": s.Ply, "move": s.Legal[s.Ply*7%len(s.Legal)]}, nil)
		}
	}
}

func TestTheLadderIsSeatedOnceAndPinned(t *testing.T) {
	a := seated(t)
	first := a.House.Anchors()
	pool := engine.NewPool(1, nil, nil)
	if err := a.House.Seat(t.Context(), pool); err != nil {
		t.Fatal(err)
	}
	again := a.House.Anchors()
	if !slices.EqualFunc(first, again, func(x, y arena.Waiter) bool { return x.ConfigID == y.ConfigID && x.Rating == y.Rating }) {
		t.Errorf("seated again: %v, before %v", again, first)
	}
	if len(first) != len(house.Ladder(pool)) {
		t.Errorf("%d anchors of %d rungs", len(first), len(house.Ladder(pool)))
	}
	if r := first[0].Rating.R; r != house.ReferenceElo {
		t.Errorf("the weakest stands at %v", r)
	}
	for i := range first[1:] {
		if gap := first[i+1].Rating.R - first[i].Rating.R; gap < 0 || gap > 500 {
			t.Errorf("between rungs %d and %d lie %.0f points", i, i+1, gap)
		}
	}
	var anon arenatest.Agent = *a.Register("someone")
	if code := anon.Call("register", map[string]any{"nickname": "house", "config": map[string]any{"model": "m", "provider": "p", "harness": "h"}}, nil); code != arena.Reserved {
		t.Errorf("somebody registers as the house: %q", code)
	}
}

func TestEveryRungsNameIsReserved(t *testing.T) {
	models, err := modelname.Parse(assets.Models)
	if err != nil {
		t.Fatal(err)
	}
	reserved := make(map[string]bool)
	for _, m := range models {
		reserved[m.ID] = m.Reserved
	}
	for _, rung := range house.Ladder(engine.NewPool(1, nil, nil)) {
		if !reserved[rung.Name] {
			t.Errorf("anybody can be %s", rung.Name)
		}
	}
	for skill := range 7 {
		if name := fmt.Sprintf("stockfish-skill-%d", skill); !reserved[name] {
			t.Errorf("anybody can be %s", name)
		}
	}
}

func TestAnAgentThatJoinsPlaysTheHouseToTheEnd(t *testing.T) {
	a := seated(t)
	run(t, a)
	agent := a.Register("alice")
	for game := range 3 {
		agent.Must("join_queue", map[string]any{"config_id": agent.ConfigID, "wait_s": 0}, nil)
		if n, err := a.Matchmaker.Wave(t.Context()); n != 1 || err != nil {
			t.Fatalf("game %d: %d games, %v", game, n, err)
		}
		var m struct {
			GameID arena.GameID `json:"game_id"`
		}
		agent.Must("join_queue", map[string]any{"config_id": agent.ConfigID, "wait_s": 0}, &m)
		if s := playOut(t, agent, m.GameID); !s.Rated || s.Result == nil || *s.Termination == "timeout" {
			t.Errorf("game %d: %+v", game, s)
		}
	}
	// The agent's rating has moved, the anchors' have not.
	err := a.DB.View(t.Context(), func(tx *store.Tx) error {
		entry, err := tx.Entry(agent.ConfigID)
		if err != nil {
			return err
		}
		if entry.Bucket.All == arena.InitialRating || entry.Bucket.Record.Games != 3 {
			t.Errorf("the agent after three games: %+v", entry.Bucket)
		}
		for _, w := range a.House.Anchors() {
			b, err := tx.Bucket(w.BucketID)
			if err != nil {
				return err
			}
			if b.All != w.Rating {
				t.Errorf("an anchor moved from %v to %v", w.Rating, b.All)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// down is an engine that has just died, for ever.
type down struct{}

func (down) Move(context.Context, *rules.Replay, uint64) (rules.Move, error) {
	return rules.Move{}, fmt.Errorf("%w: for the test", engine.ErrDown)
}

func begin(t *testing.T, a *arenatest.Arena, p arbiter.Pairing) (id arena.GameID) {
	t.Helper()
	err := a.DB.Update(t.Context(), func(tx *store.Tx) error {
		g, err := a.Arbiter.Create(tx, p)
		if err == nil {
			id = g.ID
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// When the engine behind an anchor dies, or is not installed any more, the agent still
// finishes its game; only no rating hangs on it, and the log says so.
func TestAnEngineThatDiesCostsTheAgentNothing(t *testing.T) {
	for _, c := range []struct {
		name string
		harm func(*house.House)
	}{
		{"dies", func(h *house.House) { h.Hire("house-1000", down{}) }},
		{"is removed", func(h *house.House) { h.Dismiss("house-1000") }},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := seated(t)
			agent := a.Register("alice")
			id := begin(t, a, arbiter.Pairing{White: agent.ConfigID, Black: a.House.Configs()["house-1000"], Rated: true})
			c.harm(a.House)
			run(t, a)
			if s := playOut(t, agent, id); s.Rated || s.Result == nil || *s.Termination == "timeout" {
				t.Errorf("%+v", s)
			}
			var events []arena.Event
			err := a.DB.View(t.Context(), func(tx *store.Tx) error {
				g, err := tx.Game(id)
				if err != nil {
					return err
				}
				if events, err = tx.Events(&g); err != nil {
					return err
				}
				entry, err := tx.Entry(agent.ConfigID)
				if entry.Bucket.All != arena.InitialRating {
					t.Errorf("it was rated: %+v", entry.Bucket.All)
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			kinds := 0
			for _, e := range events {
				if e.Kind == arena.EventUnrated {
					kinds++
				}
			}
			if kinds != 1 {
				t.Errorf("the log says %d times that the game is unrated", kinds)
			}
			var report struct {
				OK bool `json:"ok"`
			}
			if agent.Must("verify_game", map[string]any{"game_id": id}, &report); !report.OK {
				t.Error("the log does not verify")
			}
		})
	}
}

func TestTheHousePlaysWithItselfWhileNobodyElseDoes(t *testing.T) {
	a := seated(t)
	a.House.SetGames(house.GamesIdle)
	agent := a.Register("alice")
	begun, err := a.House.Idle(t.Context())
	if !begun || err != nil {
		t.Fatalf("in an empty arena: %v, %v", begun, err)
	}
	if begun, err = a.House.Idle(t.Context()); begun || err != nil {
		t.Errorf("a second game at once: %v, %v", begun, err)
	}
	run(t, a)
	g := awaitEnd(t, a)[0]
	if g.Rated || g.Seats[0].Nickname != house.Nickname || g.Seats[1].Nickname != house.Nickname || g.Seats[0].BucketID == g.Seats[1].BucketID || g.Book == 0 {
		t.Errorf("%+v", g)
	}
	for _, c := range []struct {
		how    string
		queued bool
		want   bool
	}{
		{house.GamesOff, false, false}, {house.GamesIdle, true, false}, {house.GamesOn, true, true},
	} {
		a.House.SetGames(c.how)
		if c.queued {
			agent.Must("join_queue", map[string]any{"config_id": agent.ConfigID, "wait_s": 0, "opponents": "agents_only"}, nil)
		}
		if begun, err := a.House.Idle(t.Context()); begun != c.want || err != nil {
			t.Errorf("%s with somebody waiting %v: %v, %v", c.how, c.queued, begun, err)
		}
	}
}

// awaitEnd waits until no game is in progress and returns all games.
func awaitEnd(t *testing.T, a *arenatest.Arena) (games []arena.Game) {
	t.Helper()
	for {
		changed, stop := a.Hub.Watch(arbiter.GamesTopic)
		running := 0
		err := a.DB.View(t.Context(), func(tx *store.Tx) error {
			list, err := tx.Running()
			running = len(list)
			if err != nil || running > 0 {
				return err
			}
			games, err = tx.Games(store.GameFilter{Limit: 100})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if running == 0 {
			stop()
			return games
		}
		select {
		case <-changed:
		case <-t.Context().Done():
			t.Fatal("it never ends")
		}
		stop()
	}
}

// An anchor has drifted when it is more than three standard deviations from what its pin
// expects over at least fifty games (ratings research §2).
func TestDrift(t *testing.T) {
	a := seated(t)
	if list, err := house.Drifts(t.Context(), a.DB); len(list) != 0 || err != nil {
		t.Errorf("before any fit: %v, %v", list, err)
	}
	anchors := a.House.Anchors()
	fit := rating.Fit{Rows: []rating.Row{
		{Bucket: anchors[0].BucketID, Rating: -340, Status: rating.StatusAnchor, Games: 50, Score: 30, Expected: 20, Surprise: 3.1},
		{Bucket: anchors[1].BucketID, Rating: -202, Status: rating.StatusAnchor, Games: 49, Score: 30, Expected: 20, Surprise: 3.1},
		{Bucket: anchors[2].BucketID, Rating: 31, Status: rating.StatusAnchor, Games: 500, Score: 240, Expected: 250, Surprise: -2.9},
		{Bucket: anchors[3].BucketID, Rating: 299, Status: rating.StatusAnchor, Games: 500, Score: 200, Expected: 250, Surprise: -3.1},
		{Bucket: 99, Rating: 1000, Games: 500, Surprise: 9},
	}}
	text, err := json.Marshal(fit)
	if err != nil {
		t.Fatal(err)
	}
	err = a.DB.Update(t.Context(), func(tx *store.Tx) error {
		return tx.AddRefit(arena.TrackAll, store.Refit{Place: 1, Seq: 1, At: tx.Now(), Fit: text}, nil)
	})
	if err != nil {
		t.Fatal(err)
	}
	list, err := house.Drifts(t.Context(), a.DB)
	if err != nil {
		t.Fatal(err)
	}
	var alarms []string
	for _, d := range list {
		if d.Alarm {
			alarms = append(alarms, d.Name)
		}
	}
	if len(list) != 4 || list[0].Name != "house-mix-60" || !slices.Equal(alarms, []string{"house-mix-60", "random"}) {
		t.Errorf("alarms %v of %+v", alarms, list)
	}
}
