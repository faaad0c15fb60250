package admin

import (
	"context"

	"chessarena/arena"
	"chessarena/arena/tool"
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
