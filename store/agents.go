package store

import (
	"database/sql"
	"errors"
	"time"

	"chessarena/arena"
)

const selectAgent = `SELECT id, nickname, fingerprint, key_generation, status, created_ms, last_seen_ms,
  games, wins, draws, losses, forfeits_for, forfeits_against, current_streak, best_streak, key_hash
FROM nicknames `

var (
	queryAddAgent = register(`INSERT INTO nicknames (nickname, skeleton, key_hash, fingerprint, created_ms, last_seen_ms)
VALUES (?, ?, ?, ?, ?, ?)`).onConflict(arena.Errorf(arena.NicknameTaken, "The nickname, or one that looks like it, is taken; choose another."))
	queryAgent           = register(selectAgent + `WHERE id = ?`)
	queryAgentBySkeleton = register(selectAgent + `WHERE skeleton = ?`)
	queryTouchAgent      = register(`UPDATE nicknames SET last_seen_ms = ?1 WHERE id = ?2 AND last_seen_ms < ?1`)
	querySaveAgentRecord = register(`UPDATE nicknames SET games = ?, wins = ?, draws = ?, losses = ?,
  forfeits_for = ?, forfeits_against = ?, current_streak = ?, best_streak = ? WHERE id = ?`)
)

// seenTo is how exactly last_seen is kept: each authenticated call would otherwise be a
// write.
const seenTo = time.Hour

// AddAgent makes a nickname. NicknameTaken when one with its skeleton exists.
func (tx *Tx) AddAgent(nickname arena.Nickname, keyHash string, fingerprint arena.Fingerprint) (arena.Agent, error) {
	seen := tx.now.Truncate(seenTo)
	id, err := tx.insert(queryAddAgent, nickname, nickname.Skeleton(), keyHash, fingerprint, millis(tx.now), millis(seen))
	if err != nil {
		return arena.Agent{}, err
	}
	if err := tx.count(counterNicknames, 1); err != nil {
		return arena.Agent{}, err
	}
	return tx.Agent(id)
}

// Agent returns the owner with this id, or NotFound.
func (tx *Tx) Agent(id int64) (arena.Agent, error) {
	a, err := one(tx, queryAgent, scanAgent, id)
	return a.Agent, noAgent(err)
}

// AgentBySkeleton returns the owner of the nickname that folds to skeleton, with the hash
// of its key in PHC form, or NotFound.
func (tx *Tx) AgentBySkeleton(skeleton arena.Skeleton) (agent arena.Agent, keyHash string, err error) {
	a, err := one(tx, queryAgentBySkeleton, scanAgent, skeleton)
	return a.Agent, a.keyHash, noAgent(err)
}

// TouchAgent notes that the agent was here in this hour.
func (tx *Tx) TouchAgent(id int64) error {
	_, err := tx.exec(queryTouchAgent, millis(tx.now.Truncate(seenTo)), id)
	return err
}

// SaveAgentRecord writes a's Record and Streak, and nothing else of it. NotFound when
// there is no such agent.
func (tx *Tx) SaveAgentRecord(a arena.Agent) error {
	r := a.Record
	n, err := tx.exec(querySaveAgentRecord, r.Games, r.Wins, r.Draws, r.Losses, r.ForfeitsFor, r.ForfeitsAgainst,
		a.Streak.Current, a.Streak.Best, a.ID)
	if err == nil && n == 0 {
		err = sql.ErrNoRows
	}
	return noAgent(err)
}

// agentRow is an agent with what must not leave the registrar.
type agentRow struct {
	arena.Agent
	keyHash string
}

func scanAgent(r row) (a agentRow, err error) {
	var created, seen int64
	err = r.Scan(&a.ID, &a.Nickname, &a.Fingerprint, &a.KeyGeneration, &a.Status, &created, &seen,
		&a.Record.Games, &a.Record.Wins, &a.Record.Draws, &a.Record.Losses, &a.Record.ForfeitsFor, &a.Record.ForfeitsAgainst,
		&a.Streak.Current, &a.Streak.Best, &a.keyHash)
	a.Created, a.LastSeen = instant(created), instant(seen)
	return a, err
}

func noAgent(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return arena.Errorf(arena.NotFound, "There is no such nickname.").Because(err)
	}
	return err
}
