package store

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
)

// setting is one pragma with the value that must be read back. The driver ignores keys
// and pragmas that it does not know, so a setting nobody reads back may not be there.
type setting struct{ pragma, want string }

// uri is path as an SQLite URI, in which ?, # and % of the path stand escaped.
func uri(path string) string {
	p := filepath.ToSlash(path)
	if !strings.HasPrefix(p, "/") {
		p = "/" + p // C:/…
	}
	return "file://" + (&url.URL{Path: p}).EscapedPath()
}

const walPages = 4000 // before a checkpoint: 16 MB

func (o Options) writerDSN(path string) (string, []setting) {
	synchronous, level := "FULL", "2"
	if o.Durability == Normal {
		synchronous, level = "NORMAL", "1"
	}
	busy := o.busyMillis()
	q := url.Values{
		"_busy_timeout": {busy},
		"_journal_mode": {"WAL"},
		"_synchronous":  {synchronous},
		"_foreign_keys": {"1"},
		"_dqs":          {"0"},
		"_error_rc":     {"1"},
		"_defensive":    {"1"},
		"_pragma": {
			fmt.Sprintf("wal_autocheckpoint(%d)", walPages),
			"journal_size_limit(67108864)",
			"cache_size(-16384)",
		},
	}
	return uri(path) + "?" + q.Encode(), []setting{
		{"journal_mode", "wal"},
		{"synchronous", level},
		{"foreign_keys", "1"},
		{"busy_timeout", busy},
		{"query_only", "0"},
		{"wal_autocheckpoint", strconv.Itoa(walPages)},
		{"journal_size_limit", "67108864"},
		{"cache_size", "-16384"},
	}
}

func (o Options) readerDSN(path string) (string, []setting) {
	busy := o.busyMillis()
	q := url.Values{
		"mode":          {"ro"},
		"_busy_timeout": {busy},
		"_query_only":   {"1"},
		"_dqs":          {"0"},
		"_error_rc":     {"1"},
		"_pragma":       {"cache_size(-16384)"},
	}
	return uri(path) + "?" + q.Encode(), []setting{
		{"journal_mode", "wal"},
		{"busy_timeout", busy},
		{"query_only", "1"},
		{"cache_size", "-16384"},
	}
}

// plainDSN only reads, and lets the connection write elsewhere: a backup's source.
func (o Options) plainDSN(path string) string {
	return uri(path) + "?" + url.Values{"mode": {"ro"}, "_busy_timeout": {o.busyMillis()}, "_error_rc": {"1"}}.Encode()
}

// writingDSN writes what is there and makes nothing: for work on a file as a whole.
func (o Options) writingDSN(path string) string {
	return uri(path) + "?" + url.Values{"mode": {"rw"}, "_busy_timeout": {o.busyMillis()}, "_error_rc": {"1"}}.Encode()
}

func (o Options) busyMillis() string {
	return strconv.FormatInt(o.BusyTimeout.Milliseconds(), 10)
}

// verify reads the settings of c back.
func (c *conn) verify(ctx context.Context, settings []setting) error {
	for _, s := range settings {
		got, err := c.pragma(ctx, s.pragma)
		if err != nil {
			return fmt.Errorf("pragma %s: %w", s.pragma, err)
		}
		if got != s.want {
			return fmt.Errorf("pragma %s is %q, not %q", s.pragma, got, s.want)
		}
	}
	return nil
}
