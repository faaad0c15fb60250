package refit

import (
	"bytes"
	"context"
	"fmt"

	"chessarena/arena"
	"chessarena/store"
)

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
	report, _, err := check(ctx, func(f func(*store.Tx) error) error { return r.db.View(ctx, f) })
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
	report, wrong, err := check(context.Background(), func(f func(*store.Tx) error) error { return f(tx) })
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

func check(ctx context.Context, read reader) (Report, []wrong, error) {
	report := Report{OK: true}
	var all []wrong
	for _, track := range tracks {
		one, wrong, err := checkTrack(ctx, read, track)
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

// checked is a replay that compares what it makes with what is stored.
type checked struct {
	*replay
	report TrackReport
	places int64 // of the last game that was there
}

func checkTrack(ctx context.Context, read reader, track arena.Track) (TrackReport, []wrong, error) {
	c := &checked{report: TrackReport{Track: track, Faults: []string{}}}
	var err error
	if c.replay, err = newReplay(read, track, asStored); err != nil {
		return c.report, nil, err
	}
	if err := c.run(ctx, read, c); err != nil {
		return c.report, nil, err
	}
	var beyond []store.Refit
	err = read(func(tx *store.Tx) (err error) { beyond, err = tx.Refits(track, c.seq, 1); return err })
	if err != nil {
		return c.report, nil, err
	}
	if len(beyond) > 0 {
		c.report.fault("a fit stands at place %d, beyond the last game", beyond[0].Place)
	}
	wrong, err := c.compare(read)
	return c.report, wrong, err
}

func (c *checked) game(stored, made store.Rated) {
	c.report.Games++
	if stored.Seq != c.places+1 {
		c.report.fault("place %d is missing", c.places+1)
	}
	c.places = stored.Seq
	if made.After != stored.After {
		c.report.fault("place %d: the replay gives %v, stored is %v", stored.Seq, made.After, stored.After)
	}
}

func (c *checked) fit(stored, made store.Refit, _ []store.FitRow) {
	c.report.Refits++
	if made.Inputs != stored.Inputs {
		c.report.fault("the fit at place %d was made of other games", stored.Place)
	} else if !bytes.Equal(made.Fit, stored.Fit) {
		c.report.fault("the fit at place %d comes out differently", stored.Place)
	}
}

// compare holds the replay's end against the live ratings.
func (re *checked) compare(read reader) (list []wrong, err error) {
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
