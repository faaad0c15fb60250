package store

import (
	"context"
	"regexp"
	"strings"
	"testing"
)

// Tables of constant size, or read whole on purpose.
var mayScan = map[string]bool{"counters": true, "queue": true, "calibrations": true, "models": true, "model_aliases": true, "CONSTANT": true}

var parameter = regexp.MustCompile(`\?(\d*)`)

// plan returns SQLite's query plan, one step a line.
func plan(t *testing.T, db *DB, text string) []string {
	t.Helper()
	n := 0
	for _, m := range parameter.FindAllStringSubmatch(text, -1) {
		if m[1] == "" {
			n++
		} else {
			n = max(n, int(m[1][0]-'0'))
		}
	}
	var steps []string
	update(t, db, func(tx *Tx) error {
		rows, err := tx.c.raw.QueryContext(context.Background(), "EXPLAIN QUERY PLAN "+text, make([]any, n)...)
		if err != nil {
			t.Fatalf("%s\n%v", text, err)
		}
		defer rows.Close()
		for rows.Next() {
			var id, parent, unused int
			var detail string
			if err := rows.Scan(&id, &parent, &unused, &detail); err != nil {
				t.Fatal(err)
			}
			steps = append(steps, detail)
		}
		return rows.Err()
	})
	return steps
}

// scanned returns the first step that reads a whole table or index.
func scanned(steps []string) string {
	for _, step := range steps {
		name, ok := strings.CutPrefix(step, "SCAN ")
		if !ok {
			continue
		}
		name, _, _ = strings.Cut(name, " ")
		if !mayScan[name] && !strings.HasPrefix(name, "(") && name != "page" && name != "mine" {
			return step
		}
	}
	return ""
}

func TestQueries(t *testing.T) {
	db := openNew(t)
	t.Run("no query scans a table", func(t *testing.T) {
		if len(registry) < 40 {
			t.Fatalf("only %d queries are registered", len(registry))
		}
		for _, q := range registry {
			steps := plan(t, db, q.text)
			if step := scanned(steps); step != "" && !q.readsAll {
				t.Errorf("%s\nin\n%s\nplan\n%s", step, q.text, strings.Join(steps, "\n"))
			}
		}
	})
	t.Run("the check sees a scan", func(t *testing.T) {
		for _, text := range []string{
			"SELECT count(*) FROM games WHERE termination = 'timeout'",
			"SELECT n.id FROM nicknames n ORDER BY created_ms",
			"SELECT * FROM moves m WHERE san = ?",
		} {
			if scanned(plan(t, db, text)) == "" {
				t.Errorf("not seen in %s", text)
			}
		}
	})
	t.Run("lists of games are read in order, not sorted", func(t *testing.T) {
		for _, q := range []*query{queryGames, queryGamesByStatus, queryAudits, queryMoves, queryEvents} {
			if steps := strings.Join(plan(t, db, q.text), "\n"); strings.Contains(steps, "TEMP B-TREE") {
				t.Errorf("%s\nplan\n%s", q.text, steps)
			}
		}
		for _, q := range []*query{queryGamesOf, queryGamesOfByStatus, queryActiveGames} {
			// The page itself may be sorted; the games it is taken from may not.
			inner, _, _ := strings.Cut(strings.SplitN(q.text, "(id) AS (", 2)[1], ")\n")
			inner, _, _ = strings.Cut(inner, ") SELECT g.")
			if steps := strings.Join(plan(t, db, inner), "\n"); strings.Contains(steps, "TEMP B-TREE") {
				t.Errorf("%s\nplan\n%s", inner, steps)
			}
		}
	})
	t.Run("a query that is not registered panics", func(t *testing.T) {
		defer func() {
			if recover() == nil {
				t.Error("it ran")
			}
		}()
		_ = db.View(t.Context(), func(tx *Tx) error {
			_, err := one(tx, &query{text: "SELECT 1"}, value[int])
			return err
		})
	})
	t.Run("every statement is prepared by a reader or the writer", func(t *testing.T) {
		c := <-db.idle
		defer func() { db.idle <- c }()
		for _, q := range registry {
			if _, err := c.statement(q); err != nil {
				t.Errorf("%s\n%v", q.text, err)
			}
		}
	})
}
