package admin

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"chessarena/arena/hall"
)

// addConfig gives the owner of key another configuration.
func addConfig(t *testing.T, h *hall.Hall, key, model string) {
	t.Helper()
	if code, _ := as(t, h, key, "add_config", fmt.Sprintf(`{"config":{"model":%q,"provider":"p","harness":"h"}}`, model)); code != "" {
		t.Fatalf("add_config %s: %s", model, code)
	}
}

// models are the names that the configurations of key are filed under.
func models(t *testing.T, h *hall.Hall, key string) string {
	t.Helper()
	_, answer := as(t, h, key, "list_configs", `{}`)
	var list []string
	for _, c := range answer["configs"].([]any) {
		list = append(list, c.(map[string]any)["model"].(string))
	}
	return strings.Join(list, " ")
}

func TestTheServerFollowsDecisionsAboutNames(t *testing.T) {
	h := openHall(t)
	key := register(t, h, "carol")
	addConfig(t, h, key, "zonk-2")
	addConfig(t, h, key, "zonk-two")
	first := models(t, h, key)
	for _, step := range []struct{ command, want string }{
		{"models verify zonk-2", first},
		{"models merge zonk-two zonk-2 --dry-run", first},
		{"models merge zonk-two zonk-2", strings.Replace(first, "zonk-two", "zonk-2", 1)},
		{"models rename zonk-2 zonkulator-2", strings.NewReplacer("zonk-two", "zonkulator-2", "zonk-2", "zonkulator-2").Replace(first)},
	} {
		mustRun(t, h, strings.Fields(step.command)...)
		if got := models(t, h, key); got != step.want {
			t.Errorf("after %s: %s, want %s", step.command, got, step.want)
		}
	}
	_, answer := as(t, h, key, "lookup_model", `{"model":"zonk two"}`)
	if answer["model_canonical"] != "zonkulator-2" || answer["model_verified"] != true || answer["provider"] != "p" {
		t.Errorf("zonk two is read as %v", answer)
	}
	// Undone from the last to the first, it is as it was.
	for _, row := range audits(t, h) {
		if strings.HasPrefix(row.Tool, "models.") {
			mustRun(t, h, "audit", "undo", fmt.Sprint(row.ID))
		}
	}
	if got := models(t, h, key); got != first {
		t.Errorf("after undoing all: %s, want %s", got, first)
	}
	_, answer = as(t, h, key, "lookup_model", `{"model":"zonk-2"}`)
	if answer["model_verified"] != false {
		t.Errorf("zonk-2 is still registered: %v", answer)
	}
}

func TestADryRunSaysWhatTheDecisionThenDoes(t *testing.T) {
	h := openHall(t)
	key := register(t, h, "carol")
	addConfig(t, h, key, "zonk-2")
	addConfig(t, h, key, "zonk-two")
	rows := len(audits(t, h))
	var would, did decidedOut
	for _, one := range []struct {
		out   *decidedOut
		flags []string
	}{{&would, []string{"--dry-run", "--json"}}, {&did, []string{"--json"}}} {
		out := mustRun(t, h, append([]string{"models", "merge", "zonk-two", "zonk-2"}, one.flags...)...)
		if err := json.Unmarshal([]byte(out), one.out); err != nil {
			t.Fatal(err)
		}
		if one.out == &would && len(audits(t, h)) != rows {
			t.Error("a dry run is in the audit log")
		}
	}
	if !would.DryRun || did.DryRun || len(did.Renames) != 1 || would.Renames[0] != did.Renames[0] || !strings.HasSuffix(would.Message, did.Message) {
		t.Errorf("would: %+v\ndid: %+v", would, did)
	}
}

func TestAFrozenNicknameIsThawedByUndoing(t *testing.T) {
	h := openHall(t)
	key := register(t, h, "carol")
	mustRun(t, h, "nicknames", "freeze", "carol")
	if code, _ := as(t, h, key, "list_configs", `{}`); code == "" {
		t.Fatal("carol is not frozen")
	}
	mustRun(t, h, "audit", "undo", fmt.Sprint(audits(t, h)[0].ID))
	if code, _ := as(t, h, key, "list_configs", `{}`); code != "" {
		t.Errorf("carol after the undo: %s", code)
	}
}
