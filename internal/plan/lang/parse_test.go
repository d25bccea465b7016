package lang_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"assent/internal/assent"
	"assent/internal/plan/lang"
)

// example is the plan of design 03 §1, word for word.
func example(t testing.TB) []byte {
	t.Helper()
	b, err := os.ReadFile("testdata/office-move.json")
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func parse(t testing.TB, raw string) assent.PlanDocument {
	t.Helper()
	doc, errs := lang.Parse(json.RawMessage(raw))
	if len(errs) > 0 {
		t.Fatalf("%s: %+v", raw, errs)
	}
	return doc
}

func TestParseReadsTheExampleWordForWord(t *testing.T) {
	doc := parse(t, string(example(t)))
	if doc.Objective != "Set up the office move as a project" || len(doc.Steps) != 5 || len(doc.Steps[2].Steps) != 2 {
		t.Fatalf("%+v", doc)
	}
	if got := string(doc.Steps[2].Steps[0].With); got != `{"project_id":"$1.output.artifact_id"}` {
		t.Errorf("with is %s", got)
	}
	if doc.Steps[2].MaxConcurrency != 2 || doc.Steps[2].Merge != "collect" || doc.Steps[3].Type != assent.StepCheckpoint {
		t.Errorf("%+v", doc.Steps[2:4])
	}
}

func TestParseTakesBackWhatTheAPIShows(t *testing.T) {
	doc := parse(t, string(example(t)))
	doc.Steps[0].Effect, doc.Steps[0].Target = assent.EffectRead, "templates"
	b, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	again := parse(t, string(b))
	if again.Steps[0].Effect != "" || again.Steps[0].Target != "" {
		t.Error("computed fields came back")
	}
	if lang.Hash(again, nil) != lang.Hash(doc, nil) {
		t.Error("the plan changed on its way")
	}
}

func TestParseTakesTheShortForm(t *testing.T) {
	doc := parse(t, `{"objective":"x","calls":[{"tool_name":"a","arguments":{"n":1.10}},{"tool_name":"b"}]}`)
	if len(doc.Steps) != 2 || doc.Steps[0].ID != "s1" || doc.Steps[1].ID != "s2" || doc.Steps[1].Tool != "b" || doc.Steps[0].Type != assent.StepTool {
		t.Fatalf("%+v", doc.Steps)
	}
	if string(doc.Steps[0].Arguments) != `{"n":1.10}` {
		t.Errorf("arguments are %s", doc.Steps[0].Arguments)
	}
}

func TestParseGivesIDsAroundThoseTaken(t *testing.T) {
	doc := parse(t, `{"steps":[{"type":"tool","tool":"a"},{"id":"s2","type":"tool","tool":"a"},
		{"type":"parallel","steps":[{"type":"tool","tool":"a"},{"id":"s1","type":"tool","tool":"a"}]}]}`)
	var ids []string
	for _, p := range lang.Paths(doc) {
		ids = append(ids, p.Path+"="+p.Number)
	}
	if got := strings.Join(ids, " "); got != "s3=1 s2=2 s4=3 s4/s5=3.1 s4/s1=3.2" {
		t.Error(got)
	}
}

func TestParseRefuses(t *testing.T) {
	tool := func(more string) string { return `{"steps":[{"id":"a","type":"tool","tool":"t"` + more + `}]}` }
	for name, tc := range map[string]struct {
		in   string
		want []string // code pointer
	}{
		"no JSON":             {`{"steps":`, []string{"invalid_step "}},
		"no object":           {`"a plan"`, []string{"invalid_step "}},
		"bad UTF-8":           {"{\"objective\":\"\xff\"}", []string{"invalid_step "}},
		"empty":               {`{}`, []string{"empty_plan /steps"}},
		"no steps":            {`{"objective":"x","steps":[]}`, []string{"empty_plan /steps"}},
		"null steps":          {`{"steps":null}`, []string{"empty_plan /steps"}},
		"both forms":          {`{"steps":[{"type":"tool","tool":"t"}],"calls":[{"tool_name":"t"}]}`, []string{"invalid_step /calls"}},
		"unknown field":       {`{"goal":"x","steps":[{"type":"tool","tool":"t"}]}`, []string{"unknown_argument /goal"}},
		"wrong type":          {`{"objective":1,"requested_outputs":["a",2],"steps":[{"type":"tool","tool":"t"}]}`, []string{"invalid_arguments /objective", "invalid_arguments /requested_outputs/1"}},
		"unknown step field":  {tool(`,"args":{}`), []string{"invalid_step /steps/0/args"}},
		"odd step field":      {tool(`,"a/b~":{}`), []string{"invalid_step /steps/0/a~1b~0"}},
		"case counts":         {tool(`,"Arguments":{}`), []string{"invalid_step /steps/0/Arguments"}},
		"duplicate key":       {tool(`,"tool":"u"`), []string{"invalid_step /steps/0/tool"}},
		"hidden duplicate":    {tool(`,"arguments":{"x":[{"y":1,"\u0079":2}]}`), []string{"invalid_step /steps/0/arguments/x/0/y"}},
		"duplicate on top":    {`{"objective":"a","objective":"b","steps":[{"type":"tool","tool":"t"}]}`, []string{"invalid_arguments /objective"}},
		"step is no object":   {`{"steps":["t"]}`, []string{"invalid_step /steps/0", "unknown_step_type /steps/0/type"}},
		"call unknown field":  {`{"calls":[{"tool":"t","arguments":{}}]}`, []string{"invalid_step /calls/0/tool", "invalid_step /steps/0/tool"}},
		"no type":             {`{"steps":[{"tool":"t"}]}`, []string{"unknown_step_type /steps/0/type"}},
		"unknown type":        {`{"steps":[{"type":"loop"}]}`, []string{"unknown_step_type /steps/0/type"}},
		"arguments no object": {tool(`,"arguments":"{}"`), []string{"invalid_step /steps/0/arguments"}},
		"foreign field":       {tool(`,"agent":"x"`), []string{"invalid_step /steps/0/agent"}},
		"no tool":             {`{"steps":[{"type":"tool"},{"type":"agent"},{"type":"parallel"}]}`, []string{"invalid_step /steps/0/tool", "invalid_step /steps/1/agent", "invalid_step /steps/2/steps"}},
		"bad id":              {`{"steps":[{"id":"a/b","type":"tool","tool":"t"}]}`, []string{"invalid_step /steps/0/id"}},
		"bad result key":      {tool(`,"result_key":"a.b"`), []string{"invalid_step /steps/0/result_key"}},
		"bad numbers":         {tool(`,"timeout_ms":-1`), []string{"invalid_step /steps/0/timeout_ms"}},
		"fraction":            {tool(`,"timeout_ms":1.5`), []string{"invalid_step /steps/0/timeout_ms"}},
		"duplicate id": {`{"steps":[{"id":"a","type":"tool","tool":"t"},{"id":"p","type":"parallel","steps":[{"id":"a","type":"tool","tool":"t"}]}]}`,
			[]string{"duplicate_step_id /steps/1/steps/0/id"}},
		"nested parallel": {`{"steps":[{"type":"parallel","steps":[{"type":"parallel","steps":[{"type":"tool","tool":"t"}]}]}]}`,
			[]string{"nested_parallel /steps/0/steps/0/type"}},
		"checkpoint inside":   {`{"steps":[{"type":"parallel","steps":[{"type":"checkpoint"}]}]}`, []string{"invalid_step /steps/0/steps/0/type"}},
		"merge":               {`{"steps":[{"type":"parallel","merge":"zip","steps":[{"type":"tool","tool":"t"}]}]}`, []string{"invalid_merge /steps/0/merge"}},
		"reference syntax":    {tool(`,"arguments":{"a":["$x.output.a"]}`), []string{"reference_syntax /steps/0/arguments/a/0"}},
		"reference in a key":  {tool(`,"arguments":{"{{ result.a }}":1}`), []string{"reference_syntax /steps/0/arguments/{{ result.a }}"}},
		"reference as a tool": {`{"steps":[{"type":"tool","tool":"$0.output.tool"}]}`, []string{"reference_syntax /steps/0/tool"}},
		"reference in the id": {`{"steps":[{"id":"{{ bindings.x }}","type":"tool","tool":"t"}]}`, []string{"invalid_step /steps/0/id", "reference_syntax /steps/0/id"}},
		"prompt":              {`{"steps":[{"type":"agent","agent":"x","prompt":"Hello {{ name }}"}]}`, []string{"reference_syntax /steps/0/prompt"}},
		"everything at once": {`{"x":1,"steps":[{"type":"tool"},{"id":"a","type":"x"},{"id":"a","type":"tool","tool":"t","arguments":[]}]}`,
			[]string{"duplicate_step_id /steps/2/id", "invalid_step /steps/0/tool", "invalid_step /steps/2/arguments", "unknown_argument /x", "unknown_step_type /steps/1/type"}},
		"too deep":  {tool(`,"arguments":{"a":` + strings.Repeat("[", 70) + strings.Repeat("]", 70) + `}`), []string{"too_large "}},
		"too many":  {tool(`,"arguments":{"a":[` + strings.Repeat("1,", 10_000) + `1]}`), []string{"too_large "}},
		"too large": {`{"objective":"` + strings.Repeat("x", lang.MaxBytes) + `"}`, []string{"too_large "}},
	} {
		t.Run(name, func(t *testing.T) {
			_, errs := lang.Parse(json.RawMessage(tc.in))
			var got []string
			for _, e := range errs {
				got = append(got, e.Code+" "+e.Pointer)
				if !strings.HasSuffix(e.Message, ".") {
					t.Errorf("%q is no sentence", e.Message)
				}
			}
			slices.Sort(got)
			if !slices.Equal(got, tc.want) {
				t.Errorf("got  %q\nwant %q", got, tc.want)
			}
		})
	}
}

func TestParseStopsAtAHundredErrors(t *testing.T) {
	_, errs := lang.Parse(json.RawMessage(`{"steps":[` + strings.Repeat(`{"type":"x"},`, 1000) + `{}]}`))
	if len(errs) != lang.MaxErrors {
		t.Errorf("%d errors", len(errs))
	}
}

func TestDuplicatesAreFoundInLargeObjects(t *testing.T) {
	for _, n := range []int{1, 15, 16, 17, 40} {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `"k%d":1,`, i)
		}
		_, errs := lang.Parse(json.RawMessage(fmt.Sprintf(`{"steps":[{"type":"tool","tool":"t","arguments":{%s"k%d":2}}]}`, b.String(), n-1)))
		if len(errs) != 1 || errs[0].Pointer != fmt.Sprintf("/steps/0/arguments/k%d", n-1) {
			t.Errorf("%d keys: %+v", n, errs)
		}
	}
}

func TestErrorsNameStepAndReference(t *testing.T) {
	_, errs := lang.Parse(json.RawMessage(`{"steps":[{"id":"know","type":"parallel","steps":[{"id":"d","type":"tool","tool":"search","arguments":{"q":{"text":"{{ result }}"}}}]}]}`))
	if len(errs) != 1 {
		t.Fatalf("%+v", errs)
	}
	e := errs[0]
	if e.Step != "d" || e.Path != "know/d" || e.Tool != "search" || e.Argument != "q.text" || e.Reference != "{{ result }}" || e.Pointer != "/steps/0/steps/0/arguments/q/text" {
		t.Errorf("%+v", e)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(example(f))
	f.Add([]byte(`{"calls":[{"tool_name":"a","arguments":{"a":"$0.output.b","b":"{{ result.x }} {{{{"}}]}`))
	f.Add([]byte(`{"steps":[{"id":"s1","type":"parallel","steps":[{"type":"tool","tool":"\ud800"}]}]}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		doc, errs := lang.Parse(raw)
		lang.Paths(doc)
		form := lang.Canonical(doc, nil)
		lang.DiffCanonical(form, raw)
		env := lang.Env{Outputs: []json.RawMessage{[]byte(`{"a":[1,{"b":"x"}]}`)}, Results: map[string]json.RawMessage{"x": []byte(`"y"`)}}
		for _, st := range doc.Steps {
			lang.StepReferences(st)
			if out, err := lang.Resolve(st.Arguments, env); err == nil && len(out) > 0 && !json.Valid(out) {
				t.Errorf("%s resolves to %s", st.Arguments, out)
			}
		}
		if len(errs) > 0 {
			return
		}
		if !json.Valid(form) {
			t.Errorf("canonical form %s", form)
		}
		b, err := json.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		again, errs := lang.Parse(b)
		if len(errs) > 0 || lang.Hash(again, nil) != lang.Hash(doc, nil) {
			t.Errorf("%s does not survive a round trip: %+v", b, errs)
		}
	})
}
