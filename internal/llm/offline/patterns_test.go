package offline_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestPatternsCompile reads every pattern of the sources, since each is compiled
// only when it is first used: a mistake in a rare one would else be a person's.
func TestPatternsCompile(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	group, seen := regexp.MustCompile(`\{[a-z]+\}`), 0
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || !compilesPatterns(call) {
				return true
			}
			for _, arg := range call.Args {
				lit, ok := arg.(*ast.BasicLit)
				if !ok || lit.Kind != token.STRING {
					continue
				}
				pattern, _ := strconv.Unquote(lit.Value)
				seen++
				if _, err := regexp.Compile(group.ReplaceAllString(strings.TrimPrefix(pattern, "^"), "(?:x)")); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
			return true
		})
	}
	if seen < 300 {
		t.Errorf("only %d patterns were found", seen)
	}
}

// compilesPatterns reports a call of groups.Compile or of rules.
func compilesPatterns(call *ast.CallExpr) bool {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name == "rules"
	case *ast.SelectorExpr:
		on, ok := f.X.(*ast.Ident)
		return ok && on.Name == "groups" && f.Sel.Name == "Compile"
	}
	return false
}
