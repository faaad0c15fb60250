package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"chessarena/arena"
)

// The packed form of a history, about 9 bytes a ply:
//
//	version byte 1, uvarint number of moves, then for each move
//	header byte: SAN length in the low 4 bits (15: a uvarint follows the header), and flags
//	move: 2 bytes, big endian: 0, promotion (3 bits), from (6), to (6), squares a1=0 … h8=63;
//	      with the high bit set, the low 15 bits are the length of a text that follows
//	SAN text
//	varint time since the move before, in ms (first move: unix ms)
//	varint thinking time in ms, unless packThink says it is the time since the move before
//	uvarint illegal attempts, when packIllegal is set
const (
	packVersion = 1

	packLong    = 15 // in the low bits
	packOver    = 1 << 4
	packBook    = 1 << 5
	packIllegal = 1 << 6
	packThink   = 1 << 7
)

var errPacked = errors.New("the packed history is damaged")

func pack(moves []arena.Move) []byte {
	b := make([]byte, 0, 16+10*len(moves))
	b = append(b, packVersion)
	b = binary.AppendUvarint(b, uint64(len(moves)))
	var before int64
	for i, m := range moves {
		since, think := millis(m.At)-before, m.Think.Milliseconds()
		before += since
		header := byte(min(len(m.SAN), packLong))
		if m.OverSoft {
			header |= packOver
		}
		if m.Book {
			header |= packBook
		}
		if m.Illegal != 0 {
			header |= packIllegal
		}
		if i > 0 && since == think {
			header |= packThink
		}
		b = append(b, header)
		if len(m.SAN) >= packLong {
			b = binary.AppendUvarint(b, uint64(len(m.SAN)))
		}
		b = appendUCI(b, m.UCI)
		b = append(b, m.SAN...)
		b = binary.AppendVarint(b, since)
		if header&packThink == 0 {
			b = binary.AppendVarint(b, think)
		}
		if header&packIllegal != 0 {
			b = binary.AppendUvarint(b, uint64(m.Illegal))
		}
	}
	return b
}

func unpack(b []byte) ([]arena.Move, error) {
	r := unpacker{rest: b}
	if v := r.byte(); v != packVersion {
		return nil, fmt.Errorf("%w: version %d", errPacked, v)
	}
	n := r.uvarint()
	if n > uint64(len(b)) { // a move takes more than a byte
		return nil, errPacked
	}
	moves := make([]arena.Move, n)
	var at int64
	for i := range moves {
		m := &moves[i]
		header := r.byte()
		length := uint64(header & packLong)
		if length == packLong {
			length = r.uvarint()
		}
		m.UCI = r.uci()
		m.SAN = r.text(length)
		since := r.millis()
		at += since
		think := since
		if header&packThink == 0 {
			think = r.millis()
		}
		if header&packIllegal != 0 {
			m.Illegal = int(r.uvarint())
		}
		m.At, m.Think = instant(at), span(think)
		m.OverSoft, m.Book = header&packOver != 0, header&packBook != 0
	}
	if r.bad || len(r.rest) > 0 {
		return nil, errPacked
	}
	return moves, nil
}

const promotions = " nbrq" // by their three bits

// appendUCI writes a move of chess in two bytes, anything else as text.
func appendUCI(b []byte, uci string) []byte {
	if v, ok := squares(uci); ok {
		return binary.BigEndian.AppendUint16(b, v)
	}
	return append(binary.BigEndian.AppendUint16(b, 1<<15|uint16(len(uci))), uci...)
}

func squares(uci string) (uint16, bool) {
	if len(uci) != 4 && len(uci) != 5 {
		return 0, false
	}
	v := uint16(0)
	if len(uci) == 5 {
		for p := 1; p < len(promotions); p++ {
			if promotions[p] == uci[4] {
				v = uint16(p)
			}
		}
		if v == 0 {
			return 0, false
		}
	}
	for i := 0; i < 4; i += 2 {
		file, rank := uci[i]-'a', uci[i+1]-'1'
		if file > 7 || rank > 7 {
			return 0, false
		}
		v = v<<6 | uint16(rank)<<3 | uint16(file)
	}
	return v, true
}

// unpacker reads a packed history and remembers that it met something impossible.
type unpacker struct {
	rest []byte
	bad  bool
}

func (r *unpacker) take(n uint64) []byte {
	if n > uint64(len(r.rest)) {
		r.bad, r.rest = true, nil
		return nil
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

func (r *unpacker) byte() byte {
	if b := r.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (r *unpacker) text(n uint64) string { return string(r.take(n)) }

func (r *unpacker) uvarint() uint64 {
	v, n := binary.Uvarint(r.rest)
	r.skip(n)
	return v
}

// millis reads a number of milliseconds that a time.Duration can hold.
func (r *unpacker) millis() int64 {
	v, n := binary.Varint(r.rest)
	r.skip(n)
	if v > math.MaxInt64/1_000_000 || v < math.MinInt64/1_000_000 {
		r.bad = true
	}
	return v
}

// skip passes over the n bytes of a varint; n ≤ 0 means there was none.
func (r *unpacker) skip(n int) {
	if n <= 0 {
		r.bad, r.rest = true, nil
		return
	}
	r.rest = r.rest[n:]
}

func (r *unpacker) uci() string {
	b := r.take(2)
	if b == nil {
		return ""
	}
	v := binary.BigEndian.Uint16(b)
	if v&(1<<15) != 0 {
		return r.text(uint64(v &^ (1 << 15)))
	}
	uci := []byte{'a' + byte(v>>6&7), '1' + byte(v>>9&7), 'a' + byte(v&7), '1' + byte(v>>3&7)}
	if p := int(v >> 12); p > 0 && p < len(promotions) {
		uci = append(uci, promotions[p])
	}
	return string(uci)
}
