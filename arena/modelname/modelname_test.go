package modelname_test

import (
	"testing"

	"chessarena/arena/modelname"

	"github.com/google/go-cmp/cmp"
)

func TestReadSpelling(t *testing.T) {
	for _, c := range []struct {
		raw, canonical string
		rules          []string
	}{
		{"claude-sonnet-5", "claude-sonnet-5", []string{}},
		{"Claude Sonnet 5", "claude-sonnet-5", []string{"lowercase", "spaces_underscores_to_hyphen"}},
		{"  claude_sonnet_5 ", "claude-sonnet-5", []string{"trim", "spaces_underscores_to_hyphen"}},
		{"GPT--5__mini", "gpt-5-mini", []string{"lowercase", "spaces_underscores_to_hyphen"}},
		{" \t ", "", []string{"trim"}},
	} {
		got := modelname.Read(c.raw)
		if got.Canonical != c.canonical || got.Raw != c.raw {
			t.Errorf("Read(%q) = %q from %q, want %q", c.raw, got.Canonical, got.Raw, c.canonical)
		}
		if diff := cmp.Diff(c.rules, got.AppliedRules); diff != "" {
			t.Errorf("Read(%q) rules (-want +got):\n%s", c.raw, diff)
		}
		if got.Verified || got.Version != nil || len(got.DidYouMean) != 0 {
			t.Errorf("Read(%q) claims knowledge of a registry: %+v", c.raw, got)
		}
	}
}

func FuzzReadIsIdempotent(f *testing.F) {
	for _, s := range []string{"Claude Sonnet 5", "a__b--c", "\u00a0x", "İ", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		once := modelname.Read(raw).Canonical
		if twice := modelname.Read(once).Canonical; twice != once {
			t.Errorf("Read(%q) = %q, read again %q", raw, once, twice)
		}
	})
}
