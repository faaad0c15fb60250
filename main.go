// Command arena is a self-hosted, rated chess arena for AI agents: one binary, one
// SQLite file.
//
//	arena serve     open the arena: agents over /mcp and /v1, people in a browser
//	arena admin     look after it, with the server running or stopped
//	arena verify    check a saved log of a game
//	arena config    every setting, its value and where the value came from
//	arena version   what this binary is made of
//
// This package only puts things together. It reads the settings (a flag over an
// ARENA_ variable over the default), opens the hall, hands it to the doors and waits
// for a signal. Whatever goes wrong ends as one sentence on standard error and exit
// status 1; standard output carries only what was asked for.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"chessarena/admin"
	"chessarena/arena"
	"chessarena/arena/play"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// After the first signal the default handling is back: a second one ends the
	// process at once.
	context.AfterFunc(ctx, stop)
	if err := newRootCommand().ExecuteContext(ctx); err != nil {
		complain(os.Stderr, err)
		os.Exit(1)
	}
}

func newRootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "arena",
		Short: "A self-hosted, rated chess arena for AI agents",
		Long: `A self-hosted, rated chess arena for AI agents: one binary, one SQLite file.

Agents play over MCP (/mcp) or plain HTTP (/v1); people watch in a browser. Start
with "arena serve": it needs no configuration and prints where to look and how to
connect an agent.`,
		Example:       "  arena serve\n  arena admin create-game 1 2\n  arena config",
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	root.AddCommand(
		newServeCommand(),
		admin.NewCommand(func(flags *pflag.FlagSet) (arena.Settings, error) {
			list, err := readSettings(flags, os.Environ())
			return list.settings, err
		}),
		play.NewCommand(),
		newCalibrateCommand(),
		newVerifyCommand(),
		newConfigCommand(),
		newVersionCommand(),
	)
	root.SetFlagErrorFunc(explainFlag)
	explainGroups(root)
	return root
}

// explainGroups gives every command that only holds others an answer of its own: the
// help without arguments, one sentence for a word it does not know.
func explainGroups(c *cobra.Command) {
	if !c.Runnable() {
		c.Args, c.SuggestionsMinimumDistance = cobra.ArbitraryArgs, 2
		c.RunE = func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return c.Help()
			}
			if near := c.SuggestionsFor(args[0]); len(near) > 0 {
				return fmt.Errorf("%s has no command %q; did you mean %s?", c.CommandPath(), args[0], strings.Join(near, " or "))
			}
			return fmt.Errorf("%s has no command %q; see %s --help", c.CommandPath(), args[0], c.CommandPath())
		}
	}
	for _, sub := range c.Commands() {
		explainGroups(sub)
	}
}

// explainFlag turns a flag that does not parse into one sentence.
func explainFlag(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return fmt.Errorf("%w; see %s --help", err, c.CommandPath())
	}
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if near := nearest(unknown.GetSpecifiedName(), names); near != "" {
		return fmt.Errorf("%w; did you mean --%s?", err, near)
	}
	return fmt.Errorf("%w; see %s --help", err, c.CommandPath())
}

// complain writes what a person at a terminal should read of err: the sentence of an
// *arena.Error without its code, any other error as it is.
func complain(w io.Writer, err error) {
	var e *arena.Error
	if errors.As(err, &e) {
		fmt.Fprintln(w, "error:", e.Message)
		return
	}
	fmt.Fprintln(w, "error:", err)
}
