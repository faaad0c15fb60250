package hall

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"time"

	"chessarena/store"
)

// Intervals of the workers.
const (
	// foreignEvery bounds how late a command's change is seen: the promise is a second.
	foreignEvery = 250 * time.Millisecond
	reapEvery    = time.Minute
	recoverEvery = 2 * time.Second
	copyEvery    = time.Second
	refitEvery   = 10 * time.Second
	diskEvery    = 10 * time.Minute
	copyBatch    = 100
)

// littleRoom is the free disk below which somebody should know.
const littleRoom = 200 << 20

const ballastDropped = "the disk is full; the ballast was dropped so that play can go on: make room now"

// every runs step at each tick of d until ctx ends. A failing step is logged, once for
// a row of failures, and tried again: a worker outlives a bad moment of the disk.
func (h *Hall) every(ctx context.Context, d time.Duration, name string, step func(context.Context) error) error {
	ticker := time.NewTicker(d)
	defer ticker.Stop()
	failing := false
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
		err := step(ctx)
		if err != nil && !failing && !errors.Is(err, context.Canceled) {
			h.Log.Error("worker failed; it goes on trying", "worker", name, "err", err)
		}
		failing = err != nil
	}
}

func (h *Hall) watchForeign(ctx context.Context) error {
	return h.every(ctx, foreignEvery, "foreign changes", h.NoticeForeign)
}

// NoticeForeign looks once for commits of other processes and tells the services.
func (h *Hall) NoticeForeign(ctx context.Context) error {
	changes, err := h.DB.Poll(ctx)
	if err != nil || len(changes) == 0 {
		return err
	}
	if slices.ContainsFunc(changes, func(c store.Change) bool { return c.Noun == store.NounModels || c.Noun == store.NounAll }) {
		if err := h.Names.Reload(ctx); err != nil {
			return err
		}
	}
	return h.Arbiter.Refresh(ctx, changes)
}

// forgetGames drops what memory holds of games, after an operator moved configurations.
func (h *Hall) forgetGames() {
	if err := h.Arbiter.Refresh(context.Background(), []store.Change{{Noun: store.NounAll}}); err != nil {
		h.Log.Error("games after a change of names", "err", err)
	}
}

func (h *Hall) reapTables(ctx context.Context) error {
	return h.every(ctx, reapEvery, "idle games", func(context.Context) error {
		h.Arbiter.Reap(time.Now())
		return nil
	})
}

// Degraded says, in words for an operator, why the arena cannot do all of its work; ""
// when it can.
func (h *Hall) Degraded() string {
	switch {
	case h.DB.Trouble() == nil:
		return ""
	case h.DB.DiskFull():
		return "the disk is full, and the database cannot be written"
	}
	return "the database cannot be written"
}

// Warning says, in words for an operator, what will soon be in the way; "" when nothing
// is.
func (h *Hall) Warning() string {
	if h.room() < littleRoom {
		return "the disk is almost full"
	}
	return ""
}

func (h *Hall) copyPGNs(ctx context.Context) error {
	if h.Settings.PGNDir == "" {
		return nil
	}
	return h.every(ctx, copyEvery, "PGN copies", h.CopyPGNs)
}

// CopyPGNs writes the PGN files that are due, at most a batch of them.
func (h *Hall) CopyPGNs(ctx context.Context) error {
	var due []store.Copy
	err := h.DB.View(ctx, func(tx *store.Tx) (err error) { due, err = tx.Copies(copyBatch); return err })
	if err != nil {
		return err
	}
	var failed []error // one game that cannot be copied must not keep the others back
	for _, c := range due {
		err := h.Archive.Copy(ctx, h.Settings.PGNDir, c.Game)
		if err == nil {
			err = h.DB.Update(ctx, func(tx *store.Tx) error { return tx.RemoveCopy(c) })
		}
		failed = append(failed, err)
	}
	return errors.Join(failed...)
}

func (h *Hall) refitRatings(ctx context.Context) error {
	return h.every(ctx, refitEvery, "ratings", h.Refitter.Step)
}

// room is how much of the database's disk is free; a lot when nobody can tell.
func (h *Hall) room() int64 {
	free, known := store.FreeSpace(filepath.Dir(h.DB.Path()))
	if !known {
		return math.MaxInt64
	}
	return free
}

func (h *Hall) watchDisk(ctx context.Context) error {
	if err := h.WatchDisk(ctx); err != nil {
		h.Log.Warn("no ballast on the disk", "err", err)
	}
	return h.every(ctx, diskEvery, "disk", h.WatchDisk)
}

// WatchDisk looks how much room the disk has: it warns when there is little, and loads
// the ballast when there is enough.
func (h *Hall) WatchDisk(context.Context) error {
	free := h.room()
	if free < littleRoom {
		h.Log.Warn("the disk is almost full", "free_mb", free>>20, "database", h.DB.Path())
	}
	_, err := h.DB.Ballast().Load(free)
	return err
}

func (h *Hall) tryStore(ctx context.Context) error {
	return h.every(ctx, recoverEvery, "storage", h.Recover)
}

// Recover tries one commit when the last one failed, so that a disk that has room
// again is noticed although no agent moves. When the disk is full it first drops the
// ballast, once: play goes on in that room, and whoever looks after the arena is told.
func (h *Hall) Recover(ctx context.Context) error {
	if h.DB.Trouble() == nil {
		return nil
	}
	if h.DB.DiskFull() {
		if dropped, err := h.DB.Ballast().Drop(); dropped {
			h.Log.Error(ballastDropped, "database", h.DB.Path())
		} else if err != nil {
			h.Log.Error("the ballast cannot be dropped", "err", err)
		}
	}
	err := h.DB.Update(ctx, func(tx *store.Tx) error { return tx.Probe() })
	if err == nil {
		h.Log.Info("the database can be written again")
	}
	return err
}
