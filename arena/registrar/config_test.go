package registrar

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"chessarena/arena"
	"chessarena/store"
)

func TestAddConfigAnswersAsTheContractSays(t *testing.T) {
	o := openOffice(t, nil)
	r := o.mustRegister("alice")
	a := o.call("", string(r.Key), "add_config", `{"config":{"model":"GPT 5","provider":"OpenAI","harness":"h","effort":"32000","notes":"Mine"}}`)
	want := sorted(`config_id bucket_key normalized_config created model_canonical model_raw model_version model_verified applied_rules did_you_mean model_message`)
	if diff := cmp.Diff(want, names(t, a)); diff != "" {
		t.Fatalf("members (-contract +got):\n%s", diff)
	}
	got := decode[struct {
		Created    bool           `json:"created"`
		Normalized map[string]any `json:"normalized_config"`
		Raw        string         `json:"model_raw"`
	}](t, a)
	wantConfig := map[string]any{"model": "gpt-5", "provider": "openai", "harness": "h", "effort": 32000.0, "temperature": nil,
		"quantization": nil, "context_window": nil, "tools_allowed": nil, "finetuned": nil, "notes": "Mine"}
	if diff := cmp.Diff(wantConfig, got.Normalized); diff != "" || !got.Created || got.Raw != "GPT 5" {
		t.Errorf("created %v, raw %q, config (-want +got):\n%s", got.Created, got.Raw, diff)
	}
}

func TestAddConfigAgainFindsTheSame(t *testing.T) {
	o := openOffice(t, nil)
	r := o.mustRegister("alice")
	add := func(key arena.Key, config string) AddConfigResult {
		t.Helper()
		return decode[AddConfigResult](t, o.call("", string(key), "add_config", `{"config":`+config+`}`))
	}
	first := add(r.Key, `{"model":"some-model","provider":"SOMEBODY","harness":"reference-1.0"}`)
	if first.Created || first.ConfigID != r.ConfigID || first.BucketKey != r.BucketKey {
		t.Errorf("the registered config again: %+v", first)
	}
	noted := add(r.Key, `{"model":"some-model","provider":"somebody","harness":"reference-1.0","notes":"second"}`)
	if !noted.Created || noted.ConfigID == r.ConfigID || noted.BucketKey != r.BucketKey {
		t.Errorf("the same with notes: %+v, want a new config in the same bucket", noted)
	}
	theirs := add(o.mustRegister("bertha").Key, `{"model":"some-model","provider":"somebody","harness":"reference-1.0","notes":"second"}`)
	if !theirs.Created || theirs.ConfigID == noted.ConfigID || theirs.BucketKey != r.BucketKey {
		t.Errorf("the same of another nickname: %+v, want a new config in the same bucket", theirs)
	}
}

func TestAddConfigRefuses(t *testing.T) {
	o := openOffice(t, nil)
	r := o.mustRegister("alice")
	mustBe(t, o.call("", "", "add_config", `{"config":`+plain+`}`), arena.MalformedKey)
	mustBe(t, o.call("", string(r.Key), "add_config", `{}`), arena.InvalidArguments)
	mustBe(t, o.call("", string(r.Key), "add_config", `{"config":{"model":"m"}}`), arena.InvalidConfig)
	if rows := decode[ListConfigsResult](t, o.must("", r.Key)).Configs; len(rows) != 1 {
		t.Errorf("%d configs, want the first only", len(rows))
	}
}

func TestANicknameOwnsFiftyConfigs(t *testing.T) {
	o := openOffice(t, func(s *arena.Settings) { s.ToolsPerMinute = 1000 })
	r := o.mustRegister("alice")
	config := func(n int) string {
		return fmt.Sprintf(`{"config":{"model":"some-model","provider":"somebody","harness":"reference-1.0","effort":%d}}`, n)
	}
	for n := 2; n <= 50; n++ {
		mustBe(t, o.call("", string(r.Key), "add_config", config(n)), "")
	}
	mustBe(t, o.call("", string(r.Key), "add_config", config(51)), arena.TooManyConfigs)
	if again := decode[AddConfigResult](t, o.call("", string(r.Key), "add_config", config(50))); again.Created {
		t.Error("the fiftieth config was made twice")
	}
	if rows := decode[ListConfigsResult](t, o.must("", r.Key)).Configs; len(rows) != 50 {
		t.Errorf("%d configs", len(rows))
	}
	bertha := o.mustRegister("bertha")
	mustBe(t, o.call("", string(bertha.Key), "add_config", config(51)), "")
}

func TestListConfigsAnswersAsTheContractSays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // a bubble begins at 2000-01-01 00:00 UTC
		o := openOffice(t, nil)
		r := o.mustRegister("alice")
		mustBe(t, o.call("", string(r.Key), "add_config", `{"config":{"model":"m","provider":"p","harness":"h","temperature":0.5,"tools_allowed":false,"notes":"mine"}}`), "")
		a := o.must("", r.Key)
		if diff := cmp.Diff([]string{"active_games", "configs", "nickname"}, names(t, a)); diff != "" {
			t.Fatalf("members (-want +got):\n%s", diff)
		}
		got := decode[struct {
			Nickname string            `json:"nickname"`
			Configs  []json.RawMessage `json:"configs"`
			Games    json.RawMessage   `json:"active_games"`
		}](t, a)
		if got.Nickname != "alice" || len(got.Configs) != 2 || string(got.Games) != "[]" {
			t.Fatalf("answer %s", a.JSON)
		}
		var row map[string]any
		if err := json.Unmarshal(got.Configs[1], &row); err != nil {
			t.Fatal(err)
		}
		wantNames := sorted(`config_id bucket_key model provider harness effort temperature quantization context_window tools_allowed finetuned notes created_at bucket`)
		if diff := cmp.Diff(wantNames, slices.Sorted(maps.Keys(row))); diff != "" {
			t.Fatalf("row (-contract +got):\n%s", diff)
		}
		delete(row, "config_id")
		delete(row, "bucket_key")
		want := map[string]any{
			"model": "m", "provider": "p", "harness": "h", "effort": nil, "temperature": 0.5, "quantization": nil, "context_window": nil,
			"tools_allowed": false, "finetuned": nil, "notes": "mine", "created_at": "2000-01-01T00:00:00Z",
			"bucket": map[string]any{"rating_all": 1000.0, "rd_all": 350.0, "rating_board": 1000.0, "rd_board": 350.0,
				"games": 0.0, "wins": 0.0, "draws": 0.0, "losses": 0.0, "pinned": false},
		}
		if diff := cmp.Diff(want, row); diff != "" {
			t.Errorf("row (-want +got):\n%s", diff)
		}
	})
}

func TestListConfigsShowsTheBucketsRecord(t *testing.T) {
	o := openOffice(t, nil)
	r := o.mustRegister("alice")
	err := o.db.Update(context.Background(), func(tx *store.Tx) error {
		b, err := tx.BucketByKey(r.BucketKey)
		if err != nil {
			return err
		}
		b.Record = arena.Record{Games: 6, Wins: 3, Draws: 2, Losses: 1}
		return tx.SaveBucketRecord(b)
	})
	if err != nil {
		t.Fatal(err)
	}
	o.behind(`UPDATE ratings SET rating = 1234.5, deviation = 67.25 WHERE track = 'board'`)
	want := BucketStats{RatingAll: 1000, RDAll: 350, RatingBoard: 1234.5, RDBoard: 67.25, Games: 6, Wins: 3, Draws: 2, Losses: 1}
	if diff := cmp.Diff(want, decode[ListConfigsResult](t, o.must("", r.Key)).Configs[0].Bucket); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestListConfigsShowsOnlyOnesOwn(t *testing.T) {
	o := openOffice(t, nil)
	alice, bertha := o.mustRegister("alice"), o.mustRegister("bertha")
	rows := decode[ListConfigsResult](t, o.must("", bertha.Key)).Configs
	if len(rows) != 1 || rows[0].ConfigID != bertha.ConfigID || rows[0].ConfigID == alice.ConfigID {
		t.Errorf("bertha sees %+v", rows)
	}
}

func TestListConfigsNamesTheGamesInProgress(t *testing.T) {
	o := openOffice(t, nil)
	alice, bertha, carla := o.mustRegister("alice"), o.mustRegister("bertha"), o.mustRegister("carla")
	seat := func(r RegisterResult) (s arena.Seat) {
		agent, _ := o.agent(r.Nickname)
		return arena.Seat{NicknameID: agent.ID, Nickname: agent.Nickname, Fingerprint: agent.Fingerprint, ConfigID: r.ConfigID, BucketKey: r.BucketKey}
	}
	err := o.db.Update(context.Background(), func(tx *store.Tx) error {
		bucket, err := tx.BucketByKey(alice.BucketKey)
		if err != nil {
			return err
		}
		add := func(id arena.GameID, white, black RegisterResult) *arena.Game {
			g := &arena.Game{ID: id, Kind: "chess", Seats: [2]arena.Seat{seat(white), seat(black)}, Pace: o.settings.Pace(), Status: arena.Active, Created: tx.Now()}
			g.Seats[0].BucketID, g.Seats[1].BucketID = bucket.ID, bucket.ID
			g.Clock = g.Pace.Start(tx.Now())
			if err == nil {
				err = tx.AddGame(g, nil)
			}
			return g
		}
		add("000000000001", alice, bertha)
		over := add("000000000002", alice, bertha)
		add("000000000003", bertha, carla)
		add("000000000004", bertha, alice)
		if err != nil {
			return err
		}
		over.Status, over.Result, over.Termination, over.Finished = arena.Finished, arena.Draw, arena.DrawAgreed, tx.Now()
		return tx.FinishGame(over, 0, "8/8/8/8/8/8/8/8 w - - 0 1")
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]arena.GameID{"000000000001", "000000000004"}, decode[ListConfigsResult](t, o.must("", alice.Key)).ActiveGames); diff != "" {
		t.Errorf("alice's games (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]arena.GameID{"000000000003"}, decode[ListConfigsResult](t, o.must("", carla.Key)).ActiveGames); diff != "" {
		t.Errorf("carla's games (-want +got):\n%s", diff)
	}
}
