package store

import (
	"path/filepath"

	sqlite3 "modernc.org/sqlite/lib"
)

// leastRoom is what SQLite needs to open a database at all: the 32 KiB that its
// processes share, and a few pages.
const leastRoom = 64 << 10

// noRoom reports whether err comes from a disk that is full. SQLite says so of a file
// it writes; where it maps the file into memory instead, it only knows that it failed.
func noRoom(err error, folder string) bool {
	switch resultCode(err) & 0xff {
	case sqlite3.SQLITE_FULL:
		return true
	case sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN:
		free, known := FreeSpace(folder)
		return known && free < leastRoom
	}
	return false
}

// DiskFull reports whether the last commit failed because the disk is full.
func (db *DB) DiskFull() bool { return noRoom(db.Trouble(), filepath.Dir(db.path)) }
