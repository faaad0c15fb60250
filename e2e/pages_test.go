package e2e_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"chessarena/e2e/agent"
)

// browser starts a headless Chromium with a profile of its own.
func browser(t *testing.T) context.Context {
	t.Helper()
	// Not the test's own folder: Chromium's last child may write into its profile when the
	// browser is gone already. The folder goes at the end of the run.
	profile, err := os.MkdirTemp(scratch, "chromium-")
	if err != nil {
		t.Fatal(err)
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(needs(t, "chromium", "chromium-browser", "google-chrome")),
		chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
		chromedp.UserDataDir(profile),
	)
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	if err := chromedp.Run(ctx); err != nil {
		t.Fatalf("start Chromium: %v", err)
	}
	return ctx
}

// tab is a page of the browser with ears: whatever goes wrong in it is kept.
type tab struct {
	context.Context
	host string // the only one that may be asked

	mu     sync.Mutex
	faults []string
}

func newTab(t *testing.T, browser context.Context, base string) *tab {
	t.Helper()
	u, err := url.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := chromedp.NewContext(browser)
	t.Cleanup(cancel)
	b := &tab{Context: ctx, host: u.Host}
	chromedp.ListenTarget(ctx, b.hear)
	err = chromedp.Run(ctx, network.Enable(), log.Enable(), chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := page.AddScriptToEvaluateOnNewDocument(
			`addEventListener('securitypolicyviolation', (e) => console.error('CSP: ' + e.violatedDirective + ' ' + e.blockedURI))`).Do(ctx)
		return err
	}))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func (b *tab) hear(event any) {
	fault := ""
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.APITypeError || e.Type == runtime.APITypeWarning {
			for _, arg := range e.Args {
				fault += " " + string(arg.Value)
			}
		}
	case *runtime.EventExceptionThrown:
		fault = e.ExceptionDetails.Error()
	case *log.EventEntryAdded:
		// A page that is not found is itself an error to the browser; one that is
		// missing from a page would be another address.
		own := e.Entry.Source == log.SourceNetwork && strings.Contains(e.Entry.URL, notFoundPath)
		if e.Entry.Level == log.LevelError && !own {
			fault = fmt.Sprintf("%s: %s (%s)", e.Entry.Source, e.Entry.Text, e.Entry.URL)
		}
	case *network.EventRequestWillBeSent:
		u, err := url.Parse(e.Request.URL)
		if err != nil || u.Scheme != "data" && u.Scheme != "about" && u.Host != b.host {
			fault = "request to " + e.Request.URL
		}
	}
	if fault != "" {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.faults = append(b.faults, fault)
	}
}

// take returns what went wrong since it was last asked.
func (b *tab) take() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	list := b.faults
	b.faults = nil
	return list
}

const notFoundPath = "/games/000000000000"

// sitePages are the pages of an arena with a live game and two finished ones, by name.
func sitePages(t *testing.T, c agent.Caller, create func(white, black int64) string) map[string]string {
	t.Helper()
	ctx := t.Context()
	white, black := register(t, c, "Blackburne-of-the-long-name-1874"), register(t, c, "Steinitz")
	playOn := func(moves []string) string {
		game := create(white.ConfigID, black.ConfigID)
		for ply, san := range moves {
			if _, err := []*agent.Player{white, black}[ply%2].Submit(ctx, game, ply, san); err != nil {
				t.Fatal(err)
			}
		}
		return game
	}
	mate, live := playOn(legalsMate), playOn(tiredDraw)
	left := playOn(tiredDraw)
	if err := black.Deed(ctx, "resign", left); err != nil {
		t.Fatal(err)
	}
	return map[string]string{
		"home": "/", "games": "/games", "rules": "/rules", "connect": "/connect",
		"live game": "/games/" + live, "finished game": "/games/" + mate, "resigned game": "/games/" + left + "?ply=5&flip=1",
		"error": notFoundPath,
	}
}

// TestPages looks at every page in a browser, light and dark, on a desk and on two
// phones: nothing a checker of accessibility objects to, no error, nothing from another
// host, no scrolling sideways.
func TestPages(t *testing.T) {
	axe := readAxe(t)
	b := browser(t)
	a := serve(t)
	pages := sitePages(t, rest(t, a), func(white, black int64) string { return createGame(t, a, white, black) })
	for name, path := range pages {
		t.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
			tab := newTab(t, b, a.URL())
			background := map[string]string{}
			for _, scheme := range []string{"light", "dark"} {
				for _, width := range []int64{1440, 390, 320} {
					t.Run(fmt.Sprintf("%s_%d", scheme, width), func(t *testing.T) {
						faults, color, err := tab.look(a.URL()+path, scheme, width, axe)
						if err != nil {
							t.Fatal(err)
						}
						for _, fault := range faults {
							t.Error(fault)
						}
						background[scheme] = color
					})
				}
			}
			if background["light"] == background["dark"] {
				t.Errorf("the page is %s in both schemes", background["light"])
			}
		})
	}
}

// look opens a page and lists what is wrong with it. It also returns the colour of the
// background.
func (b *tab) look(address, scheme string, width int64, axe string) (faults []string, background string, err error) {
	var scroll, inner int64
	var result string
	err = chromedp.Run(b,
		emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}),
		emulation.SetDeviceMetricsOverride(width, 800, 1, false),
		chromedp.Navigate(address),
		chromedp.Evaluate(`document.documentElement.scrollWidth`, &scroll),
		chromedp.Evaluate(`innerWidth`, &inner),
		chromedp.Evaluate(`getComputedStyle(document.body).backgroundColor`, &background),
		chromedp.Evaluate(axe+`; 0`, nil),
		chromedp.Evaluate(`axe.run(document).then((r) => JSON.stringify(r.violations))`, &result,
			func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }),
	)
	if err != nil {
		return nil, "", err
	}
	var violations []struct {
		ID    string `json:"id"`
		Help  string `json:"help"`
		Nodes []struct {
			HTML string `json:"html"`
		} `json:"nodes"`
	}
	if err := json.Unmarshal([]byte(result), &violations); err != nil {
		return nil, "", err
	}
	faults = b.take()
	for _, v := range violations {
		faults = append(faults, fmt.Sprintf("axe %s: %s: %.200s", v.ID, v.Help, v.Nodes[0].HTML))
	}
	if scroll > inner {
		faults = append(faults, fmt.Sprintf("the page is %d px wide on a screen of %d", scroll, inner))
	}
	return faults, background, nil
}

// TestPageChecksNotice shows the checks a page with every fault they are there for.
func TestPageChecksNotice(t *testing.T) {
	axe := readAxe(t)
	b := browser(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Security-Policy", "style-src 'none'")
		fmt.Fprint(w, `<!doctype html><html lang="en"><title>Bad</title><main><h1 style="color:red">Bad</h1><img src="/x.png">
			<img alt="" src="http://other.invalid/x.png"><table width="2000"><tr><td>wide</td></tr></table>
			<script>console.error("oh no"); throw new Error("thrown")</script></main>`)
	}))
	defer server.Close()
	faults, _, err := newTab(t, b, server.URL).look(server.URL, "light", 390, axe)
	if err != nil {
		t.Fatal(err)
	}
	all := strings.Join(faults, "\n")
	for _, want := range []string{"axe image-alt", "CSP: style-src", "oh no", "thrown", "request to http://other.invalid/", "px wide on a screen of 390"} {
		if !strings.Contains(all, want) {
			t.Errorf("nobody noticed %q; noticed:\n%s", want, all)
		}
	}
}

func readAxe(t *testing.T) string {
	t.Helper()
	script, err := os.ReadFile(filepath.Join(needsPackage(t, "axe-core"), "axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	return string(script)
}

// TestPagesWithoutScripts: with scripts switched off a page says the same.
func TestPagesWithoutScripts(t *testing.T) {
	b := browser(t)
	a := serve(t)
	pages := sitePages(t, rest(t, a), func(white, black int64) string { return createGame(t, a, white, black) })
	numbers := regexp.MustCompile(`\d+`) // clocks run between two looks
	for name, path := range pages {
		t.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
			tab := newTab(t, b, a.URL())
			texts := make([]string, 2)
			for i, off := range []bool{false, true} {
				if err := chromedp.Run(tab, emulation.SetScriptExecutionDisabled(off), chromedp.Navigate(a.URL()+path),
					chromedp.Evaluate(`document.body.innerText`, &texts[i])); err != nil {
					t.Fatal(err)
				}
				texts[i] = numbers.ReplaceAllString(texts[i], "0")
			}
			if texts[0] != texts[1] || len(texts[0]) < 40 {
				t.Errorf("with scripts:\n%s\nwithout:\n%s", texts[0], texts[1])
			}
		})
	}
}

// TestKeyboard: the first thing that Tab reaches is the link over the navigation.
func TestKeyboard(t *testing.T) {
	b := browser(t)
	a := serve(t)
	tab := newTab(t, b, a.URL())
	var focused, target string
	err := chromedp.Run(tab, chromedp.Navigate(a.URL()+"/"), chromedp.KeyEvent("\t"),
		chromedp.Evaluate(`document.activeElement.textContent.trim()`, &focused),
		chromedp.Evaluate(`document.querySelector(document.activeElement.getAttribute('href'))?.tagName ?? ''`, &target))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(strings.ToLower(focused), "skip") || target != "MAIN" {
		t.Errorf("Tab reaches %q, which leads to %q; want a link that skips to MAIN", focused, target)
	}
}
