package metrics_test

import (
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chessarena/arena"
	"chessarena/arena/metrics"
	"chessarena/arena/wake"
	"chessarena/store"
)

func TestWhatIsShown(t *testing.T) {
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "arena.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	hub := new(wake.Hub)
	m := metrics.New(db, hub, "v1.2.3")
	for range 3 {
		err := db.Update(t.Context(), func(tx *store.Tx) error { return tx.Probe() })
		if err != nil {
			t.Fatal(err)
		}
	}
	_, stop := hub.Watch("game/x")
	defer stop()
	m.Observe("get_state", "", 30*time.Second)
	m.Observe("submit_move", arena.IllegalMove, time.Millisecond)
	m.Observe("submit_move", arena.IllegalMove, time.Millisecond)

	rec := httptest.NewRecorder()
	m.Handler().ServeHTTP(rec, httptest.NewRequest("GET", "/metrics", nil))
	for _, line := range []string{
		`arena_calls_total{code="ok",tool="get_state"} 1`,
		`arena_calls_total{code="illegal_move",tool="submit_move"} 2`,
		`arena_call_seconds_bucket{tool="get_state",le="10"} 0`,
		`arena_call_seconds_bucket{tool="get_state",le="60"} 1`,
		`arena_waits 1`,
		`arena_games{status="active"} 0`,
		`arena_nicknames 0`,
		`arena_commits_total 3`,
		`arena_changes_total 3`,
		`arena_database_writable 1`,
		`arena_build_info{version="v1.2.3"} 1`,
	} {
		if !strings.Contains(rec.Body.String(), line+"\n") {
			t.Errorf("no line %s", line)
		}
	}
	if !strings.Contains(rec.Body.String(), `arena_database_bytes{file="wal"} `) {
		t.Error("the WAL's size is missing")
	}
	if rec.Code != 200 || t.Failed() {
		t.Logf("%d\n%s", rec.Code, rec.Body)
	}
}
