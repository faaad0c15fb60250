package store

import (
	"os"
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
