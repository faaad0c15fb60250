package web

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"chessarena/arena"
	"chessarena/rules"
)

func TestStartPage(t *testing.T) {
	t.Run("a fresh arena says how to begin, with this host's address", func(t *testing.T) {
		page := newSite(t).page("/")
		for _, part := range []string{"No agent has played yet", "claude mcp add --transport http arena http://localhost:8080/mcp", "arena admin create-game 1 2"} {
			if !strings.Contains(page, part) {
				t.Errorf("no %q", part)
			}
		}
		if strings.Contains(page, " live</a>") {
			t.Error("the header counts live games where there are none")
		}
	})
	t.Run("the public address goes before the host's", func(t *testing.T) {
		s := newSite(t, func(s *arena.Settings) { s.PublicURL = "https://arena.example.org/" })
		for _, path := range []string{"/", "/connect"} {
			if page := s.page(path); !strings.Contains(page, "arena https://arena.example.org/mcp") || strings.Contains(page, "localhost") {
				t.Errorf("%s has another address", path)
			}
		}
	})
	t.Run("an arena with games shows boards and results", func(t *testing.T) {
		s, running, mate, _ := arenaWithGames(t)
		page := s.page("/")
		for _, part := range []string{
			`</i>1 live</a>`, `<dt>games</dt><dd>2</dd>`, `<dt>agents</dt><dd>2</dd>`,
			`<a class="mini" href="/games/` + string(running.ID) + `">`, "tern-sonnet-5 against corvid-3-pro, 1 move, White to move",
			`href="/games/` + string(mate.ID) + `">0–1<span class="hidden">, corvid-3-pro against tern-sonnet-5: Black wins by checkmate</span></a>`,
		} {
			if !strings.Contains(page, part) {
				t.Errorf("no %q", part)
			}
		}
	})
}

func TestGamesPage(t *testing.T) {
	s := newSite(t)
	a, b := s.player("lumen-lab", "corvid-3-pro"), s.player("quietrook", "tern-sonnet-5")
	if page := s.page("/games"); !strings.Contains(page, "No game has been played yet") {
		t.Error("an empty list does not say so")
	}
	var want []string
	for range gamesOnPage + 3 {
		s.clock = s.clock.Add(time.Second)
		want = append([]string{string(s.pair(a, b, "").ID)}, want...)
	}
	row := regexp.MustCompile(`href="/games/(\w{12})"`)
	var got []string
	path, pages := "/games", 0
	for path != "" && pages < 5 {
		page := s.page(path)
		pages++
		for _, m := range row.FindAllStringSubmatch(page, -1) {
			got = append(got, m[1])
		}
		path = ""
		if m := regexp.MustCompile(`href="(/games\?before=\w+)" rel="next"`).FindStringSubmatch(page); m != nil {
			path = m[1]
		}
	}
	if d := cmp.Diff(want, got); d != "" || pages != 2 {
		t.Errorf("%d pages (-want +got):\n%s", pages, d)
	}
	if page := s.page("/games?status=void"); !strings.Contains(page, "No game matches") {
		t.Error("an empty filter does not say so")
	}
}

func TestGamePage(t *testing.T) {
	s, running, mate, blackFirst := arenaWithGames(t)
	for _, c := range []struct {
		name, path string
		has, not   []string
	}{
		{"the end of a mate", "/games/" + string(mate.ID), []string{
			"<title>corvid-3-pro v tern-sonnet-5 · 0–1 · Arena</title>", "Black wins by checkmate, 2 moves",
			`aria-label="Position after 2… Qh4#. White: Ke1 Qd1 Ra1 Rh1 Bc1 Bf1 Nb1 Ng1 a2 b2 c2 d2 e2 h2 f3 g4. Black: Ke8 Qh4 Ra8 Rh8 Bc8 Bf8 Nb8 Ng8 e5 a7 b7 c7 d7 f7 g7 h7."`,
			`<a href="/games/` + string(mate.ID) + `" aria-current="true">Qh4#</a>`, `href="/v1/games/` + string(mate.ID) + `/pgn"`,
			`class="check"`, "3 minutes a move, then a bank of 20 minutes",
		}, []string{"Reload", `aria-label="Next move"`}},
		{"its start", gameAt(mate, 0), []string{"Starting position. White: Ke1 Qd1", `aria-label="Next move" rel="next"`}, []string{"This move", `aria-label="Previous move"`, `class="last"`}},
		{"one step on", gameAt(mate, 1), []string{`aria-current="true">f3</a>`, `href="` + gameAt(mate, 2) + `" aria-label="Next move"`, `href="` + gameAt(mate, 0) + `" aria-label="Previous move"`}, nil},
		{"a game that black began", "/games/" + string(blackFirst.ID), []string{
			`<td class="n">41</td><td>…</td>`, "Draw by agreement, 2 moves", "½–½", "4k3/8/8/8/8/8/4p3/4K2R b K - 3 41", "Position after 42… Kg7.",
		}, nil},
		{"a running game", "/games/" + string(running.ID), []string{"White to move", "Reload", "14:06:40, then the bank; forfeit at 14:18:40"}, []string{"1–0"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			page := s.page(strings.ReplaceAll(c.path, "&amp;", "&"))
			for _, part := range c.has {
				if !strings.Contains(page, part) {
					t.Errorf("no %q", part)
				}
			}
			for _, part := range c.not {
				if strings.Contains(page, part) {
					t.Errorf("there is %q", part)
				}
			}
		})
	}
	t.Run("turning the board keeps the position, and the other way round", func(t *testing.T) {
		page := s.page(gameAt(mate, 1) + "&flip=1")
		if !strings.Contains(page, `href="`+gameAt(mate, 1)+`" aria-label="Turn the board"`) {
			t.Error("no way back")
		}
		if !strings.Contains(page, `?flip=1&amp;ply=2" aria-label="Next move"`) {
			t.Error("the next move is seen from the other side")
		}
		if black, white := strings.Index(page, "stone black"), strings.Index(page, "stone white"); black < white {
			t.Error("black is still on top")
		}
	})
	t.Run("only reading is allowed", func(t *testing.T) {
		rec := ask(s.handler, "POST", "/games/"+string(mate.ID), "")
		if rec.Code != http.StatusMethodNotAllowed || rec.Header().Get("Allow") != "GET, HEAD" {
			t.Errorf("status %d, Allow %q", rec.Code, rec.Header().Get("Allow"))
		}
	})
}

func TestBoard(t *testing.T) {
	p, err := rules.ParseFEN("4k3/8/8/8/8/8/4q3/4K2R w K - 0 1")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		flip bool
		want []string
	}{
		{"white below", false, []string{
			`<use href="#K" class="w" x="180" y="315" width="45" height="45"/>`, `<use href="#R" class="w" x="315" y="315" `,
			`<use href="#K" class="b" x="180" y="0" `, `<rect class="last" x="180" y="135" `, `<rect class="last" x="180" y="270" `,
			`<rect class="check" x="180" y="315" `, `<text x="3" y="10">8</text>`, `<text class="on" x="42" y="356" text-anchor="end">a</text>`,
		}},
		{"black below", true, []string{
			`<use href="#K" class="w" x="135" y="0" width="45" height="45"/>`, `<use href="#R" class="w" x="0" y="0" `,
			`<use href="#K" class="b" x="135" y="315" `, `<rect class="last" x="135" y="180" `, `<rect class="last" x="135" y="45" `,
			`<text x="3" y="10">1</text>`, `<text class="on" x="42" y="356" text-anchor="end">h</text>`,
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			svg := string(board{Position: p, Last: "e5e2", Flip: c.flip, Coordinates: true, Label: `a "b" <c>`}.SVG())
			for _, part := range append(c.want, `role="img" aria-label="a &#34;b&#34; &lt;c&gt;"`) {
				if !strings.Contains(svg, part) {
					t.Errorf("no %s in\n%s", part, svg)
				}
			}
			if n := strings.Count(svg, "<use "); n != 4 {
				t.Errorf("%d men", n)
			}
		})
	}
	if n := len(board{Position: rules.Start()}.SVG()); n > 3500 {
		t.Errorf("a small board takes %d bytes", n)
	}
}

func TestAnUnregisteredModelIsMarked(t *testing.T) {
	s := newSite(t)
	a, b := s.player("lumen-lab", "claude-sonnet-5"), s.player("quietrook", "corvid-3-pro")
	game := s.pair(a, b, "")
	for _, path := range []string{"/games", "/games/" + string(game.ID)} {
		page := s.page(path)
		if n := strings.Count(page, ">unverified</span>"); n != 1 {
			t.Errorf("%s marks %d models", path, n)
		}
		if !regexp.MustCompile(`corvid-3-pro(?:</b>)? <span class="tag warm" title="[^"]+">unverified<`).MatchString(page) {
			t.Errorf("%s does not mark corvid-3-pro", path)
		}
	}
}

func TestRulesPageIsTheRulesText(t *testing.T) {
	s := newSite(t, func(s *arena.Settings) { s.SoftDeadline = 7 * time.Second })
	page := s.page("/rules")
	article := page[strings.Index(page, "<article"):strings.Index(page, "</article>")]
	source := s.Settings.RulesText()
	// The marks of Markdown, and the first heading, which stands above the article.
	for _, mark := range []string{`(?m)^# .*$`, `(?m)^#+ `, `(?m)^- `, `(?m)^\d+\. `, `(?m)^\|[-|]+$`, "[`|]", `\*\*`} {
		source = regexp.MustCompile(mark).ReplaceAllString(source, "")
	}
	want := strings.Join(strings.Fields(source), "")
	got := regexp.MustCompile("[`|]").ReplaceAllString(text(article), "")
	if got != want {
		at := 0
		for at < min(len(got), len(want)) && got[at] == want[at] {
			at++
		}
		t.Errorf("they part at …%.60q, want …%.60q", got[max(0, at-20):], want[max(0, at-20):])
	}
	if !strings.Contains(article, "7 seconds") || !strings.Contains(article, "<table>") || !strings.Contains(article, "<code>get_state</code>") {
		t.Error("a setting, a table or code is not there")
	}
}

func TestMarkdown(t *testing.T) {
	title, body := markdown("# T\n\na <b> & `c<d>`\nmore **bold**\n\n- one\n  goes on\n- two\n\n1. first\n\n## H\n\n| a | `b` |\n|---|---|\n| 1 | 2 |")
	want := "<p>a &lt;b&gt; &amp; <code>c&lt;d&gt;</code> more <b>bold</b></p>\n" +
		"<ul>\n<li>one goes on</li>\n<li>two</li>\n</ul>\n<ol>\n<li>first</li>\n</ol>\n<h2>H</h2>\n" +
		`<div class="scroll" role="region" aria-label="Table" tabindex="0"><table><thead><tr><th scope="col">a</th><th scope="col"><code>b</code></th></tr>` +
		"\n</thead><tbody>\n<tr><td>1</td><td>2</td></tr>\n</tbody></table></div>\n"
	if d := cmp.Diff(want, string(body)); title != "T" || d != "" {
		t.Errorf("title %q (-want +got):\n%s", title, d)
	}
}

func TestWords(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{clockTime(-time.Second), "0:00"}, {clockTime(381 * time.Second), "6:21"}, {clockTime(65 * time.Minute), "1:05:00"},
		{thought(0), "0.0s"}, {thought(430), "0.4s"}, {thought(1499), "1s"}, {thought(31_000), "31s"}, {thought(125_000), "2:05"},
		{span(180), "3 minutes"}, {span(90), "90 seconds"}, {span(1), "1 second"}, {span(0.25), "0.25 seconds"}, {span(60), "60 seconds"},
		{count(0), "0"}, {count(999), "999"}, {count(1823), "1,823"}, {count(1234567), "1,234,567"},
		{plural(1, "move"), "1 move"}, {plural(36, "move"), "36 moves"},
		{median(nil), "–"}, {median([]int64{9000, 1000, 2000}), "2s"}, {median([]int64{1000, 3000}), "2s"}, {longest([]int64{1000, 3000}), "3s"},
		{numbering{41, rules.Black}.name(1, "Kf7"), "41… Kf7"}, {numbering{41, rules.Black}.name(2, "Kxe2"), "42. Kxe2"},
		{numbering{1, rules.White}.name(4, "Qh4#"), "2… Qh4#"}, {numbering{1, rules.White}.name(0, ""), "Start"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}
