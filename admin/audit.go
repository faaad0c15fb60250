package admin

import (
	"context"
	"encoding/json"
	"time"

	"chessarena/arena"
	"chessarena/arena/tool"
	"chessarena/store"
)

type listAuditIn struct {
	Before int64 `json:"before" doc:"only entries before this id: next_before of the page before" min:"1"`
	Limit  int   `json:"limit" doc:"entries to list, 1 to 200; 50 when left out" min:"1" max:"200"`
}

type auditRow struct {
	ID      int64           `json:"id"`
	At      time.Time       `json:"at"`
	Actor   string          `json:"actor"`
	Tool    string          `json:"tool"`
	Outcome string          `json:"outcome"`
	Args    json.RawMessage `json:"args"`
	Undo    json.RawMessage `json:"undo"`
}

type listAuditOut struct {
	Entries []auditRow `json:"entries"`
	Next    *int64     `json:"next_before"`
}

// defaultRows is how many rows a list shows when nobody says.
const defaultRows = 50

func (d *desk) listAudit() *tool.Tool {
	spec := tool.Spec{
		Name:  "audit.list",
		Title: "List what operators changed, newest first",
		Doc: "List what operators changed, newest first: who, with which arguments, and the snapshot that would undo it. " +
			"When next_before is shown there are more: pass it as --before.",
		Idempotent: true,
		Example:    "audit list --limit 10",
	}
	return tool.NewOperator(spec, func(ctx context.Context, _ arena.Operator, in listAuditIn) (listAuditOut, error) {
		if in.Limit == 0 {
			in.Limit = defaultRows
		}
		var list []store.Audit
		err := d.hall.DB.View(ctx, func(tx *store.Tx) (err error) {
			list, err = tx.Audits(in.Limit+1, in.Before)
			return err
		})
		if err != nil {
			return listAuditOut{}, err
		}
		out := listAuditOut{Entries: []auditRow{}}
		if len(list) > in.Limit {
			list = list[:in.Limit]
			out.Next = &list[in.Limit-1].ID
		}
		for _, a := range list {
			out.Entries = append(out.Entries, auditRow{
				ID: a.ID, At: a.At, Actor: a.Actor, Tool: a.Tool, Outcome: a.Outcome, Args: a.Args, Undo: a.Undo,
			})
		}
		return out, nil
	})
}
