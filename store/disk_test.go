package store

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestBallast(t *testing.T) {
	db := openNew(t)
	b := db.Ballast()
	if loaded, err := b.Load(ballastSize); loaded || err != nil {
		t.Errorf("on a disk with little room: %v, %v", loaded, err)
	}
	for range 2 { // the second time it is there already
		if loaded, err := b.Load(1 << 40); !loaded || err != nil {
			t.Fatalf("Load: %v, %v", loaded, err)
		}
	}
	if info, err := os.Stat(b.path); err != nil || info.Size() != 16<<20 {
		t.Errorf("the ballast: %v, %v", info, err)
	}
	if dropped, err := b.Drop(); !dropped || err != nil {
		t.Errorf("Drop: %v, %v", dropped, err)
	}
	if dropped, err := b.Drop(); dropped || err != nil {
		t.Errorf("Drop of nothing: %v, %v", dropped, err)
	}
}

func TestANetworkFileSystemIsRefusedUnlessAskedFor(t *testing.T) {
	fileSystem = func(string) string { return "NFS" }
	defer func() { fileSystem = networkFS }()
	path := filepath.Join(t.TempDir(), "a.db")
	_, err := Open(t.Context(), path, Options{})
	if err == nil || !strings.Contains(err.Error(), "network file system (NFS)") || !strings.Contains(err.Error(), "--unsafe-network-fs") {
		t.Errorf("Open: %v", err)
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Error("a refused file was made all the same")
	}
	db, err := Open(t.Context(), path, Options{UnsafeNetworkFS: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
}
