package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The import table. A package imports packages of lower levels and its own
// sub-packages, nothing else of ours. A folder that is not named here has the level
// of the nearest named folder above it; a new room must be given its level.
var levels = map[string]int{
	"assets": 0, "arena/wake": 0, "arena/modelname": 0, "rules": 0,
	"arena": 1,
	"store": 2, "arena/tool": 2, "arena/rating": 2, "arena/engine": 2,
	"arena/registrar": 3, "arena/arbiter": 3, "arena/standings": 3, "arena/archive": 3, "arena/analysis": 3, "arena/refit": 3,
	"arena/matchmaker": 4, "arena/house": 4, "arena/naming": 4,
	"arena/hall": 5,
	"mcpserver":  6, "arena/web": 6, "arena/protocol": 6, "arena/fishnet": 6, "arena/metrics": 6, "admin": 6, "arena/play": 6, "arena/mcpclient": 6,
	"": 7, "arena/arenatest": 7,
}

// only narrows a package to these of ours, where its level would allow more.
var only = map[string][]string{
	"assets":          {},
	"rules":           {},
	"arena/wake":      {},
	"arena/modelname": {},
	"arena":           {"rules", "arena/modelname"},
	"arena/tool":      {"arena", "arena/wake"},
	"arena/rating":    {"arena"},
	"arena/engine":    {"rules"},
	"arena/play":      {"rules", "arena", "arena/engine"},
	"arena/mcpclient": {"arena"},
	"arena/metrics":   {"arena", "arena/wake", "store"},
}

// doors are the packages that speak HTTP.
var doors = []string{"mcpserver", "arena/web", "arena/protocol", "arena/fishnet", "arena/metrics", "arena/mcpclient", "arena/play", "arena/arenatest", "admin", ""}

// owners names who alone may import what comes from elsewhere; a prefix ends at a
// slash or at the end of the path.
var owners = map[string][]string{
	"github.com/corentings/chess":            {"rules"},
	"modernc.org/sqlite":                     {"store"},
	"database/sql":                           {"store"},
	"github.com/modelcontextprotocol/go-sdk": {"mcpserver", "arena/play", "arena/mcpclient", "arena/arenatest"},
	"github.com/spf13/cobra":                 {"admin", "arena/play", ""},
	"github.com/spf13/pflag":                 {"admin", "arena/play", ""},
	"github.com/google/jsonschema-go":        {"arena/tool", "mcpserver"},
	"github.com/prometheus/client_golang":    {"arena/metrics"},
	"os/exec":                                {"arena/engine"},
	"net/http":                               doors,
	"github.com/rogpeppe/go-internal":        {"arena/arenatest"},
	"testing":                                {"arena/arenatest"},
}

// banned is what the pure packages must not import.
var (
	pure   = []string{"arena", "rules"}
	banned = []string{"os", "log", "math/rand", "math/rand/v2", "crypto/rand", "net/http", "database/sql"}
)

const module = "chessarena"

// home is the named folder that path lies in, and whether there is one.
func home(path string) (string, bool) {
	for {
		if _, ok := levels[path]; ok {
			return path, true
		}
		cut := strings.LastIndexByte(path, '/')
		if cut < 0 {
			return "", false
		}
		// Below arena every room is named; inside a named room sub-folders are its own.
		if path = path[:cut]; path == "arena" {
			return "", false
		}
	}
}

// breaches lists what is wrong with the package at path (relative to the module, ""
// for main) importing imports.
func breaches(path string, imports []string) []string {
	room, ok := home(path)
	if !ok {
		return []string{fmt.Sprintf("%s has no level in the import table", path)}
	}
	var list []string
	fail := func(format string, args ...any) {
		list = append(list, fmt.Sprintf("%s ", orMain(path))+fmt.Sprintf(format, args...))
	}
	for _, imported := range imports {
		ours, inside := strings.CutPrefix(imported, module+"/")
		if !inside {
			for prefix, who := range owners {
				if (imported == prefix || strings.HasPrefix(imported, prefix+"/")) && !slices.Contains(who, room) {
					fail("imports %s, which belongs to %q", imported, who)
				}
			}
			if slices.Contains(pure, path) && slices.Contains(banned, imported) {
				fail("imports %s and must be pure", imported)
			}
			continue
		}
		other, ok := home(ours)
		switch allowed, narrowed := only[room]; {
		case !ok:
			fail("imports %s, which has no level in the import table", ours)
		case other == room:
		case narrowed && !slices.Contains(allowed, other):
			fail("imports %s; of ours it may import only %q", ours, allowed)
		case levels[other] >= levels[room]:
			fail("(level %d) imports %s (level %d)", levels[room], ours, levels[other])
		}
	}
	return list
}

func orMain(path string) string {
	if path == "" {
		return "main"
	}
	return path
}

// goPackage is what go list says of one package.
type goPackage struct {
	ImportPath, Dir string
	GoFiles         []string
	Imports         []string
}

// path is the folder relative to the module, "" for main.
func (p goPackage) path() string {
	return strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/")
}

func listPackages(t *testing.T) []goPackage {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Dir,GoFiles,Imports", "./...").Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			t.Fatalf("go list: %v\n%s", err, exit.Stderr)
		}
		t.Fatal(err)
	}
	var list []goPackage
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p goPackage
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
	if len(list) < 5 {
		t.Fatalf("go list found only %d packages", len(list))
	}
	return list
}

func TestImportTable(t *testing.T) {
	for _, p := range listPackages(t) {
		for _, b := range breaches(p.path(), p.Imports) {
			t.Error(b)
		}
	}
}

// The table is only worth something if it catches what it forbids.
func TestImportTableCatches(t *testing.T) {
	for name, c := range map[string]struct{ path, imported string }{
		"a_door_importing_a_door":            {"arena/web", "chessarena/mcpserver"},
		"a_service_importing_a_service":      {"arena/arbiter", "chessarena/arena/archive"},
		"a_lower_level_importing_a_higher":   {"store", "chessarena/arena/hall"},
		"tool_importing_store":               {"arena/tool", "chessarena/store"},
		"play_reaching_inside":               {"arena/play", "chessarena/store"},
		"the_vocabulary_importing_the_hub":   {"arena", "chessarena/arena/wake"},
		"chess_outside_rules":                {"arena/archive", "github.com/corentings/chess/v2"},
		"sqlite_outside_store":               {"arena/hall", "modernc.org/sqlite/lib"},
		"sql_outside_store":                  {"arena/hall", "database/sql"},
		"the_MCP_SDK_outside_its_door":       {"arena/web", "github.com/modelcontextprotocol/go-sdk/mcp"},
		"cobra_outside_the_command_line":     {"arena/hall", "github.com/spf13/cobra"},
		"a_subprocess_outside_engine":        {"admin", "os/exec"},
		"http_in_a_service":                  {"arena/registrar", "net/http"},
		"chance_in_the_vocabulary":           {"arena", "crypto/rand"},
		"files_in_rules":                     {"rules", "os"},
		"a_room_nobody_gave_a_level":         {"arena/util", "fmt"},
		"an_import_of_a_room_without_level":  {"arena/web", "chessarena/arena/helpers"},
		"a_top_folder_nobody_gave_a_level":   {"pkg", "fmt"},
		"anything_importing_the_test_helper": {"admin", "chessarena/arena/arenatest"},
	} {
		t.Run(name, func(t *testing.T) {
			if len(breaches(c.path, []string{c.imported})) != 1 {
				t.Errorf("%s may import %s", c.path, c.imported)
			}
		})
	}
	for _, c := range []struct{ path, imported string }{
		{"", "chessarena/arena/hall"}, {"arena/engine", "chessarena/arena/engine/search"},
		{"arena/engine/search", "chessarena/rules"}, {"arena/engine", "os/exec"}, {"arena/matchmaker", "chessarena/arena/arbiter"},
	} {
		if list := breaches(c.path, []string{c.imported}); len(list) > 0 {
			t.Errorf("a good import is refused: %v", list)
		}
	}
}

func TestPackages(t *testing.T) {
	vague := []string{"util", "utils", "common", "helper", "helpers", "base", "manager", "misc", "shared", "lib"}
	for _, p := range listPackages(t) {
		path := orMain(p.path())
		if slices.Contains(vague, filepath.Base(path)) {
			t.Errorf("%s: the name says nothing about its purpose", path)
		}
		set := token.NewFileSet()
		lines := 0
		for _, name := range p.GoFiles {
			file, err := parser.ParseFile(set, filepath.Join(p.Dir, name), nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			if file.Doc != nil {
				lines += strings.Count(file.Doc.Text(), "\n")
			}
			if slices.Contains(pure, p.path()) {
				for _, call := range impureCalls(file) {
					t.Errorf("%s/%s calls %s; time is an argument there", path, name, call)
				}
			}
		}
		if lines < 5 || lines > 20 {
			t.Errorf("%s: the package comment has %d lines, it should have 5 to 20", path, lines)
		}
	}
}

// impureCalls lists the uses of the clock in file, by whatever name it imports time.
func impureCalls(file *ast.File) []string {
	name := ""
	for _, spec := range file.Imports {
		if path, _ := strconv.Unquote(spec.Path.Value); path == "time" {
			name = "time"
			if spec.Name != nil {
				name = spec.Name.Name
			}
		}
	}
	impure := []string{"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTicker", "NewTimer"}
	found := map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := sel.X.(*ast.Ident); ok && name != "" && x.Name == name && slices.Contains(impure, sel.Sel.Name) {
				found["time."+sel.Sel.Name] = true
			}
		}
		return true
	})
	return slices.Sorted(maps.Keys(found))
}

func TestImpureCallsAreFound(t *testing.T) {
	const source = `package p
import clock "time"
var x, y = clock.Now(), clock.Second`
	file, err := parser.ParseFile(token.NewFileSet(), "p.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	if got := impureCalls(file); !slices.Equal(got, []string{"time.Now"}) {
		t.Errorf("got %v", got)
	}
}
