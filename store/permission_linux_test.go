package store

import (
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
)

// asNobody gives up root's right to pass every permission, for the file access of this
// goroutine's thread, which ends with the goroutine.
func asNobody(t *testing.T) {
	t.Helper()
	if os.Getuid() != 0 {
		return
	}
	runtime.LockOSThread()
	if err := syscall.Setfsuid(65534); err != nil {
		t.Error(err)
	}
}

func TestPermissions(t *testing.T) {
	const (
		mayNotMake  = "it cannot be made; check that this user may write its folder"
		mayNotWrite = "this user may not write it; check the permissions of the file and its folder"
		mayNotOpen  = "it cannot be opened; check that this user may read and write the file and its folder"
	)
	for name, c := range map[string]struct {
		exists       bool
		file, folder os.FileMode // r 4, w 2, x 1
		reason       string
	}{
		"a new file in a folder one may not write": {false, 0, 5, mayNotMake},
		"a folder one may not enter":               {true, 6, 0, mayNotMake},
		"a file one may only read":                 {true, 4, 7, mayNotWrite},
		"a folder one may only read":               {true, 6, 5, mayNotWrite},
		"a file one may not read":                  {true, 0, 7, mayNotOpen},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			path := filepath.Join(folder, "a.db")
			if c.exists {
				if err := roleOpen(path); err != nil {
					t.Fatal(err)
				}
			}
			allow(t, filepath.Dir(folder), 7)
			if c.exists {
				allow(t, path, c.file)
			}
			allow(t, folder, c.folder)
			t.Cleanup(func() { _ = os.Chmod(folder, 0o700) })
			done := make(chan struct{})
			go func() { // its thread is not used again
				defer close(done)
				asNobody(t)
				refusedFor(t, path, c.reason)
			}()
			<-done
		})
	}
}

func TestExamineOfAFileOneMayOnlyRead(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a.db")
	if err := roleOpen(path); err != nil {
		t.Fatal(err)
	}
	allow(t, filepath.Dir(folder), 7)
	allow(t, folder, 7)
	allow(t, path, 4)
	done := make(chan struct{})
	go func() { // its thread is not used again
		defer close(done)
		asNobody(t)
		if h, err := Examine(t.Context(), path, Options{}); err != nil || h.Unwritable == nil {
			t.Errorf("%+v, %v", h, err)
		}
	}()
	<-done
}

// allow sets what the user that opens the database may do with path: root's tests open it
// as somebody else.
func allow(t *testing.T, path string, bits os.FileMode) {
	t.Helper()
	mode := bits << 6
	if os.Getuid() == 0 {
		mode = 0o700 | bits<<3 | bits
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}
