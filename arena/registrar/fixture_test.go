package registrar

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"log/slog"
	"net/netip"
	"path/filepath"
	"sync"
	"testing"

	"chessarena/arena"
	"chessarena/arena/modelname"
	"chessarena/arena/tool"
	"chessarena/assets"
	"chessarena/store"
)

// plain is a config with the required members only.
const plain = `{"model":"Some Model","provider":"somebody","harness":"reference-1.0"}`

// office is a registrar over a real database, called through a strict Set like a door
// would.
type office struct {
	*Registrar
	t    testing.TB
	db   *store.DB
	path string
	set  *tool.Set
	log  *lockedBuffer
}

// known is the registry that the arena ships with.
func known(t testing.TB) *modelname.Registry {
	t.Helper()
	models, err := modelname.Parse(assets.Models)
	if err != nil {
		t.Fatal(err)
	}
	r, err := modelname.New(models)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// openOffice opens an office with the default settings as change leaves them. It is
// closed at the end of the test.
func openOffice(t testing.TB, change func(*arena.Settings)) *office {
	t.Helper()
	settings := arena.DefaultSettings()
	settings.RegisterPerHour = 1000
	if change != nil {
		change(&settings)
	}
	o := &office{t: t, path: filepath.Join(t.TempDir(), "arena.db"), log: &lockedBuffer{}}
	log := slog.New(slog.NewJSONHandler(o.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	db, err := store.Open(context.Background(), o.path, store.Options{Log: log})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	o.db = db
	o.Registrar = New(db, settings, Options{Log: log, ReadModel: known(t).Read})
	o.set = &tool.Set{Gate: o.Registrar, Log: log, Strict: true}
	o.set.Add(o.Tools()...)
	o.set.Add(tool.New(tool.Spec{Name: "whoami", Doc: "x", Access: tool.Public}, func(_ context.Context, a arena.Agent, _ struct{}) (map[string]any, error) {
		return map[string]any{"nickname": a.Nickname}, nil
	}))
	return o
}

// call runs a tool from an address with a key in the header.
func (o *office) call(addr, key, name, args string) tool.Answer {
	scope := &tool.Scope{Bearer: key}
	if addr != "" {
		scope.Addr = netip.MustParseAddr(addr)
	}
	return o.set.Call(tool.WithScope(context.Background(), scope), name, json.RawMessage(args))
}

// mustRegister registers nickname with the plain config and returns the answer.
func (o *office) mustRegister(nickname string) RegisterResult {
	o.t.Helper()
	a := o.call("", "", "register", `{"nickname":"`+nickname+`","config":`+plain+`}`)
	if a.Err != nil {
		o.t.Fatalf("register %s: %v", nickname, a.Err)
	}
	return decode[RegisterResult](o.t, a)
}

// must checks that a call with key comes to code; "" is success.
func (o *office) must(code arena.Code, key arena.Key) tool.Answer {
	o.t.Helper()
	a := o.call("192.0.2.1", string(key), "list_configs", "")
	mustBe(o.t, a, code)
	return a
}

// behind changes the database the way another process would: by a connection of its
// own, unknown to the store.
func (o *office) behind(statement string, args ...any) {
	o.t.Helper()
	other, err := sql.Open("sqlite", "file:"+o.path+"?_pragma=busy_timeout(5000)")
	if err != nil {
		o.t.Fatal(err)
	}
	defer other.Close()
	if _, err := other.Exec(statement, args...); err != nil {
		o.t.Fatal(err)
	}
}

func (o *office) agent(nickname arena.Nickname) (agent arena.Agent, hash string) {
	o.t.Helper()
	err := o.db.View(context.Background(), func(tx *store.Tx) (err error) {
		agent, hash, err = tx.AgentBySkeleton(nickname.Skeleton())
		return err
	})
	if err != nil {
		o.t.Fatal(err)
	}
	return agent, hash
}

func mustBe(t testing.TB, a tool.Answer, code arena.Code) {
	t.Helper()
	var got arena.Code
	if a.Err != nil {
		got = a.Err.Code
	}
	if got != code {
		t.Fatalf("answer %s (%v), want code %q", a.JSON, a.Err, code)
	}
}

func decode[T any](t testing.TB, a tool.Answer) (out T) {
	t.Helper()
	if a.Err != nil {
		t.Fatal(a.Err)
	}
	if err := json.Unmarshal(a.JSON, &out); err != nil {
		t.Fatalf("decode %s: %v", a.JSON, err)
	}
	return out
}

// lockedBuffer is a log that many goroutines write.
type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}
