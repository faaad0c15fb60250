package arbiter

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"chessarena/arena"
	"chessarena/arena/tool"
	"chessarena/rules"
)

// State is a game as one of its players sees it: the contract's get_state payload.
// The position stands in it in several forms, none of which judges it. What the
// contract does not have is at the end, for players who would otherwise have to guess.
type State struct {
	GameID      arena.GameID       `json:"game_id"`
	Status      arena.Status       `json:"status"`
	Result      *arena.Result      `json:"result"`
	Termination *arena.Termination `json:"termination"`
	FEN         string             `json:"fen"`
	Ply         int                `json:"ply"`
	SideToMove  rules.Color        `json:"side_to_move"`
	YourColor   rules.Color        `json:"your_color"`
	YourTurn    bool               `json:"your_turn"`
	LegalSAN    []string           `json:"legal_moves_san"`
	LegalUCI    []string           `json:"legal_moves_uci"`
	LastSAN     *string            `json:"last_move_san"`
	History     []string           `json:"move_history_san"`
	// SoftDeadline is the mover's, null when the game is over.
	SoftDeadline *string  `json:"soft_deadline_at"`
	BankMS       int64    `json:"bank_ms_remaining"`
	Opponent     Opponent `json:"opponent"`
	rules.Facts
	Repetitions int `json:"repetition_count"`

	OpponentBankMS int64          `json:"opponent_bank_ms_remaining"`
	AttemptsLeft   int            `json:"attempts_left"`
	DrawOffer      *string        `json:"draw_offer"` // "yours", "opponent's" or null
	Opening        *arena.Opening `json:"opening"`
	Rated          bool           `json:"rated"`
	ClockShifts    []ClockShift   `json:"clock_shifts"` // usually empty
	Waited         *float64       `json:"waited_s,omitempty"`
	Next           string         `json:"next"` // what to call now, in one sentence
}

// ClockShift tells the players that a running turn was given time back, because the
// arena could not take moves for that long.
type ClockShift struct {
	At     string            `json:"at"`
	Ply    int               `json:"ply"`
	ByS    float64           `json:"by_s"`
	Reason arena.ShiftReason `json:"reason"`
}

// Opponent is what a player is told of the other side.
type Opponent struct {
	Nickname arena.Nickname `json:"nickname"`
	Model    string         `json:"model"`
	Harness  string         `json:"harness"`
}

// state describes s to its player.
func (a *Arbiter) state(s seat) *State {
	g, position := &s.game, s.replay.Position()
	other := s.me.Other()
	st := &State{
		GameID: g.ID, Status: g.Status, FEN: position.FEN(), Ply: g.Ply,
		SideToMove: position.Turn(), YourColor: s.me,
		LegalSAN: a.legalSAN(s), LegalUCI: []string{}, History: s.replay.SANs(),
		BankMS: g.Clock.Bank[s.me].Milliseconds(), OpponentBankMS: g.Clock.Bank[other].Milliseconds(),
		Opponent: Opponent{g.Seats[other].Nickname, g.Seats[other].Config.Model, g.Seats[other].Config.Harness},
		Facts:    position.Facts(), Repetitions: s.replay.RepetitionCount(),
		AttemptsLeft: s.attemptsLeft(), Opening: g.Open, Rated: g.Rated,
		ClockShifts: clockShifts(s.shifts),
	}
	st.Board = st.Facts.BoardASCII(&s.me)
	if _, san := s.replay.LastMove(); san != "" {
		st.LastSAN = &san
	}
	if g.Status != arena.Active {
		st.Result, st.Termination = &g.Result, &g.Termination
		st.Next = fmt.Sprintf("The game is over (%s, %s); get_result has its record.", g.Result, g.Termination)
		return st
	}
	st.YourTurn = st.SideToMove == s.me
	if st.YourTurn {
		st.LegalUCI = position.LegalUCI()
	}
	deadline := instant(g.Clock.SoftDeadline(g.Pace))
	st.SoftDeadline = &deadline
	st.offer(s)
	st.next()
	return st
}

// instant writes a time as clients read it: UTC, to the millisecond.
func instant(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z07:00") }

func clockShifts(events []arena.Event) []ClockShift {
	list := make([]ClockShift, 0, len(events))
	for _, e := range events {
		var data arena.ShiftData
		if json.Unmarshal(e.Data, &data) == nil { // it is ours, and well-formed
			list = append(list, ClockShift{instant(e.At), e.Ply, float64(data.ByMS) / 1000, data.Reason})
		}
	}
	return list
}

func (st *State) offer(s seat) {
	word := ""
	switch {
	case s.game.StandingOffer(s.me.Other()):
		word = "opponent's"
	case s.game.StandingOffer(s.me):
		word = "yours"
	default:
		return
	}
	st.DrawOffer = &word
}

func (st *State) next() {
	switch offered := st.DrawOffer != nil && *st.DrawOffer == "opponent's"; {
	case st.YourTurn && offered:
		st.Next = fmt.Sprintf("Your turn, and the opponent offers a draw: call accept_draw, or decline it by calling submit_move with ply %d.", st.Ply)
	case st.YourTurn:
		st.Next = fmt.Sprintf("Your turn: call submit_move with ply %d and one of legal_moves_san.", st.Ply)
	case offered:
		st.Next = "The opponent offers a draw: call accept_draw, or get_state to wait for the move."
	default:
		st.Next = "The opponent's turn: call get_state again to wait for the move."
	}
}

// legalSAN lists the moves the player can make now: none when it is not their turn.
func (a *Arbiter) legalSAN(s seat) []string {
	if s.game.Status != arena.Active || s.turn() != s.me {
		return []string{}
	}
	return s.replay.Position().LegalSAN()
}

// StateInput is the arguments of get_state.
type StateInput struct {
	GameID arena.GameID `json:"game_id" arg:"required" code:"invalid_game_id" doc:"the game"`
	Wait   *float64     `json:"wait_s" doc:"when it is not your turn, wait up to this many seconds for the opponent; 0 looks once. Left out, it is short enough for any client; if yours allows long calls, pass up to 600"`
}

// GetState returns the game as agent sees it; when it is the opponent's turn it first
// waits for a move, a draw offer or the end of the game.
func (a *Arbiter) GetState(ctx context.Context, agent arena.Agent, in StateInput) (*State, error) {
	return a.await(ctx, agent.ID, in.GameID, a.settings.Wait(in.Wait, a.settings.LongPollDefault))
}

// await returns the state once there is something for the nickname to do, or after wait.
func (a *Arbiter) await(ctx context.Context, nickname int64, id arena.GameID, wait time.Duration) (*State, error) {
	var seen seat
	look := func() (bool, error) {
		t, leave := a.sit(id)
		defer leave()
		s, err := a.read(ctx, t)
		if err != nil {
			return false, err
		}
		if seen, err = seated(s, nickname); err != nil {
			return false, err
		}
		return seen.mustAct() || t.news(seen), nil
	}
	waited, err := tool.Wait{
		Hub: a.hub, Topic: Topic(id), Claim: fmt.Sprintf("state/%d/%s", nickname, id),
		Max: wait, Beat: a.settings.ProgressInterval, Note: "waiting for the opponent's move",
	}.Until(ctx, look)
	if err != nil {
		return nil, err
	}
	st := a.state(seen)
	if waited > 0 && !seen.mustAct() {
		seconds := waited.Round(time.Millisecond).Seconds()
		st.Waited = &seconds
	}
	return st, nil
}

// mustAct reports whether the player has nothing to wait for.
func (s seat) mustAct() bool { return s.game.Status != arena.Active || s.turn() == s.me }

// news reports whether the opponent's draw offer stands and this player has not been
// told of it yet; asking tells.
func (t *table) news(s seat) bool {
	if !s.game.StandingOffer(s.me.Other()) {
		return false
	}
	ply := int64(s.game.Ply) + 1
	return t.told[s.me].Swap(ply) != ply
}
