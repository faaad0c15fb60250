package refit

import (
	"bytes"
	"context"
	"fmt"
	"math"

	"chessarena/arena"
	"chessarena/arena/rating"
	"chessarena/rules"
	"chessarena/store"
)

// page is how many rows are read in one transaction, so that none stays open long.
const page = 1000

// maxFaults bounds what a check lists; more of the same says nothing new.
const maxFaults = 20

// Report is what a check of the ratings found.
type Report struct {
	Tracks []TrackReport `json:"tracks"`
	OK     bool          `json:"ok"` // every stored value is what the replay gives
}

// TrackReport is the check of one track.
type TrackReport struct {
	Track   arena.Track `json:"track"`
	Games   int         `json:"games"`   // replayed
	Refits  int         `json:"refits"`  // made again
	Buckets int         `json:"buckets"` // whose live rating was compared
	Faults  []string    `json:"faults"`  // at most 20
}

func (t *TrackReport) fault(format string, args ...any) {
	if len(t.Faults) < maxFaults {
		t.Faults = append(t.Faults, fmt.Sprintf(format, args...))
	}
}

// Check replays each track in its own order, games and fits alike, from the ratings
// that buckets start with, and compares every stored value bit for bit. It changes
// nothing. On a serving arena it should be run on a backup: what is rated while it
// reads shows as a fault.
func (r *Refitter) Check(ctx context.Context) (Report, error) {
	report, _, err := check(func(f func(*store.Tx) error) error { return r.db.View(ctx, f) })
	return report, err
}

// Mended is a live rating of a bucket, or the peak of a nickname, that a replay put
// right, as it was before.
type Mended struct {
	Bucket   int64           `json:"bucket,omitempty"`
	Nickname int64           `json:"nickname,omitempty"`
	Track    arena.Track     `json:"track"`
	Was      *store.Standing `json:"was,omitempty"`
	WasPeak  *float64        `json:"was_peak,omitempty"`
}

// Mend replays the tracks inside tx, which must be an Update's, and stores the live
// ratings that differ from what comes out. What was rated and fitted stays as it is.
func Mend(tx *store.Tx) (Report, []Mended, error) {
	report, wrong, err := check(func(f func(*store.Tx) error) error { return f(tx) })
	if err != nil {
		return Report{}, nil, err
	}
	mended := []Mended{}
	for _, w := range wrong {
		if w.bucket == 0 {
			if err := tx.SavePeak(w.nickname, w.track, w.peak); err != nil {
				return Report{}, nil, err
			}
			mended = append(mended, Mended{Nickname: w.nickname, Track: w.track, WasPeak: w.wasPeak})
			continue
		}
		if err := tx.SaveStanding(w.bucket, w.track, w.want); err != nil {
			return Report{}, nil, err
		}
		mended = append(mended, Mended{Bucket: w.bucket, Track: w.track, Was: &w.got})
	}
	return report, mended, nil
}

// reader runs a function in a transaction.
type reader func(func(*store.Tx) error) error

func check(read reader) (Report, []wrong, error) {
	report := Report{OK: true}
	var all []wrong
	for _, track := range tracks {
		one, wrong, err := checkTrack(read, track)
		if err != nil {
			return Report{}, nil, fmt.Errorf("check track %s: %w", track, err)
		}
		report.Tracks = append(report.Tracks, one)
		report.OK = report.OK && len(one.Faults) == 0
		all = append(all, wrong...)
	}
	return report, all, nil
}

// wrong is a live rating, or the peak of a nickname, that is not what the replay gives.
type wrong struct {
	bucket    int64 // 0 when it is a peak
	track     arena.Track
	got, want store.Standing

	nickname      int64
	wasPeak, peak *float64
}

// replayed is a track as the replay has it so far.
type replayed struct {
	track  arena.Track
	pins   map[int64]float64
	stands map[int64]store.Standing
	peaks  map[int64]*float64 // of nicknames
	report TrackReport
}

func checkTrack(read reader, track arena.Track) (TrackReport, []wrong, error) {
	re := replayed{track: track, stands: make(map[int64]store.Standing), peaks: make(map[int64]*float64), report: TrackReport{Track: track, Faults: []string{}}}
	var refits []store.Refit
	err := read(func(tx *store.Tx) (err error) {
		if re.pins, err = tx.Pins(track); err != nil {
			return err
		}
		refits, err = tx.Refits(track, 0, math.MaxInt32)
		return err
	})
	if err != nil {
		return re.report, nil, err
	}
	for seq := int64(0); ; {
		var games []store.Rated
		err := read(func(tx *store.Tx) (err error) { games, err = tx.RatedGames(track, seq, page); return err })
		if err != nil {
			return re.report, nil, err
		}
		if len(games) == 0 {
			break
		}
		for _, g := range games {
			if g.Seq != seq+1 {
				re.report.fault("place %d is missing", seq+1)
			}
			seq = g.Seq
			re.game(g)
			for len(refits) > 0 && refits[0].Place == seq {
				if err := re.again(read, refits[0]); err != nil {
					return re.report, nil, err
				}
				refits = refits[1:]
			}
		}
	}
	if len(refits) > 0 {
		re.report.fault("a fit stands at place %d, beyond the last game", refits[0].Place)
	}
	wrong, err := re.compare(read)
	return re.report, wrong, err
}

// standing is where a bucket stands in the replay.
func (re *replayed) standing(bucket int64) store.Standing {
	if s, ok := re.stands[bucket]; ok {
		return s
	}
	if pin, ok := re.pins[bucket]; ok {
		return store.Standing{Rating: rating.Anchor(pin), Pinned: true}
	}
	return store.Standing{Rating: arena.InitialRating}
}

// game replays one rated game and compares what it did.
func (re *replayed) game(g store.Rated) {
	re.report.Games++
	var before [2]arena.Rating
	for side, bucket := range g.Buckets {
		s := re.standing(bucket)
		if !s.Rated.IsZero() {
			s.Rating = rating.Idle(s.Rating, g.At.Sub(s.Rated))
		}
		before[side] = s.Rating
	}
	var after [2]arena.Rating
	after[rules.White], after[rules.Black] = rating.Update(before[rules.White], before[rules.Black], g.Score)
	if after != g.After {
		re.report.fault("place %d: the replay gives %v, stored is %v", g.Seq, after, g.After)
	}
	for side, bucket := range g.Buckets {
		s := re.standing(bucket)
		s.Rating, s.Games, s.Rated = after[side], s.Games+1, g.At
		s.Peak = rating.Peak(s.Peak, s.Rating, s.Games)
		re.stands[bucket] = s
		if !s.Pinned {
			who := g.Nicknames[side]
			re.peaks[who] = rating.Peak(re.peaks[who], s.Rating, s.Games)
		}
	}
}

// again makes a stored fit again, compares it, and rebases the replay on it.
func (re *replayed) again(read reader, stored store.Refit) error {
	re.report.Refits++
	in := input{seq: stored.Seq, at: stored.At, pins: re.pins}
	for after := int64(0); after < stored.Seq; after += page {
		err := read(func(tx *store.Tx) error {
			games, err := tx.RatedSides(re.track, after, min(after+page, stored.Seq))
			in.games = append(in.games, games...)
			return err
		})
		if err != nil {
			return err
		}
	}
	fit, err := rating.Refit(in.rating())
	if err != nil {
		return err
	}
	text, _, err := encode(fit)
	if err != nil {
		return err
	}
	if fit.Inputs != stored.Inputs {
		re.report.fault("the fit at place %d was made of other games", stored.Place)
	} else if !bytes.Equal(text, stored.Fit) {
		re.report.fault("the fit at place %d comes out differently", stored.Place)
	}
	for _, row := range fit.Rows {
		s := re.standing(row.Bucket)
		s.Rating = rating.Rebase(s.Rating, row)
		re.stands[row.Bucket] = s
	}
	return nil
}

// compare holds the replay's end against the live ratings.
func (re *replayed) compare(read reader) (list []wrong, err error) {
	for bucket, want := range re.stands {
		var got store.Standing
		err := read(func(tx *store.Tx) (err error) { got, err = tx.Standing(bucket, re.track); return err })
		if err != nil {
			return nil, err
		}
		re.report.Buckets++
		same := got.Rating == want.Rating && got.Games == want.Games && got.Rated.Equal(want.Rated) && equal(got.Peak, want.Peak)
		if !same {
			re.report.fault("bucket %d stands at %v after %d games, the replay gives %v after %d", bucket, got.Rating, got.Games, want.Rating, want.Games)
			list = append(list, wrong{bucket: bucket, track: re.track, got: got, want: want})
		}
	}
	for nickname, want := range re.peaks {
		var got *float64
		err := read(func(tx *store.Tx) (err error) { got, err = tx.Peak(nickname, re.track); return err })
		if err != nil {
			return nil, err
		}
		if !equal(got, want) {
			re.report.fault("nickname %d has another peak than the replay gives", nickname)
			list = append(list, wrong{nickname: nickname, track: re.track, peak: want, wasPeak: got})
		}
	}
	return list, nil
}

func equal(a, b *float64) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}
