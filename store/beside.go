package store

import (
	"os"
)

// What stands beside a database has the database's name with one of these added.
const (
	walSuffix     = "-wal"
	shmSuffix     = "-shm"
	tempSuffix    = ".tmp"
	ballastSuffix = ".ballast"
)

// ownFile reports whether path, by whatever name, is the database at db or a file that
// SQLite or the arena keeps beside it. Such a file must not be replaced under a server,
// which would go on writing into what no longer has a name.
func ownFile(path, db string) bool {
	info, err := os.Stat(path)
	if err != nil {
		return false
	}
	for _, suffix := range []string{"", walSuffix, shmSuffix, ballastSuffix} {
		if own, err := os.Stat(db + suffix); err == nil && os.SameFile(info, own) {
			return true
		}
	}
	return false
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
