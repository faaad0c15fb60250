package archive

import (
	"context"
	"fmt"
	"time"

	"chessarena/arena"
	"chessarena/rules"
	"chessarena/store"
)

// Latest asks Game for the position after the last move.
const Latest = -1

// GameView is everything there is to see of a game, with the position after one of
// its plies.
type GameView struct {
	Summary
	Start     *string       `json:"start_fen"` // null for the usual start
	BookPlies int           `json:"book_plies"`
	Pace      Pace          `json:"time_control"`
	Clock     *ClockView    `json:"clock"`            // null when the game is over
	Illegal   int           `json:"illegal_attempts"` // at the latest ply, after the last move
	Moves     []MoveView    `json:"moves"`
	Shifts    []Shift       `json:"clock_shifts"`
	Position  *PositionView `json:"position"`
	AsOf      time.Time     `json:"as_of"` // when this was read, by the arena's clock
}

// Pace is a time control in seconds.
type Pace struct {
	Soft    float64 `json:"soft_deadline_s"`
	Bank    float64 `json:"bank_s"`
	HardCap float64 `json:"hard_cap_s"`
}

// ClockView is the turn that is running.
type ClockView struct {
	SideToMove     rules.Color `json:"side_to_move"`
	TurnStartedAt  time.Time   `json:"turn_started_at"`
	SoftDeadlineAt time.Time   `json:"soft_deadline_at"`
	ForfeitAt      time.Time   `json:"forfeit_at"` // the bank is empty or the hard cap reached
}

// MoveView is one ply of the history.
type MoveView struct {
	Ply      int       `json:"ply"` // from 1
	SAN      string    `json:"san"`
	UCI      string    `json:"uci"`
	At       time.Time `json:"at"`
	ThinkMS  int64     `json:"think_ms"`
	Illegal  int       `json:"illegal_attempts"` // before this move
	OverSoft bool      `json:"over_soft_deadline"`
	Book     bool      `json:"book"`
}

// PositionView is the board after Ply moves.
type PositionView struct {
	Ply        int             `json:"ply"`
	FEN        string          `json:"fen"`
	SideToMove rules.Color     `json:"side_to_move"`
	LastMove   *string         `json:"last_move_uci"` // null at the start
	InCheck    bool            `json:"in_check"`
	Pieces     rules.Pieces    `json:"pieces"`
	Captured   Captured        `json:"captured"`
	Bank       BankView        `json:"bank_ms_remaining"` // when the turn began
	Board      *rules.Position `json:"-"`
}

// Captured lists the men that each side has lost, queens first, as upper-case letters.
type Captured struct {
	White string `json:"white"`
	Black string `json:"black"`
}

// BankView is each side's time bank in milliseconds.
type BankView struct {
	White int64 `json:"white"`
	Black int64 `json:"black"`
}

// Game returns the game with the position after ply moves; Latest is its last one.
// Codes: not_found; invalid_arguments for a ply that the game does not have.
func (a *Archive) Game(ctx context.Context, id arena.GameID, ply int) (GameView, error) {
	var r record
	var now time.Time
	err := a.db.View(ctx, func(tx *store.Tx) (err error) {
		now = tx.Now()
		r, err = readRecord(tx, id)
		return err
	})
	if err != nil {
		return GameView{}, err
	}
	return r.view(a.summarize(&r.Game), ply, now)
}

func (r *record) view(summary Summary, ply int, now time.Time) (GameView, error) {
	if ply == Latest {
		ply = len(r.moves)
	}
	if ply < 0 || ply > len(r.moves) {
		return GameView{}, arena.Errorf(arena.InvalidArguments, "This game has %d plies; ply must be from 0 to %d.", len(r.moves), len(r.moves))
	}
	position, err := r.position(ply)
	if err != nil {
		return GameView{}, err
	}
	v := GameView{
		Summary:   summary,
		BookPlies: r.Book,
		Pace:      Pace{Soft: r.Pace.Soft.Seconds(), Bank: r.Pace.Bank.Seconds(), HardCap: r.Pace.HardCap.Seconds()},
		Illegal:   r.Illegal,
		Moves:     make([]MoveView, len(r.moves)),
		Position:  position,
		Shifts:    r.shifts(),
		AsOf:      now.UTC(),
	}
	if r.Start != "" {
		v.Start = &r.Start
	}
	if r.Status == arena.Active {
		v.Clock = &ClockView{
			SideToMove:     r.Turn(),
			TurnStartedAt:  r.Clock.TurnStarted.UTC(),
			SoftDeadlineAt: r.Clock.SoftDeadline(r.Pace).UTC(),
			ForfeitAt:      r.Clock.Flag(r.Pace, r.Turn()).UTC(),
		}
	}
	for i, m := range r.moves {
		v.Moves[i] = MoveView{
			Ply: i + 1, SAN: m.SAN, UCI: m.UCI, At: m.At.UTC(),
			ThinkMS: m.Think.Milliseconds(), Illegal: m.Illegal, OverSoft: m.OverSoft, Book: m.Book,
		}
	}
	return v, nil
}

// replay plays the first n moves of the game.
func (r *record) replay(n int) (*rules.Replay, error) {
	start := rules.Start()
	if r.Start != "" {
		var err error
		if start, err = rules.ParseFEN(r.Start); err != nil {
			return nil, fmt.Errorf("game %s: start position: %w", r.ID, err)
		}
	}
	uci := make([]string, n)
	for i := range uci {
		uci[i] = r.moves[i].UCI
	}
	replay, err := rules.ReplayUCI(start, uci)
	if err != nil {
		return nil, fmt.Errorf("game %s: %w", r.ID, err)
	}
	return replay, nil
}

func (r *record) position(ply int) (*PositionView, error) {
	replay, err := r.replay(ply)
	if err != nil {
		return nil, err
	}
	p := replay.Position()
	bank := r.bank(ply)
	v := &PositionView{
		Ply:        ply,
		FEN:        p.FEN(),
		SideToMove: p.Turn(),
		InCheck:    p.InCheck(),
		Pieces:     p.Facts().Pieces,
		Captured:   captured(replay),
		Bank:       BankView{White: bank[rules.White].Milliseconds(), Black: bank[rules.Black].Milliseconds()},
		Board:      p,
	}
	if ply > 0 {
		v.LastMove = &r.moves[ply-1].UCI
	}
	return v, nil
}

// bank returns what both sides had left after ply moves. The clock at the end is
// stored; earlier ones follow from the thinking times.
func (r *record) bank(ply int) [2]time.Duration {
	if ply == len(r.moves) {
		return r.Clock.Bank
	}
	clock := r.Pace.Start(r.Created)
	at := arena.Game{Start: r.Start}
	for at.Ply = range ply {
		if m := r.moves[at.Ply]; !m.Book {
			clock, _ = clock.Charge(r.Pace, at.Turn(), clock.TurnStarted.Add(m.Think))
		}
	}
	return clock.Bank
}

// promoted are the letters at the end of a promotion in UCI.
var promoted = map[byte]rules.Kind{'q': rules.Queen, 'r': rules.Rook, 'b': rules.Bishop, 'n': rules.Knight}

// captured compares the men at the start with those on the board. A pawn that
// promoted was not captured; the piece it became may have been.
func captured(replay *rules.Replay) Captured {
	var lost [2][rules.Pawn + 1]int
	count := func(p *rules.Position, n int) {
		for _, man := range p.Board() {
			lost[man.Color][man.Kind] += n
		}
	}
	count(replay.StartPosition(), 1)
	count(replay.Position(), -1)
	side := replay.StartPosition().Turn()
	for _, uci := range replay.UCIs() {
		if len(uci) == len("e7e8q") {
			lost[side][promoted[uci[4]]]++
			lost[side][rules.Pawn]--
		}
		side = side.Other()
	}
	letters := func(c rules.Color) string {
		var text []byte
		for kind := rules.Queen; kind <= rules.Pawn; kind++ {
			for range lost[c][kind] {
				text = append(text, kind.Letter())
			}
		}
		return string(text)
	}
	return Captured{White: letters(rules.White), Black: letters(rules.Black)}
}
