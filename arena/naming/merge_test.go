package naming_test

import (
	"encoding/json"
	"math"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"chessarena/arena"
	"chessarena/arena/naming"
	"chessarena/arena/rating"
	"chessarena/store"
)

// The players of most tests: three models, one owner with the same configuration of two
// of them, and ann's rating at high effort that bob's model has no counterpart for.
var (
	annA  = seat{"ann", "model-aye", ""}
	annAh = seat{"ann", "model-aye", "high"}
	bobA  = seat{"bob", "model-aye", ""}
	bobB  = seat{"bob", "model-bee", ""}
	cydB  = seat{"cyd", "model-bee", ""}
	danC  = seat{"dan", "model-sea", ""}
	eveC  = seat{"eve", "model-sea", ""}
)

func everybody(t *testing.T) *league { return newLeague(t, annA, annAh, bobA, bobB, cydB, danC, eveC) }

func TestAMergeIsUndoneBitForBit(t *testing.T) {
	l := everybody(t)
	l.play(200)
	running := l.begin(annA, danC)
	before := l.dump()
	a, b := l.of(annA), l.of(bobB)

	undo := l.must(naming.Merge("model-aye", "model-bee"))
	l.sound()
	if got := l.of(annA); got.ID != b.ID || got.Config.Model != "model-bee" {
		t.Errorf("ann's configuration is in %+v", got)
	}
	if got := l.of(annAh); got.Config.Model != "model-bee" || got.ID == b.ID || *got.Config.Effort != (arena.Effort{Level: "high"}) {
		t.Errorf("ann's other one is in %+v", got)
	}
	if got, want := l.of(bobB).Record.Games, a.Record.Games+b.Record.Games; got != want {
		t.Errorf("the merged record has %d games, want %d", got, want)
	}
	if got := l.buckets(running); got[0] != b.ID {
		t.Errorf("the running game is played by bucket %d", got[0])
	}
	l.view(func(tx *store.Tx) error {
		got, err := tx.BucketByKey(a.Key)
		if err != nil || got.ID != b.ID {
			t.Errorf("the old key leads to %d, %v", got.ID, err)
		}
		return nil
	})
	after := l.dump()
	for _, table := range []string{"rated", "refits", "fits", "ratings", "buckets", "pairs", "games"} {
		if before[table] == after[table] {
			t.Errorf("the merge left %s as it was", table)
		}
	}
	if got := l.names.Read("model-aye"); got.Canonical != "model-bee" {
		t.Errorf("model-aye reads as %s", got.Canonical)
	}

	if err := l.takeBack(undo); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, l.dump()); diff != "" {
		t.Errorf("after the undo (-before +now):\n%s", diff)
	}
	l.sound()
	if got := l.names.Read("model-aye"); got.Canonical != "model-aye" {
		t.Errorf("model-aye reads as %s", got.Canonical)
	}
	l.end(running, annA, danC, true)
	l.sound()
}

// TestAMergeRatesAsIfItHadAlwaysBeen holds the published ratings after a merge against
// those of an arena where the two models were one from the start.
func TestAMergeRatesAsIfItHadAlwaysBeen(t *testing.T) {
	one := everybody(t)
	one.play(120)
	one.must(naming.Merge("model-aye", "model-bee"))
	other := newLeague(t)
	other.must(naming.AliasTo("model-aye", "claude-opus-5")) // any known one: what counts is that it is the same
	for _, s := range []seat{annA, annAh, bobA, bobB, cydB, danC, eveC} {
		if s.model == "model-bee" {
			s.model = "claude-opus-5"
		}
		other.sit(s)
	}
	// The same dice, hence the same games.
	other.seats = make([]seat, len(one.seats))
	for i, s := range one.seats {
		if s.model == "model-bee" {
			s.model = "claude-opus-5"
		}
		other.seats[i] = s
	}
	other.play(120)
	for _, track := range []arena.Track{arena.TrackAll, arena.TrackBoard} {
		for _, l := range []*league{one, other} {
			l.meet(danC, cydOf(l), true) // a last game, so that both are fitted at the same point
			if err := l.refits.Fit(t.Context(), track); err != nil {
				t.Fatal(err)
			}
		}
		ones, others := one.fit(track), other.fit(track)
		if len(ones) < 3 || len(ones) != len(others) {
			t.Fatalf("%d and %d rows", len(ones), len(others))
		}
		for effort, want := range others {
			if got := ones[effort]; math.Abs(got-want) > 1e-6 {
				t.Errorf("track %s, %s: merged %.9f, from the start %.9f", track, effort, got, want)
			}
		}
	}
	one.sound()
}

func cydOf(l *league) seat {
	for s := range l.configs {
		if s.nickname == "cyd" {
			return s
		}
	}
	return seat{}
}

// fit is the latest fit of a track, by who is rated.
func (l *league) fit(track arena.Track) map[string]float64 {
	l.t.Helper()
	rated := make(map[string]float64)
	l.view(func(tx *store.Tx) error {
		last, err := tx.LastRefit(track)
		if err != nil {
			return err
		}
		var fit rating.Fit
		err = json.Unmarshal(last.Fit, &fit)
		if err != nil {
			return err
		}
		for _, row := range fit.Rows {
			b, err := tx.Bucket(row.Bucket)
			if err != nil {
				return err
			}
			name := "sea"
			if b.Config.Model != "model-sea" {
				name = "merged"
			}
			if b.Config.Effort != nil {
				name += " " + b.Config.Effort.String()
			}
			rated[name] = row.Rating
		}
		return nil
	})
	return rated
}

func TestWhenAllGamesAreBetweenTheTwoNothingIsLeftToRate(t *testing.T) {
	l := newLeague(t, annA, cydB)
	l.play(100)
	before := l.dump()
	if err := l.takeBack(l.must(naming.Merge("model-aye", "model-bee"))); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, l.dump()); diff != "" {
		t.Errorf("after the undo (-before +now):\n%s", diff)
	}
	l.must(naming.Merge("model-aye", "model-bee"))
	l.sound()
	if b := l.of(annA); b.Record.Games != 200 || b.Record.Wins != 100 || b.All != arena.InitialRating {
		t.Errorf("the one bucket: %+v", b)
	}
	l.meet(annA, cydB, true)
	l.sit(danC)
	l.meet(annA, danC, true)
	if err := l.refits.Fit(t.Context(), arena.TrackAll); err != nil {
		t.Fatal(err)
	}
	l.sound()
	if b := l.of(annA); b.All.R >= arena.InitialRating.R {
		t.Errorf("the one bucket lost its only rated game and stands at %v", b.All)
	}
}

func TestARenameMovesNoRating(t *testing.T) {
	l := everybody(t)
	l.play(60)
	before := l.dump()
	was := l.of(annA)
	undo := l.must(naming.RenameTo("model-aye", "ay-model-1"))
	l.sound()
	after := l.dump()
	for _, table := range []string{"rated", "refits", "fits", "ratings", "pairs", "games", "configs"} {
		if before[table] != after[table] {
			t.Errorf("the rename changed %s", table)
		}
	}
	now := l.of(annA)
	if now.ID != was.ID || now.Config.Model != "ay-model-1" || now.Key == was.Key || now.Key != now.Config.BucketKey() {
		t.Errorf("renamed to %+v", now)
	}
	l.view(func(tx *store.Tx) error {
		got, err := tx.BucketByKey(was.Key)
		if err != nil || got.ID != was.ID {
			t.Errorf("the old key leads to %d, %v", got.ID, err)
		}
		return nil
	})
	if err := l.takeBack(undo); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, l.dump()); diff != "" {
		t.Errorf("after the undo (-before +now):\n%s", diff)
	}
}

func TestVerifyTakesItsMistypingsIn(t *testing.T) {
	right, wrong := seat{"ann", "zonkulator-2", ""}, seat{"bob", "zonculator-2", ""}
	l := newLeague(t, right, wrong, danC, eveC)
	l.play(40)
	before := l.dump()
	if l.of(right).ID == l.of(wrong).ID {
		t.Fatal("nobody has registered either, and they are one")
	}
	undo := l.must(naming.Verify("zonkulator-2", "", ""))
	l.sound()
	if l.of(right).ID != l.of(wrong).ID || l.of(wrong).Config.Model != "zonkulator-2" {
		t.Errorf("%+v and %+v", l.of(right), l.of(wrong))
	}
	r := l.names.Read("Zonkulator 2")
	if !r.Verified || r.Family != "zonkulator" || r.Provider != "p" {
		t.Errorf("%+v", r)
	}
	if err := l.takeBack(undo); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, l.dump()); diff != "" {
		t.Errorf("after the undo (-before +now):\n%s", diff)
	}
}

func TestMergesAreUndoneLastFirst(t *testing.T) {
	l := everybody(t)
	l.play(60)
	first := l.dump()
	one := l.must(naming.Merge("model-aye", "model-bee"))
	second := l.dump()
	two := l.must(naming.Merge("model-bee", "model-sea"))
	l.sound()
	if got := l.of(annA).Config.Model; got != "model-sea" || l.of(annA).ID != l.of(danC).ID {
		t.Errorf("after both merges ann plays %s", got)
	}
	if err := l.takeBack(one); arena.CodeOf(err) != arena.ModelConflict {
		t.Errorf("the first is undone before the second: %v", err)
	}
	if err := l.takeBack(two); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(second, l.dump()); diff != "" {
		t.Errorf("after the second undo (-before +now):\n%s", diff)
	}
	if err := l.takeBack(one); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(first, l.dump()); diff != "" {
		t.Errorf("after the first undo (-before +now):\n%s", diff)
	}
	if err := l.takeBack(one); arena.CodeOf(err) != arena.ModelConflict {
		t.Errorf("undone twice: %v", err)
	}
}

func TestWhatIsPlayedAfterAMergeStaysWithWhoPlayedIt(t *testing.T) {
	l := everybody(t)
	l.play(60)
	games := l.of(annA).Record.Games
	undo := l.must(naming.Merge("model-aye", "model-bee"))
	l.meet(annA, danC, true)
	l.meet(cydB, danC, true)
	l.meet(annA, cydB, true) // within one bucket: rates nobody
	l.play(20)
	l.sound()
	played := l.of(annA).Record.Games
	if err := l.takeBack(undo); err != nil {
		t.Fatal(err)
	}
	l.sound()
	now := l.of(annA).Record.Games
	if now < games+2 || now >= played {
		t.Errorf("model-aye had %d games, merged %d, and has %d", games, played, now)
	}
	l.play(20)
	l.sound()
}

func TestDecisionsThatCannotBe(t *testing.T) {
	l := everybody(t)
	l.must(naming.AliasTo("our-best", "claude-opus-5"))
	l.must(naming.Verify("zonk-2", "", "zonk-labs"))
	for name, c := range map[string]struct {
		decide naming.Decide
		want   arena.Code
	}{
		"a registered model verified":        {naming.Verify("claude-opus-5", "", ""), arena.ModelConflict},
		"an alias verified":                  {naming.Verify("our-best", "", ""), arena.ModelConflict},
		"nobody's model without a maker":     {naming.Verify("zonk-3", "", ""), arena.InvalidArguments},
		"an anchor verified":                 {naming.Verify("random", "", "me"), arena.ModelConflict},
		"no name":                            {naming.Verify("***", "", "me"), arena.InvalidArguments},
		"an alias of nothing":                {naming.AliasTo("x-1", "no-such-model-at-all"), arena.NotFound},
		"an alias of itself":                 {naming.AliasTo("zonk 2", "zonk-2"), arena.ModelConflict},
		"a registered model as alias":        {naming.AliasTo("claude-opus-5", "claude-sonnet-5"), arena.ModelConflict},
		"an anchor as alias":                 {naming.AliasTo("random", "claude-sonnet-5"), arena.ModelConflict},
		"an alias of an anchor":              {naming.AliasTo("x-1", "random"), arena.ModelConflict},
		"an alias twice":                     {naming.AliasTo("Our Best", "claude-sonnet-5"), arena.ModelConflict},
		"an empty alias":                     {naming.AliasTo("  ", "claude-sonnet-5"), arena.InvalidArguments},
		"no alias":                           {naming.Unalias("nothing"), arena.NotFound},
		"a shipped model renamed":            {naming.RenameTo("claude-opus-5", "opus"), arena.ModelConflict},
		"renamed to a known one":             {naming.RenameTo("zonk-2", "Claude Opus 5"), arena.ModelConflict},
		"renamed to one that is played":      {naming.RenameTo("zonk-2", "model-sea"), arena.ModelConflict},
		"renamed to what reads the same":     {naming.RenameTo("zonk-2", "zonk2"), arena.ModelConflict},
		"nothing renamed":                    {naming.RenameTo("nothing-here", "something"), arena.NotFound},
		"merged into nothing":                {naming.Merge("model-aye", "nothing-here"), arena.NotFound},
		"merged into itself":                 {naming.Merge("model-aye", "model-aye"), arena.ModelConflict},
		"an alias merged into what it means": {naming.Merge("our-best", "claude-opus-5"), arena.ModelConflict},
	} {
		if _, err := l.decide(c.decide); arena.CodeOf(err) != c.want {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
}

func TestAnUnaliasedNameBeginsAnew(t *testing.T) {
	l := everybody(t)
	l.play(40)
	l.must(naming.AliasTo("model-aye", "model-bee"))
	l.must(naming.Unalias("model-aye"))
	if got := l.of(annA).Config.Model; got != "model-bee" {
		t.Errorf("ann's configuration went to %s", got)
	}
	fresh := seat{"fay", "model-aye", ""}
	l.sit(fresh)
	b := l.of(fresh)
	if b.Config.Model != "model-aye" || b.Record.Games != 0 || b.All != arena.InitialRating {
		t.Errorf("who comes under the name is put in %+v", b)
	}
	l.play(20)
	l.sound()
}

// TestAMergeOfTenThousandGames is the large one: ARENA_TEST_LONG=1.
func TestAMergeOfTenThousandGames(t *testing.T) {
	if os.Getenv("ARENA_TEST_LONG") == "" {
		t.Skip("ARENA_TEST_LONG is not set")
	}
	l := everybody(t)
	l.play(10_000)
	before := l.dump()
	start := time.Now()
	p, err := l.names.Prepare(t.Context(), l.refits, naming.Merge("model-aye", "model-bee"))
	if err != nil {
		t.Fatal(err)
	}
	prepared := time.Now()
	var undo naming.Undo
	l.update(func(tx *store.Tx) (err error) { undo, err = p.Apply(tx); return err })
	t.Logf("prepared in %v, written in %v: %s", prepared.Sub(start), time.Since(prepared), p.Plan().Account())
	l.sound()
	start = time.Now()
	if err := l.takeBack(undo); err != nil {
		t.Fatal(err)
	}
	t.Logf("undone in %v", time.Since(start))
	if diff := cmp.Diff(before, l.dump()); diff != "" {
		t.Errorf("after the undo (-before +now):\n%s", diff)
	}
	l.sound()
}
