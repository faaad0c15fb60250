package admin

import (
	"context"
	"errors"
	"fmt"
	"time"

	"chessarena/arena"
	"chessarena/arena/hall"
	"chessarena/arena/tool"
	"chessarena/store"
)

type restoreIn struct {
	File string `json:"file" doc:"a copy that backup made" arg:"required"`
}

type restoreOut struct {
	Kept    *string `json:"kept"` // the database as it was; null when there was none
	Message string  `json:"message"`
}

// unrestore is the undo snapshot of restore.
type unrestore struct {
	Undo string  `json:"undo"` // "restore"
	File *string `json:"file"` // null: there was no database before
}

// restore exchanges the file while nobody has it open, and then opens it to leave the
// audit row where operators will look for it: in what was restored.
func (d *desk) restore() *tool.Tool {
	spec := tool.Spec{
		Name:  "restore",
		Title: "Put a backup in the database's place",
		Doc: "Put a backup in the database's place. The server must be stopped. The backup is checked whole first, and the " +
			"present database, damaged or not, is kept beside it under the name that is printed: restore takes that one, too. " +
			"Everything since the backup is gone from the arena then, also freezes and replaced keys.",
		Level:      tool.HighStakes,
		Errors:     []arena.Code{arena.Serving},
		Positional: []string{"file"},
		Example:    "restore arena-2026-12-01.db",
	}
	return tool.NewOperator(spec, func(ctx context.Context, op arena.Operator, in restoreIn) (restoreOut, error) {
		path := d.settings.DB
		claimed, err := hall.Claim(path)
		var served *hall.ServedError
		switch {
		case errors.As(err, &served):
			return restoreOut{}, arena.Errorf(arena.Serving, "An arena is serving %s; stop it first.", served.Path).Because(err)
		case err != nil:
			return restoreOut{}, arena.Errorf(arena.InvalidArguments, "%s cannot be restored to: %v.", path, err)
		}
		defer claimed.Close()
		kept, err := store.Restore(ctx, in.File, path, time.Now())
		var wrong *store.OpenError
		switch {
		case errors.As(err, &wrong):
			return restoreOut{}, arena.Errorf(arena.InvalidArguments, "%v. Nothing was changed.", wrong)
		case errors.Is(err, store.ErrInUse):
			return restoreOut{}, arena.Errorf(arena.Serving, "Another program has %s open; nothing was changed.", path).Because(err)
		case err != nil:
			return restoreOut{}, arena.Errorf(arena.StorageUnavailable, "The backup could not be put in place: %v.", err)
		}
		h, err := hall.Open(ctx, d.settings, hall.Options{Log: d.log, Offline: true})
		if err != nil {
			return restoreOut{}, fmt.Errorf("open what was restored: %w", err)
		}
		out := restoreOut{Message: "The backup is in place; there was no database before."}
		if kept != "" {
			out = restoreOut{&kept, "The backup is in place. What was there before is kept under the name above."}
		}
		_, err = carryOut(ctx, &desk{hall: h}, deed{op, spec.Name, in}, func(*store.Tx) (written[restoreOut], error) {
			return written[restoreOut]{out, unrestore{"restore", out.Kept}}, nil
		})
		return out, errors.Join(err, h.Close())
	})
}
