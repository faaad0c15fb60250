package admin

import (
	"context"
	"encoding/json"
	"fmt"

	"chessarena/arena"
	"chessarena/arena/modelname"
	"chessarena/arena/naming"
	"chessarena/arena/tool"
	"chessarena/store"
)

type undoIn struct {
	ID int64 `json:"id" doc:"the entry, as audit list shows it" arg:"required" min:"1"`
}

type undoOut struct {
	ID      int64  `json:"id"`
	Tool    string `json:"tool"`
	Message string `json:"message"`
}

// undone is the undo snapshot of an undo: the verb can be run again.
var undone = noUndo{"none", "run the verb again instead"}

func (d *desk) undoAudit() *tool.Tool {
	spec := tool.Spec{
		Name:  "audit.undo",
		Title: "Undo what an operator changed",
		Doc: "Undo one entry of the audit log: the names of models with all they moved, and the status of a nickname. " +
			"What was played since stays with whoever played it. An entry that later ones build upon must wait until those are undone.",
		Level:      tool.HighStakes,
		Errors:     []arena.Code{arena.NotFound, arena.ModelConflict, arena.CannotUndo},
		Positional: []string{"id"},
		Example:    "audit undo 2",
	}
	return tool.NewOperator(spec, func(ctx context.Context, op arena.Operator, in undoIn) (undoOut, error) {
		return untilFresh(func() (undoOut, error) {
			var entry store.Audit
			err := d.hall.DB.View(ctx, func(tx *store.Tx) (err error) { entry, err = tx.Audit(in.ID); return err })
			if err != nil {
				return undoOut{}, err
			}
			apply, err := d.undoing(ctx, entry)
			if err != nil {
				return undoOut{}, err
			}
			return carryOut(ctx, d, deed{op, spec.Name, in}, func(tx *store.Tx) (written[undoOut], error) {
				if err := apply(tx); err != nil {
					return written[undoOut]{}, err
				}
				out := undoOut{entry.ID, entry.Tool, fmt.Sprintf("%s of %s is undone.", entry.Tool, entry.At.UTC().Format("2006-01-02 15:04:05"))}
				return written[undoOut]{out, undone}, nil
			})
		})
	})
}

// undoing makes ready to take an entry of the audit log back.
func (d *desk) undoing(ctx context.Context, entry store.Audit) (func(*store.Tx) error, error) {
	var kind struct{ Undo, Why string }
	if err := json.Unmarshal(entry.Undo, &kind); err != nil {
		return nil, fmt.Errorf("audit entry %d: %w", entry.ID, err)
	}
	switch kind.Undo {
	case naming.UndoKind:
		var u naming.Undo
		if err := json.Unmarshal(entry.Undo, &u); err != nil {
			return nil, fmt.Errorf("audit entry %d: %w", entry.ID, err)
		}
		p, err := d.hall.Names.PrepareUndo(ctx, d.hall.Refitter, u)
		return func(tx *store.Tx) error { _, err := p.Apply(tx); return err }, err
	case setStatus:
		var u restatus
		if err := json.Unmarshal(entry.Undo, &u); err != nil {
			return nil, fmt.Errorf("audit entry %d: %w", entry.ID, err)
		}
		return func(tx *store.Tx) error {
			agent, err := agentNamed(tx, string(u.Nickname))
			if err != nil {
				return err
			}
			return tx.SetAgentStatus(agent.ID, u.Status)
		}, nil
	}
	message := "%s cannot be undone."
	if kind.Why != "" {
		message = "%s cannot be undone: " + kind.Why + "."
	}
	return nil, arena.Errorf(arena.CannotUndo, message, entry.Tool)
}

func quoted(s string) string { return modelname.Clip(s) }
