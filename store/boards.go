package store

import (
	"encoding/json"
	"time"

	"chessarena/arena"
)

var (
	queryBoard = register(`SELECT ` + bucketColumns + `, ra.games, ra.peak, ra.rated_ms, rb.games, rb.peak, rb.rated_ms
FROM buckets b` + joinRatings + `WHERE b.merged_into IS NULL AND (b.games > 0 OR b.pinned = 1)`).whole()
	queryFits     = register(`SELECT bucket_id, row FROM fits WHERE track = ?`)
	queryOwners   = register(`SELECT bucket_id, nickname_id FROM configs`).whole()
	queryOwnersOf = register(`SELECT DISTINCT n.nickname FROM configs c CROSS JOIN nicknames n ON n.id = c.nickname_id
WHERE c.bucket_id = ? ORDER BY n.nickname LIMIT ?`)
	queryPlayers  = register(selectAgent + `WHERE games > 0`).whole()
	queryPeaks    = register(`SELECT id, peak_all, peak_board FROM nicknames WHERE games > 0`).whole()
	queryTimeouts = register(`SELECT CASE forfeiter WHEN 0 THEN white_bucket_id ELSE black_bucket_id END, count(*)
FROM games INDEXED BY games_timeout WHERE termination = 'timeout' AND forfeiter IS NOT NULL GROUP BY 1`).whole()
)

// BoardRow is a bucket with all that the boards say of it.
type BoardRow struct {
	arena.Bucket
	AllTrack, BoardTrack Standing
}

// Board lists the buckets that have played, and the anchors, in no order.
func (tx *Tx) Board() ([]BoardRow, error) {
	return all(tx, queryBoard, func(r row) (BoardRow, error) {
		var b bucketRow
		var out BoardRow
		var ratedAll, ratedBoard *int64
		dests := append(b.dests(), &out.AllTrack.Games, &out.AllTrack.Peak, &ratedAll, &out.BoardTrack.Games, &out.BoardTrack.Peak, &ratedBoard)
		if err := r.Scan(dests...); err != nil {
			return out, err
		}
		var err error
		if out.Bucket, err = b.bucket(); err != nil {
			return out, err
		}
		out.AllTrack.Rating, out.AllTrack.Pinned, out.AllTrack.Rated = out.All, out.Pinned, orZero(ratedAll)
		out.BoardTrack.Rating, out.BoardTrack.Pinned, out.BoardTrack.Rated = out.Bucket.Board, out.Pinned, orZero(ratedBoard)
		return out, nil
	})
}

func orZero(ms *int64) time.Time {
	if ms == nil {
		return time.Time{}
	}
	return instant(*ms)
}

// Fits returns the rows of the latest fit of a track, as JSON by bucket.
func (tx *Tx) Fits(track arena.Track) (map[int64]json.RawMessage, error) {
	type fit struct {
		bucket int64
		row    string
	}
	list, err := all(tx, queryFits, func(r row) (f fit, err error) {
		err = r.Scan(&f.bucket, &f.row)
		return f, err
	}, track)
	fits := make(map[int64]json.RawMessage, len(list))
	for _, f := range list {
		fits[f.bucket] = json.RawMessage(f.row)
	}
	return fits, err
}

// Owners returns the nicknames that have a configuration in each bucket, each once.
func (tx *Tx) Owners() (map[int64][]int64, error) {
	type owner struct{ bucket, nickname int64 }
	list, err := all(tx, queryOwners, func(r row) (o owner, err error) {
		err = r.Scan(&o.bucket, &o.nickname)
		return o, err
	})
	owners := make(map[int64][]int64)
	seen := make(map[owner]bool, len(list))
	for _, o := range list {
		if !seen[o] {
			seen[o] = true
			owners[o.bucket] = append(owners[o.bucket], o.nickname)
		}
	}
	return owners, err
}

// OwnersOf lists who has a configuration in a bucket, in order of the alphabet.
func (tx *Tx) OwnersOf(bucket int64, limit int) ([]arena.Nickname, error) {
	return all(tx, queryOwnersOf, value[arena.Nickname], bucket, limit)
}

// Player is a nickname that has played.
type Player struct {
	arena.Agent
	PeakAll, PeakBoard *float64
}

// Players lists the nicknames that have finished a game, in no order.
func (tx *Tx) Players() ([]Player, error) {
	agents, err := all(tx, queryPlayers, scanAgent)
	if err != nil {
		return nil, err
	}
	type peaks struct {
		id         int64
		all, board *float64
	}
	list, err := all(tx, queryPeaks, func(r row) (p peaks, err error) {
		err = r.Scan(&p.id, &p.all, &p.board)
		return p, err
	})
	byID := make(map[int64]peaks, len(list))
	for _, p := range list {
		byID[p.id] = p
	}
	players := make([]Player, len(agents))
	for i, a := range agents {
		players[i] = Player{a.Agent, byID[a.ID].all, byID[a.ID].board}
	}
	return players, err
}

// Timeouts counts by bucket the games that it forfeited on time, void ones too.
func (tx *Tx) Timeouts() (map[int64]int, error) {
	type count struct {
		bucket int64
		n      int
	}
	list, err := all(tx, queryTimeouts, func(r row) (c count, err error) {
		err = r.Scan(&c.bucket, &c.n)
		return c, err
	})
	counts := make(map[int64]int, len(list))
	for _, c := range list {
		counts[c.bucket] = c.n
	}
	return counts, err
}
