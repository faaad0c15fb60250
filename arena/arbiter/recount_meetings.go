package arbiter

import (
	"chessarena/arena"
	"chessarena/rules"
	"chessarena/store"
)

// meetings puts right what pairing goes by: how often two buckets met and how that ended,
// which colours a configuration had, and how often a bucket met an anchor. finished is in
// the order in which the games ended. Lines played lately and games owed stay as they
// are: they decide what comes next and count nothing.
func (r *Recounted) meetings(tx *store.Tx, finished []arena.Game) error {
	type key struct{ a, b int64 }
	pairs := make(map[key]arena.Pair)
	colors := make(map[int64]arena.Colors)
	anchored := make(map[int64]int)
	pinned := make(map[int64]bool)
	for i := range finished {
		g := &finished[i]
		white, black := g.Seats[rules.White], g.Seats[rules.Black]
		var k key
		k.a, k.b = arena.PairOf(white.BucketID, black.BucketID)
		pairs[k] = arena.Pair{A: k.a, B: k.b, Games: pairs[k].Games, AWhite: pairs[k].AWhite, AWins: pairs[k].AWins, Draws: pairs[k].Draws}.Add(g, "", 0)
		for _, side := range []rules.Color{rules.White, rules.Black} {
			seat, other := g.Seats[side], g.Seats[side.Other()].BucketID
			colors[seat.ConfigID] = colors[seat.ConfigID].Add(side)
			is, known := pinned[other]
			if !known {
				b, err := tx.Bucket(other)
				if err != nil {
					return err
				}
				is = b.Pinned
				pinned[other] = is
			}
			if is {
				anchored[seat.BucketID]++
			}
		}
	}
	for _, want := range pairs {
		p, err := tx.Pair(want.A, want.B)
		if err != nil {
			return err
		}
		if p.Games == want.Games && p.AWhite == want.AWhite && p.AWins == want.AWins && p.Draws == want.Draws {
			continue
		}
		r.differ("buckets %d and %d had met %d times, the games give %d", p.A, p.B, p.Games, want.Games)
		p.Games, p.AWhite, p.AWins, p.Draws = want.Games, want.AWhite, want.AWins, want.Draws
		if err := tx.SavePair(p); err != nil {
			return err
		}
	}
	for config, want := range colors {
		got, err := tx.Colors(config)
		if err != nil {
			return err
		}
		if got != want {
			r.differ("config %d had colours %+v, the games give %+v", config, got, want)
			if err := tx.SaveColors(config, want); err != nil {
				return err
			}
		}
	}
	return r.anchorGames(tx, anchored)
}

// anchorGames runs after the records of buckets are right, which bound what it stores.
func (r *Recounted) anchorGames(tx *store.Tx, want map[int64]int) error {
	seen := make(map[int64]bool)
	for after := int64(0); ; {
		page, err := tx.AllEntries(after, recountPage)
		if err != nil || len(page) == 0 {
			return err
		}
		for _, e := range page {
			after = e.ID
			if seen[e.Bucket.ID] {
				continue
			}
			seen[e.Bucket.ID] = true
			got, err := tx.AnchorGames(e.Bucket.ID)
			if err != nil {
				return err
			}
			if n := want[e.Bucket.ID]; got != n {
				r.differ("bucket %d had met anchors %d times, the games give %d", e.Bucket.ID, got, n)
				if err := tx.SaveAnchorGames(e.Bucket.ID, n); err != nil {
					return err
				}
			}
		}
	}
}
