package web

import (
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// pageTemplates are the templates a view may name. A file that is not declared here,
// and a declared one that is not there, stop the program at its start.
var pageTemplates = []string{"connect", "error", "game", "games", "home", "rules"}

// templates holds each page's template, complete with the layout and the parts.
type templates map[string]*template.Template

func newTemplates(files fs.FS) (templates, error) {
	const folder = "templates"
	base, err := template.New("").Option("missingkey=error").ParseFS(files, folder+"/layout.html", folder+"/part_*.html")
	if err != nil {
		return nil, fmt.Errorf("page templates: %w", err)
	}
	entries, err := fs.ReadDir(files, folder)
	if err != nil {
		return nil, fmt.Errorf("page templates: %w", err)
	}
	set := make(templates)
	for _, entry := range entries {
		name := strings.TrimSuffix(entry.Name(), ".html")
		if name == "layout" || strings.HasPrefix(name, "part_") {
			continue
		}
		if !slices.Contains(pageTemplates, name) {
			return nil, fmt.Errorf("page template %s is not declared", entry.Name())
		}
		clone, err := base.Clone()
		if err != nil {
			return nil, fmt.Errorf("page template %s: %w", name, err)
		}
		if set[name], err = clone.ParseFS(files, path.Join(folder, entry.Name())); err != nil {
			return nil, fmt.Errorf("page template %s: %w", name, err)
		}
	}
	for _, name := range pageTemplates {
		if set[name] == nil {
			return nil, fmt.Errorf("page template %s is missing", name)
		}
	}
	return set, nil
}

// render writes the whole page of v.
func (t templates) render(w io.Writer, v view) error {
	page := t[v.template]
	if page == nil {
		return fmt.Errorf("no page template %q", v.template)
	}
	return page.ExecuteTemplate(w, "layout", v.data)
}
