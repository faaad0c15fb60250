package admin

import (
	"context"
	"fmt"
	"time"

	"chessarena/arena"
	"chessarena/arena/tool"
	"chessarena/store"
)

// nicknameIn names a nickname as its owner wrote it, or anything that folds to it.
type nicknameIn struct {
	Nickname string `json:"nickname" doc:"the nickname; look-alikes of it find it too" arg:"required"`
}

type nicknameRow struct {
	Nickname    arena.Nickname    `json:"nickname"`
	Fingerprint arena.Fingerprint `json:"fingerprint"`
	Status      arena.AgentStatus `json:"status"`
	Games       int               `json:"games"`
	Wins        int               `json:"wins"`
	Draws       int               `json:"draws"`
	Losses      int               `json:"losses"`
	CreatedAt   time.Time         `json:"created_at"`
	LastSeenAt  time.Time         `json:"last_seen_at"` // to the hour
}

func rowOf(a arena.Agent) nicknameRow {
	return nicknameRow{
		Nickname: a.Nickname, Fingerprint: a.Fingerprint, Status: a.Status,
		Games: a.Record.Games, Wins: a.Record.Wins, Draws: a.Record.Draws, Losses: a.Record.Losses,
		CreatedAt: a.Created, LastSeenAt: a.LastSeen,
	}
}

// agentNamed finds the owner of a nickname: NotFound when nobody is.
func agentNamed(tx *store.Tx, name string) (arena.Agent, error) {
	agent, _, err := tx.AgentBySkeleton(arena.Nickname(name).Skeleton())
	if arena.CodeOf(err) == arena.NotFound {
		return agent, arena.Errorf(arena.NotFound, "There is no nickname %s; nicknames list shows them all.", arena.Quote(name)).Because(err)
	}
	return agent, err
}

type listNicknamesIn struct {
	After int64 `json:"after" doc:"only nicknames after this number: next_after of the page before" min:"0"`
	Limit int   `json:"limit" doc:"nicknames to list, 1 to 200; 50 when left out" min:"1" max:"200"`
}

type listNicknamesOut struct {
	Nicknames []nicknameRow `json:"nicknames"`
	Next      *int64        `json:"next_after"`
}

func (d *desk) listNicknames() *tool.Tool {
	spec := tool.Spec{
		Name:       "nicknames.list",
		Title:      "List nicknames, oldest first",
		Doc:        "List nicknames, oldest first, with status and record. When next_after is shown there are more: pass it as --after.",
		Idempotent: true,
		Example:    "nicknames list --limit 20",
	}
	return tool.NewOperator(spec, func(ctx context.Context, _ arena.Operator, in listNicknamesIn) (listNicknamesOut, error) {
		if in.Limit == 0 {
			in.Limit = defaultRows
		}
		var agents []arena.Agent
		err := d.hall.DB.View(ctx, func(tx *store.Tx) (err error) {
			agents, err = tx.Agents(in.After, in.Limit+1)
			return err
		})
		out := listNicknamesOut{Nicknames: []nicknameRow{}}
		if len(agents) > in.Limit {
			agents = agents[:in.Limit]
			out.Next = &agents[in.Limit-1].ID
		}
		for _, a := range agents {
			out.Nicknames = append(out.Nicknames, rowOf(a))
		}
		return out, err
	})
}

type configRow struct {
	ConfigID  int64          `json:"config_id"`
	Nickname  arena.Nickname `json:"nickname"`
	Model     string         `json:"model"`
	Provider  string         `json:"provider"`
	Harness   string         `json:"harness"`
	Effort    *arena.Effort  `json:"effort"`
	RatingAll float64        `json:"rating_all"`
	Games     int            `json:"games"`
	Notes     string         `json:"notes"`
}

func configOf(e arena.Entry, owner arena.Nickname) configRow {
	c := e.Bucket.Config
	return configRow{
		ConfigID: e.ID, Nickname: owner, Model: c.Model, Provider: c.Provider, Harness: c.Harness, Effort: c.Effort,
		RatingAll: e.Bucket.All.R, Games: e.Bucket.Record.Games, Notes: e.Notes,
	}
}

type showNicknameOut struct {
	nicknameRow
	ActiveGames []arena.GameID `json:"active_games"`
	Configs     []configRow    `json:"configs"`
}

func (d *desk) showNickname() *tool.Tool {
	spec := tool.Spec{
		Name:       "nicknames.show",
		Title:      "Show one nickname",
		Doc:        "Show one nickname: status, record, configurations with their ids and notes, and its games in progress.",
		Errors:     []arena.Code{arena.NotFound},
		Positional: []string{"nickname"},
		Idempotent: true,
		Example:    "nicknames show deep-thought",
	}
	return tool.NewOperator(spec, func(ctx context.Context, _ arena.Operator, in nicknameIn) (showNicknameOut, error) {
		out := showNicknameOut{ActiveGames: []arena.GameID{}, Configs: []configRow{}}
		err := d.hall.DB.View(ctx, func(tx *store.Tx) error {
			agent, err := agentNamed(tx, in.Nickname)
			if err != nil {
				return err
			}
			out.nicknameRow = rowOf(agent)
			entries, err := tx.Entries(agent.ID)
			if err != nil {
				return err
			}
			for _, e := range entries {
				out.Configs = append(out.Configs, configOf(e, agent.Nickname))
			}
			games, err := tx.ActiveGames(agent.ID)
			out.ActiveGames = append(out.ActiveGames, games...)
			return err
		})
		return out, err
	})
}

type listConfigsIn struct {
	After int64 `json:"after" doc:"only configurations after this id: next_after of the page before" min:"0"`
	Limit int   `json:"limit" doc:"configurations to list, 1 to 200; 50 when left out" min:"1" max:"200"`
}

type listConfigsOut struct {
	Configs []configRow `json:"configs"`
	Next    *int64      `json:"next_after"`
}

func (d *desk) listConfigs() *tool.Tool {
	spec := tool.Spec{
		Name:       "configs.list",
		Title:      "List configurations with their ids",
		Doc:        "List everybody's configurations, oldest first; create-game takes their ids. When next_after is shown there are more: pass it as --after.",
		Idempotent: true,
		Example:    "configs list",
	}
	return tool.NewOperator(spec, func(ctx context.Context, _ arena.Operator, in listConfigsIn) (listConfigsOut, error) {
		if in.Limit == 0 {
			in.Limit = defaultRows
		}
		out := listConfigsOut{Configs: []configRow{}}
		err := d.hall.DB.View(ctx, func(tx *store.Tx) error {
			entries, err := tx.AllEntries(in.After, in.Limit+1)
			if err != nil {
				return err
			}
			if len(entries) > in.Limit {
				entries = entries[:in.Limit]
				out.Next = &entries[in.Limit-1].ID
			}
			for _, e := range entries {
				owner, err := tx.Agent(e.NicknameID)
				if err != nil {
					return fmt.Errorf("owner of config %d: %w", e.ID, err)
				}
				out.Configs = append(out.Configs, configOf(e, owner.Nickname))
			}
			return nil
		})
		return out, err
	})
}
