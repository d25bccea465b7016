package plan_test

import (
	"context"
	"encoding/json"
	"iter"
	"strings"
	"testing"

	"assent/internal/assent"
	"assent/internal/llm"
	"assent/internal/plan"
	"assent/internal/schema"
)

// dictation answers the calls of the planning tool with the arguments given, a
// text where they are no JSON, and keeps what it was asked.
type dictation struct {
	answers []string
	asked   []llm.Request
}

func (d *dictation) Stream(_ context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		a := d.answers[min(len(d.asked), len(d.answers)-1)]
		d.asked = append(d.asked, req)
		c := llm.Chunk{Kind: llm.ChunkText, Text: a}
		if json.Valid([]byte(a)) {
			c = llm.Chunk{Kind: llm.ChunkCall, Call: llm.Call{ID: "1", Name: "__planning__", Arguments: json.RawMessage(a)}}
		}
		_ = yield(c, nil) && yield(llm.Chunk{Kind: llm.ChunkFinish}, nil)
	}
}

const (
	wholePlan = `{"type":"tool_calls","objective":"Two notes","steps":[
		{"id":"both","type":"parallel","merge":"collect","max_concurrency":2,"steps":[
			{"id":"a","type":"tool","tool":"flaky","arguments":{"title":"A"},"result_key":"a"},
			{"id":"b","type":"tool","tool":"flaky","arguments":{"title":"B"},"result_key":"b"}]},
		{"id":"ask","type":"checkpoint","prompt":"Go on?"},
		{"id":"n","type":"tool","tool":"note","arguments":{"title":"{{ result.a.artifact.title }}"}}]}`
	shortPlan = `{"type":"tool_calls","calls":[{"tool_name":"note","arguments":{"title":"A"}},{"tool_name":"note","arguments":{"title":"B"}}]}`
	badTool   = `{"type":"tool_calls","steps":[{"id":"x","type":"tool","tool":"nothing","arguments":{}}]}`
	noShape   = `Here is my plan.`
)

func TestAPlanIsCompiledFromWhatAModelSays(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		says  []string
		calls int
		steps []string // ids in document order
		code  assent.Code
		quote string // stands in the last request, as a violation of the answer before
	}{
		"every type of step":              {says: []string{wholePlan}, calls: 1, steps: []string{"both", "ask", "n"}},
		"the short form":                  {says: []string{shortPlan}, calls: 1, steps: []string{"s1", "s2"}},
		"an error is quoted and mended":   {says: []string{badTool, shortPlan}, calls: 2, steps: []string{"s1", "s2"}, quote: `"unknown_tool"`},
		"words are asked for as a call":   {says: []string{noShape, shortPlan}, calls: 2, steps: []string{"s1", "s2"}, quote: "exactly once"},
		"shape and checks count apart":    {says: []string{noShape, badTool, noShape, badTool, shortPlan}, calls: 5, steps: []string{"s1", "s2"}, quote: `"unknown_tool"`},
		"two corrections, then the error": {says: []string{badTool}, calls: 3, code: assent.CodeInvalidPlan, quote: `"unknown_tool"`},
		"words three times":               {says: []string{noShape}, calls: 3, code: assent.CodeInvalidPlan, quote: "exactly once"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, d := newWorld(t), &dictation{answers: c.says}
			w.plans.Model = d
			out, err := w.plans.Compile(context.Background(), plan.Intent{Scope: w.scope(), Objective: "Two notes", State: plan.StateBlock{}})
			if got := assent.ErrorCode(err); (err != nil || c.code != "") && got != c.code {
				t.Fatalf("the error is %v", err)
			}
			var ids []string
			for _, st := range out.Document.Steps {
				ids = append(ids, st.ID)
			}
			if err == nil && strings.Join(ids, " ") != strings.Join(c.steps, " ") || len(d.asked) != c.calls {
				t.Errorf("steps %v after %d calls", ids, len(d.asked))
			}
			if last := d.asked[len(d.asked)-1]; !strings.Contains(last.System, c.quote) || last.ToolChoice != "__planning__" || len(last.Tools) != 1 {
				t.Errorf("the last request offers %d tools, forces %q and says %s", len(last.Tools), last.ToolChoice, last.System)
			}
		})
	}
}

func TestThePlanningSchemaIsThePlanLanguage(t *testing.T) {
	t.Parallel()
	w, d := newWorld(t), &dictation{answers: []string{shortPlan}}
	w.plans.Model = d
	if _, err := w.plans.Compile(context.Background(), plan.Intent{Scope: w.scope(), Objective: "x", State: plan.StateBlock{}}); err != nil {
		t.Fatal(err)
	}
	planning, check := d.asked[0].Tools[0].Schema, schema.NewCompiler()
	for answer, ok := range map[string]bool{
		wholePlan: true, shortPlan: true, `{"type":"direct_response","content":"Hello"}`: true,
		badTool: false, `{"type":"plan"}`: false, `{"type":"tool_calls","steps":[{"type":"parallel","steps":[{"type":"parallel"}]}]}`: false,
		`{"type":"tool_calls","calls":[{"tool_name":"nothing","arguments":{}}]}`: false,
	} {
		if v := check.Validate(planning, json.RawMessage(answer)); (len(v) == 0) != ok {
			t.Errorf("%s: %v", answer, v)
		}
	}
}
