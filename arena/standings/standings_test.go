package standings_test

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"chessarena/arena"
	"chessarena/arena/arenatest"
	"chessarena/arena/rating"
	"chessarena/arena/standings"
	"chessarena/store"
)

// club is an arena with four players of three models, and what they have played.
type club struct {
	*arenatest.Arena
	t                  *testing.T
	ann, bob, cyd, dan *arenatest.Agent
}

func config(model, harness, effort string) map[string]any {
	c := map[string]any{"model": model, "provider": "p", "harness": harness}
	if effort != "" {
		c["effort"] = effort
	}
	return c
}

func newClub(t *testing.T) *club {
	c := &club{Arena: arenatest.New(t, arenatest.Settings()), t: t}
	c.ann = c.RegisterAs("ann", config("claude-sonnet-5", "reference-1.0", "high"))
	c.bob = c.RegisterAs("bob", config("claude-sonnet-5", "reference-1.0", "low"))
	c.cyd = c.RegisterAs("cyd", config("gpt-5", "reference-1.0", ""))
	c.dan = c.RegisterAs("dan", config("my-own-bot", "homemade", ""))
	return c
}

// beats has the winner mate the loser n times, with Black.
func (c *club) beats(winner, loser *arenatest.Agent, n int) {
	c.t.Helper()
	for range n {
		id := c.Pair(loser, winner)
		c.Play(id, loser, winner, "f3", "e5", "g4", "Qh4#")
	}
}

// gives has the loser resign, with White, at once: no matter for the board track.
func (c *club) gives(loser, winner *arenatest.Agent) {
	c.t.Helper()
	loser.Must("resign", map[string]any{"game_id": c.Pair(loser, winner)}, nil)
}

func (c *club) fit() {
	c.t.Helper()
	for _, track := range []arena.Track{arena.TrackAll, arena.TrackBoard} {
		if err := c.Refitter.Fit(c.t.Context(), track); err != nil {
			c.t.Fatal(err)
		}
	}
}

// season is a club whose results are known: ann 6-1 cyd, ann 3-0 bob, cyd 4-2 bob, dan 1-1 cyd,
// one of cyd's wins over bob by resignation.
func season(t *testing.T) *club {
	c := newClub(t)
	c.beats(c.ann, c.cyd, 6)
	c.beats(c.cyd, c.ann, 1)
	c.beats(c.ann, c.bob, 3)
	c.beats(c.cyd, c.bob, 3)
	c.gives(c.bob, c.cyd)
	c.beats(c.bob, c.cyd, 2)
	c.beats(c.dan, c.cyd, 1)
	c.beats(c.cyd, c.dan, 1)
	c.fit()
	return c
}

// members are the JSON names of an object.
func members(t *testing.T, text json.RawMessage) map[string]bool {
	t.Helper()
	var m map[string]json.RawMessage
	if err := json.Unmarshal(text, &m); err != nil {
		t.Fatal(err)
	}
	names := make(map[string]bool)
	for name := range m {
		names[name] = true
	}
	return names
}

func TestTheBoardsHaveEveryMemberOfTheContract(t *testing.T) {
	c := season(t)
	for view, want := range map[string]struct{ top, list, row string }{
		"configs": {"harness track min_games configs anchors", "configs", `bucket_key model provider harness effort temperature quantization context_window tools_allowed finetuned
			rating_all rd_all rating_board rd_board games wins draws losses forfeits_for forfeits_against pinned distinct_nicknames last_game_at
			fit_rating fit_se ci95 rank_lo rank_hi status`},
		"champions": {"champions champion_line", "champions", `nickname fingerprint bucket_key model provider harness rating_all rd_all provisional games wins draws losses
			current_streak best_streak peak_rating_all peak_rating_board`},
		"models": {"harness models", "models", `model provider rating rd games wins draws losses score_pct acpl blunders_per_100_moves mistakes_per_100_moves
			illegal_attempts_per_100_moves avg_latency_ms p95_latency_ms forfeits_for forfeits_against timeouts distinct_configs distinct_operators best_bucket last_rated_at`},
	} {
		var answer json.RawMessage
		c.ann.Must("leaderboard", map[string]any{"view": view, "harness": "all"}, &answer)
		top := members(t, answer)
		for _, name := range strings.Fields(want.top) {
			if !top[name] {
				t.Errorf("view %s has no %s", view, name)
			}
		}
		var lists map[string]json.RawMessage
		if err := json.Unmarshal(answer, &lists); err != nil {
			t.Fatal(err)
		}
		var rows []json.RawMessage
		if err := json.Unmarshal(lists[want.list], &rows); err != nil || len(rows) < 3 {
			t.Fatalf("view %s: %d rows, %v", view, len(rows), err)
		}
		row := members(t, rows[0])
		for _, name := range strings.Fields(want.row) {
			if !row[name] {
				t.Errorf("a row of %s has no %s", view, name)
			}
		}
	}
	if code := c.ann.Call("leaderboard", map[string]any{"view": "winners"}, nil); code != arena.InvalidView {
		t.Errorf("view winners: %q", code)
	}
}

func TestTheConfigsBoardIsInTheOrderOfTheFit(t *testing.T) {
	c := season(t)
	var board standings.Configs
	c.ann.Must("leaderboard", map[string]any{"harness": "all"}, &board)
	var names []string
	for i, row := range board.Configs {
		names = append(names, fmt.Sprintf("%s %d %d-%d-%d", row.Model, row.Games, row.Wins, row.Draws, row.Losses))
		if row.Rank == nil || *row.Rank != i+1 {
			t.Errorf("row %d has rank %v", i, row.Rank)
		}
		if i > 0 && *row.Rating > *board.Configs[i-1].Rating {
			t.Errorf("row %d is stronger than the one before", i)
		}
		if row.CI95[0] >= *row.Rating || row.CI95[1] <= *row.Rating || *row.RankLo > i+1 || *row.RankHi < i+1 {
			t.Errorf("row %d: rating %v in %v, rank %d in %d to %d", i, *row.Rating, *row.CI95, i+1, *row.RankLo, *row.RankHi)
		}
	}
	want := map[string]bool{"claude-sonnet-5 10 9-0-1": true, "gpt-5 15 6-0-9": true, "claude-sonnet-5 9 2-0-7": true, "my-own-bot 2 1-0-1": true}
	if len(names) != 4 || names[0] != "claude-sonnet-5 10 9-0-1" {
		t.Errorf("the board is %q", names)
	}
	for _, name := range names {
		if !want[name] {
			t.Errorf("nobody has %q", name)
		}
	}
	// What the fit's own row says is what the board says.
	err := c.DB.View(t.Context(), func(tx *store.Tx) error {
		fits, err := tx.Fits(arena.TrackAll)
		if err != nil {
			return err
		}
		for _, row := range board.Configs {
			b, err := tx.BucketByKey(row.BucketKey)
			if err != nil {
				return err
			}
			var fit rating.Row
			if err := json.Unmarshal(fits[b.ID], &fit); err != nil {
				return err
			}
			if *row.Rating != fit.Rating || *row.SE != fit.SE || *row.CI95 != fit.CI95 || row.RatingAll != b.All.R {
				t.Errorf("%s shows %v ± %v, the fit has %v ± %v", row.Model, *row.Rating, *row.SE, fit.Rating, fit.SE)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	// dan's harness is his own.
	c.ann.Must("leaderboard", nil, &board)
	if len(board.Configs) != 3 || board.Harness != "reference" || board.Track != "all" || board.MinGames != 1 {
		t.Errorf("by default %d configurations, harness %s, track %s", len(board.Configs), board.Harness, board.Track)
	}
}

func TestTheBoardGoesOnAtItsCursor(t *testing.T) {
	c := season(t)
	var all, page standings.Configs
	c.ann.Must("leaderboard", map[string]any{"harness": "all"}, &all)
	var got []arena.BucketKey
	cursor := ""
	for range 10 {
		page = standings.Configs{}
		c.ann.Must("leaderboard", map[string]any{"harness": "all", "limit": 3, "cursor": cursor}, &page)
		for _, row := range page.Configs {
			got = append(got, row.BucketKey)
		}
		if page.Next == nil {
			break
		}
		cursor = *page.Next
	}
	var want []arena.BucketKey
	for _, row := range all.Configs {
		want = append(want, row.BucketKey)
	}
	if diff := cmp.Diff(want, got); diff != "" || all.Next != nil || all.Total != 4 {
		t.Errorf("pages (-all +pages):\n%s", diff)
	}
	if code := c.ann.Call("leaderboard", map[string]any{"cursor": "what"}, nil); code != arena.InvalidArguments {
		t.Errorf("a made-up cursor: %q", code)
	}
}

func TestAModelPoolsItsConfigurations(t *testing.T) {
	c := season(t)
	var configs standings.Configs
	var board standings.Models
	c.ann.Must("leaderboard", map[string]any{"harness": "all"}, &configs)
	c.ann.Must("leaderboard", map[string]any{"view": "models", "harness": "all"}, &board)
	var row *standings.ModelRow
	for i := range board.Models {
		if board.Models[i].Model == "claude-sonnet-5" {
			row = &board.Models[i]
		}
	}
	if row == nil || len(board.Models) != 3 {
		t.Fatalf("models: %+v", board.Models)
	}
	if row.Games != 19 || row.Wins != 11 || row.Losses != 8 || *row.ScorePct != 57.9 || row.Configs != 2 || row.Operators != 2 || !row.Verified {
		t.Errorf("claude-sonnet-5: %+v", row)
	}
	// DerSimonian and Laird over the two, by hand.
	var v, w []float64
	for _, one := range configs.Configs {
		if one.Model == "claude-sonnet-5" {
			v, w = append(v, *one.Rating), append(w, 1/(*one.SE**one.SE))
		}
	}
	mean := (w[0]*v[0] + w[1]*v[1]) / (w[0] + w[1])
	excess := w[0]*(v[0]-mean)*(v[0]-mean) + w[1]*(v[1]-mean)*(v[1]-mean) - 1
	tau2 := math.Max(0, excess/(w[0]+w[1]-(w[0]*w[0]+w[1]*w[1])/(w[0]+w[1])))
	r0, r1 := 1/(1/w[0]+tau2), 1/(1/w[1]+tau2)
	if want := (r0*v[0] + r1*v[1]) / (r0 + r1); math.Abs(row.Rating-want) > 1e-6 {
		t.Errorf("pooled %v, want %v", row.Rating, want)
	}
	if want := 1 / math.Sqrt(r0+r1); math.Abs(row.RD-want) > 1e-6 {
		t.Errorf("its error %v, want %v", row.RD, want)
	}
	if row.Best == nil || row.Best.Harness != "reference-1.0" || row.Best.RatingAll < configs.Configs[len(configs.Configs)-1].RatingAll {
		t.Errorf("best bucket %+v", row.Best)
	}
}

func TestChampionsAndMyStats(t *testing.T) {
	c := season(t)
	var board standings.Champions
	c.ann.Must("leaderboard", map[string]any{"view": "champions"}, &board)
	first := board.Champions[0]
	if first.Nickname != "ann" || first.Games != 10 || first.Wins != 9 || first.CurrentStreak != 3 || first.BestStreak != 6 {
		t.Errorf("first is %+v", first)
	}
	if !strings.HasPrefix(board.Line, "ann leads with claude-sonnet-5: ") || !strings.Contains(board.Line, "9 wins, 0 draws and 1 losses, 3 won in a row now") {
		t.Errorf("line %q", board.Line)
	}
	var stats standings.Stats
	c.ann.Must("my_stats", nil, &stats)
	if stats.Nickname != "ann" || stats.Status != arena.AgentActive || stats.Games != 10 || stats.Wins != 9 || stats.BestStreak != 6 || len(stats.Configs) != 1 {
		t.Errorf("my_stats %+v", stats)
	}
	one := stats.Configs[0]
	if one.ConfigID != c.ann.ConfigID || one.RatingAll != first.RatingAll || one.RDAll != first.RDAll || one.Games != 10 || one.Harness != "reference-1.0" {
		t.Errorf("my configuration %+v, on the board %+v", one, first)
	}
	nobody := arenatest.New(t, arenatest.Settings())
	nobody.Register("eve").Must("leaderboard", map[string]any{"view": "champions"}, &board)
	if len(board.Champions) != 0 || !strings.HasPrefix(board.Line, "Nobody has finished") {
		t.Errorf("an empty arena: %+v", board)
	}
}

// rest asks the REST door.
func (c *club) rest(path string, out any) int {
	c.t.Helper()
	rec := httptest.NewRecorder()
	r := httptest.NewRequest("GET", "http://localhost:8080"+path, nil)
	r.RemoteAddr = "127.0.0.1:5000"
	c.Handler.ServeHTTP(rec, r)
	if err := json.Unmarshal(rec.Body.Bytes(), out); err != nil {
		c.t.Fatalf("%s: %v in %.200s", path, err, rec.Body)
	}
	return rec.Code
}

func TestOneModelOneConfigurationOneNickname(t *testing.T) {
	c := season(t)
	var model standings.ModelView
	if code := c.rest("/v1/models/GPT%205", &model); code != 200 || model.Model != "gpt-5" || len(model.Buckets) != 1 {
		t.Fatalf("%d %+v", code, model)
	}
	want := map[string]string{"claude-sonnet-5": "13 5-0-8", "my-own-bot": "2 1-0-1"}
	for _, m := range model.HeadToHead {
		if got := fmt.Sprintf("%d %d-%d-%d", m.Games, m.Wins, m.Draws, m.Losses); got != want[m.Model] {
			t.Errorf("gpt-5 against %s: %s, want %s", m.Model, got, want[m.Model])
		}
		if m.Expected <= 0 || m.Expected >= 1 || math.Abs(m.Score-(float64(m.Wins)+float64(m.Draws)/2)/float64(m.Games)) > 1e-12 {
			t.Errorf("against %s: score %v, expected %v", m.Model, m.Score, m.Expected)
		}
	}
	if len(model.HeadToHead) != 2 {
		t.Errorf("%d opponents", len(model.HeadToHead))
	}
	var conf standings.ConfigView
	if code := c.rest("/v1/configs/"+string(model.Buckets[0].BucketKey), &conf); code != 200 || conf.Model != "gpt-5" || len(conf.HeadToHead) != 3 {
		t.Errorf("%d %+v", code, conf)
	}
	if len(conf.Owners) != 1 || conf.Owners[0] != "cyd" || conf.FitBoard.Rating == nil || *conf.FitBoard.Rating == *conf.ConfigRow.Rating {
		t.Errorf("owners %v, board fit %v", conf.Owners, conf.FitBoard.Rating)
	}
	var agent standings.AgentView
	if code := c.rest("/v1/agents/CYD", &agent); code != 200 || agent.Nickname != "cyd" || agent.Games != 15 || len(agent.Buckets) != 1 || *agent.Best != conf.BucketKey {
		t.Errorf("%d %+v", code, agent)
	}
	var refused struct{ Error arena.Code }
	for _, path := range []string{"/v1/models/nobody", "/v1/configs/abc", "/v1/agents/nobody", "/v1/compare?a=nobody&b=gpt-5"} {
		if code := c.rest(path, &refused); code != 404 || refused.Error != arena.NotFound {
			t.Errorf("%s: %d %s", path, code, refused.Error)
		}
	}
}

func TestCompare(t *testing.T) {
	c := season(t)
	var ab, ba standings.Comparison
	c.rest("/v1/compare?a=claude-sonnet-5&b=gpt-5", &ab)
	c.rest("/v1/compare?a=gpt-5&b=claude-sonnet-5", &ba)
	if ab.Games != 13 || ab.Wins != 8 || ab.Losses != 5 || ba.Wins != 5 || ba.Losses != 8 {
		t.Errorf("%+v against %+v", ab, ba)
	}
	if math.Abs(ab.Expected+ba.Expected-1) > 1e-12 || math.Abs(*ab.LOS+*ba.LOS-1) > 1e-9 || math.Abs(*ab.Elo+*ba.Elo) > 1e-9 {
		t.Errorf("the two views disagree: %+v, %+v", ab, ba)
	}
	// 8-5: Elo 400·log10(8/5), LOS from the normal approximation (research §3's formula).
	if want := 400 * math.Log10(8.0/5); math.Abs(*ab.Elo-want) > 1e-9 {
		t.Errorf("elo %v, want %v", *ab.Elo, want)
	}
	score := 8.0 / 13
	if want := 0.5 * (1 + math.Erf((score-0.5)/math.Sqrt(2*score*(1-score)/13))); math.Abs(*ab.LOS-want) > 1e-6 {
		t.Errorf("los %v, want %v", *ab.LOS, want)
	}
	if ab.SPRT.Answer != rating.Undecided || math.Abs(ab.SPRT.Bounds[1]-2.944439) > 1e-6 {
		t.Errorf("sprt %+v", ab.SPRT)
	}
	var never standings.Comparison
	c.rest("/v1/compare?a=my-own-bot&b="+string(bucketOf(c, "ann")), &never)
	if never.Games != 0 || never.Elo != nil || never.LOS != nil || never.Score != nil || never.Expected <= 0 {
		t.Errorf("never met: %+v", never)
	}
}

func bucketOf(c *club, nickname string) arena.BucketKey {
	var agent standings.AgentView
	c.rest("/v1/agents/"+nickname, &agent)
	return agent.Buckets[0].BucketKey
}

func TestTheResourceIsTheBoardWithAllDefaults(t *testing.T) {
	c := season(t)
	var answer json.RawMessage
	c.ann.Must("leaderboard", nil, &answer)
	rec := httptest.NewRecorder()
	r := httptest.NewRequest("POST", "http://localhost:8080/mcp", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"arena://leaderboard/configs"}}`))
	r.RemoteAddr = "127.0.0.1:5000"
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	c.Handler.ServeHTTP(rec, r)
	text, err := json.Marshal(string(answer))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(rec.Body.String(), string(text)) {
		t.Errorf("the resource is %.500s", rec.Body)
	}
}
