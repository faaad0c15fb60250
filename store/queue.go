package store

import (
	"database/sql"
	"errors"

	"chessarena/arena"
)

const selectWaiter = `SELECT queue.config_id, queue.nickname_id, c.bucket_id, n.status, queue.enqueued_ms, queue.opponents,
  r.rating, r.deviation, r.volatility, b.pinned OR json_extract(b.spec, '$.provider') = '` + arena.AnchorProvider + `',
  b.games, b.anchor_games, c.white_games, c.black_games, c.last_colors
FROM queue
CROSS JOIN configs c ON c.id = queue.config_id
CROSS JOIN nicknames n ON n.id = queue.nickname_id
CROSS JOIN buckets b ON b.id = c.bucket_id
CROSS JOIN ratings r ON r.bucket_id = b.id AND r.game = '` + kindChess + `' AND r.track = 'all' `

var (
	queryEnqueue = register(`INSERT INTO queue (config_id, nickname_id, enqueued_ms, opponents) VALUES (?, ?, ?, ?)
ON CONFLICT DO UPDATE SET opponents = excluded.opponents`).onOrphan(arena.Errorf(arena.ConfigNotFound, "There is no such configuration."))
	queryDequeue         = register(`DELETE FROM queue WHERE config_id = ?`)
	queryDequeueNickname = register(`DELETE FROM queue WHERE nickname_id = ?`)
	queryQueue           = register(selectWaiter + `ORDER BY queue.enqueued_ms, queue.config_id`)
	queryWaiter          = register(selectWaiter + `WHERE queue.config_id = ?`)
	queryPlace           = register(`SELECT count(*) FROM queue WHERE (enqueued_ms, config_id) <= (?, ?)`)
	queryQueueSize       = register(`SELECT count(*) FROM queue`)

	queryConfigGame = register(`WITH mine (id) AS (
  SELECT id FROM games WHERE white_nickname_id = ?1 AND status = 'active' AND white_config_id = ?2 UNION
  SELECT id FROM games WHERE black_nickname_id = ?1 AND status = 'active' AND black_config_id = ?2 ORDER BY 1 LIMIT 1)
SELECT g.pub FROM mine CROSS JOIN games g ON g.id = mine.id`)
	queryAgentsPlay = register(`SELECT EXISTS (SELECT 1 FROM games WHERE status = 'active' AND white_nickname_id <> black_nickname_id)`)
)

// Enqueue puts a configuration into the queue. When it waits there already it keeps its
// place and only its filter changes. ConfigNotFound when it does not exist.
func (tx *Tx) Enqueue(configID, nicknameID int64, o arena.Opponents) error {
	_, err := tx.exec(queryEnqueue, configID, nicknameID, millis(tx.now), o)
	return err
}

// Dequeue takes a configuration out of the queue and reports whether it was there.
func (tx *Tx) Dequeue(configID int64) (bool, error) {
	n, err := tx.exec(queryDequeue, configID)
	return n > 0, err
}

// DequeueNickname takes all configurations of a nickname out of the queue.
func (tx *Tx) DequeueNickname(nicknameID int64) error {
	_, err := tx.exec(queryDequeueNickname, nicknameID)
	return err
}

// Queue lists who waits, the longest first.
func (tx *Tx) Queue() ([]arena.Waiter, error) { return all(tx, queryQueue, scanWaiter) }

// Waiter returns the queue's entry for a configuration, or NotFound.
func (tx *Tx) Waiter(configID int64) (arena.Waiter, error) {
	w, err := one(tx, queryWaiter, scanWaiter, configID)
	if errors.Is(err, sql.ErrNoRows) {
		return w, arena.Errorf(arena.NotFound, "Configuration %d is not in the queue.", configID).Because(err)
	}
	return w, err
}

// Place returns w's position in the queue, from 1, and how many wait.
func (tx *Tx) Place(w arena.Waiter) (position, size int, err error) {
	if position, err = one(tx, queryPlace, value[int], millis(w.Since), w.ConfigID); err != nil {
		return 0, 0, err
	}
	size, err = tx.QueueSize()
	return position, size, err
}

// QueueSize returns how many wait.
func (tx *Tx) QueueSize() (int, error) { return one(tx, queryQueueSize, value[int]) }

// ConfigGame returns the oldest game in progress in which the configuration, which is
// the nickname's, has a seat; "" when there is none.
func (tx *Tx) ConfigGame(nicknameID, configID int64) (arena.GameID, error) {
	id, err := one(tx, queryConfigGame, value[arena.GameID], nicknameID, configID)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return id, err
}

// AgentsPlay reports whether a game is in progress that the house does not play with
// itself.
func (tx *Tx) AgentsPlay() (bool, error) { return one(tx, queryAgentsPlay, value[bool]) }

func scanWaiter(r row) (w arena.Waiter, err error) {
	var since int64
	err = r.Scan(&w.ConfigID, &w.NicknameID, &w.BucketID, &w.Nickname, &since, &w.Opponents,
		&w.Rating.R, &w.Rating.RD, &w.Rating.Vol, &w.Anchor,
		&w.Games, &w.AnchorGames, &w.Colors.White, &w.Colors.Black, &w.Colors.Last)
	w.Since = instant(since)
	return w, err
}
