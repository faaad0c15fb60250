package tool

import (
	"context"
	"net/netip"
	"time"
)

// Scope is what a door knows about the request that a call came in.
type Scope struct {
	Addr   netip.Addr // the client's, behind trusted proxies
	Bearer string     // of the Authorization header; a secret
	// Gone is closed when the client hangs up; nil when the door cannot tell.
	Gone <-chan struct{}
	// Beat sends a waiting client a sign of life; nil when there is no way to.
	Beat func(waited, total time.Duration, note string)
}

type scopeKey struct{}

// WithScope returns a context that carries s.
func WithScope(ctx context.Context, s *Scope) context.Context {
	return context.WithValue(ctx, scopeKey{}, s)
}

// ScopeOf returns the scope in ctx, or an empty one.
func ScopeOf(ctx context.Context) *Scope {
	if s, ok := ctx.Value(scopeKey{}).(*Scope); ok {
		return s
	}
	return &Scope{}
}
