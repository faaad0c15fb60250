package arenatest

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync"
)

// Pipes is a listener whose connections are pipes in memory, so that inside a
// testing/synctest bubble its clock governs them too. Make one with NewPipes.
type Pipes struct {
	conns chan net.Conn
	done  chan struct{}
	close func()
}

// NewPipes returns an open listener.
func NewPipes() *Pipes {
	done := make(chan struct{})
	return &Pipes{conns: make(chan net.Conn), done: done, close: sync.OnceFunc(func() { close(done) })}
}

// Accept waits for the next Dial.
func (p *Pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}

// Close refuses every further Dial. It may be called again.
func (p *Pipes) Close() error { p.close(); return nil }

// Addr is a made-up loopback address.
func (p *Pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8080} }

// Dial connects to whoever accepts.
func (p *Pipes) Dial() (net.Conn, error) {
	client, server := net.Pipe()
	select {
	case p.conns <- server:
		return client, nil
	case <-p.done:
		return nil, errors.New("connection refused")
	}
}

// Client is an HTTP client whose every request goes to this listener, whatever its host.
func (p *Pipes) Client() *http.Client {
	return &http.Client{Transport: &http.Transport{
		DialContext: func(context.Context, string, string) (net.Conn, error) { return p.Dial() },
	}}
}
