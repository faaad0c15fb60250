package web

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"chessarena/arena/wake"
)

// Limits of a connection. There is none on writing an answer: a call may wait for ten
// minutes. Reading a body has its own, bodyTime.
const (
	headerTime = 10 * time.Second
	idleTime   = 2 * time.Minute
	maxHeader  = 64 << 10
	// graceTime is for the answers of calls under way, once everyone who waits was
	// released; the whole program has two seconds to end.
	graceTime = 1500 * time.Millisecond
)

// Serve answers requests on ln with h until ctx ends. Then it takes no more, closes hub so
// that waiting calls are answered, lets calls under way finish, and after 1.5 s cuts off
// what is left. It owns ln. The error is nil after an orderly end.
func Serve(ctx context.Context, ln net.Listener, h http.Handler, hub *wake.Hub) error {
	server := &http.Server{
		Handler:           h,
		ReadHeaderTimeout: headerTime, IdleTimeout: idleTime, MaxHeaderBytes: maxHeader,
	}
	server.RegisterOnShutdown(hub.Close) // runs when the listener is closed
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(ln) }()
	select {
	case err := <-failed:
		hub.Close()
		return fmt.Errorf("serve %s: %w", ln.Addr(), err)
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), graceTime)
	defer cancel()
	err := server.Shutdown(grace)
	if errors.Is(err, context.DeadlineExceeded) {
		err = server.Close() // whoever is still sending or reading has had their time
	}
	return err
}
