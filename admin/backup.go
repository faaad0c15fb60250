package admin

import (
	"context"
	"fmt"
	"time"

	"chessarena/arena"
	"chessarena/arena/hall"
	"chessarena/arena/tool"
	"chessarena/store"
)

type backupIn struct {
	File  string `json:"file" doc:"where the copy goes" arg:"required"`
	Force bool   `json:"force" doc:"replace the file if it exists"`
}

type backupOut struct {
	File    string `json:"file"`
	Bytes   int64  `json:"bytes"`
	Message string `json:"message"`
}

// backup is a read: the database stays as it is.
func (d *desk) backup() *tool.Tool {
	spec := tool.Spec{
		Name:  "backup",
		Title: "Copy the database while it is in use",
		Doc: "Copy the database while it is in use. The copy holds every move acknowledged before it began; it is checked whole " +
			"before it gets its name. Never copy the file itself while the arena runs.",
		Positional: []string{"file"},
		Example:    "backup arena-2026-12-01.db",
	}
	return tool.NewOperator(spec, func(ctx context.Context, _ arena.Operator, in backupIn) (backupOut, error) {
		size, err := d.hall.DB.Backup(ctx, in.File, in.Force)
		return backupOut{in.File, size, "The copy is complete and was checked."}, err
	})
}

type restoreIn struct {
	File string `json:"file" doc:"a copy that backup made" arg:"required"`
}

type restoreOut struct {
	Kept    string `json:"kept"` // the database as it was
	Message string `json:"message"`
}

// unrestore is the undo snapshot of restore.
type unrestore struct {
	Undo string `json:"undo"` // "restore"
	File string `json:"file"`
}

// restore swaps the file under a closed hall, and opens it again to leave the audit row
// where operators will look for it: in the restored file.
func (d *desk) restore() *tool.Tool {
	spec := tool.Spec{
		Name:  "restore",
		Title: "Put a backup in the database's place",
		Doc: "Put a backup in the database's place. The server must be stopped. The backup is checked first, and the present " +
			"database is kept beside it under the name that is printed.",
		Level:      tool.HighStakes,
		Errors:     []arena.Code{arena.Serving},
		Positional: []string{"file"},
		Example:    "restore arena-2026-12-01.db",
	}
	return tool.NewOperator(spec, func(ctx context.Context, op arena.Operator, in restoreIn) (restoreOut, error) {
		path := d.hall.DB.Path()
		claimed, err := hall.Claim(path)
		if err != nil {
			return restoreOut{}, arena.Errorf(arena.Serving, "An arena is serving %s; stop it first.", path).Because(err)
		}
		defer claimed.Close()
		if err := store.Check(ctx, in.File); err != nil { // while the database is still open as it was
			return restoreOut{}, arena.Errorf(arena.InvalidArguments, "%v.", err)
		}
		if err := d.hall.Close(); err != nil {
			return restoreOut{}, err
		}
		kept, err := store.Restore(ctx, in.File, path, time.Now())
		if err != nil {
			return restoreOut{}, fmt.Errorf("restore %s: %w", in.File, err)
		}
		h, err := hall.Open(ctx, d.hall.Settings, hall.Options{Log: d.hall.Log, Offline: true})
		if err != nil {
			return restoreOut{}, err
		}
		defer h.Close()
		return carryOut(ctx, &desk{hall: h}, deed{op, spec.Name, in}, func(*store.Tx) (written[restoreOut], error) {
			out := restoreOut{kept, "The backup is in place. What was there before is kept under the name above."}
			return written[restoreOut]{out, unrestore{"restore", kept}}, nil
		})
	})
}
