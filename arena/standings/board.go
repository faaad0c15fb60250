package standings

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"time"

	"chessarena/arena"
	"chessarena/arena/rating"
	"chessarena/store"
)

// Standings answers questions about people and models. It is safe for concurrent use.
type Standings struct {
	// Verified says whether a configuration's model is a registered one; nil means that
	// all are.
	Verified func(arena.Config) bool
	// Canonical is the name that a spelling of a model means; nil takes it as it is.
	Canonical func(string) string

	db *store.DB

	making  sync.Mutex // held while a board is made, so that it is made once
	latest  *board
	version uint64
}

// New returns the standings that db holds.
func New(db *store.DB) *Standings { return &Standings{db: db} }

// board is everything rated, as of one version of the data. It is never changed.
type board struct {
	buckets []*bucket // by id
	byID    map[int64]*bucket
	players []*player // by id
	byName  map[arena.Skeleton]*player
	at      time.Time
}

// bucket is a rating with what the latest fits say of it; nil where a track has no fit
// of it yet.
type bucket struct {
	store.BoardRow
	fits   map[arena.Track]*rating.Row
	owners []int64 // nicknames
	lost   int     // games forfeited on time
}

// player is a nickname that has played.
type player struct {
	store.Player
	buckets []*bucket
}

// board returns the board of the present data.
func (s *Standings) board(ctx context.Context) (*board, error) {
	s.making.Lock()
	defer s.making.Unlock()
	// Read before the data: what is committed in between is seen the next time.
	version := s.db.Version()
	if s.latest != nil && s.version == version {
		return s.latest, nil
	}
	var b *board
	err := s.db.View(ctx, func(tx *store.Tx) (err error) { b, err = read(tx); return err })
	if err != nil {
		return nil, err
	}
	s.latest, s.version = b, version
	return b, nil
}

func read(tx *store.Tx) (*board, error) {
	b := &board{byID: make(map[int64]*bucket), byName: make(map[arena.Skeleton]*player), at: tx.Now()}
	rows, err := tx.Board()
	if err != nil {
		return nil, err
	}
	owners, err := tx.Owners()
	if err != nil {
		return nil, err
	}
	timeouts, err := tx.Timeouts()
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		one := &bucket{BoardRow: row, fits: make(map[arena.Track]*rating.Row), owners: owners[row.ID], lost: timeouts[row.ID]}
		b.buckets = append(b.buckets, one)
		b.byID[row.ID] = one
	}
	slices.SortFunc(b.buckets, func(x, y *bucket) int { return cmp.Compare(x.ID, y.ID) })
	for _, track := range []arena.Track{arena.TrackAll, arena.TrackBoard} {
		fits, err := tx.Fits(track)
		if err != nil {
			return nil, err
		}
		for id, text := range fits {
			fit := new(rating.Row)
			if err := json.Unmarshal(text, fit); err != nil {
				return nil, err
			}
			if one := b.byID[id]; one != nil {
				one.fits[track] = fit
			}
		}
	}
	players, err := tx.Players()
	if err != nil {
		return nil, err
	}
	byID := make(map[int64]*player)
	for _, p := range players {
		one := &player{Player: p}
		b.players = append(b.players, one)
		byID[p.ID] = one
		b.byName[p.Nickname.Skeleton()] = one
	}
	slices.SortFunc(b.players, func(x, y *player) int { return cmp.Compare(x.ID, y.ID) })
	for _, one := range b.buckets {
		for _, id := range one.owners {
			if p := byID[id]; p != nil {
				p.buckets = append(p.buckets, one)
			}
		}
	}
	return b, nil
}

// standing is where a bucket stands on a track by its live rating.
func (b *bucket) standing(track arena.Track) store.Standing {
	if track == arena.TrackBoard {
		return b.BoardTrack
	}
	return b.AllTrack
}

// strength is what a track's board is ordered by: the fit, or before there is one the
// live rating.
func (b *bucket) strength(track arena.Track) float64 {
	if fit := b.fits[track]; fit != nil {
		return fit.Rating
	}
	return b.standing(track).R
}

// byStrength sorts the strongest first; equals by age.
func byStrength(track arena.Track) func(x, y *bucket) int {
	return func(x, y *bucket) int {
		return cmp.Or(cmp.Compare(y.strength(track), x.strength(track)), cmp.Compare(x.ID, y.ID))
	}
}

func sortBy(list []*bucket, track arena.Track) { slices.SortFunc(list, byStrength(track)) }

// Harness filters of a board.
const (
	Reference  = "reference" // harnesses of the published family, reference-1.0 and so on
	AnyHarness = "all"
)

// of reports whether a bucket passes a filter of harnesses.
func (b *bucket) of(harness string) bool {
	return harness == AnyHarness || strings.HasPrefix(b.Config.Harness, Reference+"-")
}

func (s *Standings) verified(c arena.Config) bool { return s.Verified == nil || s.Verified(c) }
