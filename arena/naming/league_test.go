package naming_test

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chessarena/arena"
	"chessarena/arena/arbiter"
	"chessarena/arena/naming"
	"chessarena/arena/refit"
	"chessarena/arena/wake"
	"chessarena/rules"
	"chessarena/store"
)

// seat is a configuration in a league: who plays what, at which effort.
type seat struct{ nickname, model, effort string }

// league is an arena whose players finish their games at once, by mate or resignation.
type league struct {
	*arbiter.Arbiter
	t       *testing.T
	path    string
	db      *store.DB
	names   *naming.Names
	refits  *refit.Refitter
	agents  map[string]arena.Agent
	configs map[seat]int64
	seats   []seat
	dice    *rand.Rand
}

// newLeague seats players as they come under real spellings.
func newLeague(t *testing.T, seats ...seat) *league {
	t.Helper()
	l := &league{
		t: t, path: filepath.Join(t.TempDir(), "arena.db"), agents: make(map[string]arena.Agent), configs: make(map[seat]int64), dice: rand.New(rand.NewPCG(3, 4)),
	}
	db, err := store.Open(t.Context(), l.path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	l.db, l.refits = db, refit.New(db, nil)
	l.Arbiter = arbiter.New(db, new(wake.Hub), arena.DefaultSettings(), nil)
	if l.names, err = naming.New(t.Context(), db, nil); err != nil {
		t.Fatal(err)
	}
	l.names.Moved = func() {
		if err := l.Refresh(context.Background(), []store.Change{{Noun: store.NounAll}}); err != nil {
			t.Error(err)
		}
	}
	for _, s := range seats {
		l.sit(s)
	}
	return l
}

func (l *league) sit(s seat) {
	l.t.Helper()
	l.update(func(tx *store.Tx) error {
		agent, known := l.agents[s.nickname]
		if !known {
			var err error
			if agent, err = tx.AddAgent(arena.Nickname(s.nickname), "hash", "01234567"); err != nil {
				return err
			}
			l.agents[s.nickname] = agent
		}
		c := arena.Config{Model: l.names.Read(s.model).Canonical, Provider: "p", Harness: "h"}
		if s.effort != "" {
			c.Effort = &arena.Effort{Level: s.effort}
		}
		bucket, err := tx.EnsureBucket(c)
		if err != nil {
			return err
		}
		entry, _, err := tx.AddEntry(agent.ID, bucket.ID, arena.Entry{ModelRaw: s.model})
		l.configs[s] = entry.ID
		return err
	})
	l.seats = append(l.seats, s)
}

func (l *league) update(f func(*store.Tx) error) {
	l.t.Helper()
	if err := l.db.Update(l.t.Context(), f); err != nil {
		l.t.Fatal(err)
	}
}

func (l *league) view(f func(*store.Tx) error) {
	l.t.Helper()
	if err := l.db.View(l.t.Context(), f); err != nil {
		l.t.Fatal(err)
	}
}

// begin starts a game that stays open.
func (l *league) begin(white, black seat) (id arena.GameID) {
	l.t.Helper()
	l.update(func(tx *store.Tx) error {
		g, err := l.Create(tx, arbiter.Pairing{White: l.configs[white], Black: l.configs[black], Rated: true})
		if err == nil {
			id = g.ID
		}
		return err
	})
	return id
}

// meet plays a game that black wins by mate, or by White's resignation, which leaves the
// board track alone.
func (l *league) meet(white, black seat, mate bool) {
	l.t.Helper()
	l.end(l.begin(white, black), white, black, mate)
}

func (l *league) end(id arena.GameID, white, black seat, mate bool) {
	l.t.Helper()
	if !mate {
		if _, err := l.Resign(l.t.Context(), l.agents[white.nickname], arbiter.GameInput{GameID: id}); err != nil {
			l.t.Fatal(err)
		}
		return
	}
	for ply, move := range []string{"f3", "e5", "g4", "Qh4#"} {
		who := []seat{white, black}[ply%2]
		if _, err := l.SubmitMove(l.t.Context(), l.agents[who.nickname], arbiter.MoveInput{GameID: id, Ply: ply, Move: move}); err != nil {
			l.t.Fatal(err)
		}
	}
}

// play has two random seats of different owners meet, and fits the ratings when they are
// due. A seat with a higher number wins four games in five.
func (l *league) play(games int) {
	l.t.Helper()
	for range games {
		a, b := l.dice.IntN(len(l.seats)), l.dice.IntN(len(l.seats))
		for l.seats[a].nickname == l.seats[b].nickname {
			b = l.dice.IntN(len(l.seats))
		}
		white, black := min(a, b), max(a, b)
		if l.dice.IntN(5) == 0 {
			white, black = black, white
		}
		l.meet(l.seats[white], l.seats[black], l.dice.IntN(3) > 0)
		if err := l.refits.Step(l.t.Context()); err != nil {
			l.t.Fatal(err)
		}
	}
}

// decide carries a decision out and returns how to undo it.
func (l *league) decide(d naming.Decide) (naming.Undo, error) {
	l.t.Helper()
	p, err := l.names.Prepare(l.t.Context(), l.refits, d)
	if err != nil {
		return naming.Undo{}, err
	}
	var undo naming.Undo
	err = l.db.Update(l.t.Context(), func(tx *store.Tx) (err error) { undo, err = p.Apply(tx); return err })
	return undo, err
}

func (l *league) must(d naming.Decide) naming.Undo {
	l.t.Helper()
	undo, err := l.decide(d)
	if err != nil {
		l.t.Fatal(err)
	}
	return undo
}

func (l *league) takeBack(u naming.Undo) error {
	l.t.Helper()
	p, err := l.names.PrepareUndo(l.t.Context(), l.refits, u)
	if err != nil {
		return err
	}
	return l.db.Update(l.t.Context(), func(tx *store.Tx) error { _, err := p.Apply(tx); return err })
}

// sound checks that every rating and count is what the games give.
func (l *league) sound() {
	l.t.Helper()
	report, err := l.refits.Check(l.t.Context())
	if err != nil {
		l.t.Fatal(err)
	}
	if !report.OK {
		l.t.Errorf("ratings: %+v", report)
	}
	l.update(func(tx *store.Tx) error {
		r, err := arbiter.Recount(tx)
		if err == nil && len(r.Differences) > 0 {
			l.t.Errorf("counts: %q", r.Differences)
		}
		return err
	})
}

// of is the bucket of a seat.
func (l *league) of(s seat) (b arena.Bucket) {
	l.t.Helper()
	l.view(func(tx *store.Tx) error {
		e, err := tx.Entry(l.configs[s])
		b = e.Bucket
		return err
	})
	return b
}

// seats of a game as the database has them.
func (l *league) buckets(id arena.GameID) (list [2]int64) {
	l.t.Helper()
	l.view(func(tx *store.Tx) error {
		g, err := tx.Game(id)
		list = [2]int64{g.Seats[rules.White].BucketID, g.Seats[rules.Black].BucketID}
		return err
	})
	return list
}

// dump is a line for each table of the database that a decision and its undoing must
// leave as it was: its name, its rows' number and their hash.
func (l *league) dump() map[string]string {
	l.t.Helper()
	db, err := sql.Open("sqlite", "file:"+l.path+"?mode=ro")
	if err != nil {
		l.t.Fatal(err)
	}
	defer db.Close()
	out := make(map[string]string)
	for _, table := range l.query(db, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'") {
		if name := strings.Trim(table[0], `"`); name != "audit" && name != "changes" && name != "heartbeat" {
			rows := l.query(db, "SELECT * FROM "+name)
			hash := sha256.New()
			lines := make([]string, len(rows))
			for i, row := range rows {
				lines[i] = strings.Join(row, "\x1f")
			}
			slices.Sort(lines)
			for _, line := range lines {
				fmt.Fprintf(hash, "%s\x1e", line)
			}
			out[name] = fmt.Sprintf("%d rows %x", len(rows), hash.Sum(nil)[:8])
		}
	}
	return out
}

func (l *league) query(db *sql.DB, text string) (list [][]string) {
	l.t.Helper()
	rows, err := db.Query(text)
	if err != nil {
		l.t.Fatal(err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		l.t.Fatal(err)
	}
	for rows.Next() {
		cells := make([]any, len(columns))
		for i := range cells {
			cells[i] = new(any)
		}
		if err := rows.Scan(cells...); err != nil {
			l.t.Fatal(err)
		}
		row := make([]string, len(cells))
		for i, cell := range cells {
			row[i] = fmt.Sprintf("%#v", *cell.(*any))
		}
		list = append(list, row)
	}
	if err := rows.Err(); err != nil {
		l.t.Fatal(err)
	}
	return list
}
