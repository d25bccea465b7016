package check_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"assent/internal/assent"
	"assent/internal/plan/check"
	"assent/internal/plan/lang"
)

// The example of design 03 §1, word for word, also as a plan for a new project.
func TestTheExampleIsValid(t *testing.T) {
	for _, ct := range []assent.ContextType{assent.ContextGeneral, assent.ContextProjectCreate} {
		o := options()
		o.ContextType = ct
		rep := check.New().Check(parse(t, string(example(t))), o)
		if !rep.Valid() {
			t.Errorf("%s: %+v", ct, rep.Errors)
		}
		if got := told(rep.Warnings); len(got) != 1 || got[0] != "may_be_absent /steps/1/arguments/template_id $0.output.artifact.templates.0.id" {
			t.Errorf("%s: %q", ct, got)
		}
	}
}

// The example of an error of design 03 §3, field by field.
func TestAnErrorNamesEverything(t *testing.T) {
	doc := parse(t, steps(tool("r", "research", `{"topic":"x"}`), tool("doc", "publish_document", `{"document_id":"$0.output.artifact_id"}`)))
	rep := check.New().Check(doc, options())
	if len(rep.Errors) != 1 {
		t.Fatalf("%+v", rep)
	}
	want := assent.FieldError{Pointer: "/steps/1/arguments/document_id", Step: "doc", Path: "doc", Tool: "research", Argument: "document_id", Reference: "$0.output.artifact_id",
		Code: "field_not_found", AvailableFields: []string{"sources", "topic"}, Message: `$0.output.artifact_id: the output of research has no "artifact_id"; there is sources, topic.`}
	if !reflect.DeepEqual(rep.Errors[0], want) {
		t.Errorf("got  %+v\nwant %+v", rep.Errors[0], want)
	}
}

func TestReferences(t *testing.T) {
	list, make := tool("a", "list_templates", `{}`, `,"result_key":"k"`), tool("b", "create_project", `{"name":"x"}`, `,"result_key":"p"`)
	use := func(arg string) string { return tool("u", "publish_document", `{"title":`+arg+`}`) }
	for name, tc := range map[string]struct {
		plan             string
		errors, warnings []string
	}{
		"fits":                  {steps(make, use(`"$0.output.artifact.name"`)), nil, nil},
		"by key":                {steps(make, use(`"{{ result.p.artifact.name }}"`)), nil, nil},
		"interpolated":          {steps(make, use(`"x {{ result.p.artifact.revision }} {{ result.p.artifact }}"`)), nil, nil},
		"whole output":          {steps(make, use(`"$0.output"`)), []string{"type_mismatch /steps/1/arguments/title $0.output"}, nil},
		"out of range":          {steps(make, use(`"$2.output.a"`)), []string{"index_out_of_range /steps/1/arguments/title $2.output.a"}, nil},
		"negative":              {steps(make, use(`"$-1.output.a"`)), []string{"index_out_of_range /steps/1/arguments/title $-1.output.a"}, nil},
		"self":                  {steps(make, use(`"$1.output.a"`)), []string{"self_reference /steps/1/arguments/title $1.output.a"}, nil},
		"forward":               {steps(use(`"$1.output.a"`), make), []string{"forward_reference /steps/0/arguments/title $1.output.a"}, nil},
		"key unknown":           {steps(make, use(`"{{ result.q }}"`)), []string{"unknown_result_key /steps/1/arguments/title {{ result.q }}"}, nil},
		"key forward":           {steps(use(`"{{ result.p.a }}"`), make), []string{"forward_reference /steps/0/arguments/title {{ result.p.a }}"}, nil},
		"key self":              {steps(tool("b", "create_project", `{"name":"{{ result.p.artifact.name }}"}`, `,"result_key":"p"`)), []string{"self_reference /steps/0/arguments/name {{ result.p.artifact.name }}"}, nil},
		"circle":                {steps(tool("a", "create_project", `{"name":"{{ result.y.artifact.name }}"}`, `,"result_key":"x"`), tool("b", "create_project", `{"name":"{{ result.x.artifact.name }}"}`, `,"result_key":"y"`)), []string{"forward_reference /steps/0/arguments/name {{ result.y.artifact.name }}"}, nil},
		"key twice":             {steps(make, tool("c", "create_project", `{"name":"y"}`, `,"result_key":"p"`)), []string{"duplicate_result_key /steps/1/result_key"}, nil},
		"siblings":              {steps(`{"id":"p","type":"parallel","steps":[` + make + `,` + use(`"{{ result.p.artifact.name }}"`) + `]}`), []string{"sibling_reference /steps/0/steps/1/arguments/title {{ result.p.artifact.name }}"}, nil},
		"own container":         {steps(`{"id":"q","type":"parallel","result_key":"q","steps":[` + use(`"{{ result.q.u }} $0.output"`) + `,` + tool("v", "publish_document", `{"title":"$0.output.x"}`) + `]}`), []string{"self_reference /steps/0/steps/0/arguments/title {{ result.q.u }}", "self_reference /steps/0/steps/1/arguments/title $0.output.x"}, nil},
		"child's key":           {steps(`{"id":"q","type":"parallel","steps":[`+make+`]}`, use(`"{{ result.p.artifact.name }}"`)), nil, nil},
		"collected":             {steps(`{"id":"q","type":"parallel","steps":[`+make+`,`+tool("d", "search_documents", `{"query":"x"}`)+`]}`, use(`"{{ result.p.artifact_id }}"`), tool("v", "publish_document", `{"title":"$0.output.p.artifact.name"}`), tool("w", "publish_document", `{"title":"$0.output.d.artifact_id"}`)), nil, nil},
		"collected by key only": {steps(`{"id":"q","type":"parallel","steps":[`+make+`]}`, use(`"$0.output.b.artifact.name"`)), []string{"field_not_found /steps/1/arguments/title $0.output.b.artifact.name"}, nil},
		"merged names":          {steps(`{"id":"q","type":"parallel","steps":[` + tool("x", "list_templates", `{}`, `,"result_key":"y"`) + `,` + tool("y", "list_templates", `{}`) + `]}`), []string{"duplicate_result_key /steps/0/steps/1/id"}, nil},
		"winner": {steps(`{"id":"q","type":"parallel","merge":"first_success","result_key":"w","steps":[`+list+`,`+tool("r", "research", `{"topic":"x"}`)+`]}`, use(`"{{ result.w.artifact_id }}"`), tool("v", "publish_document", `{"title":"{{ result.k.artifact_id }}"}`)),
			[]string{"unknown_result_key /steps/2/arguments/title {{ result.k.artifact_id }}"}, []string{"may_be_absent /steps/1/arguments/title {{ result.w.artifact_id }}"}},
		"binding":             {steps(use(`"{{ bindings.who.name }}"`)), nil, nil},
		"binding's value":     {steps(tool("l", "list_templates", `{"limit":"{{ bindings.who.name }}","query":"{{ bindings.who.age }}"}`)), []string{"type_mismatch /steps/0/arguments/limit {{ bindings.who.name }}", "type_mismatch /steps/0/arguments/query {{ bindings.who.age }}"}, nil},
		"binding unknown":     {steps(use(`"{{ bindings.whom }}"`)), []string{"unknown_binding /steps/0/arguments/title {{ bindings.whom }}"}, nil},
		"binding's field":     {steps(use(`"{{ bindings.who.nme }}"`)), []string{"field_not_found /steps/0/arguments/title {{ bindings.who.nme }}"}, nil},
		"binding later":       {steps(use(`"{{ bindings.later }} {{ bindings.later.x }}"`)), nil, []string{"unchecked /steps/0/arguments/title {{ bindings.later.x }}"}},
		"binding later whole": {steps(use(`"{{ bindings.later }}"`)), nil, []string{"unchecked /steps/0/arguments/title {{ bindings.later }}"}},
		"no output schema":    {steps(tool("e", "everything/echo", `{}`), use(`"$0.output.content.0.text"`)), nil, []string{"unchecked /steps/1/arguments/title $0.output.content.0.text"}},
		"nothing said":        {steps(tool("d", "search_documents", `{"query":"x"}`), use(`"$0.output.artifact.documents.0.title"`)), nil, []string{"may_be_absent /steps/1/arguments/title $0.output.artifact.documents.0.title", "unchecked /steps/1/arguments/title $0.output.artifact.documents.0.title"}},
		"checkpoint":          {steps(`{"id":"c","type":"checkpoint"}`, use(`"$0.output.input"`)), nil, []string{"unchecked /steps/1/arguments/title $0.output.input"}},
		"missing field":       {steps(make, use(`"$0.output.artifact.nme"`)), []string{"field_not_found /steps/1/arguments/title $0.output.artifact.nme"}, nil},
		"missing, in text":    {steps(make, use(`"x {{ result.p.artifact.nme }}"`)), []string{"field_not_found /steps/1/arguments/title {{ result.p.artifact.nme }}"}, nil},
		"no array":            {steps(make, use(`"$0.output.artifact.0"`)), []string{"field_not_found /steps/1/arguments/title $0.output.artifact.0"}, nil},
		"into a scalar":       {steps(make, use(`"$0.output.artifact.name.x"`)), []string{"field_not_found /steps/1/arguments/title $0.output.artifact.name.x"}, nil},
		"an item":             {steps(list, use(`"$0.output.artifact.templates.3.name"`)), nil, []string{"may_be_absent /steps/1/arguments/title $0.output.artifact.templates.3.name"}},
		"no item":             {steps(list, use(`"$0.output.artifact.templates.first"`)), []string{"field_not_found /steps/1/arguments/title $0.output.artifact.templates.first"}, nil},
		"optional":            {steps(make, tool("u", "update_project", `{"project_id":"$0.output.artifact_id","score":"$0.output.artifact.score"}`)), nil, []string{"may_be_absent /steps/1/arguments/score $0.output.artifact.score"}},
		"integer to number":   {steps(make, tool("u", "update_project", `{"project_id":"$0.output.artifact_id","score":"$0.output.artifact.revision"}`)), nil, nil},
		"number to integer":   {steps(make, tool("u", "update_project", `{"project_id":"$0.output.artifact_id","revision":"$0.output.artifact.score"}`)), []string{"type_mismatch /steps/1/arguments/revision $0.output.artifact.score"}, []string{"may_be_absent /steps/1/arguments/revision $0.output.artifact.score"}},
		"integer to string":   {steps(make, use(`"$0.output.artifact.revision"`)), []string{"type_mismatch /steps/1/arguments/title $0.output.artifact.revision"}, nil},
		"nullable":            {steps(make, use(`"$0.output.artifact.due_date"`)), nil, []string{"may_be_absent /steps/1/arguments/title $0.output.artifact.due_date"}},
		"nullable accepted":   {steps(make, tool("u", "update_project", `{"project_id":"x","due_date":"$0.output.artifact.due_date"}`)), nil, nil},
		"text for a number":   {steps(make, tool("u", "update_project", `{"project_id":"x","revision":"{{ result.p.artifact.revision }} "}`)), []string{"type_mismatch /steps/1/arguments/revision {{ result.p.artifact.revision }}"}, nil},
		"objects":             {steps(make, tool("c", "create_project", `{"name":"x","milestones":"$0.output.artifact.tasks"}`)), []string{"type_mismatch /steps/1/arguments/milestones $0.output.artifact.tasks"}, nil},
		"inside":              {steps(make, tool("c", "create_project", `{"name":"x","milestones":[{"title":"$0.output.artifact.name"},{"title":"$0.output.artifact.revision","weight":"heavy"},{"wait":"$0.output.artifact.name"}]}`)), []string{"type_mismatch /steps/1/arguments/milestones/1/title $0.output.artifact.revision", "invalid_arguments /steps/1/arguments/milestones/1/weight", "missing_argument /steps/1/arguments/milestones/2/title", "unknown_argument /steps/1/arguments/milestones/2/wait"}, nil},
		"object for a text":   {steps(make, use(`{"x":"$0.output.artifact.name"}`)), []string{"invalid_arguments /steps/1/arguments/title"}, nil},
		"prompt":              {steps(make, `{"id":"r","type":"agent","agent":"researcher","prompt":"{{ result.p }} {{ result.p.x }}"}`), []string{"field_not_found /steps/1/prompt {{ result.p.x }}"}, nil},
		"with":                {steps(make, `{"id":"r","type":"agent","agent":"researcher","with":{"project_id":"$0.output.artifact.revision"}}`), []string{"type_mismatch /steps/1/with/project_id $0.output.artifact.revision"}, nil},
		"agent's output":      {steps(`{"id":"r","type":"agent","agent":"researcher"}`, use(`"$0.output.artifact.content"`)), nil, nil},
		"action's output":     {steps(`{"id":"r","type":"agent","agent":"researcher","action":"count","with":{"what":"x"}}`, use(`"$0.output.artifact.content"`)), []string{"field_not_found /steps/1/arguments/title $0.output.artifact.content"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			expect(t, check.New().Check(parse(t, tc.plan), options()), tc.errors, tc.warnings)
		})
	}
}

func expect(t *testing.T, rep check.Report, errors, warnings []string) {
	t.Helper()
	if got := told(rep.Errors); !slices.Equal(got, errors) {
		t.Errorf("errors   %q\nwant     %q\n%+v", got, errors, rep.Errors)
	}
	if got := told(rep.Warnings); !slices.Equal(got, warnings) {
		t.Errorf("warnings %q\nwant     %q\n%+v", got, warnings, rep.Warnings)
	}
	for _, e := range slices.Concat(rep.Errors, rep.Warnings) {
		if !strings.HasSuffix(e.Message, ".") || e.Code == "" {
			t.Errorf("%+v", e)
		}
	}
}

func TestStepsAndLimits(t *testing.T) {
	ok := tool("a", "list_templates", `{}`)
	many := func(n int) string {
		var list []string
		for i := range n {
			list = append(list, tool(fmt.Sprint("t", i), "list_templates", `{}`))
		}
		return strings.Join(list, ",")
	}
	for name, tc := range map[string]struct {
		plan string
		with func(*check.Options)
		want []string
	}{
		"unknown tool":                {plan: steps(tool("a", "nothing", `{}`)), want: []string{"unknown_tool /steps/0/tool"}},
		"alias":                       {plan: steps(tool("a", "create_onto_project", `{"name":"x"}`))},
		"virtual tool":                {plan: steps(tool("a", "agent_create_plan", `{}`)), want: []string{"not_permitted /steps/0/tool"}},
		"not permitted":               {plan: steps(ok, `{"id":"r","type":"agent","agent":"researcher"}`), with: func(o *check.Options) { o.Permitted = func(assent.StepType, string) bool { return false } }, want: []string{"not_permitted /steps/0/tool", "not_permitted /steps/1/agent"}},
		"unknown agent":               {plan: steps(`{"id":"r","type":"agent","agent":"nobody"}`), want: []string{"unknown_agent /steps/0/agent"}},
		"no agents":                   {plan: steps(`{"id":"r","type":"agent","agent":"researcher"}`), with: func(o *check.Options) { o.Agents = nil }, want: []string{"unknown_agent /steps/0/agent"}},
		"mode":                        {plan: steps(`{"id":"r","type":"agent","agent":"researcher","mode":"plan"}`), want: []string{"unsupported_mode /steps/0/mode"}},
		"action":                      {plan: steps(`{"id":"r","type":"agent","agent":"researcher","action":"sing"}`), want: []string{"invalid_step /steps/0/action"}},
		"action's input":              {plan: steps(`{"id":"r","type":"agent","agent":"researcher","action":"count"}`), want: []string{"missing_argument /steps/0/with/what"}},
		"depth":                       {plan: steps(ok, `{"id":"r","type":"agent","agent":"researcher"}`), with: func(o *check.Options) { o.Limits.Depth = 3 }, want: []string{"depth_exceeded /steps/1/agent"}},
		"depth allowed":               {plan: steps(`{"id":"r","type":"agent","agent":"researcher"}`), with: func(o *check.Options) { o.Limits.Depth = 2 }},
		"missing argument":            {plan: steps(`{"id":"a","type":"tool","tool":"create_project"}`), want: []string{"missing_argument /steps/0/arguments/name"}},
		"unknown argument":            {plan: steps(tool("a", "list_templates", `{"q":"x"}`)), want: []string{"unknown_argument /steps/0/arguments/q"}},
		"literals":                    {plan: steps(tool("a", "create_project", `{"name":"","due_date":"soon","status":"gone","milestones":[{"title":1}]}`)), want: []string{"invalid_arguments /steps/0/arguments/due_date", "invalid_arguments /steps/0/arguments/milestones/0/title", "invalid_arguments /steps/0/arguments/name", "invalid_arguments /steps/0/arguments/status"}},
		"NUL":                         {plan: steps(tool("a", "create_project", `{"name":"a\u0000b"}`)), want: []string{"invalid_arguments /steps/0/arguments"}},
		"literals beside a reference": {plan: steps(ok, tool("b", "create_project", `{"name":"{{ bindings.later }} ","due_date":"soon","x":"$$5"}`)), want: []string{"unknown_argument /steps/1/arguments/x", "invalid_arguments /steps/1/arguments/due_date"}},
		"escapes":                     {plan: steps(tool("a", "create_project", `{"name":"$$0.output.name","status":"$$active"}`)), want: []string{"invalid_arguments /steps/0/arguments/status"}},
		"twelve steps":                {plan: steps(many(12))},
		"thirteen steps":              {plan: steps(many(13)), want: []string{"too_many_steps /steps"}},
		"children count":              {plan: steps(`{"id":"p","type":"parallel","steps":[`+many(12)+`]}`, ok), want: []string{"too_many_steps /steps"}},
		"a container does not":        {plan: steps(`{"id":"p","type":"parallel","steps":[`+many(11)+`]}`, ok)},
		"concurrency":                 {plan: steps(`{"id":"p","type":"parallel","max_concurrency":5,"steps":[` + ok + `]}`), want: []string{"too_many_parallel /steps/0/max_concurrency"}},
		"other limits":                {plan: steps(`{"id":"p","type":"parallel","max_concurrency":5,"steps":[` + ok + `]}`), with: func(o *check.Options) { o.Limits.MaxParallel = 5 }},
		"first success":               {plan: steps(`{"id":"p","type":"parallel","merge":"first_success","steps":[` + ok + `,` + tool("b", "create_project", `{"name":"x"}`) + `,` + tool("c", "research", `{"topic":"x"}`) + `,{"id":"r","type":"agent","agent":"researcher"}]}`)},
		"first success of effects":    {plan: steps(`{"id":"p","type":"parallel","merge":"first_success","steps":[` + tool("c", "everything/echo", `{}`) + `,{"id":"w","type":"agent","agent":"writer"},` + tool("d", "delete_project", `{"project_id":"x"}`) + `]}`), want: []string{"invalid_merge /steps/0/steps/0", "invalid_merge /steps/0/steps/1", "invalid_merge /steps/0/steps/2"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := options()
			if tc.with != nil {
				tc.with(&o)
			}
			expect(t, check.New().Check(parse(t, tc.plan), o), tc.want, nil)
		})
	}
}

func TestProjectCreateHasItsShape(t *testing.T) {
	find, template := tool("f", "list_templates", `{}`), tool("t", "create_template", `{"name":"x"}`)
	make, publish := tool("m", "create_onto_project", `{"name":"x"}`), tool("d", "publish_document", `{}`)
	report := tool("o", "publish_document", `{"type":"report"}`)
	for name, tc := range map[string]struct {
		plan string
		want []string
	}{
		"whole":              {steps(find, make, publish), nil},
		"with a template":    {steps(find, template, make, publish), nil},
		"with more":          {steps(find, report, make, report[:8]+`2`+report[8:], publish), nil},
		"nothing of it":      {steps(tool("x", "search_documents", `{"query":"x"}`)), []string{"missing_required_step /steps", "missing_required_step /steps", "missing_required_step /steps"}},
		"no publication":     {steps(find, make), []string{"missing_required_step /steps"}},
		"a report is none":   {steps(find, make, report), []string{"missing_required_step /steps"}},
		"discovery too late": {steps(make, find, publish), []string{"step_order /steps/0/tool"}},
		"published first":    {steps(find, publish, make), []string{"step_order /steps/1/tool"}},
		"template too late":  {steps(find, make, publish, template), []string{"step_order /steps/1/tool", "step_order /steps/2/tool"}},
		"at the same time":   {steps(find, `{"id":"p","type":"parallel","steps":[`+make+`,`+publish+`]}`), []string{"step_order /steps/1/steps/1/tool"}},
	} {
		t.Run(name, func(t *testing.T) {
			o := options()
			o.ContextType = assent.ContextProjectCreate
			var got []string
			rep := check.New().Check(parse(t, tc.plan), o)
			for _, e := range rep.Errors {
				got = append(got, e.Code+" "+e.Pointer)
			}
			if !slices.Equal(got, tc.want) {
				t.Errorf("got %q, want %q", got, tc.want)
			}
			o.ContextType = assent.ContextGeneral
			if rep := check.New().Check(parse(t, tc.plan), o); !rep.Valid() {
				t.Errorf("elsewhere: %+v", rep.Errors)
			}
		})
	}
}

func TestShapeAndMeaningAreToldAtOnce(t *testing.T) {
	_, rep := check.New().CheckJSON(json.RawMessage(`{"goal":"x","steps":[{"id":"a","type":"tool","tool":"nothing"},{"id":"a","type":"loop"},{"id":"b","type":"tool","tool":"list_templates","arguments":{"query":"$x.output","limit":0}}]}`), options())
	want := []string{"unknown_argument /goal", "duplicate_step_id /steps/1/id", "unknown_step_type /steps/1/type", "reference_syntax /steps/2/arguments/query $x.output", "unknown_tool /steps/0/tool", "invalid_arguments /steps/2/arguments/limit"}
	if got := told(rep.Errors); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if _, rep := check.New().CheckJSON(json.RawMessage(`[]`), options()); len(rep.Errors) != 1 || rep.Errors[0].Code != "invalid_step" {
		t.Errorf("%+v", rep)
	}
	if rep := check.New().Check(assent.PlanDocument{}, options()); len(rep.Errors) != 1 || rep.Errors[0].Code != "empty_plan" {
		t.Errorf("%+v", rep)
	}
}

func TestReportsRenderAsLists(t *testing.T) {
	b, err := json.Marshal(check.New().Check(parse(t, steps(tool("a", "list_templates", `{}`))), options()))
	if err != nil || string(b) != `{"errors":[],"warnings":[]}` {
		t.Errorf("%s %v", b, err)
	}
}

func TestErrorsStopAtAHundred(t *testing.T) {
	refs := strings.Repeat(`"$9.output.x",`, 500)
	for _, args := range []string{`{"query":[` + refs + `"x"]}`, `{` + func() string {
		var b strings.Builder
		for i := range 500 {
			fmt.Fprintf(&b, `"k%d":1,`, i)
		}
		return b.String()
	}() + `"query":"x"}`} {
		rep := check.New().Check(parse(t, steps(tool("a", "list_templates", args))), options())
		if len(rep.Errors) != check.MaxFindings || !rep.Truncated {
			t.Errorf("%d errors, truncated %v", len(rep.Errors), rep.Truncated)
		}
	}
}

func TestCheckerIsSafeForConcurrentUse(t *testing.T) {
	c, doc := check.New(), parse(t, string(example(t)))
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 20 {
				if rep := c.Check(doc, options()); !rep.Valid() {
					t.Errorf("%+v", rep.Errors)
				}
			}
		})
	}
	wg.Wait()
}

// TestTheWorstPlansEndSoon feeds plans of the largest size that are wrong or
// awkward all over. The bound is 100 ms; race builds get ten times that.
func TestTheWorstPlansEndSoon(t *testing.T) {
	fill := func(head, unit, tail string) string {
		return head + strings.Repeat(unit, (lang.MaxBytes-len(head)-len(tail)-2)/len(unit)) + tail
	}
	some := func(head, unit, tail string) string { // fewer values than are refused as too many
		return head + strings.Repeat(unit, 4_900) + tail
	}
	in := `{"steps":[{"id":"a","type":"tool","tool":"create_project","arguments":{"name":"x"},"result_key":"k"},{"id":"b","type":"tool","tool":"create_project","arguments":{"name":"x","milestones":[`
	for name, raw := range map[string]string{
		"numbers":            fill(in, `1,`, `1]}}]}`),
		"objects":            some(in, `{},`, `1]}}]}`),
		"wrong numbers":      some(in, `1,`, `1]}}]}`),
		"one wrong object":   some(in, `{"title":""},`, `1]}}]}`),
		"wrong references":   fill(in, `"$9.output.x",`, `1]}}]}`),
		"right references":   fill(in, `{"title":"$0.output.artifact.name"},`, `{}]}}]}`),
		"optional":           fill(in, `{"title":"{{result.k.artifact.tasks.1.title}}"},`, `{}]}}]}`),
		"syntax errors":      fill(in, `"{{",`, `1]}}]}`),
		"steps":              fill(`{"steps":[`, `{},`, `{}]}`),
		"steps with ids":     fill(`{"steps":[`, `{"id":"a","type":"tool","tool":"t","result_key":"k"},`, `{}]}`),
		"children":           fill(`{"steps":[{"id":"a","type":"parallel","steps":[`, `{"id":"a","type":"tool","tool":"create_project"},`, `{}]}]}`),
		"duplicate keys":     fill(`{"steps":[{"type":"tool","tool":"t","arguments":{`, `"a":1,`, `"a":1}}]}`),
		"nesting":            fill(`{"steps":`, `[`, `]}`),
		"one long string":    fill(`{"steps":[{"id":"a","type":"tool","tool":"list_templates","arguments":{"query":"`, `{{ `, `"}}]}`),
		"one long reference": fill(`{"steps":[{"id":"a","type":"tool","tool":"list_templates","arguments":{"query":"$0.output`, `.a`, `"}}]}`),
	} {
		t.Run(name, func(t *testing.T) {
			c := check.New()
			best, tries := time.Hour, 5
			if raceEnabled {
				tries = 1
			}
			for range tries { // the machine may be busy
				start := time.Now()
				_, rep := c.CheckJSON(json.RawMessage(raw), options())
				best = min(best, time.Since(start))
				if rep.Valid() {
					t.Fatal("valid")
				}
			}
			limit := 100 * time.Millisecond
			if raceEnabled {
				limit *= 10
			}
			if best > limit {
				t.Errorf("took %s", best)
			}
			t.Log(best)
		})
	}
}

func BenchmarkCheckTwelveSteps(b *testing.B) {
	var list []string
	for i := range 12 {
		if i == 0 {
			list = append(list, tool("s0", "create_project", `{"name":"x","milestones":[{"title":"a"},{"title":"b"}]}`, `,"result_key":"p"`))
			continue
		}
		list = append(list, tool(fmt.Sprint("s", i), "create_project", fmt.Sprintf(`{"name":"{{ result.p.artifact.name }} %d","template_id":"$%d.output.artifact.tasks.0.id","milestones":[{"title":"$0.output.artifact.name","weight":%d}]}`, i, i-1, i)))
	}
	doc, c, o := parse(b, steps(list...)), check.New(), options()
	for b.Loop() {
		if rep := c.Check(doc, o); !rep.Valid() {
			b.Fatal(rep.Errors)
		}
	}
}
