package store

import (
	"database/sql"
	"errors"
	"time"

	"chessarena/arena"
)

const selectModelName = `SELECT b.model, count(DISTINCT c.id), count(DISTINCT b.id), min(b.created_ms)
FROM buckets b CROSS JOIN configs c ON c.bucket_id = b.id
`

var (
	queryModels      = register(`SELECT id, family, provider FROM models`)
	queryAddModel    = register(`INSERT INTO models (id, family, provider, at_ms) VALUES (?, ?, ?, ?)`)
	queryDeleteModel = register(`DELETE FROM models WHERE id = ?`)

	queryAliases     = register(`SELECT alias, model FROM model_aliases`)
	queryAlias       = register(`SELECT model FROM model_aliases WHERE alias = ?`)
	queryAddAlias    = register(`INSERT INTO model_aliases (alias, model, at_ms) VALUES (?, ?, ?)`)
	queryDeleteAlias = register(`DELETE FROM model_aliases WHERE alias = ?`)

	queryModelNames = register(selectModelName + `WHERE b.pinned = 0 AND b.model > ? GROUP BY b.model ORDER BY b.model LIMIT ?`)
	queryModelName  = register(selectModelName + `WHERE b.pinned = 0 AND b.model = ? GROUP BY b.model`)
	queryModelGames = register(`SELECT coalesce(sum(games), 0) FROM buckets WHERE model = ?`)
	queryModelOwned = register(`SELECT DISTINCT n.nickname FROM buckets b CROSS JOIN configs c ON c.bucket_id = b.id
CROSS JOIN nicknames n ON n.id = c.nickname_id WHERE b.model = ? ORDER BY n.nickname LIMIT ?`)
	queryModelRaws = register(`SELECT DISTINCT c.model_raw FROM buckets b CROSS JOIN configs c ON c.bucket_id = b.id
WHERE b.model = ? ORDER BY c.model_raw LIMIT ?`)
)

// AddedModel is a model that operators added to the registry.
type AddedModel struct {
	ID       string `json:"id"`
	Family   string `json:"family"`
	Provider string `json:"provider"`
}

// AddedModels lists all of them.
func (tx *Tx) AddedModels() ([]AddedModel, error) {
	return all(tx, queryModels, func(r row) (m AddedModel, err error) {
		err = r.Scan(&m.ID, &m.Family, &m.Provider)
		return m, err
	})
}

// AddModel adds m; its id must be new.
func (tx *Tx) AddModel(m AddedModel) error {
	_, err := tx.exec(queryAddModel, m.ID, m.Family, m.Provider, millis(tx.now))
	return err
}

// DeleteModel removes the added model id, and reports whether there was one.
func (tx *Tx) DeleteModel(id string) (bool, error) {
	n, err := tx.exec(queryDeleteModel, id)
	return n > 0, err
}

// Aliases returns the operators' aliases: the model that each spelling means.
func (tx *Tx) Aliases() (map[string]string, error) {
	type pair struct{ alias, model string }
	list, err := all(tx, queryAliases, func(r row) (p pair, err error) {
		err = r.Scan(&p.alias, &p.model)
		return p, err
	})
	m := make(map[string]string, len(list))
	for _, p := range list {
		m[p.alias] = p.model
	}
	return m, err
}

// Alias returns the model that a spelling means by an operator's word; "" for none.
func (tx *Tx) Alias(alias string) (string, error) {
	model, err := one(tx, queryAlias, value[string], alias)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return model, err
}

// AddAlias adds an alias; it must be new.
func (tx *Tx) AddAlias(alias, model string) error {
	_, err := tx.exec(queryAddAlias, alias, model, millis(tx.now))
	return err
}

// DeleteAlias removes an alias that exists.
func (tx *Tx) DeleteAlias(alias string) error {
	_, err := tx.exec(queryDeleteAlias, alias)
	return err
}

// ModelName is a name that configurations are filed under. Anchors are not among them.
type ModelName struct {
	Name             string
	Configs, Buckets int
	Games            int       // finished, a game of two of its configurations twice
	Since            time.Time // of the oldest bucket
}

// ModelNames lists the names after after, in order, at most limit.
func (tx *Tx) ModelNames(after string, limit int) ([]ModelName, error) {
	list, err := all(tx, queryModelNames, scanModelName, after, limit)
	for i := range list {
		if err == nil {
			list[i].Games, err = one(tx, queryModelGames, value[int], list[i].Name)
		}
	}
	return list, err
}

// ModelName returns one name, with no configurations when nobody plays under it.
func (tx *Tx) ModelName(name string) (ModelName, error) {
	m, err := one(tx, queryModelName, scanModelName, name)
	if errors.Is(err, sql.ErrNoRows) {
		return ModelName{Name: name}, nil
	}
	if err == nil {
		m.Games, err = one(tx, queryModelGames, value[int], name)
	}
	return m, err
}

func scanModelName(r row) (m ModelName, err error) {
	var since int64
	err = r.Scan(&m.Name, &m.Configs, &m.Buckets, &since)
	m.Since = instant(since)
	return m, err
}

// ModelOwners lists who has configurations of a model, in order of the alphabet.
func (tx *Tx) ModelOwners(model string, limit int) ([]arena.Nickname, error) {
	return all(tx, queryModelOwned, value[arena.Nickname], model, limit)
}

// ModelSpellings lists what was submitted for a model, in order of the alphabet.
func (tx *Tx) ModelSpellings(model string, limit int) ([]string, error) {
	return all(tx, queryModelRaws, value[string], model, limit)
}
