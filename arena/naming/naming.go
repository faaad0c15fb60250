package naming

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"

	"chessarena/arena"
	"chessarena/arena/modelname"
	"chessarena/assets"
	"chessarena/store"
)

// shipped is the registry file, the same for every arena.
var shipped = sync.OnceValues(func() (*modelname.Registry, error) {
	models, err := modelname.Parse(assets.Models)
	if err != nil {
		return nil, err
	}
	return modelname.New(models)
})

// seenMax bounds how many names of players' are kept for suggestions.
const seenMax = 2_000

// Names are the models of one arena. It is safe for concurrent use.
type Names struct {
	// Moved, when set, is called after this process has moved configurations: what memory
	// holds of games may be wrong.
	Moved func()

	db  *store.DB
	log *slog.Logger
	now atomic.Pointer[modelname.Registry]
	// generation counts what now has held.
	generation atomic.Uint64
	// loading is held while the registry is made anew, so that an older one never
	// replaces a newer.
	loading sync.Mutex
}

// New returns the names that db knows by now; a nil log is silent.
func New(ctx context.Context, db *store.DB, log *slog.Logger) (*Names, error) {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	n := &Names{db: db, log: log}
	return n, n.Reload(ctx)
}

// Registry is what is known at this moment.
func (n *Names) Registry() *modelname.Registry { return n.now.Load() }

// Generation changes whenever what is known does. Pages that show it are cached by it.
func (n *Names) Generation() uint64 { return n.generation.Load() }

func (n *Names) set(r *modelname.Registry) {
	n.now.Store(r)
	n.generation.Add(1)
}

// Read says which model a spelling names.
func (n *Names) Read(spelling string) modelname.Reading { return n.Registry().Read(spelling) }

// Verified reports whether the model of a configuration is a registered one. The arena's own names are
// so for its own players only.
func (n *Names) Verified(c arena.Config) bool {
	m, ok := n.Registry().Model(c.Model)
	return ok && m.Reserved == (c.Provider == arena.AnchorProvider)
}

// Reload reads the database's part of what is known again.
func (n *Names) Reload(ctx context.Context) error {
	n.loading.Lock()
	defer n.loading.Unlock()
	var next *modelname.Registry
	err := n.db.View(ctx, func(tx *store.Tx) (err error) { next, err = load(tx); return err })
	if err != nil {
		return fmt.Errorf("load the names of models: %w", err)
	}
	n.set(next)
	return nil
}

// load makes the registry as tx sees it.
func load(tx *store.Tx) (*modelname.Registry, error) {
	base, err := shipped()
	if err != nil {
		return nil, err
	}
	added, err := tx.AddedModels()
	if err != nil {
		return nil, err
	}
	aliases, err := tx.Aliases()
	if err != nil {
		return nil, err
	}
	a := additions(added, aliases)
	seen, err := tx.ModelNames("", seenMax)
	for _, m := range seen {
		a.Seen = append(a.Seen, m.Name)
	}
	return base.With(a), err
}

// Named takes note of a name that somebody has just registered under, so that others are
// shown it when theirs is close. Losing one does no harm: Reload finds it.
func (n *Names) Named(reading modelname.Reading) {
	if reading.Verified {
		return
	}
	n.loading.Lock()
	defer n.loading.Unlock()
	n.set(n.now.Load().Saw(reading.Canonical))
}
