package search

// zobrist holds the numbers whose exclusive or names a position (Zobrist hashing).
type zobrist struct {
	men    [16][64]uint64
	castle [16]uint64
	file   [8]uint64 // of an en passant square
	turn   uint64
}

// keys come from a fixed generator (SplitMix64), so that they, and with them what
// meets in the table of results, are the same in every process.
var keys = func() (z zobrist) {
	state := uint64(0x41524e41) // any seed will do
	next := func() uint64 {
		state += 0x9e3779b97f4a7c15
		x := state
		x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
		x = (x ^ x>>27) * 0x94d049bb133111eb
		return x ^ x>>31
	}
	for man := range z.men {
		for sq := range z.men[man] {
			z.men[man][sq] = next()
		}
	}
	for i := range z.castle {
		z.castle[i] = next()
	}
	for i := range z.file {
		z.file[i] = next()
	}
	z.turn = next()
	return z
}()
