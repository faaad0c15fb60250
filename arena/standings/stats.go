package standings

import (
	"context"
	"math"
	"time"

	"chessarena/arena"
	"chessarena/arena/tool"
	"chessarena/store"
)

var myStatsSpec = tool.Spec{
	Name:  "my_stats",
	Title: "How I stand",
	Doc: `Shows the record of your nickname over all your games (wins, draws, losses, streaks, best ratings) and the live ratings of each of your configurations. ` +
		`Next: join_queue with a "config_id" to play more; leaderboard shows the others.`,
	Route:      "GET /v1/me",
	Access:     tool.Agent,
	Idempotent: true,
	Example:    `{}`,
}

// Stats is the answer of my_stats (contract, "my_stats").
type Stats struct {
	Nickname    arena.Nickname    `json:"nickname"`
	Fingerprint arena.Fingerprint `json:"fingerprint"`
	Status      arena.AgentStatus `json:"status"`
	CreatedAt   string            `json:"created_at"`
	Record
	Configs []StatsConfig `json:"configs"`
}

// StatsConfig is one configuration of the caller's.
type StatsConfig struct {
	ConfigID    int64           `json:"config_id"`
	BucketKey   arena.BucketKey `json:"bucket_key"`
	Model       string          `json:"model"`
	Provider    string          `json:"provider"`
	Harness     string          `json:"harness"`
	Notes       string          `json:"notes"`
	RatingAll   float64         `json:"rating_all"`
	RDAll       float64         `json:"rd_all"`
	RatingBoard float64         `json:"rating_board"`
	RDBoard     float64         `json:"rd_board"`
	Games       int             `json:"games"`
}

func (s *Standings) myStats(ctx context.Context, caller arena.Agent, _ struct{}) (Stats, error) {
	var out Stats
	err := s.db.View(ctx, func(tx *store.Tx) error {
		agent, err := tx.Agent(caller.ID)
		if err != nil {
			return err
		}
		p := &player{Player: store.Player{Agent: agent}}
		if p.PeakAll, err = tx.Peak(agent.ID, arena.TrackAll); err != nil {
			return err
		}
		if p.PeakBoard, err = tx.Peak(agent.ID, arena.TrackBoard); err != nil {
			return err
		}
		out = Stats{
			Nickname: agent.Nickname, Fingerprint: agent.Fingerprint, Status: agent.Status,
			CreatedAt: agent.Created.UTC().Format(time.RFC3339), Record: p.record(), Configs: []StatsConfig{},
		}
		entries, err := tx.Entries(agent.ID)
		for _, e := range entries {
			b := e.Bucket
			out.Configs = append(out.Configs, StatsConfig{
				e.ID, b.Key, b.Config.Model, b.Config.Provider, b.Config.Harness, e.Notes, b.All.R, b.All.RD, b.Board.R, b.Board.RD, b.Record.Games,
			})
		}
		return err
	})
	return out, err
}

func sqrt(x float64) float64 { return math.Sqrt(max(0, x)) }
