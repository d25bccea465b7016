// Package internal holds the rules of the house as tests: which package may
// import which (design 01), who may use which library, what every package must
// say of itself. The tests parse the sources themselves and change nothing.
package internal

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// floors lists every package with its floor. A package imports lower floors
// only; on one floor a child may import its parent.
func floors() map[string]int {
	out := map[string]int{}
	for floor, pkgs := range map[int][]string{
		8: {"cmd/web", "e2e"},
		7: {"internal/app"},
		6: {"internal/web", "internal/web/page", "internal/web/api", "internal/config", "internal/metrics", "internal/trace"},
		5: {"internal/planner", "internal/engine/local"},
		4: {"internal/loop", "internal/plan", "internal/consent", "internal/consent/rules", "internal/consent/carry"},
		3: {"internal/tool", "internal/tool/workspace", "internal/plan/check", "internal/account", "internal/budget", "internal/models", "internal/usage"},
		2: {"internal/store", "internal/llm", "internal/llm/gemini", "internal/llm/openai", "internal/llm/offline", "internal/llm/offline/english",
			"internal/llm/llmtest", "internal/llm/internal/provider", "internal/stream", "internal/plan/lang", "internal/schema", "internal/consent/said", "internal/secret", "views"},
		1: {"internal/assent", "internal/redact", "db", "db/sqlc", "static"},
	} {
		for _, p := range pkgs {
			out[p] = floor
		}
	}
	return out
}

// siblings are the few imports on one floor that are not child to parent, each
// with its reason.
func siblings() map[string]string {
	return map[string]string{
		"internal/consent > internal/plan":                     "an approval starts a run: consent builds the approval, plan owns runs",
		"internal/consent > internal/consent/rules":            "the service uses its own rules",
		"internal/consent > internal/consent/carry":            "the service judges by its own rule what an approval carries over to",
		"internal/llm/offline > internal/llm/offline/english":  "the model uses its own reading of English",
		"internal/llm/openai > internal/llm/internal/provider": "what both remote providers share",
		"internal/llm/gemini > internal/llm/internal/provider": "what both remote providers share",
	}
}

// owners says which packages alone may import a library or a package.
func owners() map[string][]string {
	return map[string][]string{
		"assent/db/sqlc":                      {"internal/store"},
		"google.golang.org/genai":             {"internal/llm/gemini"},
		"github.com/r3labs/sse/v2":            {"internal/stream"},
		"modernc.org/sqlite":                  {"internal/store"},
		"github.com/looplab/fsm":              {"internal/plan"},
		"github.com/prometheus/client_golang": {"internal/metrics"},
		"go.opentelemetry.io/otel":            {"internal/trace"},
		"github.com/labstack/echo/v4":         {"internal/web", "internal/web/api", "internal/web/page", "internal/app"},
	}
}

type source struct {
	pkg  string
	path string
	file *ast.File
}

// sources parses every Go file of the module; tests and generated code included.
func sources(t *testing.T) []source {
	t.Helper()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	var out []source
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || d.Name() == "node_modules" || d.Name() == "data") {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, filepath.Dir(path))
		out = append(out, source{pkg: filepath.ToSlash(rel), path: path, file: f})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func (s source) imports() []string {
	var out []string
	for _, i := range s.file.Imports {
		out = append(out, strings.Trim(i.Path.Value, `"`))
	}
	return out
}

func (s source) isTest() bool { return strings.HasSuffix(s.path, "_test.go") }

func TestImportsGoDownwards(t *testing.T) {
	floor := floors()
	for _, s := range sources(t) {
		if s.isTest() || s.pkg == "internal" {
			continue
		}
		from, ok := floor[s.pkg]
		if !ok {
			t.Errorf("package %s has no floor: give it one in arch_test.go", s.pkg)
			continue
		}
		for _, imp := range s.imports() {
			to, ours := strings.CutPrefix(imp, "assent/")
			if !ours {
				continue
			}
			if floor[to] < from || strings.HasPrefix(s.pkg, to+"/") {
				continue
			}
			if reason := siblings()[s.pkg+" > "+to]; floor[to] == from && reason != "" {
				continue
			}
			t.Errorf("%s (floor %d) imports %s (floor %d)", s.pkg, from, to, floor[to])
		}
	}
}

func TestLibrariesHaveOneOwner(t *testing.T) {
	for _, s := range sources(t) {
		if s.isTest() {
			continue
		}
		for _, imp := range s.imports() {
			for lib, allowed := range owners() {
				if (imp == lib || strings.HasPrefix(imp, lib+"/")) && !slices.Contains(allowed, s.pkg) {
					t.Errorf("%s imports %s, which belongs to %v", s.path, imp, allowed)
				}
			}
		}
	}
}

// TestApprovalsStartInOnePlace holds that only package consent starts runs.
func TestApprovalsStartInOnePlace(t *testing.T) {
	for _, s := range sources(t) {
		if s.isTest() {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if ok && (sel.Sel.Name == "StartApproved" || sel.Sel.Name == "CreateApproval") && s.pkg != "internal/consent" && s.pkg != "internal/store" && s.pkg != "db/sqlc" {
				t.Errorf("%s calls %s; only internal/consent may", s.path, sel.Sel.Name)
			}
			return true
		})
	}
}

func TestEveryPackageStatesItsGuarantees(t *testing.T) {
	docs := map[string]string{}
	for _, s := range sources(t) {
		if s.isTest() || s.pkg == "internal" {
			continue
		}
		docs[s.pkg] += s.file.Doc.Text()
	}
	for pkg, doc := range docs {
		if pkg == "db/sqlc" {
			continue // generated
		}
		if len(doc) < 120 {
			t.Errorf("package %s has no doc comment that states what it guarantees", pkg)
		}
	}
}

func TestTopLevelIsWhatTheDesignSays(t *testing.T) {
	allowed := []string{"go.mod", "go.sum", "cmd", "internal", "views", "static", "db", "sqlc.yaml", "e2e", "Dockerfile", "README.md", "LICENSE", "data"}
	entries, err := os.ReadDir("..")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") && !slices.Contains(allowed, e.Name()) {
			t.Errorf("%s stands at the top level", e.Name())
		}
	}
}
