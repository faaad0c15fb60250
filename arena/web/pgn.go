package web

import (
	"fmt"
	"log/slog"
	"net/http"

	"chessarena/arena"
	"chessarena/arena/archive"
)

// servePGN is a game in the format that chess programs read, to its latest move. It is
// public and not JSON, so it is no tool; failures are JSON like all of /v1.
func servePGN(games *archive.Archive, log *slog.Logger) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		id, err := arena.ParseGameID(r.PathValue("game_id"))
		if err != nil {
			fail(w, arena.Public(err))
			return
		}
		text, err := games.PGN(r.Context(), id)
		if err != nil {
			e := arena.Public(err)
			if e.Code.Info().Kind == arena.KindInternal {
				log.Error("pgn failed", "game", id, "err", err)
			}
			fail(w, e)
			return
		}
		w.Header().Set("Content-Disposition", fmt.Sprintf("inline; filename=%q", string(id)+".pgn"))
		writeText(w, "application/vnd.chess-pgn", text)
	}
}
