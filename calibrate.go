package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"chessarena/arena/engine"
	"chessarena/arena/hall"
	"chessarena/arena/house"
	"chessarena/arena/matchmaker"
)

// calibrating is the flags of `arena calibrate`.
type calibrating struct {
	games, reach, procs         int
	anew, check, dryRun, asJSON bool
}

func newCalibrateCommand() *cobra.Command {
	var f calibrating
	c := &cobra.Command{
		Use:   "calibrate",
		Short: "Measure the strength of the house's players",
		Long: `Measure the strength of the house's players on this machine: each meets its neighbours
on the ladder, both colours of each opening, and the ratings that explain the results
are stored. The scale is fixed by the random mover.

The built-in players come with measured ratings, and so does Stockfish 15.1. Of another
Stockfish nothing is known until this command has measured it; until then it takes no
rated games. With --all everything is measured anew. Ratings that games already hang on
are never changed: a new measurement makes new players, at the next start of the arena.

It may run beside a server, and takes from minutes to an hour or two. --check plays nothing:
it tells how the anchors' rated games agree with their ratings, and ends with status 1
when one of them has drifted.`,
		Example: `  arena calibrate
  arena calibrate --all --games 600 --dry-run
  arena calibrate --check`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			list, err := readSettings(c.Flags(), os.Environ())
			if err != nil {
				return err
			}
			if f.games < 2 || f.reach < 1 || f.procs < 1 {
				return errors.New("--games must be at least 2, --reach and --procs at least 1")
			}
			if _, err := engine.Find(list.settings.Stockfish); err != nil {
				return fmt.Errorf("--stockfish: %w", err)
			}
			h, err := hall.Open(c.Context(), list.settings, hall.Options{Offline: true, Log: newLog(c.ErrOrStderr(), list.settings.LogFormat)})
			if err != nil {
				return err
			}
			defer h.Close()
			if f.check {
				return checkDrift(c.Context(), c.OutOrStdout(), h, f.asJSON)
			}
			return calibrate(c.Context(), c.OutOrStdout(), c.ErrOrStderr(), h, f)
		},
	}
	addSettingFlags(c.Flags(), "DB", "STOCKFISH")
	c.Flags().IntVar(&f.games, "games", 300, "games of each pairing")
	c.Flags().IntVar(&f.reach, "reach", 3, "neighbours on each side that a player meets")
	c.Flags().IntVar(&f.procs, "procs", runtime.NumCPU(), "games at once")
	c.Flags().BoolVar(&f.anew, "all", false, "measure all players, not only those without a rating")
	c.Flags().BoolVar(&f.check, "check", false, "play nothing; tell how rated games agree with the ratings")
	c.Flags().BoolVar(&f.dryRun, "dry-run", false, "store nothing")
	c.Flags().BoolVar(&f.asJSON, "json", false, "print the result as JSON")
	return c
}

func calibrate(ctx context.Context, out, progress io.Writer, h *hall.Hall, f calibrating) error {
	settings := h.Settings
	settings.EngineProcs = f.procs
	pool := hall.NewPool(ctx, settings, h.Log)
	defer pool.Close()
	book := make([][]string, len(matchmaker.Book))
	for i, line := range matchmaker.Book {
		book[i] = line.UCI
	}
	command := fmt.Sprintf("arena calibrate --games %d --reach %d", f.games, f.reach)
	if f.anew {
		command += " --all"
	}
	found, err := house.Measure(ctx, h.DB, house.Measuring{
		Pool: pool, Book: book, Games: f.games, Reach: f.reach, Procs: f.procs, Anew: f.anew,
		Command: command, Now: time.Now(), Progress: newProgress(progress),
	})
	if errors.Is(err, house.ErrKnown) {
		fmt.Fprintln(out, "Nothing to do: every player of the house has a measured rating. --all measures them anew.")
		return nil
	}
	if err != nil {
		return err
	}
	if !f.dryRun {
		if err := house.Keep(ctx, h.DB, found); err != nil {
			return err
		}
	}
	if f.asJSON {
		enc := json.NewEncoder(out)
		enc.SetIndent("", " ")
		return enc.Encode(found)
	}
	return writeCalibrations(out, found, f.dryRun)
}

func writeCalibrations(out io.Writer, found []house.Calibration, dryRun bool) error {
	for _, c := range found {
		fmt.Fprintf(out, "%s, calibration %s\n", c.Engine, c.ID)
		w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "  PLAYER\tRATING\tERROR\tGAMES\tRESIDUAL")
		for _, p := range c.Pins {
			fmt.Fprintf(w, "  %s\t%.0f\t±%.0f\t%d\t%+.3f\n", p.Name, p.Elo, p.SE, p.Games, p.Residual)
		}
		if err := w.Flush(); err != nil {
			return err
		}
	}
	if dryRun {
		fmt.Fprintln(out, "Nothing was stored.")
	} else {
		fmt.Fprintln(out, "Stored. The arena takes these players up at its next start.")
	}
	return nil
}

// newProgress returns a function that tells w how far the games are: on a terminal in one
// line that changes, elsewhere in a line for every twentieth part.
func newProgress(w io.Writer) func(done, total int) {
	start, told := time.Now(), -1
	terminal := false
	if file, ok := w.(*os.File); ok {
		info, err := file.Stat()
		terminal = err == nil && info.Mode()&os.ModeCharDevice != 0
	}
	return func(done, total int) {
		part := done * 20 / total
		if terminal {
			part = done * 1000 / total
		}
		if part == told {
			return
		}
		told = part
		left := time.Duration(float64(time.Since(start)) / float64(done) * float64(total-done)).Round(time.Second)
		line := fmt.Sprintf("%d of %d games, %d %%, about %s left", done, total, done*100/total, left)
		switch {
		case terminal && done == total:
			fmt.Fprintf(w, "\r%-60s\n", line)
		case terminal:
			fmt.Fprintf(w, "\r%-60s", line)
		default:
			fmt.Fprintln(w, line)
		}
	}
}

// checkDrift tells how the anchors' games agree with their pins; an error when one has
// drifted.
func checkDrift(ctx context.Context, out io.Writer, h *hall.Hall, asJSON bool) error {
	list, err := house.Drifts(ctx, h.DB)
	if err != nil {
		return err
	}
	alarms := 0
	for _, d := range list {
		if d.Alarm {
			alarms++
		}
	}
	if asJSON {
		if list == nil {
			list = []house.Drift{}
		}
		if err := json.NewEncoder(out).Encode(list); err != nil {
			return err
		}
	} else if err := writeDrifts(out, list); err != nil {
		return err
	}
	if alarms > 0 {
		return fmt.Errorf("%d of %d anchors have drifted", alarms, len(list))
	}
	return nil
}

func writeDrifts(out io.Writer, list []house.Drift) error {
	if len(list) == 0 {
		fmt.Fprintln(out, "No anchor has a rated game in the published ratings yet.")
		return nil
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "PLAYER\tRATING\tGAMES\tSCORE\tEXPECTED\tSIGMAS\t")
	for _, d := range list {
		alarm := ""
		if d.Alarm {
			alarm = "drifted"
		}
		fmt.Fprintf(w, "%s\t%.0f\t%d\t%.1f\t%.1f\t%+.1f\t%s\n", d.Name, d.Pin, d.Games, d.Score, d.Expected, d.Sigmas, alarm)
	}
	return w.Flush()
}
