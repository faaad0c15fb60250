package admin

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"chessarena/arena"
	"chessarena/arena/tool"
	"chessarena/store"
)

type doctorIn struct {
	Bench bool `json:"bench" doc:"also measure how fast this disk syncs and this processor hashes keys"`
}

// finding is one line of the doctor's: state is ok, warn or fail.
type finding struct {
	State string `json:"state"`
	Check string `json:"check"`
	Found string `json:"found"` // and what to do about it
}

type doctorOut struct {
	Findings []finding `json:"findings"`
	Message  string    `json:"message"`
}

// Limits beyond which the doctor worries.
const (
	walWorry   = 64 << 20
	spaceWorry = 200 << 20
	syncWorry  = 50 * time.Millisecond
	hashWorry  = time.Second
)

func (d *desk) doctor() *tool.Tool {
	spec := tool.Spec{
		Name:  "doctor",
		Title: "Examine the database and the machine",
		Doc: "Examine the database and the machine: every page is read, sizes, free space and clock are looked at. " +
			"With --bench the disk and the processor are measured, which takes a few seconds. It changes nothing.",
		Idempotent: true,
		Errors:     []arena.Code{arena.Unhealthy},
		Example:    "doctor --bench",
	}
	return tool.NewOperator(spec, func(ctx context.Context, _ arena.Operator, in doctorIn) (doctorOut, error) {
		list := []finding{d.integrity(ctx), d.schema(), d.files(), d.space(), d.clock(ctx)}
		if in.Bench {
			list = append(list, d.syncing(), d.hashing(ctx))
		}
		out := doctorOut{list, "All is well."}
		count := func(state string) int {
			return len(slices.DeleteFunc(slices.Clone(list), func(f finding) bool { return f.State != state }))
		}
		if n := count("warn"); n > 0 {
			out.Message = fmt.Sprintf("%d of %d findings deserve a look.", n, len(list))
		}
		if count("fail") > 0 {
			i := slices.IndexFunc(list, func(f finding) bool { return f.State == "fail" })
			return out, arena.Errorf(arena.Unhealthy, "%s: %s", list[i].Check, list[i].Found).With(out)
		}
		return out, nil
	})
}

func (d *desk) integrity(ctx context.Context) finding {
	complaint, err := d.hall.DB.Integrity(ctx)
	switch {
	case err != nil:
		return finding{"fail", "integrity", fmt.Sprintf("the database could not be read whole (%v); restore a backup", err)}
	case complaint != "":
		return finding{"fail", "integrity", fmt.Sprintf("the database is damaged (%s); restore a backup", complaint)}
	}
	return finding{"ok", "integrity", "every page of the database reads as it should"}
}

func (d *desk) schema() finding {
	return finding{"ok", "schema", fmt.Sprintf("version %d, SQLite %s", store.SchemaVersion(), store.SQLiteVersion)}
}

func (d *desk) files() finding {
	f, err := d.hall.DB.Files()
	if err != nil {
		return finding{"fail", "files", err.Error()}
	}
	found := fmt.Sprintf("database %.1f MB, write-ahead log %.1f MB", megabytes(f.Database), megabytes(f.WAL))
	if f.WAL > walWorry {
		return finding{"warn", "files", found + "; a log this long means that some program keeps the database open for reading"}
	}
	return finding{"ok", "files", found}
}

func (d *desk) space() finding {
	free, known := store.FreeSpace(filepath.Dir(d.hall.DB.Path()))
	switch {
	case !known:
		return finding{"ok", "space", "this system does not tell how much disk is free"}
	case free < spaceWorry:
		return finding{"warn", "space", fmt.Sprintf("only %.0f MB of disk are free; when there are none, games stand still", megabytes(free))}
	}
	return finding{"ok", "space", fmt.Sprintf("%.1f GB of disk are free", megabytes(free)/1024)}
}

// clock compares the wall clock with the last time the server was seen awake.
func (d *desk) clock(ctx context.Context) finding {
	var last, now time.Time
	err := d.hall.DB.View(ctx, func(tx *store.Tx) (err error) {
		now = tx.Now()
		last, err = tx.LastBeat()
		return err
	})
	switch {
	case err != nil:
		return finding{"fail", "clock", err.Error()}
	case last.After(now.Add(time.Minute)):
		return finding{"warn", "clock", fmt.Sprintf("it is %s here, and the arena was last awake at %s: set the clock of this machine", now.Format(time.RFC3339), last.Format(time.RFC3339))}
	case now.Year() < 2026:
		return finding{"warn", "clock", fmt.Sprintf("it is %s here: set the clock of this machine", now.Format(time.RFC3339))}
	}
	return finding{"ok", "clock", now.Format(time.RFC3339)}
}

// syncing writes and syncs a page beside the database a few times and takes the median.
func (d *desk) syncing() finding {
	f, err := os.CreateTemp(filepath.Dir(d.hall.DB.Path()), ".doctor-*")
	if err != nil {
		return finding{"fail", "disk", fmt.Sprintf("no file can be made beside the database: %v", err)}
	}
	defer os.Remove(f.Name())
	defer f.Close()
	var took []time.Duration
	for range 21 {
		start := time.Now()
		if _, err := f.Write(make([]byte, 4096)); err != nil {
			return finding{"fail", "disk", fmt.Sprintf("the disk does not take a page: %v", err)}
		}
		if err := f.Sync(); err != nil {
			return finding{"fail", "disk", fmt.Sprintf("the disk does not sync: %v", err)}
		}
		took = append(took, time.Since(start))
	}
	slices.Sort(took)
	median := took[len(took)/2]
	found := fmt.Sprintf("a page is safe on the disk after %v", median.Round(10*time.Microsecond))
	if median > syncWorry {
		return finding{"warn", "disk", found + "; each move waits for that, a faster disk or card would help"}
	}
	return finding{"ok", "disk", found}
}

// hashing times what proving a key for the first time costs.
func (d *desk) hashing(ctx context.Context) finding {
	start := time.Now()
	if _, _, err := d.hall.Registrar.NewKey(ctx, "doctor"); err != nil {
		return finding{"fail", "keys", err.Error()}
	}
	took := time.Since(start)
	found := fmt.Sprintf("a key is proved in %v, once after each start", took.Round(time.Millisecond))
	if took > hashWorry {
		return finding{"warn", "keys", found + "; many agents coming at once will have to wait"}
	}
	return finding{"ok", "keys", found}
}

func megabytes(n int64) float64 { return float64(n) / (1 << 20) }
