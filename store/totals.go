package store

import "fmt"

// counter names a row of counters.
type counter string

const (
	counterActive    counter = "active"
	counterFinished  counter = "finished"
	counterVoid      counter = "void"
	counterNicknames counter = "nicknames"
	counterConfigs   counter = "configs"
	counterModels    counter = "models"
)

var (
	queryCount    = register(`UPDATE counters SET n = n + ? WHERE name = ?`)
	querySetCount = register(`UPDATE counters SET n = ? WHERE name = ?`)
	queryTotals   = register(`SELECT name, n FROM counters`)
)

// count adds to a total in the transaction that changes what it counts.
func (tx *Tx) count(c counter, by int) error {
	n, err := tx.exec(queryCount, by, c)
	if err == nil && n != 1 {
		return fmt.Errorf("there is no counter %q", c)
	}
	return err
}

// Totals are the arena's size. They are kept, not counted: asking costs the same at any
// size.
type Totals struct {
	Active, Finished, Void int // games
	Nicknames, Configs     int
	Models                 int // distinct model names among all buckets
}

// SaveTotals stores the arena's size as somebody has counted it.
func (tx *Tx) SaveTotals(t Totals) error {
	for name, n := range map[counter]int{
		counterActive: t.Active, counterFinished: t.Finished, counterVoid: t.Void,
		counterNicknames: t.Nicknames, counterConfigs: t.Configs, counterModels: t.Models,
	} {
		if _, err := tx.exec(querySetCount, n, name); err != nil {
			return err
		}
	}
	return nil
}

// Totals returns the arena's size.
func (tx *Tx) Totals() (t Totals, err error) {
	type total struct {
		name counter
		n    int
	}
	rows, err := all(tx, queryTotals, func(r row) (one total, err error) {
		err = r.Scan(&one.name, &one.n)
		return one, err
	})
	for _, one := range rows {
		switch one.name {
		case counterActive:
			t.Active = one.n
		case counterFinished:
			t.Finished = one.n
		case counterVoid:
			t.Void = one.n
		case counterNicknames:
			t.Nicknames = one.n
		case counterConfigs:
			t.Configs = one.n
		case counterModels:
			t.Models = one.n
		}
	}
	return t, err
}
