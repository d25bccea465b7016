package check_test

import (
	"encoding/json"
	"testing"

	"assent/internal/assent"
	"assent/internal/plan/check"
	"assent/internal/plan/lang"
)

// Whatever the plan and the schemas, a check ends with a report, and what it
// lets pass has a canonical form and can be resolved or says why not.
func FuzzCheck(f *testing.F) {
	f.Add(example(f), []byte(`{"type":"object","properties":{"a":{"anyOf":[{"$ref":"#"},{"type":"string"}]}}}`))
	f.Add([]byte(steps(tool("a", "x", `{}`), tool("b", "x", `{"a":"$0.output.a.a","b":[{"c":"{{ bindings.who.name }}"}]}`))),
		[]byte(`{"oneOf":[{"prefixItems":[{"const":1}]},{"patternProperties":{"a":false},"minItems":1}],"dependentRequired":{"a":["b"]}}`))
	c := check.New()
	f.Fuzz(func(t *testing.T, plan, schema []byte) {
		o := options()
		o.ContextType = assent.ContextProjectCreate
		o.Tools = func(name string) (assent.ToolSpec, string, bool) {
			if spec, canonical, ok := tools(name); ok {
				return spec, canonical, ok
			}
			return assent.ToolSpec{Name: name, InputSchema: schema, OutputSchema: schema}, name, true
		}
		doc, rep := c.CheckJSON(plan, o)
		if len(rep.Errors) > check.MaxFindings || len(rep.Warnings) > check.MaxFindings {
			t.Errorf("%d errors, %d warnings", len(rep.Errors), len(rep.Warnings))
		}
		if rep.Valid() && !json.Valid(lang.Canonical(doc, nil)) {
			t.Errorf("%s", lang.Canonical(doc, nil))
		}
	})
}
