package web_test

import (
	"encoding/json"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"chessarena/arena"
	"chessarena/arena/arbiter"
	"chessarena/store"
)

// TestTwoThousandWaitsLeaveNothingBehind lets 2,000 calls wait for ten minutes, by the
// bubble's clock, and looks at what is left of them. The bubble itself fails the test
// when a goroutine outlives it.
func TestTwoThousandWaitsLeaveNothingBehind(t *testing.T) {
	const waits = 2000
	synctest.Test(t, func(t *testing.T) {
		s := serve(t)
		ann, bob := s.Register("ann"), s.Register("bob")
		games := make([]arena.GameID, waits)
		err := s.DB.Update(t.Context(), func(tx *store.Tx) error {
			for i := range games {
				g, err := s.Arbiter.Create(tx, arbiter.Pairing{White: ann.ConfigID, Black: bob.ConfigID})
				if err != nil {
					return err
				}
				games[i] = g.ID
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		client := s.pipes.Client()
		before := runtime.NumGoroutine()
		answers := make([]<-chan outcome, waits)
		for i, id := range games {
			answers[i] = send(client, "GET", "/v1/games/"+string(id)+"/state?wait_s=600", bob.Key, "")
		}
		time.Sleep(5 * time.Minute)
		if n := s.Hub.Waiting(); n != waits {
			t.Fatalf("%d calls wait, want %d", n, waits)
		}
		// Others are not in anybody's way.
		ann.Must("get_state", map[string]any{"game_id": games[0], "wait_s": 0}, nil)
		time.Sleep(5*time.Minute + time.Second)
		for i, c := range answers {
			got := <-c
			var state struct {
				Waited float64 `json:"waited_s"`
			}
			if err := json.Unmarshal([]byte(got.body), &state); got.err != nil || err != nil || state.Waited != 600 {
				t.Fatalf("wait %d: %.200q, %v", i, got.body, got.err)
			}
		}
		if n := s.Hub.Waiting(); n != 0 {
			t.Errorf("%d waits are left in the hub", n)
		}
		client.CloseIdleConnections()
		synctest.Wait()
		if after := runtime.NumGoroutine(); after > before+10 {
			t.Errorf("%d goroutines before, %d after", before, after)
		}
		s.stop()
		if err := <-s.ended; err != nil {
			t.Error(err)
		}
	})
}
