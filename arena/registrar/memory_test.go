package registrar

import (
	"encoding/binary"
	"testing"
	"time"
)

var noon = time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)

func TestMemoryKeepsAValidKeyWhileItIsUsed(t *testing.T) {
	var m memory
	m.keep(digest{1}, true, noon)
	// Met every 29 minutes it slides on, up to 24 hours after it was proved: 49 · 29
	// minutes are 23 h 41 min.
	for i := 1; i <= 49; i++ {
		if valid, known := m.recall(digest{1}, noon.Add(time.Duration(i)*29*time.Minute)); !valid || !known {
			t.Fatalf("after %d · 29 minutes: valid %v, known %v", i, valid, known)
		}
	}
	if _, known := m.recall(digest{1}, noon.Add(24*time.Hour-time.Millisecond)); !known {
		t.Error("forgotten before its 24 hours were over")
	}
	if _, known := m.recall(digest{1}, noon.Add(24*time.Hour)); known {
		t.Error("known after 24 hours")
	}
}

func TestMemoryForgets(t *testing.T) {
	for _, c := range []struct {
		name  string
		valid bool
		after time.Duration
		known bool
	}{
		{"a valid key unused for 30 minutes", true, 30 * time.Minute, false},
		{"not a valid key used before that", true, 30*time.Minute - time.Millisecond, true},
		{"an invalid key after a minute", false, time.Minute, false},
		{"not an invalid key before that", false, time.Minute - time.Millisecond, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			var m memory
			m.keep(digest{1}, c.valid, noon)
			if valid, known := m.recall(digest{1}, noon.Add(c.after)); known != c.known || valid != (c.known && c.valid) {
				t.Errorf("valid %v, known %v", valid, known)
			}
		})
	}
	t.Run("an invalid key does not slide", func(t *testing.T) {
		var m memory
		m.keep(digest{1}, false, noon)
		m.recall(digest{1}, noon.Add(50*time.Second))
		if _, known := m.recall(digest{1}, noon.Add(70*time.Second)); known {
			t.Error("known after 70 seconds")
		}
	})
}

func TestMemoryIsBounded(t *testing.T) {
	var m memory
	var d digest
	for i := range uint32(memoryMax + 500) {
		binary.BigEndian.PutUint32(d[:], i)
		m.keep(d, true, noon)
		if _, known := m.recall(d, noon); !known {
			t.Fatalf("key %d was not kept", i)
		}
	}
	if n := len(m.known); n != memoryMax {
		t.Errorf("%d keys are remembered, want %d", n, memoryMax)
	}
	m.keep(d, true, noon) // known already: nobody must go
	if n := len(m.known); n != memoryMax {
		t.Errorf("%d keys after one was kept again", n)
	}
}
