package web

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"

	"chessarena/arena"
	"chessarena/arena/archive"
)

// serveGame serves something of a game that is public and not JSON, so it is no tool:
// its PGN, its log. Failures are JSON like all of /v1. write makes the whole text.
func serveGame(log *slog.Logger, kind, extension string, write func(context.Context, arena.GameID) ([]byte, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		id, err := arena.ParseGameID(r.PathValue("game_id"))
		if err != nil {
			fail(w, arena.Public(err))
			return
		}
		text, err := write(r.Context(), id)
		if err != nil {
			e := arena.Public(err)
			if e.Code.Info().Kind == arena.KindInternal {
				log.Error("a game could not be written", "game", id, "kind", kind, "err", err)
			}
			fail(w, e)
			return
		}
		w.Header().Set("Content-Disposition", fmt.Sprintf("inline; filename=%q", string(id)+extension))
		writeText(w, kind, string(text))
	}
}

// pgnOf is a game in the format that chess programs read, to its latest move.
func pgnOf(games *archive.Archive) func(context.Context, arena.GameID) ([]byte, error) {
	return func(ctx context.Context, id arena.GameID) ([]byte, error) {
		text, err := games.PGN(ctx, id)
		return []byte(text), err
	}
}

// logOf is a game's log, one JSON object a line, to its latest entry.
func logOf(games *archive.Archive) func(context.Context, arena.GameID) ([]byte, error) {
	return func(ctx context.Context, id arena.GameID) ([]byte, error) {
		entries, err := games.Log(ctx, id)
		if err != nil {
			return nil, err
		}
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		for _, e := range entries {
			if err := enc.Encode(e); err != nil {
				return nil, err
			}
		}
		return b.Bytes(), nil
	}
}
