package archive

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"chessarena/arena"
)

// Copy writes the PGN of a game that is over to dir/<game id>.pgn, for whoever wants
// files (the setting PGN_DIR). It makes dir when needed and replaces an older copy in
// one step, so a reader never sees half a game. The database stays the original:
// a copy that failed can be made again at any time.
func (a *Archive) Copy(ctx context.Context, dir string, id arena.GameID) (err error) {
	r, err := a.record(ctx, id)
	if err != nil {
		return fmt.Errorf("copy of game %s: %w", id, err)
	}
	if r.Status == arena.Active {
		return fmt.Errorf("copy of game %s: it is not over", id)
	}
	text, err := a.write(&r)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("copy of game %s: %w", id, err)
	}
	f, err := os.CreateTemp(dir, "."+string(id)+"-*")
	if err != nil {
		return fmt.Errorf("copy of game %s: %w", id, err)
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name())
			err = fmt.Errorf("copy of game %s: %w", id, err)
		}
	}()
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Chmod(0o644), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), filepath.Join(dir, string(id)+".pgn"))
}
