package engine

import (
	"context"
	"errors"
	"fmt"

	"chessarena/arena/engine/search"
	"chessarena/rules"
)

// BuiltIn names the built-in engine where its judgements are shown, and in the identity
// of its anchors. The number changes with whatever changes its moves.
const BuiltIn = "arena search 1"

// Player returns the built-in engine thinking nodes positions a move. It plays the same
// game again for the same seeds.
func (p *Pool) Player(nodes int) Player { return &builtIn{pool: p, nodes: nodes} }

// Evaluator returns the judge of the pool at so many nodes a position: its program, or
// the built-in engine when it has none.
func (p *Pool) Evaluator(lane Lane, nodes int) Evaluator {
	if p.program != nil {
		return &programJudge{pool: p, lane: lane, nodes: nodes}
	}
	return p.OwnEvaluator(lane, nodes)
}

// OwnEvaluator returns the built-in engine as a judge at so many nodes a position.
func (p *Pool) OwnEvaluator(lane Lane, nodes int) Evaluator {
	return &builtIn{pool: p, lane: lane, nodes: nodes}
}

// builtIn is the built-in engine as a player and as a judge.
type builtIn struct {
	pool  *Pool
	lane  Lane
	nodes int
}

func (b *builtIn) search(ctx context.Context, g *rules.Replay, seed uint64) (search.Result, error) {
	d, err := b.pool.take(ctx, b.lane)
	if err != nil {
		return search.Result{}, err
	}
	defer b.pool.give(d)
	if d.searcher == nil {
		d.searcher = search.New(tableBytes)
	}
	r, err := d.searcher.Search(ctx, g, search.Limit{Nodes: b.nodes, Seed: seed})
	if errors.Is(err, search.ErrOver) {
		err = ErrNoMove
	}
	return r, err
}

// Move implements Player.
func (b *builtIn) Move(ctx context.Context, g *rules.Replay, seed uint64) (rules.Move, error) {
	r, err := b.search(ctx, g, seed|1) // 0 would be the same game every time
	if err != nil {
		return rules.Move{}, err
	}
	return legal(g, r.Move)
}

// Evaluate implements Evaluator.
func (b *builtIn) Evaluate(ctx context.Context, fen string) (Evaluation, error) {
	p, err := rules.ParseFEN(fen)
	if err != nil {
		return Evaluation{}, fmt.Errorf("evaluate: %w", err)
	}
	r, err := b.search(ctx, rules.NewReplay(p), 0)
	if err != nil {
		return Evaluation{}, err
	}
	s := score{cp: r.CP, mate: r.Mate}.fromWhite(p.Turn() == rules.Black)
	return Evaluation{CP: s.cp, Mate: s.mate, Engine: BuiltIn, Nodes: r.Nodes}, nil
}

// legal finds the legal move that an engine named; ErrDown when there is none, for an
// engine that names it cannot be trusted.
func legal(g *rules.Replay, uci string) (rules.Move, error) {
	for _, m := range g.Position().Legal() {
		if m.UCI() == uci {
			return m, nil
		}
	}
	return rules.Move{}, fmt.Errorf("%w: it plays %q, which is not legal in %s", ErrDown, uci, g.Position())
}
