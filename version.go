package main

import (
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"chessarena/store"
)

// build is what this binary was made of.
type build struct {
	Version  string `json:"version"`  // the module's, or "devel"
	Commit   string `json:"commit"`   // "" when built outside a checkout
	Time     string `json:"time"`     // of the commit, RFC 3339; "" likewise
	Modified bool   `json:"modified"` // the checkout had changes of its own
	Go       string `json:"go"`
	SQLite   string `json:"sqlite"`
	Platform string `json:"platform"` // os/arch
}

func readBuild() build {
	b := build{
		Version: "devel", Go: runtime.Version(), SQLite: store.SQLiteVersion,
		Platform: runtime.GOOS + "/" + runtime.GOARCH,
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		b.Version = v
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.time":
			b.Time = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	return b
}

func (b build) write(w io.Writer) {
	fmt.Fprintf(w, "arena %s", b.Version)
	if b.Commit != "" {
		fmt.Fprintf(w, " (%.12s, %s", b.Commit, b.Time)
		if b.Modified {
			fmt.Fprint(w, ", modified")
		}
		fmt.Fprint(w, ")")
	}
	fmt.Fprintf(w, "\n%s, SQLite %s, %s\n", b.Go, b.SQLite, b.Platform)
}

func newVersionCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:     "version",
		Short:   "Show what this binary is made of",
		Example: "  arena version\n  arena version --json",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			b := readBuild()
			if asJSON {
				return json.NewEncoder(c.OutOrStdout()).Encode(b)
			}
			b.write(c.OutOrStdout())
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}
