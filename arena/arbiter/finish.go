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

// finish is the one door through which a game ends. In tx it stores the end of s (the
// game as the last deed left it; was is the ply the database still has), its event,
// and what both players and both buckets have to show for it. A void game leaves no
// trace in any record.
func (a *Arbiter) finish(tx *store.Tx, s *snapshot, was int, v verdict) (*snapshot, error) {
	game := s.game
	game.Status, game.Result, game.Termination, game.Forfeiter = v.status, v.result, v.termination, v.forfeiter
	game.Finished = tx.Now()
	if err := tx.FinishGame(&game, was, s.replay.Position().FEN()); err != nil {
		return nil, err
	}
	data := map[string]any{"status": game.Status, "result": game.Result, "termination": game.Termination}
	if game.Forfeiter != nil {
		data["forfeit_side"] = game.Forfeiter.String()
	}
	if err := tx.AddEvent(&game, arena.Event{At: tx.Now(), Ply: game.Ply, Kind: arena.EventFinished, Data: data}); err != nil {
		return nil, fmt.Errorf("log the end: %w", err)
	}
	if game.Status == arena.Finished {
		for _, side := range []rules.Color{rules.White, rules.Black} {
			if err := credit(tx, &game, side); err != nil {
				return nil, err
			}
		}
	}
	if a.settings.PGNDir != "" {
		if err := tx.AddCopy(&game); err != nil {
			return nil, fmt.Errorf("note the PGN copy: %w", err)
		}
	}
	if err := tx.Changed(store.NounGame, game.RowID); err != nil {
		return nil, fmt.Errorf("announce the end: %w", err)
	}
	return &snapshot{game: game, replay: s.replay}, nil
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
