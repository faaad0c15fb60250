package admin

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"chessarena/arena"
	"chessarena/arena/engine"
	"chessarena/arena/registrar"
	"chessarena/arena/tool"
	"chessarena/store"
)

type doctorIn struct {
	Bench bool `json:"bench" doc:"also measure how fast this disk syncs and this processor hashes keys"`
}

// finding is one line of the doctor's.
type finding struct {
	State string `json:"state"` // one of the three below
	Check string `json:"check"`
	Found string `json:"found"` // and what to do about it
}

// The states of a finding: nothing to do; work goes on, and somebody should look; the
// arena cannot do its work.
const (
	ok   = "ok"
	warn = "warn"
	bad  = "fail"
)

type doctorOut struct {
	Findings []finding `json:"findings"`
	Summary  string    `json:"summary"`
}

// Limits beyond which the doctor worries.
const (
	walWorry   = 64 << 20
	spaceWorry = 200 << 20
	syncWorry  = 50 * time.Millisecond
	hashWorry  = time.Second
)

// examineBusy is how long the doctor waits for a server that writes without pause.
const examineBusy = 15 * time.Second

// doctor examines the file itself: it must have something to say of one that no arena
// can open.
func (d *desk) doctor() *tool.Tool {
	spec := tool.Spec{
		Name:  "doctor",
		Title: "Examine the database and the machine",
		Doc: "Examine the database and the machine, with the server running or stopped: every page is read; sizes, disk, engine and " +
			"clock are looked at. With --bench the disk and the processor are measured, which takes a few seconds. Each line is ok, " +
			"warn or fail and says what to do; after a fail the exit status is 1. Nothing is changed, not even an older schema.",
		Idempotent: true,
		Errors:     []arena.Code{arena.Unhealthy},
		Example:    "doctor --bench",
	}
	return tool.NewOperator(spec, func(ctx context.Context, _ arena.Operator, in doctorIn) (doctorOut, error) {
		list := d.database(ctx)
		list = append(list, d.space(), d.engine(ctx))
		if in.Bench {
			list = append(list, d.syncing(), d.hashing(ctx))
		}
		count := map[string]int{}
		for _, f := range list {
			count[f.State]++
		}
		out := doctorOut{list, "All is well."}
		if count[warn] > 0 {
			out.Summary = fmt.Sprintf("%d of %d findings deserve a look.", count[warn], len(list))
		}
		if count[bad] > 0 {
			out.Summary = fmt.Sprintf("%d of %d findings must be mended.", count[bad], len(list))
			worst := list[slices.IndexFunc(list, func(f finding) bool { return f.State == bad })]
			return out, arena.Errorf(arena.Unhealthy, "%s: %s.", worst.Check, worst.Found).With(out)
		}
		return out, nil
	})
}

// database reads the file and looks at what goes with it.
func (d *desk) database(ctx context.Context) []finding {
	h, err := store.Examine(ctx, d.settings.DB, store.Options{BusyTimeout: examineBusy})
	var wrong *store.OpenError
	switch {
	case errors.As(err, &wrong):
		return []finding{{bad, "database", wrong.Path + ": " + wrong.Reason}}
	case err != nil:
		return []finding{{bad, "database", fmt.Sprintf("it could not be read whole (%v); restore a backup", err)}}
	}
	list := []finding{
		{ok, "integrity", "every page of the database reads as it should"},
		{ok, "schema", fmt.Sprintf("version %d, SQLite %s", h.Schema, store.SQLiteVersion)},
		{ok, "writing", "the database can be written"},
		{ok, "files", fmt.Sprintf("database %.1f MB, write-ahead log %.1f MB", megabytes(h.Database), megabytes(h.WAL))},
		{ok, "disk", "the database lies on a local disk"},
		clock(h.LastBeat, time.Now()),
	}
	if len(h.Complaints) > 0 {
		list[0] = finding{bad, "integrity", fmt.Sprintf("the database is damaged (%s); restore a backup", h.Complaints[0])}
	}
	switch {
	case h.Schema > h.Known:
		list[1] = finding{bad, "schema", fmt.Sprintf("version %d, and this program knows up to %d: use a newer arena", h.Schema, h.Known)}
	case h.Schema < h.Known:
		list[1] = finding{ok, "schema", fmt.Sprintf("version %d; the next start backs the database up and brings it to %d", h.Schema, h.Known)}
	}
	if h.Unwritable != nil {
		list[2] = finding{bad, "writing", h.Unwritable.Error()}
	}
	if h.WAL > walWorry {
		list[3].State = warn
		list[3].Found += "; a log this long means that some program keeps the database open for reading"
	}
	if h.NetworkFS != "" {
		list[4] = finding{warn, "disk", fmt.Sprintf("the database lies on a network file system (%s), where SQLite may lose data: move it to a local disk", h.NetworkFS)}
	}
	return list
}

// clock compares the wall clock with the last time a server was seen awake.
func clock(last, now time.Time) finding {
	here := now.UTC().Format(time.RFC3339)
	switch {
	case last.After(now.Add(time.Minute)):
		return finding{warn, "clock", fmt.Sprintf("it is %s here, and the arena was last awake at %s: set the clock of this machine", here, last.Format(time.RFC3339))}
	case now.Year() < 2026:
		return finding{warn, "clock", fmt.Sprintf("it is %s here: set the clock of this machine", here)}
	}
	return finding{ok, "clock", here}
}

func (d *desk) folder() string { return filepath.Dir(d.settings.DB) }

func (d *desk) space() finding {
	free, known := store.FreeSpace(d.folder())
	switch {
	case !known:
		return finding{ok, "space", "this system does not tell how much disk is free"}
	case free < spaceWorry:
		return finding{warn, "space", fmt.Sprintf("only %.0f MB of disk are free: make room; when there is none, games stand still", megabytes(free))}
	}
	return finding{ok, "space", fmt.Sprintf("%.1f GB of disk are free", megabytes(free)/1024)}
}

// engine looks for an engine where the arena would, and starts it once.
func (d *desk) engine(ctx context.Context) finding {
	path, err := engine.Find(d.settings.Stockfish)
	switch {
	case err != nil:
		return finding{warn, "engine", fmt.Sprintf("the setting STOCKFISH names %s, which is no program here", d.settings.Stockfish)}
	case path == "":
		return finding{ok, "engine", "there is no Stockfish, and the built-in engine plays and judges"}
	}
	program, err := engine.Identify(ctx, path)
	if err != nil {
		return finding{warn, "engine", fmt.Sprintf("%s does not answer as a UCI engine does; the built-in engine takes its place", path)}
	}
	return finding{ok, "engine", fmt.Sprintf("%s at %s", program.Name, path)}
}

// syncing writes and syncs a page beside the database a few times and takes the median.
func (d *desk) syncing() finding {
	f, err := os.CreateTemp(d.folder(), ".doctor-*")
	if err != nil {
		return finding{bad, "syncing", fmt.Sprintf("no file can be made beside the database: %v", err)}
	}
	defer os.Remove(f.Name())
	defer f.Close()
	var took []time.Duration
	for range 21 {
		start := time.Now()
		if _, err := f.Write(make([]byte, 4096)); err != nil {
			return finding{bad, "syncing", fmt.Sprintf("the disk does not take a page: %v", err)}
		}
		if err := f.Sync(); err != nil {
			return finding{bad, "syncing", fmt.Sprintf("the disk does not sync: %v", err)}
		}
		took = append(took, time.Since(start))
	}
	slices.Sort(took)
	median := took[len(took)/2]
	found := fmt.Sprintf("a page is safe on the disk after %v", median.Round(10*time.Microsecond))
	if median > syncWorry {
		return finding{warn, "syncing", found + "; each move waits for that, a faster disk or card would help"}
	}
	return finding{ok, "syncing", found}
}

// hashing times what proving a key for the first time costs.
func (d *desk) hashing(ctx context.Context) finding {
	r := registrar.New(nil, d.settings, registrar.Options{}) // making a key asks no database
	start := time.Now()
	if _, _, err := r.NewKey(ctx, "doctor"); err != nil {
		return finding{bad, "hashing", err.Error()}
	}
	took := time.Since(start)
	found := fmt.Sprintf("a key is proved in %v, once after each start", took.Round(time.Millisecond))
	if took > hashWorry {
		return finding{warn, "hashing", found + "; many agents coming at once will have to wait"}
	}
	return finding{ok, "hashing", found}
}

func megabytes(n int64) float64 { return float64(n) / (1 << 20) }
