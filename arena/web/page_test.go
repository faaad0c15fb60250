package web

import (
	"compress/gzip"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"chessarena/arena"
)

func TestEveryLinkLeadsSomewhere(t *testing.T) {
	s, _, _, _ := arenaWithGames(t)
	seen, queue := map[string]bool{}, []string{"/"}
	for len(queue) > 0 {
		path := queue[0]
		queue = queue[1:]
		if seen[path] || path == "/theme" {
			continue
		}
		seen[path] = true
		rec := s.get(path)
		if rec.Code != http.StatusOK {
			t.Errorf("%s: status %d", path, rec.Code)
		}
		if strings.HasPrefix(rec.Header().Get("Content-Type"), "text/html") {
			queue = append(queue, links(rec.Body.String())...)
		}
	}
	if len(seen) < 40 { // 4 games with a dozen positions, lists, PGN, JSON, texts, two files
		t.Errorf("only %d addresses were found: %v", len(seen), seen)
	}
}

func TestPagesNeedNothingButTheirOwnFiles(t *testing.T) {
	s, running, mate, _ := arenaWithGames(t)
	inline := regexp.MustCompile(`(?i)<script|<style|\sstyle=|\son\w+=|javascript:|https?://`)
	for _, path := range []string{"/", "/games", "/games?status=void", "/games/" + string(running.ID), gameAt(mate, 3), "/rules", "/nothing"} {
		rec := s.get(path)
		page := strings.ReplaceAll(rec.Body.String(), "http://localhost:8080", "")
		if found := inline.FindString(page); found != "" {
			t.Errorf("%s has %q", path, found)
		}
		if policy := rec.Header().Get("Content-Security-Policy"); !strings.HasPrefix(policy, "default-src 'none'; style-src 'self';") {
			t.Errorf("%s has the policy %q", path, policy)
		}
	}
}

func TestPagesAreWellBuilt(t *testing.T) {
	s, running, mate, _ := arenaWithGames(t)
	id := regexp.MustCompile(`\sid="([^"]*)"`)
	for _, path := range []string{"/", "/games", "/games?status=active", "/games/" + string(running.ID), gameAt(mate, 0), "/rules", "/connect", "/nothing"} {
		page := s.get(path).Body.String()
		if n := strings.Count(page, "<h1"); n != 1 {
			t.Errorf("%s has %d main headings", path, n)
		}
		for _, part := range []string{`<html lang="en"`, `<a class="skip" href="#main">`, `<main id="main"`, " · Arena</title>"} {
			if !strings.Contains(page, part) {
				t.Errorf("%s has no %s", path, part)
			}
		}
		seen := map[string]bool{}
		for _, m := range id.FindAllStringSubmatch(page, -1) {
			if seen[m[1]] {
				t.Errorf("%s has two elements %q", path, m[1])
			}
			seen[m[1]] = true
		}
		for _, m := range regexp.MustCompile(`href="#(\w+)"`).FindAllStringSubmatch(page, -1) {
			if !seen[m[1]] {
				t.Errorf("%s refers to %q, which is not on it", path, m[1])
			}
		}
	}
}

func TestHostileTextIsShownAsText(t *testing.T) {
	s := newSite(t)
	evil := `<script>alert(1)</script>"><img src=x onerror=alert(1)>`
	a, b := s.player(evil+"-1", evil), s.player("quietrook", "tern-sonnet-5")
	live := s.pair(a, b, "", "e4", "e5", "d4", "exd4")
	over := s.pair(b, a, "", "e4")
	s.finish(over, arena.Finished, arena.WhiteWins, arena.Resignation)
	for _, path := range []string{"/", "/games", "/games/" + string(live.ID), gameAt(over, 1), "/connect?x=" + "%3Cscript%3E", "/%3Cscript%3Ealert(1)%3C/script%3E"} {
		page := s.get(path).Body.String()
		if strings.Contains(page, "<script") || strings.Contains(page, "<img") {
			t.Errorf("%s holds the text as markup", path)
		}
		if strings.Contains(page, "secret plans") {
			t.Errorf("%s shows the notes of a configuration", path)
		}
	}
	if page := s.page("/games/" + string(live.ID)); !strings.Contains(page, "&lt;script&gt;alert(1)&lt;/script&gt;") {
		t.Error("the model's name is not shown at all")
	}
}

func TestErrorPages(t *testing.T) {
	s, _, mate, _ := arenaWithGames(t)
	for _, c := range []struct {
		name, method, path string
		status             int
		says               string
	}{
		{"no page", "GET", "/nothing/here", 404, "There is no page at this address."},
		{"no game", "GET", "/games/zzzzzzzzzzzz", 404, "There is no game zzzzzzzzzzzz."},
		{"no id", "GET", "/games/..%2f..%2fetc", 404, "There is no game at this address."},
		{"a ply beyond the end", "GET", gameAt(mate, 5), 400, "This game has 4 plies; ply must be from 0 to 4."},
		{"a ply that is no number", "GET", "/games/" + string(mate.ID) + "?ply=x", 400, "ply must be a whole number"},
		{"a ply of a thousand digits", "GET", "/games/" + string(mate.ID) + "?ply=" + strings.Repeat("9", 1000), 400, "ply must be a whole number"},
		{"a status that is none", "GET", "/games?status=lost", 400, "status must be active, finished or void"},
		{"a cursor that is none", "GET", "/games?before=1", 400, "12 characters"},
		{"a page that is written to", "DELETE", "/games", 405, "This page can only be read."},
		{"a theme that is none", "POST", "/theme", 400, "theme must be auto, light or dark."},
	} {
		t.Run(c.name, func(t *testing.T) {
			rec := ask(s.handler, c.method, c.path, "")
			if rec.Code != c.status || !strings.Contains(rec.Body.String(), c.says) || !strings.Contains(rec.Body.String(), "<h1>") {
				t.Errorf("status %d\n%s", rec.Code, rec.Body)
			}
			if rec.Header().Get("ETag") != "" {
				t.Error("an error page has a validator")
			}
		})
	}
}

func TestPageValidators(t *testing.T) {
	s, running, mate, _ := arenaWithGames(t)
	path := gameAt(mate, 2)
	first := s.get(path).Header().Get("ETag")
	if first == "" {
		t.Fatal("a finished game has no ETag")
	}
	t.Run("a page that has not changed is not sent again", func(t *testing.T) {
		rec := s.get(path, "If-None-Match: "+first)
		if rec.Code != http.StatusNotModified || rec.Body.Len() != 0 || rec.Header().Get("ETag") != first {
			t.Errorf("status %d, %d bytes", rec.Code, rec.Body.Len())
		}
	})
	t.Run("whatever the page depends on makes another tag", func(t *testing.T) {
		for name, headers := range map[string][]string{
			"scheme": {"Cookie: theme=dark"}, "coding": {"Accept-Encoding: gzip"}, "host": {"Host: 127.0.0.1:8080"},
		} {
			if rec := s.get(path, append(headers, "If-None-Match: "+first)...); rec.Code != http.StatusOK || rec.Header().Get("ETag") == first {
				t.Errorf("%s: status %d", name, rec.Code)
			}
		}
		if rec := s.get(gameAt(mate, 3), "If-None-Match: "+first); rec.Code != http.StatusOK {
			t.Errorf("another address: status %d", rec.Code)
		}
	})
	t.Run("a page with a running clock is never used again", func(t *testing.T) {
		for _, path := range []string{"/", "/games/" + string(running.ID)} {
			if tag := s.get(path).Header().Get("ETag"); tag != "" {
				t.Errorf("%s has the tag %s", path, tag)
			}
		}
	})
	t.Run("a commit makes every page new", func(t *testing.T) {
		s.player("mina", "basalt-32b")
		if rec := s.get(path, "If-None-Match: "+first); rec.Code != http.StatusOK {
			t.Errorf("status %d", rec.Code)
		}
	})
}

func TestPagesAreCompressed(t *testing.T) {
	s, _, mate, _ := arenaWithGames(t)
	plain := s.page(gameAt(mate, 1))
	rec := s.get(gameAt(mate, 1), "Accept-Encoding: br, gzip")
	z, err := gzip.NewReader(rec.Body)
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(z)
	if err != nil || string(got) != plain {
		t.Errorf("the compressed page is another one: %v", err)
	}
	for accept, want := range map[string]bool{"gzip": true, "gzip;q=0": false, "br": false, "": false, "deflate, gzip;q=1.0": true, "xgzip": false} {
		if got := s.get("/rules", "Accept-Encoding: "+accept).Header().Get("Content-Encoding") == "gzip"; got != want {
			t.Errorf("Accept-Encoding %q: compressed %t", accept, got)
		}
	}
}

func TestTheme(t *testing.T) {
	s := newSite(t)
	form := "Content-Type: application/x-www-form-urlencoded"
	for _, c := range []struct{ choice, back, cookie, location string }{
		{"dark", "/games?status=void", "theme=dark;", "/games?status=void"},
		{"light", "/", "theme=light;", "/"},
		{"auto", "/rules", "Max-Age=0", "/rules"},
		{"dark", "https://evil.example/", "theme=dark;", "/"},
		{"dark", "//evil.example/", "theme=dark;", "/"},
		{"dark", `/\evil.example/`, "theme=dark;", "/"},
		{"dark", "/x\r\nSet-Cookie: a=b", "theme=dark;", "/"},
		{"dark", "", "theme=dark;", "/"},
	} {
		rec := ask(s.handler, "POST", "/theme", "theme="+c.choice+"&back="+strings.NewReplacer("\r", "%0D", "\n", "%0A", "?", "%3F", "=", "%3D").Replace(c.back), form)
		if rec.Code != http.StatusSeeOther || rec.Header().Get("Location") != c.location || !strings.Contains(rec.Header().Get("Set-Cookie"), c.cookie) {
			t.Errorf("%s from %q: %d to %q with %q", c.choice, c.back, rec.Code, rec.Header().Get("Location"), rec.Header().Get("Set-Cookie"))
		}
	}
	for cookie, want := range map[string]string{"dark": `<html lang="en" data-theme="dark">`, "light": `data-theme="light"`, `dark"x`: `<html lang="en">`} {
		if page := s.get("/rules", "Cookie: theme="+cookie).Body.String(); !strings.Contains(page, want) {
			t.Errorf("with the cookie %q there is no %s", cookie, want)
		}
	}
}

func TestTemplatesAreDeclared(t *testing.T) {
	whole := func() fstest.MapFS {
		files := fstest.MapFS{
			"templates/layout.html":   {Data: []byte(`{{define "layout"}}<p>{{template "content" .}}{{end}}`)},
			"templates/part_one.html": {Data: []byte(`{{define "one"}}1{{end}}`)},
		}
		for _, name := range pageTemplates {
			files["templates/"+name+".html"] = &fstest.MapFile{Data: []byte(`{{define "content"}}` + name + `{{end}}`)}
		}
		return files
	}
	set, err := newTemplates(whole())
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := set.render(&b, view{template: "rules"}); err != nil || b.String() != "<p>rules" {
		t.Errorf("rendered %q, %v", b.String(), err)
	}
	for name, break_ := range map[string]func(fstest.MapFS){
		"an undeclared file":    func(f fstest.MapFS) { f["templates/stray.html"] = &fstest.MapFile{} },
		"a missing file":        func(f fstest.MapFS) { delete(f, "templates/game.html") },
		"a file with a mistake": func(f fstest.MapFS) { f["templates/game.html"] = &fstest.MapFile{Data: []byte(`{{define`)} },
	} {
		files := whole()
		break_(files)
		if _, err := newTemplates(files); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
}

func TestStaticFiles(t *testing.T) {
	s := newSite(t)
	style := regexp.MustCompile(`href="(/static/arena\.[0-9a-f]{10}\.css)"`).FindStringSubmatch(s.page("/rules"))
	if style == nil {
		t.Fatal("the page has no style sheet with a hash in its name")
	}
	rec := s.get(style[1])
	if rec.Code != 200 || rec.Header().Get("Content-Type") != "text/css; charset=utf-8" ||
		rec.Header().Get("Cache-Control") != "public, max-age=31536000, immutable" || !strings.Contains(rec.Body.String(), "color-scheme") {
		t.Errorf("status %d, %v", rec.Code, rec.Header())
	}
	if small := s.get(style[1], "Accept-Encoding: gzip"); small.Body.Len() >= rec.Body.Len()/2 || small.Header().Get("Content-Encoding") != "gzip" {
		t.Errorf("compressed to %d of %d bytes", small.Body.Len(), rec.Body.Len())
	}
	for _, path := range []string{"/static/arena.css", "/static/arena.0000000000.css", "/static/", "/static/../page.go"} {
		if rec := s.get(path); rec.Code == 200 {
			t.Errorf("%s is served", path)
		}
	}
}

// A slow reader of the clock: the page of a running game shows what is left at the
// moment it is asked for.
func TestRunningClock(t *testing.T) {
	s, running, _, _ := arenaWithGames(t)
	path := "/games/" + string(running.ID)
	for _, c := range []struct {
		after time.Duration
		want  string
	}{
		{0, "bank · 3:00 to the soft deadline"},
		{100 * time.Second, "bank · 1:20 to the soft deadline"},
		{200 * time.Second, "<b>19:40</b><span>past the soft deadline"},
	} {
		began := s.clock
		s.clock = s.clock.Add(c.after)
		if page := s.page(path); !strings.Contains(page, c.want) {
			t.Errorf("after %v there is no %q", c.after, c.want)
		}
		s.clock = began
	}
}

// BenchmarkPages measures whole answers, from the request to the compressed bytes, of
// pages that the reader does not have yet, and of one it has.
func BenchmarkPages(b *testing.B) {
	s := benchSite(b)
	for _, c := range []struct {
		name, path string
		known      bool
	}{{"start", "/", false}, {"games", "/games", false}, {"game of 120 plies", s.long, false}, {"rules", "/rules", false}, {"unchanged", "/rules", true}} {
		b.Run(c.name, func(b *testing.B) {
			headers := []string{"Accept-Encoding: gzip"}
			want := http.StatusOK
			if c.known {
				headers = append(headers, "If-None-Match: "+s.get(c.path, headers...).Header().Get("ETag"))
				want = http.StatusNotModified
			}
			for b.Loop() {
				if rec := s.get(c.path, headers...); rec.Code != want {
					b.Fatalf("status %d", rec.Code)
				}
			}
		})
	}
}
