package hall

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// errClaimed is what lock returns for a file that another process has locked.
var errClaimed = errors.New("locked by another process")

// Claim makes this process the only one that serves the database at path, until the
// returned file is closed or the process ends, however it ends. Two servers on one file
// would lose no move, but neither would wake the agents that wait at the other. Commands
// beside the server claim nothing.
//
// What is locked is a file beside the database: SQLite's own locks are on that one.
func Claim(path string) (*os.File, error) {
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, fmt.Errorf("claim the database: %w", err)
	}
	f, err := os.OpenFile(path+".serving", os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("claim the database: %w", err)
	}
	if err := lock(f); err != nil {
		f.Close()
		if errors.Is(err, errClaimed) {
			return nil, fmt.Errorf("another arena is serving %s; stop it first, or give this one a file of its own with --db", path)
		}
		return nil, fmt.Errorf("claim %s: %w", path, err)
	}
	return f, nil
}
