package house

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync/atomic"
	"time"

	"chessarena/arena"
	"chessarena/arena/arbiter"
	"chessarena/arena/engine"
	"chessarena/arena/rating"
	"chessarena/arena/wake"
	"chessarena/store"
)

// Nickname is whose configurations the rungs are. Nobody else can register it.
const Nickname arena.Nickname = "house"

// Options are what a house is made with.
type Options struct {
	// Key makes the hash and fingerprint of a new key, which is thrown away: the house
	// needs none, and nobody shall have it.
	Key func(context.Context) (hash string, fingerprint arena.Fingerprint, err error)
	// Opening picks a line for a game of the house with itself, by the game's id.
	Opening func(arena.GameID) (arena.Opening, []string)
	Games   string        // HOUSE_GAMES: idle, on or off
	Pace    time.Duration // the least time of a move in a game of the house with itself
	Log     *slog.Logger  // nil is silent
}

// House is the house's players in one arena. Make it with New.
type House struct {
	db      *store.DB
	hub     *wake.Hub
	arbiter *arbiter.Arbiter
	o       Options
	staff   atomic.Pointer[staff] // nil until Seat
}

// staff is who plays for the house. It is never changed.
type staff struct {
	agent   arena.Agent
	members []member          // the weakest first
	byID    map[int64]*member // by config
}

// member is a rung with its place in the database.
type member struct {
	Rung
	waiter arena.Waiter // as the matchmaker sees it
	pinned bool
}

// New returns a house without players; Seat gives it some.
func New(db *store.DB, hub *wake.Hub, a *arbiter.Arbiter, o Options) *House {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &House{db: db, hub: hub, arbiter: a, o: o}
}

// Anchors lists the rungs of known strength that can play now, for the matchmaker.
func (h *House) Anchors() []arena.Waiter {
	s := h.staff.Load()
	if s == nil {
		return nil
	}
	list := make([]arena.Waiter, 0, len(s.members))
	for _, m := range s.members {
		if m.pinned {
			list = append(list, m.waiter)
		}
	}
	return list
}

// Seat registers what is missing of the ladder that pool can play, pins what was
// measured, and takes those rungs into service. It may be called again after a
// calibration.
func (h *House) Seat(ctx context.Context, pool *engine.Pool) error {
	agent, err := h.agent(ctx)
	if err != nil {
		return fmt.Errorf("seat the house: %w", err)
	}
	s := &staff{agent: agent, byID: make(map[int64]*member)}
	err = h.db.Update(ctx, func(tx *store.Tx) error {
		s.members = nil
		list, err := calibrations(tx)
		if err != nil {
			return err
		}
		for _, r := range Ladder(pool) {
			m, err := enlist(tx, agent.ID, r, programHash(pool), list)
			if err != nil {
				return fmt.Errorf("rung %s: %w", r.Name, err)
			}
			s.members = append(s.members, m)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("seat the house: %w", err)
	}
	slices.SortStableFunc(s.members, func(a, b member) int { return cmp.Compare(a.waiter.Rating.R, b.waiter.Rating.R) })
	for i := range s.members {
		s.byID[s.members[i].waiter.ConfigID] = &s.members[i]
	}
	h.staff.Store(s)
	return nil
}

// agent finds the house's nickname, and makes it on a new file.
func (h *House) agent(ctx context.Context) (agent arena.Agent, err error) {
	find := func(tx *store.Tx) (err error) {
		agent, _, err = tx.AgentBySkeleton(Nickname.Skeleton())
		return err
	}
	if err = h.db.View(ctx, find); arena.CodeOf(err) != arena.NotFound {
		return agent, err
	}
	hash, fingerprint, err := h.o.Key(ctx)
	if err != nil {
		return agent, err
	}
	err = h.db.Update(ctx, func(tx *store.Tx) (err error) {
		if err = find(tx); arena.CodeOf(err) != arena.NotFound {
			return err // another process was faster
		}
		agent, err = tx.AddAgent(Nickname, hash, fingerprint)
		return err
	})
	return agent, err
}

// enlist finds or makes the configuration of a rung.
func enlist(tx *store.Tx, house int64, r Rung, hash string, list []Calibration) (m member, err error) {
	c, pin, calibrated := pinOf(r, hash, list)
	id := uncalibrated
	if calibrated {
		id = c.ID
	}
	config := r.config(id)
	bucket, err := tx.EnsureBucket(config)
	if err != nil {
		return m, err
	}
	if calibrated && !bucket.Pinned {
		if err := tx.Pin(bucket.ID, rating.Anchor(pin.Elo)); err != nil {
			return m, err
		}
		if bucket, err = tx.Bucket(bucket.ID); err != nil {
			return m, err
		}
	}
	entry, _, err := tx.AddEntry(house, bucket.ID, arena.Entry{ModelRaw: r.Name})
	if err != nil {
		return m, err
	}
	return member{
		Rung: r, pinned: bucket.Pinned,
		waiter: arena.Waiter{
			ConfigID: entry.ID, NicknameID: house, BucketID: bucket.ID, Nickname: arena.AgentActive,
			Opponents: arena.AnyOpponents, Rating: bucket.All, Anchor: true,
		},
	}, nil
}
