package arena_test

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"testing"
	"time"

	"chessarena/arena"
)

// declaredCodes reads the constants of type Code off error.go itself.
func declaredCodes(t *testing.T) []arena.Code {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "error.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var list []arena.Code
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if typ, ok := spec.Type.(*ast.Ident); ok && typ.Name == "Code" {
			text, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, arena.Code(text))
		}
		return true
	})
	return list
}

func TestEveryCodeHasItsRow(t *testing.T) {
	codes := declaredCodes(t)
	if len(codes) < 30 {
		t.Fatalf("found only %d codes in error.go", len(codes))
	}
	for _, code := range codes {
		info := code.Info()
		if !code.Known() || !strings.HasSuffix(info.Doc, ".") {
			t.Errorf("%s has no row, or no sentence: %+v", code, info)
		}
		if (info.Kind == arena.KindInternal) != (code == arena.Internal) {
			t.Errorf("%s has kind %d", code, info.Kind)
		}
		if strings.Trim(string(code), "abcdefghijklmnopqrstuvwxyz_") != "" {
			t.Errorf("%q is not snake case", code)
		}
	}
	if arena.Code("made_up").Known() {
		t.Error("a code that nobody declared is known")
	}
}

func TestContractCodes(t *testing.T) {
	// From the contract's sections on register, auth, the game loop and the queue.
	for code, kind := range map[arena.Code]arena.Kind{
		"invalid_chars": arena.KindInvalid, "reserved": arena.KindInvalid, "invalid_config": arena.KindInvalid, "nickname_taken": arena.KindConflict,
		"malformed_key": arena.KindUnauthenticated, "unknown_key": arena.KindUnauthenticated, "bad_key": arena.KindUnauthenticated,
		"frozen": arena.KindForbidden, "dormant": arena.KindForbidden, "rate_limited": arena.KindLimited,
		"invalid_game_id": arena.KindInvalid, "not_found": arena.KindNotFound, "not_your_game": arena.KindForbidden,
		"game_not_active": arena.KindConflict, "not_your_turn": arena.KindConflict, "stale_ply": arena.KindConflict, "illegal_move": arena.KindInvalid,
		"no_draw_offer": arena.KindConflict, "draw_offer_expired": arena.KindConflict, "own_draw_offer": arena.KindConflict,
		"invalid_config_id": arena.KindInvalid, "config_not_found": arena.KindNotFound,
	} {
		if !code.Known() || code.Info().Kind != kind {
			t.Errorf("%s: known %v, kind %d, want kind %d", code, code.Known(), code.Info().Kind, kind)
		}
	}
}

func TestCodeOf(t *testing.T) {
	plain := errors.New("disk on fire")
	refusal := arena.Errorf(arena.Frozen, "no")
	for _, c := range []struct {
		name string
		err  error
		want arena.Code
	}{
		{"nil", nil, ""},
		{"a plain error", plain, arena.Internal},
		{"a refusal", refusal, arena.Frozen},
		{"a wrapped refusal", fmt.Errorf("game x: %w", refusal), arena.Frozen},
		{"a refusal with a refusal as its cause", arena.Errorf(arena.UnknownKey, "no").Because(refusal), arena.UnknownKey},
	} {
		if got := arena.CodeOf(c.err); got != c.want {
			t.Errorf("CodeOf(%s) = %q, want %q", c.name, got, c.want)
		}
	}
}

func TestPublicHidesTheCause(t *testing.T) {
	secret := errors.New("open /var/lib/secret.db: denied")
	for _, err := range []error{
		secret,
		fmt.Errorf("game 12: %w", secret),
		arena.Errorf(arena.StorageUnavailable, "The arena cannot write.").Because(secret),
		fmt.Errorf("update: %w", arena.Errorf(arena.StorageUnavailable, "The arena cannot write.").Because(secret)),
	} {
		e := arena.Public(err)
		if strings.Contains(e.Message, "secret") {
			t.Errorf("the client sees %q", e.Message)
		}
		if !strings.Contains(e.Error(), "secret") || !errors.Is(e, secret) {
			t.Errorf("the log does not see the cause of %v", e)
		}
	}
	if e := arena.Public(secret); e.Code != arena.Internal {
		t.Errorf("a plain error has the code %s", e.Code)
	}
}

func TestErrorCopiesLeaveTheOriginal(t *testing.T) {
	e := arena.Errorf(arena.RateLimited, "Wait %d.", 3)
	e.RetryAfter = time.Second
	other := e.With(struct{ N int }{1}).Because(errors.New("x"))
	if e.Detail != nil || e.Unwrap() != nil {
		t.Errorf("the original changed: %+v", e)
	}
	if other.Detail == nil || other.Unwrap() == nil || other.RetryAfter != time.Second || other.Message != "Wait 3." {
		t.Errorf("the copy is %+v", other)
	}
}
