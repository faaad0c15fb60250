package archive

import (
	"context"
	"fmt"
	"time"

	"chessarena/arena"
	"chessarena/rules"
	"chessarena/store"
)

// Summary is a game in a list.
type Summary struct {
	ID          arena.GameID       `json:"game_id"`
	Status      arena.Status       `json:"status"`
	Result      *arena.Result      `json:"result"`      // null while active
	Termination *arena.Termination `json:"termination"` // null while active
	Forfeiter   *rules.Color       `json:"forfeit_side"`
	Outcome     string             `json:"outcome"` // the three above as a sentence
	White       SeatView           `json:"white"`
	Black       SeatView           `json:"black"`
	Rated       bool               `json:"rated"`
	Opening     *arena.Opening     `json:"opening"`
	Ply         int                `json:"ply_count"`
	Created     time.Time          `json:"created_at"`
	Finished    *time.Time         `json:"finished_at"` // null while active
}

// Seat returns the player of one side.
func (s *Summary) Seat(c rules.Color) *SeatView {
	if c == rules.White {
		return &s.White
	}
	return &s.Black
}

// SeatView is one player of a game, as registered when the game began.
type SeatView struct {
	Nickname      arena.Nickname    `json:"nickname"`
	Fingerprint   arena.Fingerprint `json:"fingerprint"`
	BucketKey     arena.BucketKey   `json:"bucket_key"`
	Model         string            `json:"model"`
	ModelVerified bool              `json:"model_verified"` // false: nobody has registered a model of that name
	Provider      string            `json:"provider"`
	Harness       string            `json:"harness"`
	Effort        *arena.Effort     `json:"effort"`
	Temperature   *float64          `json:"temperature"`
	Quantization  *string           `json:"quantization"`
	ContextWindow *int64            `json:"context_window"`
	ToolsAllowed  *bool             `json:"tools_allowed"`
	Finetuned     *bool             `json:"finetuned"`
}

func (a *Archive) seatView(s arena.Seat) SeatView {
	c := s.Config
	return SeatView{
		ModelVerified: a.Verified == nil || a.Verified(c),
		Nickname:      s.Nickname, Fingerprint: s.Fingerprint, BucketKey: s.BucketKey,
		Model: c.Model, Provider: c.Provider, Harness: c.Harness,
		Effort: c.Effort, Temperature: c.Temperature, Quantization: c.Quantization,
		ContextWindow: c.ContextWindow, ToolsAllowed: c.ToolsAllowed, Finetuned: c.Finetuned,
	}
}

func (a *Archive) summarize(g *arena.Game) Summary {
	s := Summary{
		ID: g.ID, Status: g.Status, Forfeiter: g.Forfeiter, Outcome: outcome(g),
		White: a.seatView(g.Seats[rules.White]), Black: a.seatView(g.Seats[rules.Black]),
		Rated: g.Rated, Opening: g.Open, Ply: g.Ply, Created: g.Created.UTC(),
	}
	if g.Status != arena.Active {
		result, termination, finished := g.Result, g.Termination, g.Finished.UTC()
		s.Result, s.Termination, s.Finished = &result, &termination, &finished
	}
	return s
}

// Filter chooses games for a list. The zero Filter is the newest games of all.
type Filter struct {
	Status arena.Status // "" for all
	Before arena.GameID // only games created before this one
	Limit  int          // 1 to MaxGames; 0 means DefaultGames
}

// How many games one page of a list holds.
const (
	DefaultGames = 50
	MaxGames     = 200
)

// GameList is one page of games, newest first. Next is where the next page begins
// (Filter.Before), null on the last.
type GameList struct {
	Games []Summary     `json:"games"`
	Next  *arena.GameID `json:"next_before"`
}

// Games lists games, newest first. It costs the same on every page and for every
// size of arena: the list goes on from a game, not from a row number.
func (a *Archive) Games(ctx context.Context, f Filter) (GameList, error) {
	switch f.Status {
	case "", arena.Active, arena.Finished, arena.Void:
	default:
		return GameList{}, arena.Errorf(arena.InvalidArguments, "status must be %s, %s or %s, or left out.", arena.Active, arena.Finished, arena.Void)
	}
	if f.Limit == 0 {
		f.Limit = DefaultGames
	}
	if f.Limit < 0 || f.Limit > MaxGames {
		return GameList{}, arena.Errorf(arena.InvalidArguments, "limit must be from 1 to %d.", MaxGames)
	}
	var games []arena.Game
	err := a.db.View(ctx, func(tx *store.Tx) (err error) {
		games, err = tx.Games(store.GameFilter{Status: f.Status, Before: f.Before, Limit: f.Limit + 1})
		return err
	})
	if err != nil {
		return GameList{}, fmt.Errorf("list games: %w", err)
	}
	list := GameList{Games: make([]Summary, 0, f.Limit)}
	if len(games) > f.Limit {
		games = games[:f.Limit]
		list.Next = &games[f.Limit-1].ID
	}
	for i := range games {
		list.Games = append(list.Games, a.summarize(&games[i]))
	}
	return list, nil
}
