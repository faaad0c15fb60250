package arbiter

import (
	"fmt"

	"chessarena/arena"
	"chessarena/rules"
	"chessarena/store"
)

// verdict is how a game is over.
type verdict struct {
	status      arena.Status
	result      arena.Result
	termination arena.Termination
	forfeiter   *rules.Color
	why         string // an operator's reason
}

// onBoard is the verdict of an ending that the board decided.
func onBoard(replay *rules.Replay, ending rules.Ending) verdict {
	v := verdict{status: arena.Finished, result: arena.Draw, termination: arena.Termination(ending)}
	if winner, ok := replay.Winner(); ok {
		v.result = arena.WinFor(winner)
	}
	return v
}

// loss is the verdict against side; a forfeit is told by its termination.
func loss(side rules.Color, how arena.Termination) verdict {
	v := verdict{status: arena.Finished, result: arena.WinFor(side.Other()), termination: how}
	if how.Forfeit() {
		v.forfeiter = &side
	}
	return v
}

// outOfTime is the verdict when side's flag has fallen: void in the first plies, a draw
// when the other side could never mate, else a loss (DESIGN §3, "forfeit by time").
func outOfTime(g *arena.Game, position *rules.Position, side rules.Color) verdict {
	v := loss(side, arena.Timeout)
	switch {
	case g.Played() < arena.EarlyPlies:
		v.status, v.result = arena.Void, arena.NoResult
	case !position.CanMate(side.Other()):
		v.result = arena.Draw
	}
	return v
}

// finish is the one door through which a game ends. In tx it stores the end of s (the
// game as the last deed left it; was is the ply the database still has), its event,
// and what both players and both buckets have to show for it. A void game leaves no
// trace in any record; it is only owed again.
func (a *Arbiter) finish(tx *store.Tx, s *snapshot, was int, v verdict) (*snapshot, error) {
	game := s.game
	game.Status, game.Result, game.Termination, game.Forfeiter = v.status, v.result, v.termination, v.forfeiter
	game.Finished = tx.Now()
	final := s.replay.Position().FEN()
	if err := tx.FinishGame(&game, was, final); err != nil {
		return nil, err
	}
	err := tx.AddEvent(&game, arena.NewEvent(tx.Now(), game.Ply, arena.EventFinished, arena.FinishedData{
		Status: game.Status, Result: game.Result, Termination: game.Termination, ForfeitSide: game.Forfeiter, FEN: final, Why: v.why,
	}))
	if err != nil {
		return nil, fmt.Errorf("log the end: %w", err)
	}
	if ambiguous(&game) {
		if err := tx.AddAdjudication(&game); err != nil {
			return nil, fmt.Errorf("ask for a verdict: %w", err)
		}
	}
	if game.Status == arena.Finished {
		for _, side := range []rules.Color{rules.White, rules.Black} {
			if err := credit(tx, &game, side); err != nil {
				return nil, err
			}
		}
		if err := rate(tx, &game); err != nil {
			return nil, err
		}
	}
	if err := meet(tx, &game, s.replay.UCIs()[:game.Book]); err != nil {
		return nil, err
	}
	if a.settings.PGNDir != "" {
		if err := tx.AddCopy(&game); err != nil {
			return nil, fmt.Errorf("note the PGN copy: %w", err)
		}
	}
	if err := tx.Changed(store.NounGame, game.RowID); err != nil {
		return nil, fmt.Errorf("announce the end: %w", err)
	}
	next := s.next()
	next.game = game
	return next, nil
}

// ambiguous reports whether only an evaluation can tell if g counts on the board
// track: a forfeit, not too early, that cost its side the game.
func ambiguous(g *arena.Game) bool {
	return g.Status == arena.Finished && g.Forfeiter != nil && g.Result != arena.Draw && g.Played() >= arena.EarlyPlies
}

// credit enters the game into the records of side's nickname and bucket. A nickname
// or bucket that holds both seats is credited twice, once for each.
func credit(tx *store.Tx, game *arena.Game, side rules.Color) error {
	seat := game.Seats[side]
	agent, err := tx.Agent(seat.NicknameID)
	if err != nil {
		return fmt.Errorf("record of nickname %d: %w", seat.NicknameID, err)
	}
	agent.Record = agent.Record.Add(game, side)
	agent.Streak = agent.Streak.Add(game.Result.Score(side) == 1)
	if err := tx.SaveAgentRecord(agent); err != nil {
		return fmt.Errorf("record of nickname %d: %w", seat.NicknameID, err)
	}
	bucket, err := tx.Bucket(seat.BucketID)
	if err != nil {
		return fmt.Errorf("record of bucket %d: %w", seat.BucketID, err)
	}
	bucket.Record = bucket.Record.Add(game, side)
	if err := tx.SaveBucketRecord(bucket); err != nil {
		return fmt.Errorf("record of bucket %d: %w", seat.BucketID, err)
	}
	return nil
}
