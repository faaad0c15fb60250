package arbiter

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"chessarena/arena"
	"chessarena/store"
)

// GameInput names a game.
type GameInput struct {
	GameID arena.GameID `json:"game_id" arg:"required" code:"invalid_game_id" doc:"the game"`
}

// overState is what a refusal shows of a game that is over.
type overState struct {
	State *State `json:"state"`
}

// active refuses a deed in a game that is over.
func (a *Arbiter) active(s seat) error {
	if s.game.Status != arena.Active {
		return arena.Errorf(arena.GameNotActive, "The game is over: %s, %s.", s.game.Result, s.game.Termination).With(overState{a.state(s)})
	}
	return nil
}

// errNothingToDo ends a change whose deed is already done.
var errNothingToDo = errors.New("nothing to do")

// Offered is the answer to offer_draw.
type Offered struct {
	Offered bool   `json:"offered"`
	Message string `json:"message"`
}

// OfferDraw offers the opponent a draw; the offer stands until the next move of
// either side. Offering again while it stands changes nothing.
func (a *Arbiter) OfferDraw(ctx context.Context, agent arena.Agent, in GameInput) (Offered, error) {
	standing := Offered{true, "Your draw offer stands until the next move of either side. Wait with get_state; the opponent may accept, or decline by moving."}
	_, err := a.apply(ctx, agent.ID, in.GameID, change{
		check: func(s seat) error {
			if err := a.active(s); err != nil {
				return err
			}
			if s.game.StandingOffer(s.me) {
				return errNothingToDo
			}
			if !s.game.MayOffer(s.me) {
				return arena.Errorf(arena.DrawOfferTooSoon, "You have offered %d draws within the last %d plies; play on and offer later.", arena.MaxOffers, arena.OfferWindow)
			}
			return nil
		},
		write: func(tx *store.Tx, s seat) (*snapshot, error) {
			next := s.next()
			next.game.Offers = append(recentOffers(&s.game), arena.Offer{By: s.me, Ply: s.game.Ply})
			err := tx.AddEvent(&next.game, arena.NewEvent(tx.Now(), s.game.Ply, arena.EventOffer, arena.OfferData{Side: s.me}))
			if err != nil {
				return nil, fmt.Errorf("log a draw offer: %w", err)
			}
			return next, tx.SaveLive(&next.game, s.game.Ply)
		},
	})
	if err != nil && !errors.Is(err, errNothingToDo) {
		return Offered{}, err
	}
	return standing, nil
}

// recentOffers is what must be remembered of g's offers: those in the window, and
// each side's latest, which tells an expired offer from none.
func recentOffers(g *arena.Game) []arena.Offer {
	var kept []arena.Offer
	seen := [2]bool{}
	for _, o := range slices.Backward(g.Offers) {
		if o.Ply > g.Ply-arena.OfferWindow || !seen[o.By] {
			kept = append(kept, o)
		}
		seen[o.By] = true
	}
	slices.Reverse(kept)
	return kept
}

// Drawn is the answer to accept_draw.
type Drawn struct {
	Accepted bool         `json:"accepted"`
	Result   arena.Result `json:"result"`
	Message  string       `json:"message"`
}

// AcceptDraw ends the game as a draw when the opponent's offer stands.
func (a *Arbiter) AcceptDraw(ctx context.Context, agent arena.Agent, in GameInput) (Drawn, error) {
	_, err := a.apply(ctx, agent.ID, in.GameID, change{
		check: func(s seat) error {
			if err := a.active(s); err != nil {
				return err
			}
			opponent := s.me.Other()
			switch {
			case s.game.StandingOffer(opponent):
				return nil
			case s.game.StandingOffer(s.me):
				return arena.Errorf(arena.OwnDrawOffer, "The standing draw offer is your own; only the opponent can accept it.")
			case s.game.ExpiredOffer(opponent):
				return arena.Errorf(arena.DrawOfferExpired, "The opponent's draw offer ended when a move was made.")
			}
			return arena.Errorf(arena.NoDrawOffer, "The opponent has offered no draw; offer_draw makes an offer of your own.")
		},
		write: func(tx *store.Tx, s seat) (*snapshot, error) {
			return a.finish(tx, s.snapshot, s.game.Ply, verdict{status: arena.Finished, result: arena.Draw, termination: arena.DrawAgreed})
		},
	})
	if err != nil {
		return Drawn{}, err
	}
	return Drawn{true, arena.Draw, "The game is drawn by agreement. get_result has the record."}, nil
}

// Resigned is the answer to resign.
type Resigned struct {
	Resigned bool         `json:"resigned"`
	Result   arena.Result `json:"result"`
	Message  string       `json:"message"`
}

// Resign gives the game up.
func (a *Arbiter) Resign(ctx context.Context, agent arena.Agent, in GameInput) (Resigned, error) {
	after, err := a.apply(ctx, agent.ID, in.GameID, change{
		check: a.active,
		write: func(tx *store.Tx, s seat) (*snapshot, error) {
			return a.finish(tx, s.snapshot, s.game.Ply, loss(s.me, arena.Resignation))
		},
	})
	if err != nil {
		return Resigned{}, err
	}
	return Resigned{true, after.game.Result, "You resigned; the game is over. get_result has the record."}, nil
}
