package archive

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"chessarena/arena"
	"chessarena/arena/tool"
	"chessarena/rules"
)

var (
	white = rules.White
	black = rules.Black
	fools = []string{"f3", "e5", "g4", "Qh4#"} // the shortest mate there is
)

const kingAndPawn = "4k3/8/8/8/8/8/4p3/4K2R b K - 3 41" // black moves first, at move 41

// one reads the only game of a PGN text.
func one(t *testing.T, text string) *rules.Game {
	t.Helper()
	var games []*rules.Game
	for g, err := range rules.ReadPGN(strings.NewReader(text)) {
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		games = append(games, g)
	}
	if len(games) != 1 {
		t.Fatalf("%d games in\n%s", len(games), text)
	}
	return games[0]
}

func sans(g *rules.Game) []string {
	var list []string
	for _, m := range g.Moves {
		list = append(list, m.SAN)
	}
	return list
}

func TestPGN(t *testing.T) {
	w := newRecords(t)
	shuffle := []string{"Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8"}
	for _, c := range []struct {
		name  string
		id    arena.GameID
		moves []string
		tags  map[string]string
	}{
		{"a mate is normal", w.begin("", nil).play(fools...).end(arena.Finished, arena.BlackWins, "checkmate", nil), fools, map[string]string{
			"Event": "Arena rated game", "Site": "?", "Date": "2026.12.01", "UTCTime": "14:02:00", "Round": "-",
			"White": "lumen-lab (corvid-3-pro)", "Black": "quietrook (tern-sonnet-5)", "Result": "0-1",
			"WhiteConfig": string(w.seats[0].BucketKey), "BlackConfig": string(w.seats[1].BucketKey),
			"Termination": "normal", "TerminationCode": "checkmate", "PlyCount": "4", "FEN": "", "SetUp": "", "Opening": "",
		}},
		{"a draw is written in full", w.begin("", &arena.Opening{ECO: "A04", Name: "Zukertort Opening"}, "Nf3").play(shuffle[1:]...).
			end(arena.Finished, arena.Draw, "threefold_repetition", nil), shuffle, map[string]string{
			"Result": "1/2-1/2", "ECO": "A04", "Opening": "Zukertort Opening", "TerminationCode": "threefold_repetition",
		}},
		{"black may begin", w.begin(kingAndPawn, nil).play("Kf7", "Kxe2").end(arena.Finished, arena.WhiteWins, arena.Timeout, &black),
			[]string{"Kf7", "Kxe2"}, map[string]string{
				"SetUp": "1", "FEN": kingAndPawn, "Result": "1-0", "Termination": "time forfeit", "TerminationCode": "timeout",
			}},
		{"a void game has no result", w.begin("", nil).play("e4").end(arena.Void, arena.NoResult, arena.ByAdmin, nil), []string{"e4"}, map[string]string{
			"Result": "*", "Termination": "abandoned", "TerminationCode": "admin",
		}},
		{"a running game is unterminated", w.begin("", nil).play("e4", "e5").game.ID, []string{"e4", "e5"}, map[string]string{
			"Result": "*", "Termination": "unterminated", "TerminationCode": "",
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			text, err := w.PGN(t.Context(), c.id)
			if err != nil {
				t.Fatal(err)
			}
			g := one(t, text)
			if d := cmp.Diff(c.moves, sans(g)); d != "" {
				t.Errorf("moves (-want +got):\n%s", d)
			}
			for name, want := range c.tags {
				if got := g.Tag(name); got != want {
					t.Errorf("%s is %q, want %q", name, got, want)
				}
			}
			if g.Result != c.tags["Result"] {
				t.Errorf("result token %q, tag %q", g.Result, c.tags["Result"])
			}
			if strings.Contains(text, "secret plans") {
				t.Error("notes are in the PGN")
			}
			again, err := New(w.db).PGN(t.Context(), c.id)
			if err != nil || again != text {
				t.Errorf("a second archive writes another text (%v)", err)
			}
		})
	}
	if _, err := w.PGN(t.Context(), "000000000000"); arena.CodeOf(err) != arena.NotFound {
		t.Errorf("an unknown game: %v", err)
	}
}

func TestPGNSite(t *testing.T) {
	w := newRecords(t)
	w.Site = "https://arena.example.org"
	id := w.begin("", nil).game.ID
	text, err := w.PGN(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := one(t, text).Tag("Site"), "https://arena.example.org/games/"+string(id); got != want {
		t.Errorf("Site %q, want %q", got, want)
	}
}

func TestGame(t *testing.T) {
	w := newRecords(t)
	// White takes 90 seconds for its second move, 30 of them out of its bank.
	g := w.begin("", nil, "e4", "d5").think(90*time.Second, "exd5").play("Qxd5", "Nc3")
	w.clock = w.clock.Add(70 * time.Second)

	t.Run("the latest position has clocks", func(t *testing.T) {
		v, err := w.Game(t.Context(), g.game.ID, Latest)
		if err != nil {
			t.Fatal(err)
		}
		if v.Position.Ply != 5 || v.Position.FEN != "rnb1kbnr/ppp1pppp/8/3q4/8/2N5/PPPP1PPP/R1BQKBNR b KQkq - 1 3" {
			t.Errorf("ply %d, %s", v.Position.Ply, v.Position.FEN)
		}
		turn := began.Add(110 * time.Second)
		want := &ClockView{SideToMove: black, TurnStartedAt: turn, SoftDeadlineAt: turn.Add(time.Minute), ForfeitAt: turn.Add(5 * time.Minute)}
		if d := cmp.Diff(want, v.Clock); d != "" {
			t.Errorf("clock (-want +got):\n%s", d)
		}
		if d := cmp.Diff(Captured{White: "P", Black: "P"}, v.Position.Captured); d != "" {
			t.Errorf("captured (-want +got):\n%s", d)
		}
		if want := (BankView{White: 570_000, Black: 600_000}); v.Position.Bank != want {
			t.Errorf("banks %v, want %v", v.Position.Bank, want)
		}
		if !v.AsOf.Equal(turn.Add(70 * time.Second)) {
			t.Errorf("read at %v", v.AsOf)
		}
	})
	t.Run("an earlier ply has the banks of its time", func(t *testing.T) {
		for ply, bank := range map[int]int64{0: 600_000, 2: 600_000, 3: 570_000, 4: 570_000} {
			v, err := w.Game(t.Context(), g.game.ID, ply)
			if err != nil {
				t.Fatal(err)
			}
			if v.Position.Bank.White != bank || v.Position.Bank.Black != 600_000 {
				t.Errorf("ply %d: banks %v", ply, v.Position.Bank)
			}
			if len(v.Moves) != 5 {
				t.Errorf("ply %d: %d moves", ply, len(v.Moves))
			}
		}
	})
	t.Run("a move tells what it took", func(t *testing.T) {
		v, err := w.Game(t.Context(), g.game.ID, 3)
		if err != nil {
			t.Fatal(err)
		}
		want := MoveView{Ply: 3, SAN: "exd5", UCI: "e4d5", At: began.Add(90 * time.Second), ThinkMS: 90_000, OverSoft: true}
		if d := cmp.Diff(want, v.Moves[2]); d != "" {
			t.Errorf("(-want +got):\n%s", d)
		}
		if !v.Moves[0].Book || v.Moves[2].Book {
			t.Error("the book's plies are marked wrongly")
		}
	})
	t.Run("a ply beyond the game is refused", func(t *testing.T) {
		for _, ply := range []int{6, 1 << 40, -2} {
			if _, err := w.Game(t.Context(), g.game.ID, ply); arena.CodeOf(err) != arena.InvalidArguments {
				t.Errorf("ply %d: %v", ply, err)
			}
		}
	})
	t.Run("a promoted pawn was not captured", func(t *testing.T) {
		v, err := w.Game(t.Context(), w.begin("8/P3k3/8/8/8/8/8/r3K3 w - - 0 1", nil).play("Kf2", "Ra2+", "Kg1", "Ra1+", "Kg2", "Ra2+", "Kg1", "Rxa7").game.ID, Latest)
		if err != nil {
			t.Fatal(err)
		}
		if v.Position.Captured != (Captured{White: "P"}) {
			t.Errorf("captured %v", v.Position.Captured)
		}
		v, err = w.Game(t.Context(), w.begin("8/P3k3/8/8/8/8/8/r3K3 w - - 0 1", nil).play("Kf2", "Kd7", "a8=Q", "Rxa8").game.ID, Latest)
		if err != nil {
			t.Fatal(err)
		}
		if v.Position.Captured != (Captured{White: "Q"}) {
			t.Errorf("captured %v", v.Position.Captured)
		}
	})
	t.Run("no note, key or verdict of an engine is in it", func(t *testing.T) {
		v, err := w.Game(t.Context(), g.game.ID, Latest)
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range []string{"notes", "secret", "eval", "key_hash"} {
			if strings.Contains(string(text), word) {
				t.Errorf("%q in %s", word, text)
			}
		}
	})
}

func TestOutcome(t *testing.T) {
	for _, c := range []struct {
		game arena.Game
		want string
	}{
		{arena.Game{Status: arena.Active}, "White to move"},
		{arena.Game{Status: arena.Active, Start: kingAndPawn}, "Black to move"},
		{arena.Game{Status: arena.Finished, Result: arena.WhiteWins, Termination: "checkmate"}, "White wins by checkmate"},
		{arena.Game{Status: arena.Finished, Result: arena.BlackWins, Termination: arena.Resignation}, "Black wins, White resigned"},
		{arena.Game{Status: arena.Finished, Result: arena.WhiteWins, Termination: arena.IllegalMoves, Illegal: 3, Forfeiter: &black}, "White wins, Black had no legal move in 3 attempts"},
		{arena.Game{Status: arena.Finished, Result: arena.Draw, Termination: arena.DrawAgreed}, "Draw by agreement"},
		{arena.Game{Status: arena.Finished, Result: arena.Draw, Termination: arena.Timeout, Forfeiter: &white}, "Draw: White ran out of time, Black cannot mate"},
		{arena.Game{Status: arena.Void, Result: arena.NoResult, Termination: arena.ByAdmin}, "Void: ended by an operator"},
		{arena.Game{Status: arena.Void, Result: arena.NoResult, Termination: arena.Timeout, Forfeiter: &white}, "Void: White ran out of time in the opening moves"},
	} {
		if got := outcome(&c.game); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func TestGames(t *testing.T) {
	w := newRecords(t)
	var all []arena.GameID
	for i := range 7 {
		g := w.begin("", nil)
		all = append([]arena.GameID{g.game.ID}, all...)
		if i%2 == 0 {
			g.end(arena.Finished, arena.Draw, arena.DrawAgreed, nil)
		}
	}
	walk := func(f Filter) (ids []arena.GameID) {
		for range 10 {
			list, err := w.Games(t.Context(), f)
			if err != nil {
				t.Fatal(err)
			}
			for _, g := range list.Games {
				ids = append(ids, g.ID)
			}
			if list.Next == nil {
				return ids
			}
			f.Before = *list.Next
		}
		t.Fatal("the list does not end")
		return nil
	}
	if d := cmp.Diff(all, walk(Filter{Limit: 2})); d != "" {
		t.Errorf("by twos (-want +got):\n%s", d)
	}
	if d := cmp.Diff(all, walk(Filter{Limit: 7})); d != "" {
		t.Errorf("on one page that is just full (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]arena.GameID{all[1], all[3], all[5]}, walk(Filter{Status: arena.Active, Limit: 1})); d != "" {
		t.Errorf("active ones (-want +got):\n%s", d)
	}
	for _, f := range []Filter{{Status: "odd"}, {Limit: -1}, {Limit: MaxGames + 1}} {
		if _, err := w.Games(t.Context(), f); arena.CodeOf(err) != arena.InvalidArguments {
			t.Errorf("%+v: %v", f, err)
		}
	}
}

// as lets every call through in the name of one agent.
type as struct{ arena.Agent }

func (a as) Admit(context.Context, *tool.Spec, tool.Credentials) (tool.Principal, error) {
	return tool.Principal{Agent: a.Agent}, nil
}

func TestGetResult(t *testing.T) {
	w := newRecords(t)
	over := w.begin("", nil).play(fools...).end(arena.Finished, arena.BlackWins, "checkmate", nil)
	lost := w.begin("", nil).play("e4").end(arena.Finished, arena.WhiteWins, arena.IllegalMoves, &black)
	void := w.begin("", nil).play("e4").end(arena.Void, arena.NoResult, arena.ByAdmin, nil)
	active := w.begin("", nil).play("e4").game.ID

	call := func(agent int64, name, args string) (tool.Answer, map[string]any) {
		set := &tool.Set{Gate: as{arena.Agent{ID: agent}}, Strict: true}
		set.Add(w.Tools()...)
		answer := set.Call(t.Context(), name, json.RawMessage(args))
		var members map[string]any
		if err := json.Unmarshal(answer.JSON, &members); err != nil {
			t.Fatal(err)
		}
		return answer, members
	}
	player := w.seats[1].NicknameID
	for _, c := range []struct {
		name string
		id   arena.GameID
		want map[string]any
	}{
		{"a mate", over, map[string]any{"status": "finished", "result": "0-1", "termination": "checkmate", "forfeit_side": nil, "ply_count": 4.0, "eval": nil}},
		{"a forfeit names its side", lost, map[string]any{"status": "finished", "result": "1-0", "termination": "illegal_moves", "forfeit_side": "black", "ply_count": 1.0, "eval": nil}},
		{"a void game has a PGN", void, map[string]any{"status": "void", "result": "*", "termination": "admin", "forfeit_side": nil, "ply_count": 1.0, "eval": nil}},
		{"an active game has none", active, map[string]any{"status": "active", "result": nil, "termination": nil, "forfeit_side": nil, "ply_count": 1.0, "eval": nil, "pgn": nil}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, got := call(player, "get_result", `{"game_id": "`+string(c.id)+`"}`)
			if c.id != active {
				pgn, err := w.PGN(t.Context(), c.id)
				if err != nil {
					t.Fatal(err)
				}
				c.want["pgn"] = pgn
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
	for _, c := range []struct {
		name, tool, args string
		agent            int64
		code             arena.Code
	}{
		{"a stranger", "get_result", `{"game_id": "` + string(over) + `"}`, 999, arena.NotYourGame},
		{"an unknown game", "get_result", `{"game_id": "zzzzzzzzzzzz"}`, player, arena.NotFound},
		{"no id at all", "get_result", `{"game_id": "../../etc"}`, player, arena.InvalidGameID},
		{"an id that is a number", "get_result", `{"game_id": 12}`, player, arena.InvalidGameID},
		{"an unknown game, in public", "get_game", `{"game_id": "zzzzzzzzzzzz"}`, 0, arena.NotFound},
		{"a ply that is not there", "get_game", `{"game_id": "` + string(over) + `", "ply": 5}`, 0, arena.InvalidArguments},
		{"a status that is none", "list_games", `{"status": "lost"}`, 0, arena.InvalidArguments},
		{"a page of a thousand", "list_games", `{"limit": 1000}`, 0, arena.InvalidArguments},
		{"a cursor that is none", "list_games", `{"before": "1"}`, 0, arena.InvalidGameID},
	} {
		t.Run(c.name+" is refused", func(t *testing.T) {
			if answer, _ := call(c.agent, c.tool, c.args); answer.Err == nil || answer.Err.Code != c.code {
				t.Errorf("%s", answer.JSON)
			}
		})
	}
	t.Run("anybody may read a game at a ply", func(t *testing.T) {
		_, got := call(0, "get_game", `{"game_id": "`+string(over)+`", "ply": "1"}`)
		position := got["position"].(map[string]any)
		if position["fen"] != "rnbqkbnr/pppppppp/8/8/8/5P2/PPPPP1PP/RNBQKBNR b KQkq - 0 1" || got["result"] != "0-1" {
			t.Errorf("%v, result %v", position["fen"], got["result"])
		}
	})
}

func TestCopy(t *testing.T) {
	w := newRecords(t)
	dir := filepath.Join(t.TempDir(), "games", "pgn")
	running := w.begin("", nil).play(fools...)
	if err := w.Copy(t.Context(), dir, running.game.ID); err == nil {
		t.Error("a running game was copied")
	}
	id := running.end(arena.Finished, arena.BlackWins, "checkmate", nil)
	for range 2 { // the second time replaces the first
		if err := w.Copy(t.Context(), dir, id); err != nil {
			t.Fatal(err)
		}
	}
	want, err := w.PGN(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(dir, string(id)+".pgn"))
	if err != nil || string(got) != want {
		t.Errorf("the copy differs: %v\n%s", err, got)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("files in the folder: %v, %v", left, err)
	}
}
