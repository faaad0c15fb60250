package store

import (
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
)

// ballastSize is how much room the ballast keeps: enough for the WAL of some thousands
// of moves, in which an operator can make more.
const ballastSize = 16 << 20

// Ballast keeps some room on the database's disk for bad days. A full disk must get
// its room from outside: to SQLite even a DELETE needs some.
type Ballast struct{ path string }

// Ballast returns the ballast beside the database.
func (db *DB) Ballast() Ballast { return BallastOf(db.path) }

// BallastOf returns the ballast beside the database at path, open or not.
func BallastOf(path string) Ballast { return Ballast{path + ballastSuffix} }

// Load takes the room, unless it is taken already or the disk has little left; it
// reports whether there is a ballast now. The file is filled with noise: neither a hole
// nor what a file system can compress keeps room.
func (b Ballast) Load(free int64) (loaded bool, err error) {
	if info, err := os.Stat(b.path); err == nil && info.Size() >= ballastSize {
		return true, nil
	}
	if free < 4*ballastSize {
		return false, nil
	}
	f, err := os.OpenFile(b.path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return false, err
	}
	_, err = io.CopyN(f, rand.NewChaCha8([32]byte{}), ballastSize)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return false, errors.Join(err, os.Remove(b.path))
	}
	return true, nil
}

// Drop gives the room back; it reports whether there was any.
func (b Ballast) Drop() (dropped bool, err error) {
	err = os.Remove(b.path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}
