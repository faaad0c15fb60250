// Package hall is the composition of an arena: it opens the database, builds the
// services over it, runs the workers and closes everything in order.
//
// It is the only package below the doors that knows all services, and it decides
// nothing about chess, ratings or protocols. Open starts no worker, so a command line
// may open a hall, run one operation and close it; Run is for serving.
//
// The order of the end matters: doors first stop taking calls, then the hub releases
// whoever waits (and the doors send them their answers), then the workers end, and
// last the database is checkpointed and closed.
package hall

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"chessarena/arena"
	"chessarena/arena/arbiter"
	"chessarena/arena/archive"
	"chessarena/arena/engine"
	"chessarena/arena/house"
	"chessarena/arena/matchmaker"
	"chessarena/arena/naming"
	"chessarena/arena/refit"
	"chessarena/arena/registrar"
	"chessarena/arena/standings"
	"chessarena/arena/tool"
	"chessarena/arena/wake"
	"chessarena/store"
)

// Options are how a hall is opened.
type Options struct {
	Log *slog.Logger // nil is silent
	// Offline is for a command beside a running server: it waits longer for the
	// database and tells the server what it changed.
	Offline bool
	// Store is passed on; its Log and UnsafeNetworkFS and, when Offline, its Announce
	// and BusyTimeout are set here.
	Store store.Options
}

// offlineBusy is how long a command waits for a server that writes without pause.
const offlineBusy = 15 * time.Second

// Hall is an open arena.
type Hall struct {
	Settings   arena.Settings
	Log        *slog.Logger
	DB         *store.DB
	Hub        *wake.Hub
	Names      *naming.Names
	Registrar  *registrar.Registrar
	Arbiter    *arbiter.Arbiter
	Archive    *archive.Archive
	Standings  *standings.Standings
	Refitter   *refit.Refitter
	Matchmaker *matchmaker.Matchmaker
	House      *house.House
	Agents     *tool.Set // the operations of agents and of the public
}

// Open opens the database at s.DB and builds the services. The error is a sentence
// for whoever started the program.
func Open(ctx context.Context, s arena.Settings, o Options) (*Hall, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	if _, err := engine.Find(s.Stockfish); err != nil && !o.Offline {
		return nil, fmt.Errorf("%w; name another one with --stockfish, or say --stockfish off", err)
	}
	log := o.Log
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	o.Store.Log, o.Store.UnsafeNetworkFS = log, s.UnsafeNetworkFS
	if o.Offline {
		o.Store.Announce, o.Store.BusyTimeout = true, offlineBusy
	}
	db, err := store.Open(ctx, s.DB, o.Store)
	if errors.Is(err, store.ErrDiskFull) && !o.Offline {
		if dropped, _ := store.BallastOf(s.DB).Drop(); dropped {
			log.Error(ballastDropped, "database", s.DB)
			db, err = store.Open(ctx, s.DB, o.Store)
		}
	}
	if err != nil {
		return nil, err
	}
	names, err := naming.New(ctx, db, log)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	hub := new(wake.Hub)
	h := &Hall{
		Settings: s, Log: log, DB: db, Hub: hub, Names: names,
		Registrar: registrar.New(db, s, registrar.Options{Log: log, ReadModel: names.Read, Named: names.Named}),
		Arbiter:   arbiter.New(db, hub, s, log),
		Archive:   archive.New(db),
		Standings: standings.New(db),
		Refitter:  refit.New(db, log),
	}
	names.Moved = h.forgetGames
	h.Archive.Verified, h.Standings.Verified = names.Verified, names.Verified
	h.Standings.Canonical = func(spelling string) string { return names.Read(spelling).Canonical }
	h.House = h.newHouse()
	h.Matchmaker = matchmaker.New(db, hub, h.Arbiter, s, h.House.Anchors, log)
	h.Archive.Site = strings.TrimSuffix(s.PublicURL, "/")
	h.Agents = &tool.Set{Gate: h.Registrar, Log: log}
	h.Agents.Add(h.Registrar.Tools()...)
	h.Agents.Add(h.Matchmaker.Tools()...)
	h.Agents.Add(h.Arbiter.Tools()...)
	h.Agents.Add(h.Archive.Tools()...)
	h.Agents.Add(h.Standings.Tools()...)
	h.Agents.Add(h.Names.Tools()...)
	return h, nil
}

// Run takes the games up again, then runs the workers and the doors until ctx ends or
// one of them fails, and returns when all have ended. A door is a function that serves until its context ends, and
// closes the hub once it takes no more calls.
func (h *Hall) Run(ctx context.Context, doors ...func(context.Context) error) error {
	if err := h.Arbiter.Resume(ctx); err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	workers := []func(context.Context) error{
		h.Arbiter.RunHeart, h.Arbiter.RunSweeper, h.Matchmaker.Run, h.runHouse,
		h.watchForeign, h.reapTables, h.tryStore, h.watchDisk, h.copyPGNs, h.refitRatings,
	}
	for _, run := range append(doors, workers...) {
		group.Go(func() error { return run(ctx) })
	}
	return group.Wait()
}

// Close releases whoever still waits and closes the database. It may be called again.
func (h *Hall) Close() error {
	h.Hub.Close()
	if err := h.DB.Close(); err != nil {
		return fmt.Errorf("close the database: %w", err)
	}
	return nil
}
