package admin

import (
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"chessarena/arena"
	"chessarena/arena/arbiter"
	"chessarena/rules"
	"chessarena/store"
)

func TestBackupRefusesWhereItCannotWrite(t *testing.T) {
	h := openHall(t)
	for _, target := range []string{filepath.Join(t.TempDir(), "no", "folder.db"), h.DB.Path()} {
		if _, err := run(t, h, "backup", target, "--force"); arena.CodeOf(err) != arena.InvalidArguments {
			t.Errorf("backup %s: %v", target, err)
		}
	}
}

// A copy that is made while 64 games are played is whole and holds every move that was
// acknowledged before it began.
func TestABackupUnderLoadHoldsEveryAcknowledgedMove(t *testing.T) {
	h := openHall(t)
	const games = 64
	var ids [games]arena.GameID
	var agents [2]arena.Agent
	err := h.DB.Update(t.Context(), func(tx *store.Tx) (err error) {
		for i := range ids {
			g, err := h.Arbiter.Create(tx, arbiter.Pairing{White: 1, Black: 2})
			if err != nil {
				return err
			}
			ids[i] = g.ID
		}
		for i := range agents {
			if agents[i], err = tx.Agent(int64(i + 1)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var acked [games]atomic.Int64
	stop := make(chan struct{})
	var players sync.WaitGroup
	for i, id := range ids {
		players.Go(func() {
			dice := rand.New(rand.NewPCG(uint64(i), 1))
			replay := rules.NewReplay(nil)
			for replay.Ending(h.Settings.MaxPlies) == "" {
				select {
				case <-stop:
					return
				default:
				}
				legal := replay.Position().Legal()
				move := legal[dice.IntN(len(legal))]
				_, err := h.Arbiter.SubmitMove(t.Context(), agents[replay.Ply()%2], arbiter.MoveInput{GameID: id, Ply: replay.Ply(), Move: move.UCI()})
				if err != nil {
					t.Error(err)
					return
				}
				replay = replay.Push(move)
				acked[i].Store(int64(replay.Ply()))
			}
		})
	}
	for total := int64(0); total < 10*games; { // let them get going
		total = 0
		for i := range acked {
			total += acked[i].Load()
		}
		runtime.Gosched()
	}
	var before [games]int64
	for i := range acked {
		before[i] = acked[i].Load()
	}
	copied := filepath.Join(t.TempDir(), "copy.db")
	mustRunOnly(t, h, "backup", copied) // checks the copy's integrity itself
	close(stop)
	players.Wait()
	db, err := store.Open(t.Context(), copied, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for i, id := range ids {
		err := db.View(t.Context(), func(tx *store.Tx) error {
			g, err := tx.Game(id)
			if err == nil && int64(g.Ply) < before[i] {
				t.Errorf("game %d has %d plies in the copy, %d were acknowledged before it", i, g.Ply, before[i])
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
}
