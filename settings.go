package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"chessarena/arena"
)

// The places a setting's value can come from, the strongest first.
const (
	fromFlag    = "flag"
	fromEnv     = "environment"
	fromDefault = "default"
)

// settingList is the settings of this run and how they came to be.
type settingList struct {
	settings arena.Settings
	sources  map[string]string // by setting name: fromFlag, fromEnv or fromDefault
	warnings []string          // ARENA_ variables that name no setting, a sentence each
}

// addSettingFlags gives flags one flag for each setting, or for each of those named.
func addSettingFlags(flags *pflag.FlagSet, only ...string) {
	var s arena.Settings
	flags.SortFlags = false
	for _, one := range s.Each() {
		if len(only) == 0 || slices.Contains(only, one.Name) {
			flags.String(one.Flag, one.Default, one.Doc+" ("+one.Env+")")
		}
	}
}

// readSettings settles every setting: a flag that was given, else its variable in
// environ ("NAME=value"), else the default. flags may lack some or all of the flags.
// The error names the flag or variable that holds a value nobody can use.
func readSettings(flags *pflag.FlagSet, environ []string) (settingList, error) {
	list := settingList{settings: arena.DefaultSettings(), sources: make(map[string]string)}
	env := make(map[string]string)
	for _, pair := range environ {
		if name, value, ok := strings.Cut(pair, "="); ok && strings.HasPrefix(name, "ARENA_") {
			env[name] = value
		}
	}
	var known []string
	for _, one := range list.settings.Each() {
		known = append(known, one.Env)
		place, text := one.Env, env[one.Env]
		list.sources[one.Name] = fromDefault
		switch flag := flags.Lookup(one.Flag); {
		case flag != nil && flag.Changed:
			place, text = "--"+one.Flag, flag.Value.String()
			list.sources[one.Name] = fromFlag
		case text != "": // an empty variable counts as none
			list.sources[one.Name] = fromEnv
		default:
			continue
		}
		if err := one.Set(text); err != nil {
			return list, fmt.Errorf("%s: %w", place, err)
		}
	}
	list.warnings = strangers(env, known)
	if list.settings.DB == "" {
		path, err := defaultDB()
		if err != nil {
			return list, err
		}
		list.settings.DB = path
	}
	return list, list.settings.Validate()
}

// strangers says of each variable in env that is not known what may have been meant.
// ARENA_TEST_ names belong to the tests.
func strangers(env map[string]string, known []string) []string {
	var list []string
	for name := range env {
		if slices.Contains(known, name) || strings.HasPrefix(name, "ARENA_TEST_") {
			continue
		}
		sentence := name + " is no setting of this arena and is ignored"
		if near := nearest(name, known); near != "" {
			sentence += "; did you mean " + near + "?"
		}
		list = append(list, sentence)
	}
	slices.Sort(list)
	return list
}

// defaultDB is arena.db in the folder where the user's system keeps application data.
func defaultDB() (string, error) {
	folder := os.Getenv("XDG_DATA_HOME")
	if filepath.IsAbs(folder) { // the XDG specification ignores relative ones
		return filepath.Join(folder, "arena", "arena.db"), nil
	}
	if runtime.GOOS == "windows" {
		folder = os.Getenv("LocalAppData")
	} else if home, err := os.UserHomeDir(); err != nil {
		folder = ""
	} else if runtime.GOOS == "darwin" {
		folder = filepath.Join(home, "Library", "Application Support")
	} else {
		folder = filepath.Join(home, ".local", "share")
	}
	if folder == "" {
		return "", errors.New("there is no home folder to keep the database in; name a file with --db or ARENA_DB")
	}
	return filepath.Join(folder, "arena", "arena.db"), nil
}

// nearest is the word of list that is at most two edits away from word (three when it
// is long), or "".
func nearest(word string, list []string) string {
	best, limit := "", 2+len(word)/12
	for _, other := range list {
		if d := edits(word, other); d <= limit {
			best, limit = other, d-1
		}
	}
	return best
}

// edits is the Levenshtein distance between a and b in bytes.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			d := diagonal
			if a[i] != b[j] {
				d = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], d
		}
	}
	return row[len(b)]
}

func newConfigCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "config",
		Short: "Show every setting, its value and where the value came from",
		Long: `Show every setting, its value and where the value came from.

A flag wins over an environment variable, which wins over the default. The flags are
those of "arena serve", so a start can be tried out before it is made.`,
		Example: "  arena config\n  ARENA_MAX_PLIES=300 arena config --addr :9000\n  arena config --json",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			list, err := readSettings(c.Flags(), os.Environ())
			if err != nil {
				return err
			}
			warn(c.ErrOrStderr(), list.warnings)
			if asJSON {
				return list.writeJSON(c.OutOrStdout())
			}
			return list.writeTable(c.OutOrStdout())
		},
	}
	addSettingFlags(c.Flags())
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON list")
	return c
}

func warn(w io.Writer, sentences []string) {
	for _, s := range sentences {
		fmt.Fprintln(w, "warning:", s)
	}
}

func (l *settingList) writeTable(w io.Writer) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "NAME\tVALUE\tSOURCE\tMEANING")
	for _, one := range l.settings.Each() {
		value := one.String()
		if value == "" {
			value = "-"
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", one.Name, value, l.sources[one.Name], one.Doc)
	}
	return table.Flush()
}

func (l *settingList) writeJSON(w io.Writer) error {
	type row struct {
		Name    string `json:"name"`
		Value   string `json:"value"`
		Source  string `json:"source"`
		Default string `json:"default"`
		Env     string `json:"env"`
		Flag    string `json:"flag"`
		Doc     string `json:"doc"`
	}
	rows := []row{}
	for _, one := range l.settings.Each() {
		rows = append(rows, row{one.Name, one.String(), l.sources[one.Name], one.Default, one.Env, "--" + one.Flag, one.Doc})
	}
	return json.NewEncoder(w).Encode(rows)
}
