package play

import (
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
)

// model is a row of the arena's registry.
type model struct {
	ID       string `json:"id"`
	Family   string `json:"family"`
	Provider string `json:"provider"`
	Reserved bool   `json:"reserved"`
}

// reading is what the arena understood by a spelling.
type reading struct {
	Canonical string   `json:"model_canonical"`
	Raw       string   `json:"model_raw"`
	Version   *string  `json:"model_version"`
	Verified  bool     `json:"model_verified"`
	Rules     []string `json:"applied_rules"`
	Close     []string `json:"did_you_mean"`
	Message   string   `json:"model_message"`
	Family    *string  `json:"family"`
	Provider  *string  `json:"provider"`
}

// found is the answer of the command.
type found struct {
	Lookup *reading `json:"lookup"` // null without a query
	Models []model  `json:"models"` // registered ones that fit the query or are close to it; all without one
}

func newModelsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "models [QUERY]",
		Short: "Find the name under which the arena knows a model",
		Long: `Find the name under which the arena knows a model.

With a spelling, the arena says which model it reads, and the registered models that contain
the words of it, or are close, are listed. Without one all registered models are.`,
		Example: "  arena play models \"Claude Sonnet 5\"\n  arena play models qwen3\n  arena play models --json",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			address, err := c.Flags().GetString("arena")
			if err != nil {
				return err
			}
			asJSON, err := c.Flags().GetBool("json")
			if err != nil {
				return err
			}
			arena, err := newClient(address)
			if err != nil {
				return err
			}
			var registry struct{ Models []model }
			if err := arena.get(c.Context(), "/v1/registry", &registry); err != nil {
				return err
			}
			out := found{Models: slices.DeleteFunc(registry.Models, func(m model) bool { return m.Reserved })}
			if len(args) == 1 {
				out.Lookup = new(reading)
				if err := arena.get(c.Context(), "/v1/lookup_model?model="+url.QueryEscape(args[0]), out.Lookup); err != nil {
					return err
				}
				out.Models = fitting(out.Models, args[0], out.Lookup)
			}
			if asJSON {
				return json.NewEncoder(c.OutOrStdout()).Encode(out)
			}
			return out.print(c.OutOrStdout())
		},
	}
}

// fitting are the model that was read and those whose id has all words of the query or,
// when there are none, those that the arena thinks close; in the order of the registry.
func fitting(models []model, query string, r *reading) []model {
	words := strings.FieldsFunc(strings.ToLower(query), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
	var fit, near []model
	for _, m := range models {
		lacks := slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(m.ID, w) })
		switch {
		case m.ID == r.Canonical, len(words) > 0 && !lacks:
			fit = append(fit, m)
		case slices.Contains(r.Close, m.ID):
			near = append(near, m)
		}
	}
	if len(fit) == 0 {
		return append([]model{}, near...)
	}
	return fit
}

func (f found) print(w io.Writer) error {
	if r := f.Lookup; r != nil {
		fmt.Fprintln(w, r.Message)
		if r.Version != nil {
			fmt.Fprintf(w, "The date or revision %s is kept beside it.\n", *r.Version)
		}
		if len(f.Models) > 0 {
			fmt.Fprintln(w)
		}
	}
	if len(f.Models) == 0 {
		return nil
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "MODEL\tFAMILY\tPROVIDER")
	for _, m := range f.Models {
		fmt.Fprintf(table, "%s\t%s\t%s\n", m.ID, m.Family, m.Provider)
	}
	return table.Flush()
}
