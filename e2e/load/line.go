package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"time"
)

// line is one HTTP connection without a client library around it: what it costs is little
// beside what it measures.
type line struct {
	conn net.Conn
	in   *bufio.Reader
}

func dial(addr string) (*line, error) {
	conn, err := net.DialTimeout("tcp", addr, 10*time.Second)
	if err != nil {
		return nil, err
	}
	return &line{conn, bufio.NewReaderSize(conn, 16<<10)}, nil
}

func (l *line) close() { l.conn.Close() }

// ask sends one request and reads the body of its answer.
func (l *line) ask(request []byte) ([]byte, error) {
	if _, err := l.conn.Write(request); err != nil {
		return nil, err
	}
	res, err := http.ReadResponse(l.in, nil)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	var body bytes.Buffer
	if _, err := body.ReadFrom(io.LimitReader(res.Body, 1<<20)); err != nil {
		return nil, err
	}
	if res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("status %d: %.300s", res.StatusCode, body.Bytes())
	}
	return body.Bytes(), nil
}

// door writes requests of one of the arena's doors.
type door struct {
	name   string
	submit func(t table, ply int) []byte
	// wait is get_state that waits up to five minutes.
	wait func(t table, color int) []byte
	// look is get_state that does not wait.
	look func(t table, color int) []byte
}

var (
	overREST = door{
		name: "REST",
		submit: func(t table, ply int) []byte {
			body := []byte(`{"ply":` + strconv.Itoa(ply) + `,"move":"` + t.moves[ply] + `"}`)
			return restRequest("POST /v1/games/"+t.id+"/moves", t.keys[ply%2], body)
		},
		wait: func(t table, color int) []byte {
			return restRequest("GET /v1/games/"+t.id+"/state?wait_s=300", t.keys[color], nil)
		},
		look: func(t table, color int) []byte {
			return restRequest("GET /v1/games/"+t.id+"/state?wait_s=0", t.keys[color], nil)
		},
	}
	overMCP = door{
		name: "MCP",
		submit: func(t table, ply int) []byte {
			return mcpRequest("submit_move", t.keys[ply%2], `"game_id":"`+t.id+`","ply":`+strconv.Itoa(ply)+`,"move":"`+t.moves[ply]+`"`)
		},
		wait: func(t table, color int) []byte {
			return mcpRequest("get_state", t.keys[color], `"game_id":"`+t.id+`","wait_s":300`)
		},
		look: func(t table, color int) []byte {
			return mcpRequest("get_state", t.keys[color], `"game_id":"`+t.id+`","wait_s":0`)
		},
	}
)

func restRequest(target, key string, body []byte) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer %s\r\n", target, key)
	if body != nil {
		fmt.Fprintf(&b, "Content-Type: application/json\r\nContent-Length: %d\r\n", len(body))
	}
	b.WriteString("\r\n")
	b.Write(body)
	return b.Bytes()
}

func mcpRequest(tool, key, args string) []byte {
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + tool + `","arguments":{"key":"` + key + `",` + args + `}}}`
	var b bytes.Buffer
	fmt.Fprintf(&b, "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"+
		"Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2025-06-18\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
	return b.Bytes()
}
