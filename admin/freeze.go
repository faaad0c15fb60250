package admin

import (
	"context"
	"fmt"

	"chessarena/arena"
	"chessarena/arena/tool"
	"chessarena/store"
)

type nicknameOut struct {
	nicknameRow
	VoidedGames []arena.GameID `json:"voided_games"`
	Message     string         `json:"message"`
}

// restatus is the undo snapshot of a change of a nickname's status.
type restatus struct {
	Undo     string            `json:"undo"` // setStatus
	Nickname arena.Nickname    `json:"nickname"`
	Status   arena.AgentStatus `json:"status"`
}

const setStatus = "set-status"

// noUndo says that a deed cannot be taken back, and why.
type noUndo struct {
	Undo string `json:"undo"` // "none"
	Why  string `json:"why"`
}

// nicknameTool makes a tool that changes one nickname.
func nicknameTool(d *desk, spec tool.Spec, f func(*store.Tx, arena.Agent) (message string, voided []arena.GameID, undo any, err error)) *tool.Tool {
	spec.Level, spec.Positional = max(spec.Level, tool.Write), []string{"nickname"}
	spec.Errors = append(spec.Errors, arena.NotFound)
	return write(d, spec, func(tx *store.Tx, in nicknameIn) (written[nicknameOut], error) {
		agent, err := agentNamed(tx, in.Nickname)
		if err != nil {
			return written[nicknameOut]{}, err
		}
		message, voided, undo, err := f(tx, agent)
		if err != nil {
			return written[nicknameOut]{}, err
		}
		if agent, err = tx.Agent(agent.ID); err != nil {
			return written[nicknameOut]{}, err
		}
		out := nicknameOut{rowOf(agent), append([]arena.GameID{}, voided...), message}
		return written[nicknameOut]{out, undo}, nil
	})
}

func (d *desk) freezeNickname() *tool.Tool {
	return nicknameTool(d, tool.Spec{
		Name:       "nicknames.freeze",
		Title:      "Freeze a nickname",
		Doc:        "Freeze a nickname: its key stops at the next call, it leaves the queue, and its running games end void, with no effect on anybody's rating.",
		Idempotent: true,
		Example:    "nicknames freeze deep-thought",
	}, func(tx *store.Tx, agent arena.Agent) (string, []arena.GameID, any, error) {
		games, err := tx.ActiveGames(agent.ID)
		if err != nil {
			return "", nil, nil, err
		}
		for _, id := range games {
			if _, err := d.hall.Arbiter.Void(tx, id, "a player was frozen"); err != nil {
				return "", nil, nil, err
			}
		}
		if err := tx.DequeueNickname(agent.ID); err != nil {
			return "", nil, nil, err
		}
		err = tx.SetAgentStatus(agent.ID, arena.AgentFrozen)
		message := fmt.Sprintf("%s is frozen; %d running games are void.", agent.Nickname, len(games))
		return message, games, restatus{setStatus, agent.Nickname, agent.Status}, err
	})
}

func (d *desk) unfreezeNickname() *tool.Tool {
	return nicknameTool(d, tool.Spec{
		Name:       "nicknames.unfreeze",
		Title:      "Unfreeze a nickname",
		Doc:        "Unfreeze a nickname: its key works again. Games that were voided stay void.",
		Idempotent: true,
		Example:    "nicknames unfreeze deep-thought",
	}, func(tx *store.Tx, agent arena.Agent) (string, []arena.GameID, any, error) {
		err := tx.SetAgentStatus(agent.ID, arena.AgentActive)
		return fmt.Sprintf("%s may play.", agent.Nickname), nil, restatus{setStatus, agent.Nickname, agent.Status}, err
	})
}

func (d *desk) wakeNickname() *tool.Tool {
	return nicknameTool(d, tool.Spec{
		Name:       "nicknames.wake",
		Title:      "Wake a dormant nickname",
		Doc:        "Wake a nickname that made no call for 180 days. A frozen one stays frozen.",
		Idempotent: true,
		Example:    "nicknames wake deep-thought",
	}, func(tx *store.Tx, agent arena.Agent) (string, []arena.GameID, any, error) {
		if agent.Status == arena.AgentFrozen {
			return fmt.Sprintf("%s is frozen and stays so; nicknames unfreeze lifts that.", agent.Nickname), nil,
				noUndo{"none", "nothing was changed"}, nil
		}
		err := tx.WakeAgent(agent.ID)
		return fmt.Sprintf("%s is awake.", agent.Nickname), nil, restatus{setStatus, agent.Nickname, agent.Status}, err
	})
}

func (d *desk) releaseNickname() *tool.Tool {
	return nicknameTool(d, tool.Spec{
		Name:    "nicknames.release",
		Title:   "Free a nickname that never played",
		Doc:     "Free a nickname that never had a game, for an owner who lost the key right after registering. One that has played keeps its name: rotate its key instead.",
		Level:   tool.HighStakes,
		Errors:  []arena.Code{arena.NicknameInUse},
		Example: "nicknames release deep-thought",
	}, func(tx *store.Tx, agent arena.Agent) (string, []arena.GameID, any, error) {
		has, err := tx.HasGames(agent.ID)
		if err != nil {
			return "", nil, nil, err
		}
		if has {
			return "", nil, nil, arena.Errorf(arena.NicknameInUse, "%s has games, which keep its name; use nicknames rotate-key to give its owner another key.", agent.Nickname)
		}
		err = tx.ReleaseAgent(agent.ID)
		return fmt.Sprintf("%s is free to be registered again.", agent.Nickname), nil,
			noUndo{"none", "somebody else may own the nickname by now"}, err
	})
}

type rotateOut struct {
	Nickname    arena.Nickname    `json:"nickname"`
	Key         arena.Key         `json:"key"`
	Fingerprint arena.Fingerprint `json:"fingerprint"`
	Message     string            `json:"message"`
}

// rotateKey makes the key first: hashing takes too long to do inside a transaction.
func (d *desk) rotateKey() *tool.Tool {
	spec := tool.Spec{
		Name:       "nicknames.rotate-key",
		Title:      "Replace a nickname's key",
		Doc:        "Replace a nickname's key. The new one is printed once; the old one stops at its next use. Games go on with the new key.",
		Level:      tool.HighStakes,
		Errors:     []arena.Code{arena.NotFound, arena.RateLimited},
		Positional: []string{"nickname"},
		Example:    "nicknames rotate-key deep-thought",
	}
	return tool.NewOperator(spec, func(ctx context.Context, op arena.Operator, in nicknameIn) (rotateOut, error) {
		var agent arena.Agent
		err := d.hall.DB.View(ctx, func(tx *store.Tx) (err error) { agent, err = agentNamed(tx, in.Nickname); return err })
		if err != nil {
			return rotateOut{}, err
		}
		key, hash, err := d.hall.Registrar.NewKey(ctx, agent.Nickname)
		if err != nil {
			return rotateOut{}, err
		}
		return carryOut(ctx, d, deed{op, spec.Name, in}, func(tx *store.Tx) (written[rotateOut], error) {
			err := tx.ReplaceKey(agent.ID, hash, key.Fingerprint())
			out := rotateOut{agent.Nickname, key, key.Fingerprint(), "Hand this key to the owner; it is not shown again."}
			return written[rotateOut]{out, noUndo{"none", "a key that was given up stays so"}}, err
		})
	})
}
