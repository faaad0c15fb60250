package admin

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"os/user"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"chessarena/arena"
	"chessarena/arena/hall"
	"chessarena/arena/tool"
)

// NewCommand is "arena admin" with a command for each tool. settings reads the
// settings of the run; of their flags only --db is given here, the rest comes from
// the environment.
func NewCommand(settings func(*pflag.FlagSet) (arena.Settings, error)) *cobra.Command {
	root := &cobra.Command{
		Use:   "admin",
		Short: "Look after the arena, with the server running or stopped",
		Long: `Look after the arena, with the server running or stopped.

Each command opens the database itself; a running server notices within a second.
Every change is written to the audit log together with what would undo it.`,
		Example: "  arena admin create-game 1 2\n  arena admin --db /srv/arena/arena.db games list --json",
	}
	root.PersistentFlags().String("db", "", "database file (ARENA_DB; otherwise the one of the user's data folder)")
	root.PersistentFlags().Bool("json", false, "print the answer as one JSON object, a failure too")
	r := runner{settings: settings, desk: new(desk)}
	r.set = r.desk.tools(Shell(shellUser()))
	for _, t := range r.set.Tools() {
		r.add(root, t)
	}
	return root
}

// shellUser is the name under which the audit log knows who typed a command.
func shellUser() string {
	if u, err := user.Current(); err == nil && u.Username != "" {
		return "shell:" + u.Username
	}
	return "shell"
}

// runner turns the tools of a set into commands that open the database only once a
// command line has been understood.
type runner struct {
	settings func(*pflag.FlagSet) (arena.Settings, error)
	desk     *desk
	set      *tool.Set
}

// add puts t's command under root; "games.list" becomes "list" under "games".
func (r *runner) add(root *cobra.Command, t *tool.Tool) {
	words := strings.Split(t.Name, ".")
	parent := root
	for _, word := range words[:len(words)-1] {
		parent = subCommand(parent, word)
	}
	parent.AddCommand(r.command(t, words[len(words)-1]))
}

// subCommand is the command of parent that holds others under word.
func subCommand(parent *cobra.Command, word string) *cobra.Command {
	for _, c := range parent.Commands() {
		if c.Name() == word {
			return c
		}
	}
	c := &cobra.Command{Use: word, Short: "Commands about " + word}
	parent.AddCommand(c)
	return c
}

func (r *runner) command(t *tool.Tool, word string) *cobra.Command {
	positional, required := "", 0
	for _, name := range t.Positional {
		if slices.Contains(t.Input.Required, name) {
			positional += " " + strings.ToUpper(name)
			required++
		} else {
			positional += " [" + strings.ToUpper(name) + "]"
		}
	}
	given := make(map[string]*value)
	c := &cobra.Command{
		Use:     word + positional,
		Short:   t.Title,
		Long:    t.Doc,
		Example: "  arena admin " + t.Example,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) < required || len(args) > len(t.Positional) {
				return fmt.Errorf("usage: %s; see %s --help", c.UseLine(), c.CommandPath())
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			for i, text := range args {
				given[t.Positional[i]].set(text)
			}
			return r.run(c, t, given)
		},
	}
	c.Flags().SortFlags = false
	for _, name := range t.Input.PropertyOrder {
		v := &value{kind: kindOf(t, name)}
		given[name] = v
		doc := t.Input.Properties[name].Description
		if slices.Contains(t.Positional, name) {
			c.Long += fmt.Sprintf("\n  %-8s %s", strings.ToUpper(name), doc)
			continue
		}
		flag := c.Flags().VarPF(v, strings.ReplaceAll(name, "_", "-"), "", doc)
		if v.kind == "boolean" {
			flag.NoOptDefVal = "true"
		}
	}
	return c
}

// kindOf is the JSON type of an argument: that of its schema, or of the one
// alternative to null in it.
func kindOf(t *tool.Tool, name string) string {
	s := t.Input.Properties[name]
	if s.Type == "" && len(s.AnyOf) > 0 {
		s = s.AnyOf[0]
	}
	return s.Type
}

// value is an argument as typed. The Set's decoder is the one judge of it.
type value struct {
	kind, text string
	given      bool
}

func (v *value) set(text string) { v.text, v.given = text, true }

// Set, String and Type make value a flag.
func (v *value) Set(text string) error { v.set(text); return nil }
func (v *value) String() string        { return v.text }
func (v *value) Type() string {
	if v.kind == "boolean" {
		return "bool" // pflag's word for a flag that needs no value
	}
	return v.kind
}

// run calls t with what was given and prints the answer. A failure with --json is
// printed as JSON, and returned so that the exit status tells.
func (r *runner) run(c *cobra.Command, t *tool.Tool, given map[string]*value) error {
	args := make(map[string]string)
	for name, v := range given {
		if v.given {
			args[name] = v.text
		}
	}
	raw, err := json.Marshal(args)
	if err != nil {
		return fmt.Errorf("encode the arguments: %w", err)
	}
	close, err := r.open(c, t)
	if err != nil {
		return err
	}
	answer := r.set.Call(c.Context(), t.Name, raw)
	if err := close(); err != nil {
		return err
	}
	asJSON, err := c.Flags().GetBool("json")
	if err != nil {
		return err
	}
	out := c.OutOrStdout()
	if asJSON {
		fmt.Fprintf(out, "%s\n", answer.JSON)
	}
	switch {
	case answer.Err != nil && answer.Err.Detail != nil && !asJSON:
		// What there is to show beside the sentence.
		detail, err := json.Marshal(answer.Err.Detail)
		if err == nil {
			err = writeText(out, detail)
		}
		return errors.Join(answer.Err, err)
	case answer.Err != nil:
		return answer.Err
	case asJSON:
		return nil
	}
	return writeText(out, answer.JSON)
}

// open gives the desk what t needs: a hall for one call, which the returned function
// closes, or only the settings. Unlike serve it makes no database: a mistyped path must
// not turn into an empty arena.
func (r *runner) open(c *cobra.Command, t *tool.Tool) (func() error, error) {
	s, err := r.settings(c.Flags())
	if err != nil {
		return nil, err
	}
	log := slog.New(slog.NewTextHandler(c.ErrOrStderr(), &slog.HandlerOptions{Level: slog.LevelWarn}))
	r.desk.settings, r.desk.log, r.set.Log = s, log, log
	if r.desk.onFile[t.Name] {
		return func() error { return nil }, nil
	}
	if _, err := os.Stat(s.DB); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no database %s; name the server's file with --db, or start a new arena with arena serve", s.DB)
	}
	h, err := hall.Open(c.Context(), s, hall.Options{Log: log, Offline: true})
	if err != nil {
		return nil, err
	}
	r.desk.hall = h
	return h.Close, nil
}
