// Package metrics counts what the arena does, for whoever watches it with Prometheus.
//
// It owns one registry, not the library's global one, and reads everything but the
// calls at the moment it is asked: the store, the hub and the totals keep their own
// counts. Nothing in it names an agent, a key or a game, so what it shows is harmless;
// whether anybody but this machine may read it is the door's to say.
//
// It never decides anything, and no part of the arena waits for it.
package metrics

import (
	"context"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"chessarena/arena"
	"chessarena/arena/wake"
	"chessarena/store"
)

// Metrics is the arena's registry.
type Metrics struct {
	registry *prometheus.Registry
	calls    *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
}

// New returns the metrics of an arena: its store and its hub are read when asked.
func New(db *store.DB, hub *wake.Hub, version string) *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		calls: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "arena_calls_total", Help: "Calls of tools, by tool and by the code they were answered with (ok for none).",
		}, []string{"tool", "code"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "arena_call_seconds", Help: "Seconds that calls of tools took, waits included.",
			Buckets: []float64{.001, .005, .02, .1, .5, 2, 10, 60, 600},
		}, []string{"tool"}),
	}
	m.registry.MustRegister(m.calls, m.seconds, collector{db, hub})
	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "arena_build_info", Help: "Always 1; the label says which version runs.", ConstLabels: prometheus.Labels{"version": version},
	})
	build.Set(1)
	m.registry.MustRegister(build)
	return m
}

// Observe counts a call; it is a tool.Set's Observe.
func (m *Metrics) Observe(tool string, code arena.Code, took time.Duration) {
	if code == "" {
		code = "ok"
	}
	m.calls.WithLabelValues(tool, string(code)).Inc()
	m.seconds.WithLabelValues(tool).Observe(took.Seconds())
}

// Handler serves the metrics in Prometheus' text format.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4, Timeout: 5 * time.Second})
}

// collector reads what others count.
type collector struct {
	db  *store.DB
	hub *wake.Hub
}

var (
	waits     = describe("arena_waits", "Calls that wait for an opponent or a move.")
	games     = describe("arena_games", "Games, by status.", "status")
	nicknames = describe("arena_nicknames", "Registered nicknames.")
	configs   = describe("arena_configs", "Registered configurations.")
	commits   = describe("arena_commits_total", "Commits of the database.")
	changes   = describe("arena_changes_total", "Changes that those commits held; several share one.")
	size      = describe("arena_database_bytes", "Sizes of the database's files.", "file")
	writable  = describe("arena_database_writable", "1 when the last commit succeeded, else 0.")
)

func describe(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc(name, help, labels, nil)
}

func (c collector) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{waits, games, nicknames, configs, commits, changes, size, writable} {
		out <- d
	}
}

func (c collector) Collect(out chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, v float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
	}
	gauge(waits, float64(c.hub.Waiting()))
	var totals store.Totals
	err := c.db.View(context.Background(), func(tx *store.Tx) (err error) { totals, err = tx.Totals(); return err })
	if err == nil {
		gauge(games, float64(totals.Active), string(arena.Active))
		gauge(games, float64(totals.Finished), string(arena.Finished))
		gauge(games, float64(totals.Void), string(arena.Void))
		gauge(nicknames, float64(totals.Nicknames))
		gauge(configs, float64(totals.Configs))
	}
	n, held := c.db.Commits()
	out <- prometheus.MustNewConstMetric(commits, prometheus.CounterValue, float64(n))
	out <- prometheus.MustNewConstMetric(changes, prometheus.CounterValue, float64(held))
	if files, err := c.db.Files(); err == nil {
		gauge(size, float64(files.Database), "database")
		gauge(size, float64(files.WAL), "wal")
	}
	ok := 1.0
	if c.db.Trouble() != nil {
		ok = 0
	}
	gauge(writable, ok)
}
