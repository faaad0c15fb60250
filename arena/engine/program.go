package engine

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"

	"chessarena/rules"
)

// Program is an installed UCI engine.
type Program struct {
	Path string
	Name string // as it calls itself, such as "Stockfish 15.1"
	Hash string // SHA-256 of the binary, in hexadecimal: another build may play otherwise

	args, env []string
}

// stockfishPlaces is where a Stockfish is looked for: names go through PATH. Debian puts
// games where a service's PATH does not lead.
var stockfishPlaces = []string{"stockfish", "/usr/games/stockfish", "/usr/local/bin/stockfish"}

// Off as a path says that no program is wanted.
const Off = "off"

// Find returns the path of the UCI engine to use: path itself unless it is empty, else
// an installed Stockfish, else "". It is an error when path names no program.
func Find(path string) (string, error) {
	switch path {
	case Off:
		return "", nil
	case "":
		for _, place := range stockfishPlaces {
			if found, err := exec.LookPath(place); err == nil {
				return found, nil
			}
		}
		return "", nil
	}
	found, err := exec.LookPath(path)
	if err != nil {
		return "", fmt.Errorf("the engine: %w", err)
	}
	return found, nil
}

// Identify starts the program at path, asks for its name, ends it, and takes the hash of
// its binary.
func Identify(ctx context.Context, path string) (*Program, error) {
	return identify(ctx, Program{Path: path})
}

func identify(ctx context.Context, pr Program) (*Program, error) {
	hash, err := fileHash(pr.Path)
	if err != nil {
		return nil, fmt.Errorf("the engine: %w", err)
	}
	life, kill := context.WithCancel(ctx)
	var procs sync.WaitGroup
	defer procs.Wait()
	defer kill()
	p, err := startProcess(life, &procs, pr.Path, pr.args, pr.env)
	if err != nil {
		return nil, fmt.Errorf("%w: start %s: %w", ErrDown, pr.Path, err)
	}
	err = p.greet(ctx, hashMB, soundLimits.start)
	p.end(err == nil, time.After(soundLimits.grace))
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrDown, pr.Path, err)
	}
	pr.Name, pr.Hash = p.name, hash
	if pr.Name == "" {
		return nil, fmt.Errorf("%w: %s does not say its name", ErrDown, pr.Path)
	}
	return &pr, nil
}

func fileHash(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// How long a program may think by the wall clock. The limits of work end a thought long
// before; this is for a host that crawls.
const (
	moveWall  = 20 * time.Second
	judgeWall = 30 * time.Second
)

// anchorNodes caps a move of limited depth, where a search goes on for ever.
const anchorNodes = 300_000

// ProgramPlayer returns the pool's program at a Skill Level of 0 to 20, thinking to a
// fixed depth with an empty memory: what it remembers of the moves before would make it
// stronger by an amount that nobody has measured. Its randomness is its own; seeds are of
// no consequence. It must not be called when the pool has no program.
func (p *Pool) ProgramPlayer(skill, depth int) Player {
	return &programPlayer{p, work{skill: skill, depth: depth, nodes: anchorNodes, wall: moveWall}}
}

type programPlayer struct {
	pool *Pool
	work work
}

// Move implements Player.
func (pp *programPlayer) Move(ctx context.Context, g *rules.Replay, _ uint64) (rules.Move, error) {
	w := pp.work
	w.game = g
	t, err := pp.pool.think(ctx, Play, w)
	if err != nil {
		return rules.Move{}, err
	}
	return legal(g, t.move)
}

func (p *Pool) think(ctx context.Context, lane Lane, w work) (thought, error) {
	d, err := p.take(ctx, lane)
	if err != nil {
		return thought{}, err
	}
	defer p.give(d)
	return d.uci.think(ctx, w)
}

// programJudge is the pool's program at full strength.
type programJudge struct {
	pool  *Pool
	lane  Lane
	nodes int
}

// Evaluate implements Evaluator.
func (j *programJudge) Evaluate(ctx context.Context, fen string) (Evaluation, error) {
	p, err := rules.ParseFEN(fen)
	if err != nil {
		return Evaluation{}, fmt.Errorf("evaluate: %w", err)
	}
	if len(p.Legal()) == 0 {
		return Evaluation{}, ErrNoMove // some engines crash on it
	}
	t, err := j.pool.think(ctx, j.lane, work{game: rules.NewReplay(p), skill: fullStrength, nodes: j.nodes, wall: judgeWall})
	if err != nil {
		return Evaluation{}, err
	}
	if !t.last.exact {
		return Evaluation{}, fmt.Errorf("%w: %w", ErrDown, errors.New("a move without a judgement"))
	}
	s := t.last.score.fromWhite(p.Turn() == rules.Black)
	return Evaluation{CP: s.cp, Mate: s.mate, Engine: j.pool.program.Name, Nodes: t.nodes}, nil
}
