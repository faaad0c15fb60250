package hall

import (
	"context"
	"errors"
	"time"
)

// Intervals of the workers.
const (
	// foreignEvery bounds how late a command's change is seen: the promise is a second.
	foreignEvery = 250 * time.Millisecond
	reapEvery    = time.Minute
)

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
	h.Arbiter.Refresh(changes)
	return nil
}

func (h *Hall) reapTables(ctx context.Context) error {
	return h.every(ctx, reapEvery, "idle games", func(context.Context) error {
		h.Arbiter.Reap(time.Now())
		return nil
	})
}
