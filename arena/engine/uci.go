package engine

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"time"

	"chessarena/rules"
)

// Limits on a process. They are far beyond what a sound engine needs on a slow host and
// exist so that no other kind can hold up the arena.
type limits struct {
	start time.Duration // from the start to readyok
	ready time.Duration // for readyok later
	grace time.Duration // from stop to bestmove, and from quit to the end
}

var soundLimits = limits{start: 10 * time.Second, ready: 5 * time.Second, grace: time.Second}

// The pause after a failure: doubled for each one more in a row, up to the longest.
const (
	restPause   = time.Second
	longestRest = time.Minute
)

// hashMB is the table of an engine: small, since every thought begins with an empty one
// and clearing takes time. Anchors were calibrated with it.
const hashMB = 4

// fullStrength is the Skill Level at which Stockfish holds nothing back.
const fullStrength = 20

// work is one thought.
type work struct {
	game  *rules.Replay
	skill int
	depth int           // 0 for no limit
	nodes int           // 0 for no limit
	wall  time.Duration // then it is stopped, and takes what it has
}

// uci is the engine process of one desk. Only who has the desk may use it.
type uci struct {
	program Program
	life    context.Context
	procs   *sync.WaitGroup
	log     *slog.Logger
	limits  limits

	p     *process // nil when none runs
	used  time.Time
	fails int       // in a row
	rest  time.Time // no start before then
}

// think has the engine think about w, starting it when it does not run. Whatever goes
// wrong, the process is ended and the error wraps ErrDown; only a caller who gives up
// gets ctx's error, and then the process lives on if it stops when told.
func (u *uci) think(ctx context.Context, w work) (thought, error) {
	t, err := u.try(ctx, w)
	u.used = time.Now()
	switch {
	case err == nil || errors.Is(err, ErrNoMove):
		u.fails = 0
		return t, err
	case ctx.Err() != nil:
		return t, ctx.Err()
	}
	u.fail(err)
	return t, fmt.Errorf("%w: %w", ErrDown, err)
}

// errResting says that the last failure is too fresh for another try.
var errResting = errors.New("it failed a moment ago and is given a rest")

// fail ends the process and sets the pause before the next.
func (u *uci) fail(err error) {
	if errors.Is(err, errResting) {
		return
	}
	u.kill()
	u.rest = time.Now().Add(min(longestRest, restPause<<min(u.fails, 10)))
	u.fails++
	if u.life.Err() == nil {
		u.log.Warn("an engine failed and was ended", "engine", u.program.Name, "in_a_row", u.fails, "err", err)
	}
}

func (u *uci) try(ctx context.Context, w work) (thought, error) {
	if err := u.start(ctx); err != nil {
		return thought{}, err
	}
	if err := u.prepare(ctx, w); err != nil {
		u.kill()
		return thought{}, err
	}
	t, err := u.ask(ctx, w)
	if err != nil {
		return t, err
	}
	if t.move == "(none)" || t.move == "0000" {
		if len(w.game.Position().Legal()) == 0 {
			return t, ErrNoMove
		}
		return t, fmt.Errorf("it has no move in %s", w.game.Position())
	}
	_, err = legal(w.game, t.move)
	return t, err
}

func (u *uci) start(ctx context.Context) error {
	if u.p != nil {
		select {
		case <-u.p.exited:
			u.kill() // it died while nobody looked; that costs no rest
		default:
			return nil
		}
	}
	if time.Now().Before(u.rest) {
		return errResting
	}
	p, err := startProcess(u.life, u.procs, u.program.Path, u.program.args, u.program.env)
	if err != nil {
		return err
	}
	u.p = p
	if err := p.greet(ctx, hashMB, u.limits.start); err != nil {
		u.kill()
		return err
	}
	return nil
}

// prepare makes the engine forget the last game and waits until it has.
func (u *uci) prepare(ctx context.Context, w work) error {
	err := u.p.send("ucinewgame")
	if err == nil && u.p.skill != w.skill {
		err = u.p.set("Skill Level", w.skill)
		u.p.skill = w.skill
	}
	if err == nil {
		err = u.p.send("isready")
	}
	if err != nil {
		return err
	}
	_, err = u.p.await(ctx, "readyok", u.limits.ready, nil)
	return err
}

// ask sets the position, lets the engine think, and stops it when the wall clock or the
// caller says so.
func (u *uci) ask(ctx context.Context, w work) (t thought, err error) {
	if err := errors.Join(u.p.send(position(w.game)), u.p.send(goCommand(w))); err != nil {
		return t, err
	}
	line, err := u.p.await(ctx, "bestmove", w.wall, t.hear)
	if err != nil && !errors.Is(err, errEnded) {
		cause := err
		if err = u.p.send("stop"); err == nil {
			line, err = u.p.await(context.WithoutCancel(ctx), "bestmove", u.limits.grace, t.hear)
		}
		if err == nil && errors.Is(cause, ctx.Err()) {
			return t, cause
		}
		if err != nil && ctx.Err() != nil {
			u.kill()
		}
	}
	if err != nil {
		return t, err
	}
	words := strings.Fields(line)
	if len(words) < 2 {
		return t, errors.New("a bestmove without a move")
	}
	t.move = words[1]
	return t, nil
}

// position is the game as UCI sends it: where it began and all its moves, so that the
// engine knows what repeats.
func position(g *rules.Replay) string {
	text := "position fen " + g.StartPosition().FEN()
	if moves := g.UCIs(); len(moves) > 0 {
		text += " moves " + strings.Join(moves, " ")
	}
	return text
}

func goCommand(w work) string {
	text := "go"
	if w.depth > 0 {
		text += " depth " + strconv.Itoa(w.depth)
	}
	if w.nodes > 0 {
		text += " nodes " + strconv.Itoa(w.nodes)
	}
	return text
}

// kill ends the process at once; quit gives it a moment to end by itself.
func (u *uci) kill() { u.end(false) }
func (u *uci) quit() { u.end(true) }

func (u *uci) end(politely bool) {
	if u.p == nil {
		return
	}
	if !u.p.end(politely, time.After(u.limits.grace)) {
		u.log.Error("an engine process does not end", "engine", u.program.Name)
	}
	u.p = nil
}
