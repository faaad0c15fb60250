package store

import (
	"database/sql"

	"chessarena/arena"
)

var (
	queryAgents    = register(selectAgent + `WHERE id > ? ORDER BY id LIMIT ?`)
	querySetStatus = register(`UPDATE nicknames SET status = ?1, key_generation = key_generation + (?1 <> 'active') WHERE id = ?2`)
	queryWakeAgent = register(`UPDATE nicknames SET status = 'active', last_seen_ms = ? WHERE id = ?`)
	queryReplace   = register(`UPDATE nicknames SET key_hash = ?, fingerprint = ?, key_generation = key_generation + 1 WHERE id = ?`)
	queryHasGames  = register(`SELECT EXISTS (SELECT 1 FROM games WHERE white_nickname_id = ?1) OR EXISTS (SELECT 1 FROM games WHERE black_nickname_id = ?1)`)
	queryFreeName  = register(`UPDATE nicknames SET skeleton = '~' || id, status = 'frozen', key_generation = key_generation + 1 WHERE id = ?`)
	queryConfigs   = register(selectEntry + `WHERE c.id > ? ORDER BY c.id LIMIT ?`)
)

// Agents lists nicknames by id after the one given, at most limit.
func (tx *Tx) Agents(after int64, limit int) ([]arena.Agent, error) {
	rows, err := all(tx, queryAgents, scanAgent, after, limit)
	list := make([]arena.Agent, len(rows))
	for i, r := range rows {
		list[i] = r.Agent
	}
	return list, err
}

// AllEntries lists everybody's configurations by id after the one given, at most limit.
func (tx *Tx) AllEntries(after int64, limit int) ([]arena.Entry, error) {
	return all(tx, queryConfigs, scanEntry, after, limit)
}

// SetAgentStatus sets a nickname's status. Anything but active raises its key's
// generation, so that what a serving process remembers of the key is void at once.
func (tx *Tx) SetAgentStatus(id int64, status arena.AgentStatus) error {
	return tx.changeAgent(id, querySetStatus, status)
}

// WakeAgent makes a nickname active and counts it as seen now.
func (tx *Tx) WakeAgent(id int64) error {
	return tx.changeAgent(id, queryWakeAgent, millis(tx.now))
}

// ReplaceKey gives a nickname another key; the old one stops at its next use.
func (tx *Tx) ReplaceKey(id int64, keyHash string, fingerprint arena.Fingerprint) error {
	return tx.changeAgent(id, queryReplace, keyHash, fingerprint)
}

func (tx *Tx) changeAgent(id int64, q *query, args ...any) error {
	n, err := tx.exec(q, append(args, id)...)
	if err == nil && n == 0 {
		err = sql.ErrNoRows
	}
	if err != nil {
		return noAgent(err)
	}
	return tx.Changed(NounNickname, id)
}

// HasGames reports whether a nickname has or had a seat in any game.
func (tx *Tx) HasGames(id int64) (bool, error) { return one(tx, queryHasGames, value[bool], id) }

// ReleaseAgent frees a nickname, which should have no game: whoever registers it next
// gets it. The row stays, frozen, under a skeleton that no name folds to, for deleting
// it would have every game looked at.
func (tx *Tx) ReleaseAgent(id int64) error { return tx.changeAgent(id, queryFreeName) }
