package store

import "sync/atomic"

// trouble is why the last attempt to write failed, nil when it did not.
type trouble struct{ cause atomic.Pointer[error] }

func (t *trouble) set(err error) { t.cause.Store(&err) }
func (t *trouble) clear()        { t.cause.Store(nil) }

// Trouble says why the file cannot be written just now (a full disk, a lock that does
// not go away), or nil. It is about the last commit that was tried: whoever waits for
// better times must try one.
func (db *DB) Trouble() error {
	if err := db.trouble.cause.Load(); err != nil {
		return *err
	}
	return nil
}

// Probe writes something that changes nothing, to find out whether writing works.
func (tx *Tx) Probe() error { return tx.count(counterActive, 0) }
