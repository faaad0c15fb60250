package registrar

import (
	"crypto/rand"
	"io"
	"log/slog"
	"time"

	"chessarena/arena"
	"chessarena/arena/modelname"
	"chessarena/arena/tool"
	"chessarena/store"
)

const (
	// maxConfigs is how many configurations one nickname may own (DESIGN §3, too many).
	maxConfigs = 50
	// dormantAfter is how long a nickname may stay silent before an operator must wake it.
	dormantAfter = 180 * 24 * time.Hour
	// seenEvery is how precisely the last call of a nickname is kept.
	seenEvery = time.Hour
	// seenTimeout bounds what keeping it may cost the one call that does.
	seenTimeout = time.Second

	// failures of argon2 that one nickname or one address may cause in a minute.
	failuresPerMinute = 5
	// limitedMax bounds how many callers of a kind are remembered at once.
	limitedMax = 20_000
)

// Options are what a Registrar may be told besides the settings. The zero value is
// that of a real arena.
type Options struct {
	Entropy   io.Reader                      // for keys and salts; nil means crypto/rand
	ReadModel func(string) modelname.Reading // required: what a spelling of a model means
	// Named, when set, hears of each model name that somebody has registered under.
	Named func(modelname.Reading)
	Log   *slog.Logger // nil is silent
}

// Registrar registers agents and admits their calls. It is the tool.Gate of the
// agents' Set and safe for concurrent use.
type Registrar struct {
	db        *store.DB
	settings  arena.Settings
	entropy   io.Reader
	readModel func(string) modelname.Reading
	named     func(modelname.Reading)
	log       *slog.Logger

	keys          *verifier
	registrations *limiter[origin] // by address
	calls         *limiter[int64]  // by nickname, which has one key
	seen          *limiter[int64]  // by nickname: writes of its last call
}

// New returns a Registrar over db with the limits of s. It touches neither the
// database nor the clock.
func New(db *store.DB, s arena.Settings, o Options) *Registrar {
	if o.Entropy == nil {
		o.Entropy = rand.Reader
	}
	if o.Named == nil {
		o.Named = func(modelname.Reading) {}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Registrar{
		db: db, settings: s, entropy: o.Entropy, readModel: o.ReadModel, named: o.Named, log: o.Log,
		keys:          newVerifier(),
		registrations: newLimiter[origin](s.RegisterPerHour, time.Hour),
		calls:         newLimiter[int64](s.ToolsPerMinute, time.Minute),
		seen:          newLimiter[int64](1, seenEvery),
	}
}

// Tools lists register, add_config and list_configs.
func (r *Registrar) Tools() []*tool.Tool {
	return []*tool.Tool{
		tool.New(registerSpec, r.Register),
		tool.New(addConfigSpec, r.AddConfig),
		tool.New(listConfigsSpec, r.ListConfigs),
	}
}
