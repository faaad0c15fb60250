// Package agent plays in an arena from outside, as the programs of strangers do. It
// speaks over three doors: MCP through the official Go client, MCP as bare HTTP, and
// REST. Each is a Caller; a Player is a nickname with its key that makes calls over
// any of them.
//
// The package shares no code with the arena: names, routes and members are written
// down here a second time, from the contract, so that a slip in the arena shows.
package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

// Args are the arguments of a call, by the contract's names.
type Args map[string]any

// Caller makes calls over one door.
type Caller interface {
	// Call returns the tool's answer, success or failure. An error means that there
	// was no answer.
	Call(ctx context.Context, tool string, args Args) (json.RawMessage, error)
	Close() error
}

// Refusal is an answer that has the member "error".
type Refusal struct {
	Code       string  `json:"error"`
	Message    string  `json:"message"`
	RetryAfter float64 `json:"retry_after_s"`
}

func (r *Refusal) Error() string { return r.Code + ": " + r.Message }

// CodeOf is the code of a refused call, or "".
func CodeOf(err error) string {
	var r *Refusal
	if errors.As(err, &r) {
		return r.Code
	}
	return ""
}

// Do makes a call and decodes its answer into out; a refused call is a *Refusal.
func Do(ctx context.Context, c Caller, tool string, args Args, out any) error {
	answer, err := c.Call(ctx, tool, args)
	if err != nil {
		return fmt.Errorf("%s: %w", tool, err)
	}
	var refusal Refusal
	if err := json.Unmarshal(answer, &refusal); err != nil {
		return fmt.Errorf("%s: %w: %.200s", tool, err, answer)
	}
	if refusal.Code != "" {
		return fmt.Errorf("%s: %w", tool, &refusal)
	}
	if out == nil {
		return nil
	}
	if err := json.Unmarshal(answer, out); err != nil {
		return fmt.Errorf("%s: %w: %.200s", tool, err, answer)
	}
	return nil
}

// State is what a player reads of a game: a part of the contract's get_state.
type State struct {
	GameID      string   `json:"game_id"`
	Status      string   `json:"status"`
	Result      string   `json:"result"`
	Termination string   `json:"termination"`
	FEN         string   `json:"fen"`
	Ply         int      `json:"ply"`
	YourTurn    bool     `json:"your_turn"`
	Rated       bool     `json:"rated"`
	YourColor   string   `json:"your_color"`
	LegalSAN    []string `json:"legal_moves_san"`
	LegalUCI    []string `json:"legal_moves_uci"`
	History     []string `json:"move_history_san"`
	DrawOffer   string   `json:"draw_offer"`
	Waited      float64  `json:"waited_s"`
}

// Over reports whether the game has ended.
func (s *State) Over() bool { return s.Status != "active" }

// Result is a game's record: the contract's get_result.
type Result struct {
	Status      string `json:"status"`
	Result      string `json:"result"`
	Termination string `json:"termination"`
	Forfeit     string `json:"forfeit_side"`
	PGN         string `json:"pgn"`
	Plies       int    `json:"ply_count"`
}

// Player is a nickname with its key. It may play several games at once.
type Player struct {
	Caller   Caller
	Nickname string
	Key      string
	ConfigID int64
}

// Register makes a new nickname over c.
func Register(ctx context.Context, c Caller, nickname string) (*Player, error) {
	return RegisterAs(ctx, c, nickname, "test-model")
}

// State reads a game, waiting up to wait seconds for this player's turn.
func (p *Player) State(ctx context.Context, game string, wait float64) (*State, error) {
	var st State
	err := Do(ctx, p.Caller, "get_state", Args{"key": p.Key, "game_id": game, "wait_s": wait}, &st)
	return &st, err
}

// Submit plays a move and returns the position after it.
func (p *Player) Submit(ctx context.Context, game string, ply int, move string) (*State, error) {
	var answer struct {
		State State `json:"state"`
	}
	err := Do(ctx, p.Caller, "submit_move", Args{"key": p.Key, "game_id": game, "ply": ply, "move": move}, &answer)
	return &answer.State, err
}

// Deed makes one of the calls that take nothing but a game: resign, offer_draw,
// accept_draw.
func (p *Player) Deed(ctx context.Context, tool, game string) error {
	return Do(ctx, p.Caller, tool, Args{"key": p.Key, "game_id": game}, nil)
}

// Result reads the record of a game.
func (p *Player) Result(ctx context.Context, game string) (*Result, error) {
	var r Result
	err := Do(ctx, p.Caller, "get_result", Args{"key": p.Key, "game_id": game}, &r)
	return &r, err
}
