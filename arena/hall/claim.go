package hall

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// errClaimed is what lock returns for a file that another process has locked.
var errClaimed = errors.New("locked by another process")

// ServedError says that another process serves the database at Path.
type ServedError struct{ Path string }

func (e *ServedError) Error() string {
	return fmt.Sprintf("another arena is serving %s; stop it first, or give this one a file of its own with --db", e.Path)
}

// Claim makes this process the only one that serves the database at path, until the
// returned file is closed or the process ends, however it ends: a *ServedError when
// another one does. Two servers on one file would lose no move, but neither would wake
// the agents that wait at the other. Of the commands only restore claims the database,
// which may then be missing.
//
// What is locked is a file beside the database: SQLite's own locks are on that one.
func Claim(path string) (*os.File, error) {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	} else if !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("claim the database: %w", err)
	}
	f, err := os.OpenFile(path+".serving", os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("claim the database: %w", err)
	}
	if err := lock(f); err != nil {
		f.Close()
		if errors.Is(err, errClaimed) {
			return nil, &ServedError{path}
		}
		return nil, fmt.Errorf("claim %s: %w", path, err)
	}
	return f, nil
}
