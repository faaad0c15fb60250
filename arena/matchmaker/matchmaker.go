package matchmaker

import (
	"context"
	"log/slog"
	"time"

	"chessarena/arena"
	"chessarena/arena/arbiter"
	"chessarena/arena/wake"
	"chessarena/store"
)

// fullWave is how many have to wait for a wave to come before its time.
const fullWave = 16

// Topic is the wake key of the queue: woken when somebody joins or leaves it.
const Topic = "queue"

// Matchmaker pairs those who wait. Use New.
type Matchmaker struct {
	db       *store.DB
	hub      *wake.Hub
	arbiter  *arbiter.Arbiter
	settings arena.Settings
	log      *slog.Logger
	anchors  func() []arena.Waiter
}

// New returns a matchmaker; Run makes the waves. anchors lists the house players that
// can play now; nil has none. log may be nil.
func New(db *store.DB, hub *wake.Hub, a *arbiter.Arbiter, s arena.Settings, anchors func() []arena.Waiter, log *slog.Logger) *Matchmaker {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	if anchors == nil {
		anchors = func() []arena.Waiter { return nil }
	}
	return &Matchmaker{db: db, hub: hub, arbiter: a, settings: s, log: log, anchors: anchors}
}

// Run makes waves until ctx ends: at once while no agent plays, else at each tick or
// when enough wait. It returns at once when the settings switch pairing off.
func (m *Matchmaker) Run(ctx context.Context) error {
	if !m.settings.Matchmaker {
		return nil
	}
	ticker := time.NewTicker(m.settings.MatchmakerTick)
	defer ticker.Stop()
	failing := false
	for {
		joined, stopJoined := m.hub.Watch(Topic)
		ended, stopEnded := m.hub.Watch(arbiter.GamesTopic)
		ticked := false
		select {
		case <-ctx.Done():
		case <-joined:
		case <-ended:
		case <-ticker.C:
			ticked = true
		}
		stopJoined()
		stopEnded()
		if ctx.Err() != nil || m.hub.Closed() {
			return nil
		}
		err := m.step(ctx, ticked)
		if err != nil && !failing && ctx.Err() == nil {
			m.log.Error("a pairing wave failed; it is tried again", "err", err)
		}
		failing = err != nil
	}
}

// step makes a wave if it is time for one.
func (m *Matchmaker) step(ctx context.Context, ticked bool) error {
	if !ticked {
		now, err := m.early(ctx)
		if err != nil || !now {
			return err
		}
	}
	_, err := m.Wave(ctx)
	return err
}

// early says whether a wave should come before its time.
func (m *Matchmaker) early(ctx context.Context) (now bool, err error) {
	err = m.db.View(ctx, func(tx *store.Tx) error {
		size, err := tx.QueueSize()
		if err != nil || size == 0 || size >= fullWave {
			now = size >= fullWave
			return err
		}
		play, err := tx.AgentsPlay()
		now = !play
		return err
	})
	return now, err
}
