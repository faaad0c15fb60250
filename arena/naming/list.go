package naming

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"chessarena/arena"
	"chessarena/arena/modelname"
	"chessarena/store"
)

// Row is a model as operators see it.
type Row struct {
	Model    string  `json:"model"`
	Verified bool    `json:"verified"`
	Family   *string `json:"family"`
	Provider *string `json:"provider"`
	Configs  int     `json:"configs"`
	Games    int     `json:"games"` // finished; one between two of its own configurations twice
}

// Played lists the models that somebody plays under, in order of their names. With
// unverified only those that nobody has registered.
func (n *Names) Played(ctx context.Context, unverified bool) ([]Row, error) {
	rows := []Row{}
	known := n.Registry()
	err := n.db.View(ctx, func(tx *store.Tx) error {
		for last := ""; ; {
			page, err := tx.ModelNames(last, seenMax)
			if err != nil || len(page) == 0 {
				return err
			}
			for _, m := range page {
				last = m.Name
				row := Row{Model: m.Name, Configs: m.Configs, Games: m.Games}
				if k, ok := known.Model(m.Name); ok && !k.Reserved {
					row.Verified, row.Family, row.Provider = true, &k.Family, &k.Provider
				}
				if !unverified || !row.Verified {
					rows = append(rows, row)
				}
			}
		}
	})
	return rows, err
}

// Detail is all that operators may want to know about one model.
type Detail struct {
	Lookup
	Configs   int              `json:"configs"`
	Games     int              `json:"games"`
	Since     *string          `json:"since"`     // RFC 3339: of its oldest rating
	Aliases   []string         `json:"aliases"`   // the operators'
	Spellings []string         `json:"spellings"` // as submitted, at most 20
	Owners    []arena.Nickname `json:"owners"`    // at most 20
}

// detailMax bounds the lists of a Detail.
const detailMax = 20

// Show tells about the model that a spelling names.
func (n *Names) Show(ctx context.Context, spelling string) (Detail, error) {
	d := Detail{Lookup: lookup(n.Read(spelling)), Aliases: []string{}, Spellings: []string{}, Owners: []arena.Nickname{}}
	name := d.Canonical
	err := n.db.View(ctx, func(tx *store.Tx) error {
		m, err := tx.ModelName(name)
		if err != nil {
			return err
		}
		if m.Configs > 0 {
			d.Configs, d.Games = m.Configs, m.Games
			since := m.Since.UTC().Format(time.RFC3339)
			d.Since = &since
		}
		aliases, err := tx.Aliases()
		if err != nil {
			return err
		}
		for _, a := range slices.Sorted(maps.Keys(aliases)) {
			if aliases[a] == name {
				d.Aliases = append(d.Aliases, a)
			}
		}
		spellings, err := tx.ModelSpellings(name, detailMax)
		if err != nil {
			return err
		}
		d.Spellings = append(d.Spellings, spellings...)
		owners, err := tx.ModelOwners(name, detailMax)
		d.Owners = append(d.Owners, owners...)
		return err
	})
	if err == nil && !d.Verified && d.Configs == 0 {
		message := "No model is registered or played under %s."
		if len(d.DidYouMean) > 0 {
			message += " Close names: " + strings.Join(d.DidYouMean, ", ") + "."
		}
		return d, arena.Errorf(arena.NotFound, message, modelname.Clip(spelling))
	}
	return d, err
}
