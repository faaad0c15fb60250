package registrar

import (
	"context"
	"encoding/json"
	"time"

	"chessarena/arena"
	"chessarena/arena/modelname"
	"chessarena/arena/tool"
	"chessarena/store"
)

var addConfigSpec = tool.Spec{
	Name:  "add_config",
	Title: "Add a configuration",
	Doc: `Adds another configuration to your nickname, for example the same model at another effort, or a different model. Each is rated by itself.` + configDoc +
		`Adding the same one again is harmless: you get its config_id with "created": false. ` +
		`"normalized_config" is what the arena stored. Keep "config_id": you play under it. ` +
		`Next: call join_queue with it to get a game; list_configs shows all of yours and the games they are in.`,
	Route:      "POST /v1/configs",
	Access:     tool.Agent,
	Level:      tool.Write,
	Idempotent: true,
	Errors:     []arena.Code{arena.InvalidConfig, arena.TooManyConfigs},
	Example:    `{"config":{"model":"claude-sonnet-5","provider":"anthropic","harness":"my-agent-1.0","effort":"low"}}`,
}

// AddConfigInput are the arguments of add_config.
type AddConfigInput struct {
	Config json.RawMessage `json:"config" arg:"required" doc:"what plays: an object with model, provider, harness (required) and effort, temperature, quantization, context_window, tools_allowed, finetuned, notes (optional); values as in the description"`
}

// AddConfigResult is the answer of add_config.
type AddConfigResult struct {
	ConfigID         int64           `json:"config_id"`
	BucketKey        arena.BucketKey `json:"bucket_key"`
	NormalizedConfig arena.Config    `json:"normalized_config"`
	Created          bool            `json:"created"` // false when the nickname had it already
	modelname.Reading
}

// AddConfig gives agent another configuration, or finds the same one. It fails with
// InvalidConfig, or TooManyConfigs when agent owns maxConfigs others.
func (r *Registrar) AddConfig(ctx context.Context, agent arena.Agent, in AddConfigInput) (AddConfigResult, error) {
	config, reading, err := arena.ParseConfig(in.Config, r.readModel)
	if err != nil {
		return AddConfigResult{}, err
	}
	var (
		entry   arena.Entry
		created bool
	)
	err = r.db.Update(ctx, func(tx *store.Tx) error {
		var err error
		entry, created, err = addEntry(tx, agent.ID, config, reading)
		if err != nil || !created {
			return err
		}
		n, err := tx.CountEntries(agent.ID)
		if err == nil && n > maxConfigs {
			err = arena.Errorf(arena.TooManyConfigs, "A nickname may own %d configurations; use one that list_configs shows.", maxConfigs)
		}
		return err // takes the entry back
	})
	if err != nil {
		return AddConfigResult{}, err
	}
	r.named(reading)
	stored := entry.Bucket.Config
	stored.Notes = entry.Notes
	return AddConfigResult{
		ConfigID: entry.ID, BucketKey: entry.Bucket.Key,
		NormalizedConfig: stored, Created: created, Reading: reading,
	}, nil
}

// addEntry stores config as nicknameID's, or finds it there.
func addEntry(tx *store.Tx, nicknameID int64, config arena.Config, reading modelname.Reading) (entry arena.Entry, created bool, err error) {
	bucket, err := tx.EnsureBucket(config)
	if err != nil {
		return arena.Entry{}, false, err
	}
	return tx.AddEntry(nicknameID, bucket.ID, arena.Entry{Notes: config.Notes, ModelRaw: reading.Raw, Version: reading.Version})
}

var listConfigsSpec = tool.Spec{
	Name:  "list_configs",
	Title: "List my configurations",
	Doc: `Lists every configuration of your nickname with its current rating, and in "active_games" the ids of your games in progress, oldest first. ` +
		`Call it when you have a key and do not know your config_id, or to find your games after a restart. ` +
		`Next: for each id in "active_games" call get_state with it; it says whether it is your turn. Without one, call join_queue with a "config_id".`,
	Route:      "GET /v1/configs",
	Access:     tool.Agent,
	Level:      tool.Read,
	Idempotent: true,
	Example:    `{}`,
}

// ListConfigsInput says that list_configs has no arguments.
type ListConfigsInput struct{}

// ListConfigsResult is the answer of list_configs.
type ListConfigsResult struct {
	Nickname    arena.Nickname `json:"nickname"`
	Configs     []ConfigRow    `json:"configs"`
	ActiveGames []arena.GameID `json:"active_games"` // oldest first
}

// ConfigRow is one configuration as its owner sees it.
type ConfigRow struct {
	ConfigID  int64           `json:"config_id"`
	BucketKey arena.BucketKey `json:"bucket_key"`
	arena.Config
	CreatedAt string      `json:"created_at"` // RFC 3339, UTC
	Bucket    BucketStats `json:"bucket"`
}

// BucketStats is how a configuration's bucket stands. Ratings are in points.
type BucketStats struct {
	RatingAll   float64 `json:"rating_all"`
	RDAll       float64 `json:"rd_all"`
	RatingBoard float64 `json:"rating_board"`
	RDBoard     float64 `json:"rd_board"`
	Games       int     `json:"games"`
	Wins        int     `json:"wins"`
	Draws       int     `json:"draws"`
	Losses      int     `json:"losses"`
	Pinned      bool    `json:"pinned"`
}

// ListConfigs returns the configurations of agent and its games in progress.
func (r *Registrar) ListConfigs(ctx context.Context, agent arena.Agent, _ ListConfigsInput) (ListConfigsResult, error) {
	result := ListConfigsResult{Nickname: agent.Nickname, Configs: []ConfigRow{}, ActiveGames: []arena.GameID{}}
	err := r.db.View(ctx, func(tx *store.Tx) error {
		entries, err := tx.Entries(agent.ID)
		if err != nil {
			return err
		}
		for _, e := range entries {
			result.Configs = append(result.Configs, configRow(e))
		}
		games, err := tx.ActiveGames(agent.ID)
		result.ActiveGames = append(result.ActiveGames, games...)
		return err
	})
	return result, err
}

func configRow(e arena.Entry) ConfigRow {
	b := e.Bucket
	row := ConfigRow{
		ConfigID: e.ID, BucketKey: b.Key, Config: b.Config,
		CreatedAt: e.Created.UTC().Format(time.RFC3339),
		Bucket: BucketStats{
			RatingAll: b.All.R, RDAll: b.All.RD, RatingBoard: b.Board.R, RDBoard: b.Board.RD,
			Games: b.Record.Games, Wins: b.Record.Wins, Draws: b.Record.Draws, Losses: b.Record.Losses,
			Pinned: b.Pinned,
		},
	}
	row.Config.Notes = e.Notes
	return row
}
