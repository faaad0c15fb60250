package registrar

import (
	"context"
	"crypto/subtle"
	"time"

	"chessarena/arena"
	"chessarena/arena/tool"
	"chessarena/store"
)

// Admit says whose key c holds and whether its nickname may call now: MalformedKey,
// UnknownKey, BadKey, Frozen, Dormant or RateLimited when not. A public tool without a
// key is everybody's; with one it is limited like any other call of that key.
func (r *Registrar) Admit(ctx context.Context, spec *tool.Spec, c tool.Credentials) (tool.Principal, error) {
	if c.Secret == "" && spec.Access == tool.Public {
		return tool.Principal{}, nil
	}
	agent, err := r.authenticate(ctx, c)
	if err != nil {
		return tool.Principal{}, err
	}
	now := time.Now()
	if err := mayAct(agent, now); err != nil {
		return tool.Principal{}, err
	}
	if _, wait := r.calls.take(agent.ID, now); wait > 0 {
		return tool.Principal{}, limited(wait, "This key may make %d calls a minute; wait, and prefer waiting calls (wait_s) to polling.", r.settings.ToolsPerMinute)
	}
	r.markSeen(ctx, agent, now)
	return tool.Principal{Agent: agent}, nil
}

// authenticate returns the agent that owns the key, whatever its status.
func (r *Registrar) authenticate(ctx context.Context, c tool.Credentials) (arena.Agent, error) {
	key, nickname, err := arena.ParseKey(c.Secret)
	if err != nil {
		return arena.Agent{}, err
	}
	var (
		agent arena.Agent
		hash  string
	)
	err = r.db.View(ctx, func(tx *store.Tx) error {
		var err error
		agent, hash, err = tx.AgentBySkeleton(nickname.Skeleton())
		return err
	})
	if arena.CodeOf(err) == arena.NotFound {
		return arena.Agent{}, arena.Errorf(arena.UnknownKey, "No nickname is registered for the part of the key before the dot. Check the key, or call register for a new one.")
	}
	if err != nil {
		return arena.Agent{}, err
	}
	valid := subtle.ConstantTimeCompare([]byte(key.Fingerprint()), []byte(agent.Fingerprint)) == 1
	if valid {
		valid, err = r.keys.verify(ctx, agent, key, hash, originOf(c.Addr))
	}
	if err != nil {
		return arena.Agent{}, err
	}
	if !valid {
		return arena.Agent{}, arena.Errorf(arena.BadKey, "The nickname exists, and this is not its key. Send the key whole, exactly as register returned it.")
	}
	return agent, nil
}

// mayAct checks the status of an agent whose key is good.
func mayAct(agent arena.Agent, now time.Time) error {
	if agent.Status == arena.AgentFrozen {
		return arena.Errorf(arena.Frozen, "The operators have frozen this nickname; ask them.")
	}
	if agent.Status == arena.AgentDormant || now.Sub(lastCall(agent)) > dormantAfter {
		return arena.Errorf(arena.Dormant, "This nickname made no call for %d days and sleeps; an operator can wake it.", int(dormantAfter.Hours()/24))
	}
	return nil
}

// lastCall is when an agent was last heard of; registering counts.
func lastCall(agent arena.Agent) time.Time {
	if agent.LastSeen.Before(agent.Created) {
		return agent.Created
	}
	return agent.LastSeen
}

// markSeen writes down that agent called, at most once in seenEvery. It never fails
// the call: whoever is not marked now is marked later.
func (r *Registrar) markSeen(ctx context.Context, agent arena.Agent, now time.Time) {
	if now.Sub(lastCall(agent)) < seenEvery {
		return
	}
	if _, wait := r.seen.take(agent.ID, now); wait > 0 {
		return // another call does it, or has just failed to
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), seenTimeout)
	defer cancel()
	if err := r.db.Update(ctx, func(tx *store.Tx) error { return tx.TouchAgent(agent.ID) }); err != nil {
		r.log.Warn("last call not noted", "nickname", agent.Nickname, "err", err)
	}
}
