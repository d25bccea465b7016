package tool_test

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"
	"testing"

	"assent/internal/assent"
	"assent/internal/schema"
	"assent/internal/store"
	"assent/internal/tool"
)

// governed is an executor over two tools with what admins set about them.
type governed struct {
	*tool.Executor
	*tool.Admin
	store *store.Store
}

func govern(t *testing.T, s *store.Store) governed {
	t.Helper()
	r, err := tool.NewRegistry(
		tool.New(tool.Def{Name: "look", Title: "Look", Aliases: []string{"see"}, Effect: assent.EffectRead}, func(_ context.Context, _ tool.Call, a noteArgs) (tool.Result[note], error) { return ok(a) }),
		write("note", func(a noteArgs) (tool.Result[note], error) { return ok(a) }))
	if err != nil {
		t.Fatal(err)
	}
	a, err := tool.NewAdmin(t.Context(), r, s, tool.Limits{Default: 3, Overrides: map[string]int{"note": 5}})
	if err != nil {
		t.Fatal(err)
	}
	return governed{tool.NewExecutor(r, schema.NewCompiler(), s, clock, tool.CapHook{}), a, s}
}

func (g governed) set(t *testing.T, name string, s assent.ToolSetting) tool.Governed {
	t.Helper()
	out, err := g.Set(t.Context(), "ada", name, s)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// A tool that is switched off is refused before its arguments are looked at, to
// everyone but a person's own hand on a page.
func TestADeniedToolIsRefused(t *testing.T) {
	t.Parallel()
	g := govern(t, openStore(t))
	g.set(t, "look", assent.ToolSetting{Policy: assent.PolicyDeny})
	for _, tc := range []struct {
		name, tool, args string
		scope            assent.Scope
		code             assent.Code
	}{
		{"a model", "look", `{"title":"x"}`, assent.Scope{Caller: assent.CallerModel}, assent.CodeForbidden},
		{"by its alias", "see", `{"title":"x"}`, assent.Scope{Caller: assent.CallerModel}, assent.CodeForbidden},
		{"with arguments that are wrong", "look", `{"titel":1}`, assent.Scope{Caller: assent.CallerModel}, assent.CodeForbidden},
		{"a step of a plan", "look", `{"title":"x"}`, assent.Scope{Caller: assent.CallerPlan}, assent.CodeForbidden},
		{"an agent", "look", `{"title":"x"}`, assent.Scope{Caller: assent.CallerAgent}, assent.CodeForbidden},
		{"a protocol", "look", `{"title":"x"}`, assent.Scope{Caller: assent.CallerMCP}, assent.CodeForbidden},
		{"nobody in particular", "look", `{"title":"x"}`, assent.Scope{}, assent.CodeForbidden},
		{"a person's token", "look", `{"title":"x"}`, assent.Scope{Caller: assent.CallerPerson, Principal: assent.Principal{TokenID: "t"}}, assent.CodeForbidden},
		{"a person's own hand", "look", `{"title":"x"}`, assent.Scope{Caller: assent.CallerPerson}, ""},
		{"another tool", "note", `{"title":"x"}`, assent.Scope{Caller: assent.CallerModel, Person: assent.Person{ID: "ada"}}, ""},
	} {
		c := call(tc.tool, tc.args)
		c.Scope = tc.scope
		if r := g.Execute(t.Context(), c); codeOf(r) != tc.code {
			t.Errorf("%s: %v", tc.name, r.Err)
		}
	}
	specs := g.Registry().Specs()
	if left := g.Registry().Permitted(specs); len(left) != 1 || left[0].Name != "note" || len(specs) != 2 {
		t.Errorf("on offer are %v", left)
	}
	if found := g.Registry().Match("look", 5); len(found) != 0 {
		t.Errorf("found is %v", found)
	}
	g.set(t, "look", assent.ToolSetting{Policy: assent.PolicyAllow})
	if r := g.Execute(t.Context(), call("look", `{"title":"x"}`)); r.Err != nil {
		t.Errorf("allowed again: %v", r.Err)
	}
}

// A cap of an admin holds at once, for a turn under way too.
func TestACapOfAnAdminWins(t *testing.T) {
	t.Parallel()
	g := govern(t, openStore(t))
	caps := tool.NewCaps(tool.Limits{Default: 3})
	one := func() assent.Code {
		c := call("look", `{"title":"x"}`)
		c.Caps = caps
		return codeOf(g.Execute(t.Context(), c))
	}
	limit := func(n int64) {
		g.set(t, "look", assent.ToolSetting{Policy: assent.PolicyAllow, Cap: &n})
	}
	limit(1)
	if a, b := one(), one(); a != "" || b != assent.CodeBudgetExceeded {
		t.Errorf("with a cap of 1: %q, %q", a, b)
	}
	limit(2)
	if a, b := one(), one(); a != "" || b != assent.CodeBudgetExceeded {
		t.Errorf("raised to 2: %q, %q", a, b)
	}
	g.set(t, "look", assent.ToolSetting{Policy: assent.PolicyAllow})
	if a, b := one(), one(); a != "" || b != assent.CodeBudgetExceeded {
		t.Errorf("back to 3: %q, %q", a, b)
	}
}

func TestSettingsOfToolsAreKeptCheckedAndAudited(t *testing.T) {
	t.Parallel()
	s := openStore(t)
	g := govern(t, s)
	if l := g.List(); len(l) != 2 || l[0].Policy != assent.PolicyAllow || l[0].Cap != 3 || l[1].Cap != 5 || l[0].CapSet || l[1].DefinedEffect != assent.EffectWrite {
		t.Errorf("at first: %+v", l)
	}
	n := int64(7)
	out := g.set(t, "see", assent.ToolSetting{Policy: assent.PolicyAsk, Effect: assent.EffectExternal, Cap: &n})
	if out.Name != "look" || out.Policy != assent.PolicyAsk || out.Effect != assent.EffectExternal || out.DefinedEffect != assent.EffectRead || out.Cap != 7 || !out.CapSet {
		t.Errorf("set: %+v", out)
	}
	if spec, _ := g.Registry().Spec("see"); spec.Effect != assent.EffectExternal {
		t.Errorf("the alias has the effect %s", spec.Effect)
	}
	// Another process of the same data has it too.
	if l := govern(t, s).List(); l[0].Policy != assent.PolicyAsk || l[0].Effect != assent.EffectExternal || l[0].Cap != 7 {
		t.Errorf("after a restart: %+v", l[0])
	}
	bad, big := int64(-1), int64(1001)
	for _, tc := range []struct {
		tool     string
		s        assent.ToolSetting
		pointers []string
	}{
		{"look", assent.ToolSetting{}, []string{"/policy"}},
		{"look", assent.ToolSetting{Policy: "maybe", Effect: "huge", Cap: &bad}, []string{"/policy", "/effect", "/cap"}},
		{"look", assent.ToolSetting{Policy: assent.PolicyAllow, Cap: &big}, []string{"/cap"}},
		{"note", assent.ToolSetting{Policy: assent.PolicyAllow, Effect: assent.EffectRead}, []string{"/effect"}},
	} {
		_, err := g.Set(t.Context(), "ada", tc.tool, tc.s)
		var e *assent.Error
		if !errors.As(err, &e) || e.Code != assent.CodeInvalid {
			t.Errorf("%+v: %v", tc.s, err)
			continue
		}
		var got []string
		for _, f := range e.Fields {
			got = append(got, f.Pointer)
		}
		if !slices.Equal(got, tc.pointers) {
			t.Errorf("%+v names %v", tc.s, got)
		}
	}
	if _, err := g.Set(t.Context(), "ada", "nothing", assent.ToolSetting{Policy: assent.PolicyAllow}); assent.ErrorCode(err) != assent.CodeNotFound {
		t.Errorf("a tool that is none: %v", err)
	}
	if l := g.List(); l[0].Policy != assent.PolicyAsk {
		t.Errorf("a refused change changed %+v", l[0])
	}
	if got := audited(t, s); len(got) != 1 || !strings.Contains(got[0], "look") || !strings.Contains(got[0], `"policy":"ask"`) {
		t.Errorf("the audit says %v", got)
	}
}

// audited gives what the audit says about policies.
func audited(t *testing.T, s *store.Store) (out []string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+s.Path()+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.QueryContext(t.Context(), "SELECT subject || ' ' || details FROM audit WHERE action = 'tool_policy' ORDER BY id")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			t.Fatal(err)
		}
		out = append(out, line)
	}
	return out
}
