package arbiter

import (
	"context"
	"fmt"

	"chessarena/arena"
	"chessarena/rules"
	"chessarena/store"
)

// MoveInput is the arguments of submit_move.
type MoveInput struct {
	GameID arena.GameID `json:"game_id" arg:"required" code:"invalid_game_id" doc:"the game"`
	Ply    int          `json:"ply" arg:"required" doc:"the game's current ply, from the state you decided on; it guards against playing twice"`
	Move   string       `json:"move" arg:"required" doc:"your move in SAN (Nf3, exd5, O-O, e8=Q) or UCI (g1f3, e7e8q)"`
	Wait   *float64     `json:"wait_s" doc:"after an accepted move, wait up to this many seconds for the reply and return the state on your turn; 0 (default) returns at once"`
}

// MoveResult is the answer to an accepted move.
type MoveResult struct {
	Accepted bool   `json:"accepted"`
	State    *State `json:"state"`
}

// refused is the member that every failed submit_move has.
type refused struct {
	Accepted bool `json:"accepted"`
}

// refusedMove says where the game stands after a move that was not played.
type refusedMove struct {
	Reason        *rules.Reason `json:"reason"`
	AttemptsLeft  int           `json:"attempts_left"`
	LegalSAN      []string      `json:"legal_moves_san"`
	CurrentPly    int           `json:"current_ply"`
	Candidates    []string      `json:"candidates,omitempty"`
	AlreadyPlayed bool          `json:"already_played,omitempty"`
	State         *State        `json:"state,omitempty"`
}

// SubmitMove plays a move for agent. Refusals come in the order of DESIGN §3; only an
// illegal move costs an attempt, and the last attempt loses the game.
func (a *Arbiter) SubmitMove(ctx context.Context, agent arena.Agent, in MoveInput) (MoveResult, error) {
	var move rules.Move
	var refusal *rules.Refusal
	after, err := a.apply(ctx, agent.ID, in.GameID, change{
		check: func(s seat) error {
			if err := a.mayMove(s, in); err != nil {
				return err
			}
			move, refusal = s.replay.Position().Resolve(in.Move)
			return nil
		},
		write: func(tx *store.Tx, s seat) (*snapshot, error) {
			if refusal != nil {
				return a.strike(tx, s, refusal)
			}
			return a.play(tx, s, move)
		},
	})
	if err != nil {
		return MoveResult{}, err
	}
	if refusal != nil {
		return MoveResult{}, a.illegal(after, refusal)
	}
	if wait := a.settings.Wait(in.Wait, 0); wait > 0 && after.game.Status == arena.Active {
		state, err := a.await(ctx, agent.ID, in.GameID, wait)
		return MoveResult{Accepted: true, State: state}, err
	}
	return MoveResult{Accepted: true, State: a.state(after)}, nil
}

// mayMove refuses a move that is not looked at: the game is over, the ply is not the
// current one, or it is the opponent's turn.
func (a *Arbiter) mayMove(s seat, in MoveInput) error {
	detail := refusedMove{AttemptsLeft: s.attemptsLeft(), LegalSAN: a.legalSAN(s), CurrentPly: s.game.Ply}
	switch {
	case s.game.Status != arena.Active:
		detail.State, detail.AlreadyPlayed = a.state(s), s.played(in)
		return arena.Errorf(arena.GameNotActive, "The game is over: %s, %s.", s.game.Result, s.game.Termination).With(detail)
	case in.Ply != s.game.Ply:
		detail.State, detail.AlreadyPlayed = a.state(s), s.played(in)
		if detail.AlreadyPlayed {
			return arena.Errorf(arena.StalePly, "This move already stands at ply %d; go on from the state given here.", in.Ply).With(detail)
		}
		return arena.Errorf(arena.StalePly, "ply %d is not the current one, %d; nothing was played and no attempt was used. Decide on the state given here.", in.Ply, s.game.Ply).With(detail)
	case s.turn() != s.me:
		return arena.Errorf(arena.NotYourTurn, "It is the opponent's turn; call get_state to wait for the reply.").With(detail)
	}
	return nil
}

// played reports whether the move of in is the one that this player made at that ply:
// a client that lost the answer and tries again.
func (s seat) played(in MoveInput) bool {
	if in.Ply < s.game.Book || in.Ply >= s.game.Ply {
		return false
	}
	before := s.replay.PositionAt(in.Ply)
	if s.game.Seats[before.Turn()].NicknameID != s.game.Seats[s.me].NicknameID {
		return false
	}
	move, refusal := before.Resolve(in.Move)
	return refusal == nil && move == s.replay.Moves()[in.Ply]
}

// play stores the legal move and, when it ends the game, the end.
func (a *Arbiter) play(tx *store.Tx, s seat, move rules.Move) (*snapshot, error) {
	was := s.game.Ply
	clock, over := s.game.Clock.Charge(s.game.Pace, s.me, tx.Now())
	next := s.next()
	next.replay = s.replay.Push(move)
	_, san := next.replay.LastMove()
	err := tx.AppendMove(&next.game, arena.Move{
		UCI: move.UCI(), SAN: san, At: tx.Now(), Think: max(0, tx.Now().Sub(s.game.Clock.TurnStarted)),
		Illegal: s.game.Illegal, OverSoft: over > 0,
	})
	if err != nil {
		return nil, err
	}
	next.game.Ply, next.game.Clock, next.game.Illegal = was+1, clock, 0
	if ending := next.replay.Ending(s.limits.maxPlies); ending != "" {
		return a.finish(tx, next, was, onBoard(next.replay, ending))
	}
	return next, tx.SaveLive(&next.game, was)
}

// strike counts an illegal attempt; the ILLEGAL_MAX-th on one ply loses the game.
func (a *Arbiter) strike(tx *store.Tx, s seat, refusal *rules.Refusal) (*snapshot, error) {
	next := s.next()
	next.game.Illegal++
	err := tx.AddEvent(&next.game, arena.NewEvent(tx.Now(), s.game.Ply, arena.EventIllegal, arena.IllegalData{
		Side: s.me, Text: refusal.Text, Reason: refusal.Reason, Attempt: next.game.Illegal,
	}))
	if err != nil {
		return nil, fmt.Errorf("log an illegal attempt: %w", err)
	}
	if next.attemptsLeft() == 0 {
		return a.finish(tx, next, s.game.Ply, loss(s.me, arena.IllegalMoves))
	}
	return next, tx.SaveLive(&next.game, s.game.Ply)
}

// illegal is the answer to an attempt that was counted; s is the game after it.
func (a *Arbiter) illegal(s seat, refusal *rules.Refusal) error {
	detail := refusedMove{
		Reason: &refusal.Reason, AttemptsLeft: s.attemptsLeft(), LegalSAN: a.legalSAN(s),
		CurrentPly: s.game.Ply, Candidates: refusal.Candidates,
	}
	message := refusal.Message()
	switch detail.AttemptsLeft {
	case 0:
		detail.State = a.state(s)
		message += " That was the last attempt on this ply; the game is lost."
	case 1:
		message += " One attempt is left on this ply."
	default:
		message += fmt.Sprintf(" %d attempts are left on this ply.", detail.AttemptsLeft)
	}
	return arena.Errorf(arena.IllegalMove, "%s", message).With(detail)
}

func (s *snapshot) attemptsLeft() int { return max(0, s.limits.illegalMax-s.game.Illegal) }
