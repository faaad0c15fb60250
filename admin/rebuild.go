package admin

import (
	"fmt"

	"chessarena/arena/arbiter"
	"chessarena/arena/tool"
	"chessarena/store"
)

type rebuildOut struct {
	arbiter.Recounted
	Message string `json:"message"`
}

// rebuild counts records and totals again. The games are the truth, so there is nothing
// to undo: what was stored before was wrong.
func (d *desk) rebuild() *tool.Tool {
	spec := tool.Spec{
		Name:       "rebuild-aggregates",
		Title:      "Count records and totals again",
		Doc:        "Count the records of nicknames and configurations and the arena's totals again from the games, and put right what differs. Ratings have a verb of their own, ratings recompute.",
		Level:      tool.Write,
		Idempotent: true,
		Example:    "rebuild-aggregates",
	}
	return write(d, spec, func(tx *store.Tx, _ struct{}) (written[rebuildOut], error) {
		out, err := arbiter.Recount(tx)
		if err != nil {
			return written[rebuildOut]{}, err
		}
		message := fmt.Sprintf("%d games counted; everything was right.", out.Games)
		if n := len(out.Differences); n > 0 {
			message = fmt.Sprintf("%d games counted; %d things were put right.", out.Games, n)
		}
		return written[rebuildOut]{rebuildOut{out, message}, noUndo{"none", "the counts follow from the games"}}, nil
	})
}
