package web_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"chessarena/arena/arenatest"
	"chessarena/arena/wake"
	"chessarena/arena/web"
)

// bodyTime is how long a client may take to send a body.
const bodyTime = 30 * time.Second

// outcome is what a call came to.
type outcome struct {
	body string
	err  error
}

// send posts body in the background.
func send(client *http.Client, method, path, key, body string) <-chan outcome {
	c := make(chan outcome, 1)
	go func() {
		r, err := http.NewRequest(method, "http://localhost:8080"+path, strings.NewReader(body))
		if err != nil {
			c <- outcome{err: err}
			return
		}
		r.Header.Set("Authorization", "Bearer "+key)
		r.Header.Set("Content-Type", "application/json")
		res, err := client.Do(r)
		if err != nil {
			c <- outcome{err: err}
			return
		}
		defer res.Body.Close()
		text, err := io.ReadAll(res.Body)
		c <- outcome{string(text), err}
	}()
	return c
}

// serving is an arena that serves on pipes inside a bubble.
type serving struct {
	*arenatest.Arena
	pipes *arenatest.Pipes
	stop  func()
	ended chan error
}

func serve(t *testing.T) *serving {
	ctx, stop := context.WithCancel(t.Context())
	s := &serving{Arena: arenatest.New(t, arenatest.Settings()), pipes: arenatest.NewPipes(), stop: stop, ended: make(chan error, 1)}
	go func() { s.ended <- web.Serve(ctx, s.pipes, s.Handler, s.Hub) }()
	return s
}

func TestServeAnswersWhoeverWaitsWhenItEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := serve(t)
		ann, bob := s.Register("ann"), s.Register("bob")
		first, second := s.Pair(ann, bob), s.Pair(ann, bob)
		client := s.pipes.Client()
		overREST := send(client, "GET", "/v1/games/"+string(first)+"/state?wait_s=600", bob.Key, "")
		overMCP := send(client, "POST", "/mcp", bob.Key,
			fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_state","arguments":{"game_id":%q,"wait_s":600}}}`, second))
		time.Sleep(30 * time.Second)
		if n := s.Hub.Waiting(); n != 2 {
			t.Fatalf("%d calls wait, want 2", n)
		}

		start := time.Now()
		s.stop()
		got := <-overREST
		var state struct {
			YourTurn bool    `json:"your_turn"`
			Waited   float64 `json:"waited_s"`
		}
		if err := json.Unmarshal([]byte(got.body), &state); got.err != nil || err != nil || state.YourTurn || state.Waited != 30 {
			t.Errorf("who waited over REST got %.300q, %v", got.body, got.err)
		}
		got = <-overMCP
		if got.err != nil || !strings.Contains(got.body, `"structuredContent":`) || !strings.Contains(got.body, `"waited_s":30`) {
			t.Errorf("who waited over MCP got %.300q, %v", got.body, got.err)
		}
		if err := <-s.ended; err != nil {
			t.Errorf("Serve: %v", err)
		}
		// The clock is the bubble's: this counts waiting, not the speed of the machine.
		if took := time.Since(start); took >= 2*time.Second {
			t.Errorf("the end took %v", took)
		}
		if got := <-send(client, "GET", "/healthz", "", ""); got.err == nil {
			t.Error("a call after the end is answered")
		}
	})
}

func TestServeCutsOffWhoDoesNotFinish(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := serve(t)
		halfRequest(t, s.pipes)
		synctest.Wait()
		start := time.Now()
		s.stop()
		if err := <-s.ended; err != nil {
			t.Errorf("Serve: %v", err)
		}
		if took := time.Since(start); took < time.Second || took >= 2*time.Second {
			t.Errorf("the end took %v, want a time of grace and less than 2 s", took)
		}
	})
}

func TestASlowBodyIsGivenUpOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := serve(t)
		conn := halfRequest(t, s.pipes)
		start := time.Now()
		status, err := bufio.NewReader(conn).ReadString('\n')
		if err != nil || !strings.HasPrefix(status, "HTTP/1.1 400") {
			t.Errorf("the answer begins %q, %v", status, err)
		}
		if took := time.Since(start); took != bodyTime {
			t.Errorf("the answer came after %v, want %v", took, bodyTime)
		}
		conn.Close()
		s.stop()
		<-s.ended
	})
}

// halfRequest sends a request without most of its body.
func halfRequest(t *testing.T, pipes *arenatest.Pipes) net.Conn {
	t.Helper()
	conn, err := pipes.Dial()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Fprint(conn, "POST /v1/register HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"); err != nil {
		t.Fatal(err)
	}
	return conn
}

func TestTheTimeForABodyDoesNotShortenAWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := serve(t)
		ann, bob := s.Register("ann"), s.Register("bob")
		game := s.Pair(ann, bob)
		got := <-send(s.pipes.Client(), "GET", "/v1/games/"+string(game)+"/state", bob.Key, `{"wait_s":120}`)
		if got.err != nil || !strings.Contains(got.body, `"waited_s":120`) {
			t.Errorf("%.300q, %v", got.body, got.err)
		}
		s.stop()
		<-s.ended
	})
}

func TestServeReportsABrokenListener(t *testing.T) {
	pipes, hub := arenatest.NewPipes(), new(wake.Hub)
	pipes.Close()
	if err := web.Serve(t.Context(), pipes, http.NotFoundHandler(), hub); !errors.Is(err, net.ErrClosed) {
		t.Errorf("Serve: %v", err)
	}
	if !hub.Closed() {
		t.Error("whoever waits is left waiting")
	}
}
