package web

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"chessarena/arena/wake"
)

// pipes is a listener whose connections are pipes, so that a bubble's clock governs them.
type pipes struct {
	conns chan net.Conn
	close func()
	done  chan struct{}
}

func newPipes() *pipes {
	done := make(chan struct{})
	return &pipes{conns: make(chan net.Conn), done: done, close: sync.OnceFunc(func() { close(done) })}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error   { p.close(); return nil }
func (p *pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8080} }

func (p *pipes) dial(context.Context, string, string) (net.Conn, error) {
	client, server := net.Pipe()
	select {
	case p.conns <- server:
		return client, nil
	case <-p.done:
		return nil, errors.New("refused")
	}
}

func (p *pipes) client() *http.Client {
	return &http.Client{Transport: &http.Transport{DialContext: p.dial}}
}

// outcome is what a call came to.
type outcome struct {
	body string
	err  error
}

func call(client *http.Client, seconds int) <-chan outcome {
	c := make(chan outcome, 1)
	go func() {
		r, err := http.NewRequest("GET", fmt.Sprintf("http://localhost:8080/v1/wait?wait_s=%d", seconds), nil)
		if err != nil {
			c <- outcome{err: err}
			return
		}
		r.Header.Set("Authorization", "Bearer "+annsKey)
		res, err := client.Do(r)
		if err != nil {
			c <- outcome{err: err}
			return
		}
		defer res.Body.Close()
		body, err := io.ReadAll(res.Body)
		c <- outcome{string(body), err}
	}()
	return c
}

func TestServeEndsInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ln, hub := newPipes(), new(wake.Hub)
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- Serve(ctx, ln, fakeDoor(t, fakeSet(hub), nil), hub) }()
		client := ln.client()
		waiting := call(client, 600)
		time.Sleep(30 * time.Second)

		start := time.Now()
		stop()
		got := <-waiting
		if want := "\n\n" + `{"waited_s":30}` + "\n"; got.err != nil || got.body != want {
			t.Errorf("who waited got %q, %v, want %q", got.body, got.err, want)
		}
		if err := <-ended; err != nil {
			t.Errorf("Serve: %v", err)
		}
		if took := time.Since(start); took >= 2*time.Second {
			t.Errorf("the end took %v", took)
		}
		if got := <-call(client, 0); got.err == nil {
			t.Error("a call after the end is answered")
		}
	})
}

func TestServeCutsOffWhoDoesNotFinish(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ln, hub := newPipes(), new(wake.Hub)
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- Serve(ctx, ln, fakeDoor(t, fakeSet(hub), nil), hub) }()
		conn, err := ln.dial(ctx, "", "")
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(conn, "POST /v1/pieces/a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{")
		synctest.Wait()
		start := time.Now()
		stop()
		if err := <-ended; err != nil {
			t.Errorf("Serve: %v", err)
		}
		if took := time.Since(start); took < graceTime || took >= 2*time.Second {
			t.Errorf("the end took %v, want the grace time and less than 2 s", took)
		}
	})
}

func TestASlowBodyIsGivenUpOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ln, hub := newPipes(), new(wake.Hub)
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- Serve(ctx, ln, fakeDoor(t, fakeSet(hub), nil), hub) }()
		conn, err := ln.dial(ctx, "", "")
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(conn, "POST /v1/pieces/a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{")
		start := time.Now()
		status, err := bufio.NewReader(conn).ReadString('\n')
		if err != nil || !strings.HasPrefix(status, "HTTP/1.1 400") {
			t.Errorf("the answer begins %q, %v", status, err)
		}
		if took := time.Since(start); took != bodyTime {
			t.Errorf("the answer came after %v, want %v", took, bodyTime)
		}
		conn.Close()
		stop()
		<-ended
	})
}

func TestABodyDoesNotShortenAWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ln, hub := newPipes(), new(wake.Hub)
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- Serve(ctx, ln, fakeDoor(t, fakeSet(hub), nil), hub) }()
		r, err := http.NewRequest("GET", "http://localhost:8080/v1/wait", strings.NewReader(`{"wait_s":120,"key":"`+annsKey+`"}`))
		if err != nil {
			t.Fatal(err)
		}
		res, err := ln.client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(res.Body)
		if err != nil || !strings.Contains(string(body), `{"waited_s":120}`) {
			t.Errorf("%q, %v", body, err)
		}
		res.Body.Close()
		stop()
		<-ended
	})
}

func TestServeReportsABrokenListener(t *testing.T) {
	ln, hub := newPipes(), new(wake.Hub)
	ln.Close()
	if err := Serve(t.Context(), ln, http.NotFoundHandler(), hub); !errors.Is(err, net.ErrClosed) {
		t.Errorf("Serve: %v", err)
	}
	if !hub.Closed() {
		t.Error("whoever waits is left waiting")
	}
}
