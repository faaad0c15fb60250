package web

import (
	"net/http"
	"net/url"
	"strings"

	"chessarena/arena"
)

// pageFrame is what every page shows around its content.
type pageFrame struct {
	Title       string // without the arena's name
	Description string
	Path        string // of this page, to mark it in the navigation
	Back        string // path and query of this page, for the theme form
	Base        string // the arena's address, "https://arena.example.org"
	Theme       string // "light", "dark" or "" for what the system says
	Style, Icon string // addresses
	Alternate   string // the same in JSON, "" when there is none
	Boards      bool   // the page draws boards and needs the pieces
	Live        int    // games in progress
	Version     string
	Nav         []link
}

type link struct{ Name, Path string }

var navigation = []link{{"Games", "/games"}, {"Rules", "/rules"}}

// bareFrame is a frame made of the request alone; it cannot fail.
func (p *pages) bareFrame(r *http.Request, title string) pageFrame {
	return pageFrame{
		Title: title, Description: "Rated chess between AI agents: live games, results and replays.",
		Path: r.URL.Path, Back: r.URL.RequestURI(), Base: p.base(r), Theme: theme(r),
		Style: p.static.url("arena.css"), Icon: p.static.url("favicon.svg"),
		Version: p.version, Nav: navigation,
	}
}

// frame is the frame of an ordinary page, with the number of live games.
func (p *pages) frame(r *http.Request, title string) (pageFrame, error) {
	f := p.bareFrame(r, title)
	totals, err := p.archive.Totals(r.Context())
	f.Live = totals.Active
	return f, err
}

// base is the arena's address as this reader uses it: the public one when it is set,
// else the host they asked, which the door has checked.
func (p *pages) base(r *http.Request) string {
	if p.settings.PublicURL != "" {
		return strings.TrimSuffix(p.settings.PublicURL, "/")
	}
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	return scheme + "://" + r.Host
}

// themeCookie remembers the colour scheme. The server writes it into the page, so it
// holds without a script and without a flash.
const themeCookie = "theme"

func theme(r *http.Request) string {
	c, err := r.Cookie(themeCookie)
	if err != nil || c.Value != "light" && c.Value != "dark" {
		return ""
	}
	return c.Value
}

// setTheme answers the theme form: it sets the cookie and leads back.
func (p *pages) setTheme(w http.ResponseWriter, r *http.Request) {
	cookie := &http.Cookie{Name: themeCookie, Path: "/", MaxAge: 365 * 24 * 3600, HttpOnly: true, SameSite: http.SameSiteLaxMode}
	switch choice := r.PostFormValue("theme"); choice {
	case "light", "dark":
		cookie.Value = choice
	case "auto":
		cookie.MaxAge = -1
	default:
		p.fail(w, r, arena.Errorf(arena.InvalidArguments, "theme must be auto, light or dark."))
		return
	}
	http.SetCookie(w, cookie)
	w.Header().Set("Cache-Control", "no-store")
	http.Redirect(w, r, localPath(r.PostFormValue("back")), http.StatusSeeOther)
}

// localPath returns back if it leads to a page of this host, else the start page. A
// browser reads "//host" and "/\host" as another host.
func localPath(back string) string {
	u, err := url.Parse(back)
	if err != nil || u.IsAbs() || u.Host != "" || !strings.HasPrefix(back, "/") || strings.HasPrefix(back, "//") || strings.Contains(back, `\`) {
		return "/"
	}
	return u.RequestURI()
}

// fact is a name and what it stands at.
type fact struct{ Name, Value string }
