package store

import (
	"os"
	"testing"

	"modernc.org/sqlite"
)

// TestStrayDescriptor opens and closes the database's files by hand, as a careless backup
// does, while another process comes and goes. With POSIX locks that drops ours; the other
// process takes itself for the last, removes the WAL, and what is committed from then on
// is lost without a word.
func TestStrayDescriptor(t *testing.T) {
	db := openNew(t)
	if !sqlite.OFDLockingEnabled() {
		t.Error("OFD locks are off")
	}
	update(t, db, add("aaa"))
	for _, name := range []string{db.Path(), db.Path() + "-shm"} {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := child(t, "announce", db.Path()).Run(); err != nil {
		t.Fatal(err)
	}
	update(t, db, add("bbb"))
	update(t, db, add("ccc"))
	// A process of its own, and not ours, says what is in the file.
	out, err := child(t, "count", db.Path()).Output()
	if err != nil {
		t.Fatal(err)
	}
	if string(out) != "4 nicknames\n" {
		t.Errorf("another process sees %q, want 4 nicknames", out)
	}
}
