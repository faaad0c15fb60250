package matchmaker

import (
	"context"
	"fmt"

	"chessarena/arena"
	"chessarena/store"
)

// windowed is how many games of a pair count as lately.
const windowed = arena.Rotation

// match is a game that a wave has decided on.
type match struct{ a, b arena.Waiter }

// Wave pairs those who wait now and begins their games; it returns how many. While the
// database cannot be written there is none.
func (m *Matchmaker) Wave(ctx context.Context) (int, error) {
	if m.db.Trouble() != nil {
		return 0, nil
	}
	var entrants []Entrant
	met := make(map[store.Meeting]int)
	err := m.db.View(ctx, func(tx *store.Tx) (err error) {
		entrants, err = m.entrants(tx)
		if err != nil {
			return err
		}
		return meetings(tx, entrants, met)
	})
	if err != nil || len(entrants) == 0 {
		return 0, err
	}
	history := func(x, y int64) int {
		a, b := arena.PairOf(x, y)
		return min(met[store.Meeting{A: a, B: b}], windowed)
	}
	return m.begin(ctx, decide(entrants, m.anchors(), history, policy{placement, anchorShare, m.settings.BotFallback}))
}

// entrants are those in the queue who may play, the longest waiting first.
func (m *Matchmaker) entrants(tx *store.Tx) ([]Entrant, error) {
	queue, err := tx.Queue()
	if err != nil {
		return nil, fmt.Errorf("read the queue: %w", err)
	}
	room := make(map[int64]int) // of each nickname, how many games it may begin
	list := make([]Entrant, 0, len(queue))
	for _, w := range queue {
		left, known := room[w.NicknameID]
		if !known {
			games, err := tx.ActiveGames(w.NicknameID)
			if err != nil {
				return nil, fmt.Errorf("games of nickname %d: %w", w.NicknameID, err)
			}
			left = m.settings.MaxActiveGames - len(games)
		}
		if w.Nickname == arena.AgentActive && left > 0 {
			list = append(list, Entrant{Waiter: w, Wait: max(0, tx.Now().Sub(w.Since))})
			left--
		}
		room[w.NicknameID] = left
	}
	return list, nil
}

// meetings collects how often the buckets of entrants met, keyed by pair.
func meetings(tx *store.Tx, entrants []Entrant, met map[store.Meeting]int) error {
	done := make(map[int64]bool)
	for _, e := range entrants {
		if done[e.BucketID] {
			continue
		}
		done[e.BucketID] = true
		list, err := tx.Meetings(e.BucketID)
		if err != nil {
			return fmt.Errorf("meetings of bucket %d: %w", e.BucketID, err)
		}
		for _, pair := range list {
			games := pair.Games
			pair.Games = 0
			met[pair] = games
		}
	}
	return nil
}

// decide says who plays whom: those who are due meet an anchor, the others one another,
// and whom nobody fits gets an anchor when it has waited long enough.
func decide(entrants []Entrant, anchors []arena.Waiter, met History, p policy) (games []match) {
	var rest []Entrant
	for i := range entrants {
		if e := &entrants[i]; p.due(e) {
			if at := bestAnchor(e, anchors, met); at >= 0 {
				games = append(games, match{e.Waiter, anchors[at]})
				continue
			}
		}
		rest = append(rest, entrants[i])
	}
	paired := make([]bool, len(rest))
	for _, c := range Pair(rest, met) {
		paired[c.A], paired[c.B] = true, true
		games = append(games, match{rest[c.A].Waiter, rest[c.B].Waiter})
	}
	for i := range rest {
		if paired[i] || !p.late(&rest[i]) {
			continue
		}
		if at := bestAnchor(&rest[i], anchors, met); at >= 0 {
			games = append(games, match{rest[i].Waiter, anchors[at]})
		}
	}
	return games
}
