package arbiter

import (
	"cmp"
	"fmt"
	"slices"

	"chessarena/arena"
	"chessarena/rules"
	"chessarena/store"
)

// Recounted is what a recount put right.
type Recounted struct {
	Games       int      `json:"games"`       // that were counted
	Differences []string `json:"differences"` // at most 50; empty when all was right
}

const maxDifferences = 50

func (r *Recounted) differ(format string, args ...any) {
	if len(r.Differences) < maxDifferences {
		r.Differences = append(r.Differences, fmt.Sprintf(format, args...))
	}
}

// recountPage is how many rows are read at a time.
const recountPage = 500

// Recount computes the records of all nicknames and buckets, what pairing goes by, and the
// arena's totals from the games themselves, in one pass, and stores what differs. It must see every game
// that counts, so nothing else may be written meanwhile: tx is an Update's.
func Recount(tx *store.Tx) (Recounted, error) {
	r := Recounted{Differences: []string{}}
	var finished []arena.Game
	var totals store.Totals
	for f := (store.GameFilter{Limit: recountPage}); ; {
		page, err := tx.Games(f)
		if err != nil {
			return r, err
		}
		if len(page) == 0 {
			break
		}
		for _, g := range page {
			r.Games++
			switch g.Status {
			case arena.Active:
				totals.Active++
			case arena.Void:
				totals.Void++
			default:
				totals.Finished++
				finished = append(finished, g)
			}
		}
		f.Before = page[len(page)-1].ID
	}
	// Streaks hang on the order in which games ended.
	slices.SortFunc(finished, func(a, b arena.Game) int {
		return cmp.Or(a.Finished.Compare(b.Finished), cmp.Compare(a.RowID, b.RowID))
	})
	records := make(map[int64]arena.Record)
	streaks := make(map[int64]arena.Streak)
	buckets := make(map[int64]arena.Record)
	for i := range finished {
		g := &finished[i]
		for _, side := range []rules.Color{rules.White, rules.Black} {
			seat := g.Seats[side]
			records[seat.NicknameID] = records[seat.NicknameID].Add(g, side)
			streaks[seat.NicknameID] = streaks[seat.NicknameID].Add(g.Result.Score(side) == 1)
			buckets[seat.BucketID] = buckets[seat.BucketID].Add(g, side)
		}
	}
	if err := r.nicknames(tx, records, streaks, &totals); err != nil {
		return r, err
	}
	if err := r.buckets(tx, buckets, &totals); err != nil {
		return r, err
	}
	if err := r.meetings(tx, finished); err != nil {
		return r, err
	}
	stored, err := tx.Totals()
	if err != nil {
		return r, err
	}
	if stored != totals {
		r.differ("totals were %+v, the games give %+v", stored, totals)
		return r, tx.SaveTotals(totals)
	}
	return r, nil
}

func (r *Recounted) nicknames(tx *store.Tx, records map[int64]arena.Record, streaks map[int64]arena.Streak, totals *store.Totals) error {
	for after := int64(0); ; {
		page, err := tx.Agents(after, recountPage)
		if err != nil || len(page) == 0 {
			return err
		}
		for _, a := range page {
			after = a.ID
			totals.Nicknames++
			if a.Record == records[a.ID] && a.Streak == streaks[a.ID] {
				continue
			}
			r.differ("nickname %s had %+v %+v, the games give %+v %+v", a.Nickname, a.Record, a.Streak, records[a.ID], streaks[a.ID])
			a.Record, a.Streak = records[a.ID], streaks[a.ID]
			if err := tx.SaveAgentRecord(a); err != nil {
				return err
			}
		}
	}
}

func (r *Recounted) buckets(tx *store.Tx, records map[int64]arena.Record, totals *store.Totals) error {
	seen, models := make(map[int64]bool), make(map[string]bool)
	for after := int64(0); ; {
		page, err := tx.AllEntries(after, recountPage)
		if err != nil {
			return err
		}
		if len(page) == 0 {
			totals.Models = len(models)
			return nil
		}
		for _, e := range page {
			after = e.ID
			totals.Configs++
			b := e.Bucket
			if seen[b.ID] {
				continue
			}
			seen[b.ID], models[b.Config.Model] = true, true
			if b.Record == records[b.ID] {
				continue
			}
			r.differ("bucket %d had %+v, the games give %+v", b.ID, b.Record, records[b.ID])
			b.Record = records[b.ID]
			if err := tx.SaveBucketRecord(b); err != nil {
				return err
			}
		}
	}
}
