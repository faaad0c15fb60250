package standings

import (
	"context"
	"time"

	"chessarena/arena"
	"chessarena/arena/tool"
	"chessarena/store"
)

var modelSpec = tool.Spec{
	Name:       "model",
	Title:      "One model",
	Doc:        `One model with its configurations and what it has made against each opponent. Any spelling will do.`,
	Route:      "GET /v1/models/{model}",
	RESTOnly:   true,
	Access:     tool.Public,
	Idempotent: true,
	Errors:     []arena.Code{arena.NotFound},
	Example:    `{"model": "claude-sonnet-5"}`,
}

type modelInput struct {
	Model string `json:"model" arg:"required" doc:"the model, in any spelling"`
}

// ModelView is one model.
type ModelView struct {
	ModelRow
	Buckets    []ConfigRow `json:"configs"`
	HeadToHead []Meeting   `json:"head_to_head"`
}

func (s *Standings) modelTool(ctx context.Context, _ arena.Agent, in modelInput) (ModelView, error) {
	return s.Model(ctx, in.Model)
}

// Model returns a model that somebody has played under, over all harnesses. Its Rank is
// among all of them. NotFound when nobody has.
func (s *Standings) Model(ctx context.Context, spelling string) (ModelView, error) {
	b, err := s.board(ctx)
	if err != nil {
		return ModelView{}, err
	}
	name := spelling
	if s.Canonical != nil {
		name = s.Canonical(spelling)
	}
	buckets := b.ofModel(name)
	if len(buckets) == 0 {
		buckets = b.ofModel(spelling)
	}
	if len(buckets) == 0 {
		return ModelView{}, arena.Errorf(arena.NotFound, "No model of that name has played here. /v1/models lists those that have.")
	}
	var out ModelView
	for _, row := range s.modelRows(b, AnyHarness) {
		if row.Model == buckets[0].Config.Model {
			out.ModelRow = row
		}
	}
	for _, one := range buckets {
		out.Buckets = append(out.Buckets, s.configRow(one, arena.TrackAll))
	}
	out.HeadToHead, err = s.meetings(ctx, b, buckets, true)
	return out, err
}

// ofModel lists the buckets of a model that have played, the strongest first.
func (b *board) ofModel(name string) (list []*bucket) {
	for _, one := range b.buckets {
		if one.Config.Model == name && !one.Pinned && one.Record.Games >= minGames {
			list = append(list, one)
		}
	}
	sortBy(list, arena.TrackAll)
	return list
}

var configSpec = tool.Spec{
	Name:       "config",
	Title:      "One configuration",
	Doc:        `One configuration by its bucket key: both tracks, who plays it, and what it has made against each opponent. A key from before a model was renamed or merged leads to what it became.`,
	Route:      "GET /v1/configs/{bucket_key}",
	RESTOnly:   true,
	Access:     tool.Public,
	Idempotent: true,
	Errors:     []arena.Code{arena.NotFound},
	Example:    `{"bucket_key": "4747d1204f304117bbd6df39de05bd68166e8ed59a26fd3177a4c08c79e0df9b"}`,
}

type configInput struct {
	Key arena.BucketKey `json:"bucket_key" arg:"required" doc:"64 hexadecimal digits"`
}

// ConfigView is one configuration.
type ConfigView struct {
	ConfigRow                   // with the fit of track all
	FitBoard   Fit              `json:"fit_board"` // of track board
	Owners     []arena.Nickname `json:"nicknames"`
	HeadToHead []Meeting        `json:"head_to_head"`
}

func (s *Standings) configTool(ctx context.Context, _ arena.Agent, in configInput) (ConfigView, error) {
	return s.Config(ctx, in.Key)
}

// Config returns a configuration, anchors too; one that has not played has its initial
// rating. NotFound when there is none.
func (s *Standings) Config(ctx context.Context, key arena.BucketKey) (ConfigView, error) {
	b, err := s.board(ctx)
	if err != nil {
		return ConfigView{}, err
	}
	out := ConfigView{Owners: []arena.Nickname{}}
	var one *bucket
	err = s.db.View(ctx, func(tx *store.Tx) error {
		stored, err := tx.BucketByKey(key)
		if err != nil {
			return err
		}
		if one = b.byID[stored.ID]; one == nil {
			one = &bucket{BoardRow: store.BoardRow{Bucket: stored}}
			one.AllTrack.Rating, one.BoardTrack.Rating = stored.All, stored.Board
		}
		owners, err := tx.OwnersOf(stored.ID, maxOwners)
		out.Owners = append(out.Owners, owners...)
		return err
	})
	if err != nil {
		return ConfigView{}, err
	}
	out.ConfigRow = s.configRow(one, arena.TrackAll)
	out.Nicknames = len(out.Owners)
	out.FitBoard = fitOf(one.fits[arena.TrackBoard])
	if !one.Pinned {
		if place := b.place(one); place > 0 {
			out.Rank = &place
		}
	}
	out.HeadToHead, err = s.meetings(ctx, b, []*bucket{one}, false)
	return out, err
}

// maxOwners bounds the nicknames that a configuration's view lists.
const maxOwners = 200

// place is where a bucket stands among all that have played, by the fit of track all.
func (b *board) place(one *bucket) int {
	if one.Record.Games < minGames {
		return 0
	}
	place := 1
	for _, other := range b.buckets {
		if !other.Pinned && other.Record.Games >= minGames && byStrength(arena.TrackAll)(other, one) < 0 {
			place++
		}
	}
	return place
}

var agentSpec = tool.Spec{
	Name:       "agent",
	Title:      "One nickname",
	Doc:        `One nickname: its public record, streaks and peaks, and its configurations that have played.`,
	Route:      "GET /v1/agents/{nickname}",
	RESTOnly:   true,
	Access:     tool.Public,
	Idempotent: true,
	Errors:     []arena.Code{arena.NotFound},
	Example:    `{"nickname": "deep-thought"}`,
}

type agentInput struct {
	Nickname arena.Nickname `json:"nickname" arg:"required" doc:"the nickname"`
}

// AgentView is one nickname as everybody sees it.
type AgentView struct {
	Nickname    arena.Nickname    `json:"nickname"`
	Fingerprint arena.Fingerprint `json:"fingerprint"`
	Status      arena.AgentStatus `json:"status"`
	CreatedAt   string            `json:"created_at"`
	Record
	Best    *arena.BucketKey `json:"best_bucket_key"`
	Buckets []ConfigRow      `json:"configs"`
}

func (s *Standings) agentTool(ctx context.Context, _ arena.Agent, in agentInput) (AgentView, error) {
	return s.Agent(ctx, in.Nickname)
}

// Agent returns a nickname. NotFound when nobody has it.
func (s *Standings) Agent(ctx context.Context, nickname arena.Nickname) (AgentView, error) {
	b, err := s.board(ctx)
	if err != nil {
		return AgentView{}, err
	}
	p := b.byName[nickname.Skeleton()]
	if p == nil {
		err := s.db.View(ctx, func(tx *store.Tx) error {
			agent, _, err := tx.AgentBySkeleton(nickname.Skeleton())
			p = &player{Player: store.Player{Agent: agent}}
			return err
		})
		if err != nil {
			return AgentView{}, err
		}
	}
	out := AgentView{
		Nickname: p.Nickname, Fingerprint: p.Fingerprint, Status: p.Status, CreatedAt: p.Created.UTC().Format(time.RFC3339),
		Record: p.record(), Buckets: []ConfigRow{},
	}
	if best := bestOf(p.buckets); best != nil {
		out.Best = &best.Key
	}
	buckets := append([]*bucket{}, p.buckets...)
	sortBy(buckets, arena.TrackAll)
	for _, one := range buckets {
		out.Buckets = append(out.Buckets, s.configRow(one, arena.TrackAll))
	}
	return out, nil
}
