package internal

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// TestNoMutableGlobalsAndNoInit holds that a package keeps nothing that changes
// (design 01). What can be said of it by syntax alone:
//
//   - there is no init function;
//   - a package variable has a value where it is declared, or //go:embed;
//   - it is not made to be changed: no make, new, chan, sync or atomic type, no
//     pointer to a literal. Allowed are sync.OnceValue, a constant that is worked
//     out late; sync.Pool, which no result depends on; and the address of a
//     sentinel error, whose name begins with err;
//   - no code assigns to it or to a part of it, counts it up, takes its address,
//     or gives it to something that changes its first argument (delete, clear,
//     copy, sort, slices.Sort and the like);
//   - no code does any of this to a variable of another package.
//
// So tables, compiled expressions and errors may stand there, since nobody
// writes them. What a function returns is taken for a constant: its state, if it
// has any, is beyond syntax.
func TestNoMutableGlobalsAndNoInit(t *testing.T) {
	packages := map[string][]*ast.File{}
	for _, s := range sources(t) {
		if !s.isTest() && s.pkg != "db/sqlc" && !strings.HasSuffix(s.path, "_templ.go") {
			packages[s.pkg] = append(packages[s.pkg], s.file)
		}
	}
	for pkg, files := range packages {
		for _, finding := range mutableGlobals(files) {
			t.Errorf("%s: %s", pkg, finding)
		}
	}
}

func TestMutableGlobalsAreFound(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		src  string
		want bool
	}{
		"init":                         {`func init() {}`, true},
		"no value":                     {`var a int`, true},
		"embedded":                     {"//go:embed x\nvar a string", false},
		"a table":                      {`var a = map[string]int{"x": 1}; func f() int { return a["x"] }`, false},
		"an expression":                {`var a = regexp.MustCompile("x")`, false},
		"a late constant":              {`var a = sync.OnceValue(func() map[int]int { m := make(map[int]int); m[1] = 2; return m })`, false},
		"an error":                     {`var errA = &Error{Code: 1}`, false},
		"a pointer":                    {`var a = &State{}`, true},
		"made":                         {`var a = make(map[string]int)`, true},
		"a lock":                       {`var a = sync.Mutex{}`, true},
		"a number for all":             {`var a = atomic.Int64{}`, true},
		"a lock within":                {`var a = struct{ mu sync.Mutex }{}`, true},
		"assigned":                     {`var a = 1; func f() { a = 2 }`, true},
		"a local of the same name":     {`var a = 1; func f() { a := 1; a = 2; _ = a }`, false},
		"a parameter of the same name": {`var a = 1; func f(a int) { a = 2 }`, false},
		"counted":                      {`var a = 1; func f() { a++ }`, true},
		"an item":                      {`var a = []int{1}; func f() { a[0] = 2 }`, true},
		"a field of an item":           {`var a = []s{{}}; func f() { a[0].x = 2 }`, true},
		"an address":                   {`var a = 1; func f() *int { return &a }`, true},
		"ranged into":                  {`var a = 1; func f() { for a = range 3 {} }`, true},
		"deleted from":                 {`var a = map[int]int{}; func f() { delete(a, 1) }`, true},
		"sorted":                       {`var a = []int{2, 1}; func f() { slices.Sort(a) }`, true},
		"read by slices":               {`var a = []int{2, 1}; func f() bool { return slices.Contains(a, 1) }`, false},
		"of another package":           {`func f() { http.DefaultClient = nil }`, true},
		"a field of a local":           {`func f(c s) { c.x = 1 }`, false},
	} {
		f, err := parser.ParseFile(token.NewFileSet(), name, "package p\n"+tc.src, parser.ParseComments)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := mutableGlobals([]*ast.File{f}); len(got) > 0 != tc.want {
			t.Errorf("%s: found %q", name, got)
		}
	}
}

// mutableGlobals says what in the files of a package keeps state or writes it.
func mutableGlobals(files []*ast.File) []string {
	var out []string
	vars := map[string]*ast.ValueSpec{}
	for _, f := range files {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
				out = append(out, "has an init function")
			}
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.VAR {
				continue
			}
			for _, spec := range g.Specs {
				v := spec.(*ast.ValueSpec)
				for _, name := range v.Names {
					vars[name.Name] = v
				}
				out = append(out, statesOf(g, v)...)
			}
		}
	}
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			for _, target := range written(n) {
				if name := globalIn(target, vars); name != "" {
					out = append(out, "package variable "+name+" is written")
				}
			}
			return true
		})
	}
	return out
}

// statesOf says what in a declaration is made to be changed.
func statesOf(g *ast.GenDecl, v *ast.ValueSpec) (out []string) {
	name := v.Names[0].Name
	switch {
	case name == "_":
		return nil
	case v.Values == nil && !embedded(g, v):
		return []string{"package variable " + name + " has no value, so something must set it"}
	}
	isError := strings.HasPrefix(strings.ToLower(name), "err")
	ast.Inspect(v, func(n ast.Node) bool {
		state := false
		switch n := n.(type) {
		case *ast.FuncLit:
			return false // what it makes is its own
		case *ast.ChanType:
			state = true
		case *ast.UnaryExpr:
			state = n.Op == token.AND && !isError
		case *ast.CallExpr:
			fn, ok := n.Fun.(*ast.Ident)
			state = ok && (fn.Name == "make" || fn.Name == "new")
		case *ast.SelectorExpr:
			pkg, _ := n.X.(*ast.Ident)
			state = pkg != nil && (pkg.Name == "atomic" || pkg.Name == "sync" && !slices.Contains([]string{"OnceValue", "OnceValues", "Pool"}, n.Sel.Name))
		}
		if state {
			out = append(out, "package variable "+name+" is made to be changed")
		}
		return true
	})
	return out
}

// written gives the expressions that a node changes, or hands out to be changed.
func written(n ast.Node) []ast.Expr {
	switch n := n.(type) {
	case *ast.AssignStmt:
		if n.Tok != token.DEFINE {
			return n.Lhs
		}
	case *ast.IncDecStmt:
		return []ast.Expr{n.X}
	case *ast.RangeStmt:
		if n.Tok == token.ASSIGN {
			return []ast.Expr{n.Key, n.Value}
		}
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			return []ast.Expr{n.X}
		}
	case *ast.CallExpr:
		if len(n.Args) > 0 && changesFirst(n.Fun) {
			return n.Args[:1]
		}
	}
	return nil
}

// changesFirst reports a function that changes its first argument.
func changesFirst(fn ast.Expr) bool {
	switch fn := fn.(type) {
	case *ast.Ident:
		return slices.Contains([]string{"delete", "clear", "copy"}, fn.Name)
	case *ast.SelectorExpr:
		pkg, _ := fn.X.(*ast.Ident)
		if pkg == nil {
			return false
		}
		switch pkg.Name {
		case "sort":
			return !strings.HasPrefix(fn.Sel.Name, "Search") && !strings.HasSuffix(fn.Sel.Name, "AreSorted") && fn.Sel.Name != "IsSorted"
		case "slices":
			return slices.Contains([]string{"Sort", "SortFunc", "SortStableFunc", "Reverse", "Delete", "DeleteFunc", "Compact", "CompactFunc", "Replace", "Insert"}, fn.Sel.Name)
		case "maps":
			return slices.Contains([]string{"Copy", "DeleteFunc", "Insert"}, fn.Sel.Name)
		}
	}
	return false
}

// globalIn names the package variable that an expression is, or is a part of; ""
// if it is none. A name that the parser resolved to another declaration is local;
// one that it did not resolve stands in another file, or is an import.
func globalIn(e ast.Expr, vars map[string]*ast.ValueSpec) string {
	for {
		switch x := e.(type) {
		case *ast.ParenExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.SliceExpr:
			e = x.X
		case *ast.SelectorExpr:
			if pkg, ok := x.X.(*ast.Ident); ok && pkg.Obj == nil && vars[pkg.Name] == nil {
				return pkg.Name + "." + x.Sel.Name
			}
			e = x.X
		case *ast.Ident:
			if v := vars[x.Name]; v != nil && (x.Obj == nil || x.Obj.Decl == v) && x.Name != "_" {
				return x.Name
			}
			return ""
		default:
			return ""
		}
	}
}

// embedded reports a //go:embed variable.
func embedded(g *ast.GenDecl, spec *ast.ValueSpec) bool {
	for _, c := range []*ast.CommentGroup{g.Doc, spec.Doc} {
		if c == nil {
			continue
		}
		for _, line := range c.List {
			if strings.HasPrefix(line.Text, "//go:embed") {
				return true
			}
		}
	}
	return false
}
