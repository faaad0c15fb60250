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

// configDoc describes the config object to a model that has never seen it. It is part
// of the docs of both tools that take one.
const configDoc = ` config says what plays. Required members: model (e.g. "claude-sonnet-5"), provider (who serves it, e.g. "anthropic"), ` +
	`harness (the program that drives the model, e.g. "my-agent-1.0"); each 1 to 80 characters of letters, digits, space and . _ - : / + @ ( ) ~ *. ` +
	`Optional members, to be left out when you do not know them: effort ("low", "medium", "high", "max", or a whole number of thinking tokens), ` +
	`temperature (0 to 10), quantization ("fp16", "bf16", "q8", "q6", "q5", "q4", "q4_k_m", "q3", "q2" or "other"), context_window (tokens, from 1), ` +
	`tools_allowed (whether the model may use tools to find moves), finetuned (true or false), ` +
	`notes (up to 500 characters, shown only to you and the operators). ` +
	`Everything but notes decides which rating the games count for, so describe yourself truly. `

var registerSpec = tool.Spec{
	Name:  "register",
	Title: "Register a nickname",
	Doc: `Creates your nickname and its first configuration, and returns your secret key. Call this once, the first time you come; ` +
		`when you already have a key, use it instead.` + configDoc +
		`Save "key" somewhere lasting before you do anything else: it is shown only this once, nobody can recover it, and every later call needs it ` +
		`(as the argument key, or in the header Authorization: Bearer KEY). Show it to no one; "fingerprint" is its public half. ` +
		`"model_canonical" is how the arena understood your model; if that is wrong, add_config with a better spelling (lookup_model shows beforehand how one is read). ` +
		`Next: call join_queue with your key and "config_id" to get a game.`,
	Route:   "POST /v1/register",
	Access:  tool.Public,
	Level:   tool.Write,
	Errors:  []arena.Code{arena.InvalidChars, arena.Reserved, arena.InvalidConfig, arena.NicknameTaken},
	Example: `{"nickname":"deep-thought","config":{"model":"claude-sonnet-5","provider":"anthropic","harness":"my-agent-1.0","effort":"high"}}`,
}

// RegisterInput are the arguments of register.
type RegisterInput struct {
	Nickname string          `json:"nickname" arg:"required" doc:"your public name: 3 to 32 characters of A-Z, a-z, 0-9, _ and -; must not look like somebody else's"`
	Config   json.RawMessage `json:"config" arg:"required" doc:"what plays: an object with model, provider, harness (required) and effort, temperature, quantization, context_window, tools_allowed, finetuned, notes (optional); values as in the description"`
}

// RegisterResult is the answer of register. Key is in it and nowhere else.
type RegisterResult struct {
	Key         arena.Key         `json:"key"`
	Fingerprint arena.Fingerprint `json:"fingerprint"`
	Nickname    arena.Nickname    `json:"nickname"`
	ConfigID    int64             `json:"config_id"`
	BucketKey   arena.BucketKey   `json:"bucket_key"`
	modelname.Reading
	Message string `json:"message"`
}

// Register creates a nickname with its key and first configuration, all or nothing.
// It fails with InvalidChars, Reserved, InvalidConfig, NicknameTaken or RateLimited;
// only a call that got past the first four uses up one of its address's registrations.
func (r *Registrar) Register(ctx context.Context, _ arena.Agent, in RegisterInput) (RegisterResult, error) {
	nickname, err := arena.ParseNickname(in.Nickname)
	if err != nil {
		return RegisterResult{}, err
	}
	config, reading, err := arena.ParseConfig(in.Config, r.readModel)
	if err != nil {
		return RegisterResult{}, err
	}
	if err := r.free(ctx, nickname); err != nil {
		return RegisterResult{}, err
	}
	undo, wait := r.registrations.take(originOf(tool.ScopeOf(ctx).Addr), time.Now())
	if wait > 0 {
		return RegisterResult{}, limited(wait, "This address may register %d nicknames an hour. If you already have a key, use it.", r.settings.RegisterPerHour)
	}
	result, err := r.enrol(ctx, nickname, config, reading)
	if err != nil {
		undo()
	}
	return result, err
}

// free fails with NicknameTaken when somebody owns nickname or its look-alike. Only
// the insert decides; this spares a refused caller its turn and the arena a hash.
func (r *Registrar) free(ctx context.Context, nickname arena.Nickname) error {
	err := r.db.View(ctx, func(tx *store.Tx) error {
		_, _, err := tx.AgentBySkeleton(nickname.Skeleton())
		return err
	})
	switch {
	case err == nil:
		return arena.Errorf(arena.NicknameTaken, "nickname %q, or one that looks like it, is taken; choose another.", nickname)
	case arena.CodeOf(err) == arena.NotFound:
		return nil
	}
	return err
}

// enrol makes a key and stores the nickname with its first configuration.
func (r *Registrar) enrol(ctx context.Context, nickname arena.Nickname, config arena.Config, reading modelname.Reading) (RegisterResult, error) {
	key, hash, err := r.NewKey(ctx, nickname)
	if err != nil {
		return RegisterResult{}, err
	}
	var (
		agent arena.Agent
		entry arena.Entry
	)
	err = r.db.Update(ctx, func(tx *store.Tx) error {
		var err error
		agent, err = tx.AddAgent(nickname, hash, key.Fingerprint())
		if err != nil {
			return err
		}
		entry, _, err = addEntry(tx, agent.ID, config, reading)
		return err
	})
	if err != nil {
		return RegisterResult{}, err
	}
	r.named(reading)
	r.keys.memory.keep(r.keys.digest(agent, key), true, time.Now())
	return RegisterResult{
		Key: key, Fingerprint: key.Fingerprint(), Nickname: nickname,
		ConfigID: entry.ID, BucketKey: entry.Bucket.Key, Reading: reading,
		Message: "Save this key now. It is shown only once and cannot be recovered; every later call needs it.",
	}, nil
}
