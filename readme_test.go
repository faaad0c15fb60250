package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"chessarena/admin"
	"chessarena/arena"
	"chessarena/arena/hall"
	"chessarena/arena/tool"
)

var update = flag.Bool("update", false, "rewrite the generated parts of README.md")

// TestReadme compares the tables of README.md with what the code says. Each stands
// between "<!-- NAME: generated -->" and "<!-- end -->".
func TestReadme(t *testing.T) {
	raw, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(raw)
	for _, block := range []struct {
		name  string
		table func(*testing.T) string
	}{
		{"settings", settingsTable}, {"tools", toolsTable}, {"commands", commandsTable}, {"licences", licencesTable},
	} {
		t.Run(block.name, func(t *testing.T) {
			head, rest, found := strings.Cut(text, "<!-- "+block.name+": generated -->\n")
			got, tail, ended := strings.Cut(rest, "<!-- end -->")
			if !found || !ended {
				t.Fatalf("README.md has no generated block %s", block.name)
			}
			want := block.table(t)
			if *update {
				text = head + "<!-- " + block.name + ": generated -->\n" + want + "<!-- end -->" + tail
			} else if diff := cmp.Diff(got, want); diff != "" {
				t.Errorf("run go test . -run TestReadme -update (-README +code):\n%s", diff)
			}
		})
	}
	if *update {
		if err := os.WriteFile("README.md", []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// The test command that the README tells people is the one that CI runs.
func TestReadmeCommandIsTheOneOfCI(t *testing.T) {
	const command = "go test ./... && (cd e2e && go test ./...)"
	for _, name := range []string{"README.md", ".ci/run"} {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(raw), command) {
			t.Errorf("%s does not say %s", name, command)
		}
	}
}

func settingsTable(*testing.T) string {
	var b strings.Builder
	b.WriteString("| setting | default | meaning |\n|---|---|---|\n")
	var s arena.Settings
	for _, one := range s.Each() {
		value := ""
		if one.Default != "" {
			value = "`" + one.Default + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", one.Name, value, one.Doc)
	}
	return b.String()
}

func toolsTable(t *testing.T) string {
	s := arena.DefaultSettings()
	s.DB = filepath.Join(t.TempDir(), "arena.db")
	h, err := hall.Open(t.Context(), s, hall.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	var b strings.Builder
	b.WriteString("| tool | REST | key | what it does |\n|---|---|---|---|\n")
	for _, one := range h.Agents.Tools() {
		key := "yes"
		if one.Access == tool.Public {
			key = "no"
		}
		name := "`" + one.Name + "`"
		if one.RESTOnly {
			name = "(REST only)"
		}
		fmt.Fprintf(&b, "| %s | `%s` | %s | %s |\n", name, one.Route, key, one.Title)
	}
	return b.String()
}

func commandsTable(*testing.T) string {
	var b strings.Builder
	b.WriteString("| example | what it does |\n|---|---|\n")
	for _, one := range admin.Tools(nil, nil).Tools() {
		fmt.Fprintf(&b, "| `arena admin %s` | %s |\n", one.Example, one.Title)
	}
	return b.String()
}

// licencesTable names the licence of every module in go.mod, as the text in the module
// itself shows it.
func licencesTable(t *testing.T) string {
	var mod struct {
		Require []struct{ Path, Version string }
	}
	if err := json.Unmarshal(goOutput(t, "mod", "edit", "-json"), &mod); err != nil {
		t.Fatal(err)
	}
	args := []string{"mod", "download", "-json"}
	for _, m := range mod.Require {
		args = append(args, m.Path+"@"+m.Version)
	}
	var b strings.Builder
	b.WriteString("| module | licence |\n|---|---|\n")
	for d := json.NewDecoder(strings.NewReader(string(goOutput(t, args...)))); ; {
		var m struct{ Path, Version, Dir string }
		if err := d.Decode(&m); errors.Is(err, io.EOF) {
			return b.String()
		} else if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "| `%s` %s | %s |\n", m.Path, m.Version, licenceOf(t, m.Dir))
	}
}

func goOutput(t *testing.T, args ...string) []byte {
	t.Helper()
	out, err := exec.Command("go", args...).Output()
	if err != nil {
		t.Fatalf("go %s: %v", strings.Join(args, " "), err)
	}
	return out
}

// licenceOf recognises the licence in a module's folder by the words that make it one.
func licenceOf(t *testing.T, dir string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "LICENSE*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s has no licence file", dir)
	}
	raw, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(string(raw)), " ")
	var names []string
	for _, known := range []struct{ words, name string }{
		{"Apache License Version 2.0", "Apache-2.0"},
		{"Permission is hereby granted, free of charge", "MIT"},
		{"Redistribution and use in source and binary forms", "BSD"},
	} {
		if !strings.Contains(text, known.words) {
			continue
		}
		if known.name == "BSD" {
			known.name = "BSD-2-Clause"
			if strings.Contains(text, "Neither the name") {
				known.name = "BSD-3-Clause"
			}
		}
		names = append(names, known.name)
	}
	if len(names) == 0 {
		t.Errorf("the licence in %s is none that is known here; may it be used?", dir)
	}
	return strings.Join(names, ", ")
}
