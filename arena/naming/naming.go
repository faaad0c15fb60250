package naming

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

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
	db  *store.DB
	now atomic.Pointer[modelname.Registry]
	// loading is held while the registry is made anew, so that an older one never
	// replaces a newer.
	loading sync.Mutex
}

// New returns the names that db knows by now.
func New(ctx context.Context, db *store.DB) (*Names, error) {
	n := &Names{db: db}
	return n, n.Reload(ctx)
}

// Registry is what is known at this moment.
func (n *Names) Registry() *modelname.Registry { return n.now.Load() }

// Read says which model a spelling names.
func (n *Names) Read(spelling string) modelname.Reading { return n.Registry().Read(spelling) }

// Reload reads the database's part of what is known again.
func (n *Names) Reload(ctx context.Context) error {
	n.loading.Lock()
	defer n.loading.Unlock()
	var next *modelname.Registry
	err := n.db.View(ctx, func(tx *store.Tx) (err error) { next, err = load(tx); return err })
	if err != nil {
		return fmt.Errorf("load the names of models: %w", err)
	}
	n.now.Store(next)
	return nil
}

// load makes the registry as tx sees it.
func load(tx *store.Tx) (*modelname.Registry, error) {
	base, err := shipped()
	if err != nil {
		return nil, err
	}
	var a modelname.Additions
	added, err := tx.AddedModels()
	if err != nil {
		return nil, err
	}
	for _, m := range added {
		a.Models = append(a.Models, modelname.Model{ID: m.ID, Family: m.Family, Provider: m.Provider})
	}
	if a.Aliases, err = tx.Aliases(); err != nil {
		return nil, err
	}
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
	n.now.Store(n.now.Load().Saw(reading.Canonical))
}
