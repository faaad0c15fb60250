// Package arbiter runs the games: it says where a game stands, takes moves, draw
// offers and resignations, keeps both clocks and counts illegal attempts.
//
// The database is the truth. For each game in use the arbiter holds a Table: the
// replayed position as an immutable snapshot, and a mutex under which the next one is
// decided. A change is judged in memory, handed to the store's writer, and only after
// its commit does the snapshot move on and do the waiters wake. Every write names the
// ply it expects, so neither a second process nor a mistake here can fork a game; who
// finds that the game has moved under it reads it again.
//
// Reading never waits for a change in progress: it takes the last snapshot.
//
// Every ending goes through finish, in one transaction with all that follows from it.
//
// The arbiter does not know who pairs the players or how they speak to it, and it
// never evaluates a position.
package arbiter

import (
	"fmt"
	"log/slog"
	"sync"

	"chessarena/arena"
	"chessarena/arena/wake"
	"chessarena/store"
)

// Arbiter runs all games of one database. Make it with New.
type Arbiter struct {
	db       *store.DB
	hub      *wake.Hub
	settings arena.Settings
	log      *slog.Logger

	mu     sync.Mutex
	tables map[arena.GameID]*table

	deadlines *deadlines
	pulse     pulse
	// world is held for reading while a game is changed, and for writing while the
	// clocks of all games are moved.
	world sync.RWMutex
	// settling holds a token while somebody pays what the clocks are owed; the others
	// wait for it and find nothing left to pay.
	settling chan struct{}
}

// New returns an arbiter over db that wakes waiters through hub. It starts nothing. Who
// serves calls Resume once, then Beat every BeatEvery, and runs RunSweeper; Reap and
// Refresh are for now and then.
func New(db *store.DB, hub *wake.Hub, s arena.Settings, log *slog.Logger) *Arbiter {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Arbiter{db: db, hub: hub, settings: s, log: log, tables: make(map[arena.GameID]*table), deadlines: newDeadlines(), settling: make(chan struct{}, 1)}
}

// Topic is the wake key of a game: woken after each change of it.
func Topic(id arena.GameID) string { return "game/" + string(id) }

// SeatTopic is the wake key of a configuration: woken when it gets a game.
func SeatTopic(config int64) string { return fmt.Sprintf("seat/%d", config) }

// GamesTopic is the wake key of the list of games: woken when one begins or ends.
const GamesTopic = "games"
