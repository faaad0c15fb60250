package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"chessarena/arena"
	"chessarena/arena/archive"
)

// Limits of a log that is read from a file: a game of the longest length has a few
// thousand entries of a few hundred bytes.
const (
	logLines = 100_000
	logLine  = 1 << 20
)

func newVerifyCommand() *cobra.Command {
	asJSON := false
	c := &cobra.Command{
		Use:   "verify FILE.jsonl",
		Short: "Check a saved log of a game",
		Long: `Check a saved log of a game, without an arena: was it altered after it was written, and
was the game it tells played and decided by the rules? It makes the checks of
/v1/games/ID/verify. FILE may be - for standard input. The exit status is 1 when a
check fails.`,
		Example: "  arena verify game.jsonl\n  curl -s http://127.0.0.1:8080/v1/games/01k9zq3v7x2b/log | arena verify -",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			in := c.InOrStdin()
			if args[0] != "-" {
				f, err := os.Open(args[0])
				if err != nil {
					return err
				}
				defer f.Close()
				in = f
			}
			entries, err := readLog(in)
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			verdict := archive.Verify(entries)
			if err := writeVerdict(c.OutOrStdout(), verdict, asJSON); err != nil {
				return err
			}
			if !verdict.OK {
				return fmt.Errorf("%s does not hold", args[0])
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the verdict as one JSON object")
	return c
}

// readLog reads one entry a line. The error names the line.
func readLog(r io.Reader) ([]arena.LogEntry, error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, logLine)
	var entries []arena.LogEntry
	for n := 1; lines.Scan(); n++ {
		if n > logLines {
			return nil, fmt.Errorf("it has more than %d lines, which is no log of a game", logLines)
		}
		var e arena.LogEntry
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			return nil, fmt.Errorf("line %d is no entry of a log: %w", n, err)
		}
		entries = append(entries, e)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("line %d cannot be read: %w", len(entries)+1, err)
	}
	if len(entries) == 0 {
		return nil, fmt.Errorf("it holds no entry")
	}
	return entries, nil
}

func writeVerdict(w io.Writer, v archive.Verdict, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(w).Encode(v)
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, c := range v.Checks {
		word, rest := "ok", c.Compared
		if !c.OK {
			word, rest = "FAILED", c.Fault
		}
		fmt.Fprintf(table, "%s\t%s\t%s\n", word, c.Name, rest)
	}
	fmt.Fprintf(table, "%d entries\n", v.Entries)
	return table.Flush()
}
