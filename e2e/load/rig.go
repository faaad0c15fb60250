package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"time"

	"chessarena/arena/arbiter"
	"chessarena/e2e/agent"
	"chessarena/e2e/host"
	"chessarena/e2e/record"
)

// rig is what the measurements share: a folder, the built program, processes to end.
type rig struct {
	folder string
	binary string
	arenas []*host.Arena
}

func newRig(ctx context.Context) (*rig, error) {
	folder, err := os.MkdirTemp("", "arena-load-")
	if err != nil {
		return nil, err
	}
	r := &rig{folder: folder}
	if r.binary, err = host.Build(ctx, "..", folder); err != nil {
		r.close()
		return nil, err
	}
	return r, nil
}

// close ends what still runs and removes the folder.
func (r *rig) close() {
	for _, a := range r.arenas {
		_ = a.Kill() // on the way out; Stop has reported what there was to report
	}
	os.RemoveAll(r.folder)
}

// serve starts the program with a database of its own.
func (r *rig) serve(ctx context.Context, env ...string) (*host.Arena, error) {
	return r.start(ctx, &host.Arena{Binary: r.binary, Env: env})
}

// child starts this program again as one of children.
func (r *rig) child(ctx context.Context, args ...string) (*host.Arena, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return r.start(ctx, &host.Arena{Binary: self, Args: args})
}

func (r *rig) start(ctx context.Context, a *host.Arena) (*host.Arena, error) {
	a.DB = filepath.Join(r.folder, fmt.Sprintf("arena-%d.db", len(r.arenas)))
	r.arenas = append(r.arenas, a)
	return a, a.Start(ctx)
}

// table is a game in an arena, as a load program plays it.
type table struct {
	id    string
	keys  [2]string // white's, black's
	moves []string
}

// usualGames are the real games from the usual start with at least n plies.
func usualGames(n int) []record.Game {
	return slices.DeleteFunc(record.Games(), func(g record.Game) bool { return g.FEN != "" || len(g.SANs) < n })
}

// seat registers players and begins n games between them, with the moves of real games.
func seat(ctx context.Context, a *host.Arena, players, n int) ([]table, error) {
	caller := &agent.REST{URL: a.URL(), Client: &http.Client{}}
	defer caller.Close()
	var list []*agent.Player
	for range players {
		p, err := agent.Register(ctx, caller, "load-"+rand.Text()[:16])
		if err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	games := usualGames(16)
	pairings := make([]arbiter.Pairing, n)
	tables := make([]table, n)
	for i := range tables {
		white, black := list[i%players], list[(i+1)%players]
		pairings[i] = arbiter.Pairing{White: white.ConfigID, Black: black.ConfigID}
		tables[i] = table{keys: [2]string{white.Key, black.Key}, moves: games[i%len(games)].SANs}
	}
	ids, err := a.CreateGames(ctx, pairings...)
	for i, id := range ids {
		tables[i].id = id
	}
	return tables, err
}

// percentile is the p-th (0 to 1) of times, which it sorts.
func percentile(times []time.Duration, p float64) time.Duration {
	if len(times) == 0 {
		return 0
	}
	slices.Sort(times)
	return times[min(len(times)-1, int(p*float64(len(times))))]
}

func ms(d time.Duration) string { return fmt.Sprintf("%.2f ms", float64(d)/1e6) }
