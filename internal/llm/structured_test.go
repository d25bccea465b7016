package llm_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"assent/internal/assent"
	"assent/internal/llm"
	"assent/internal/llm/llmtest"
	"assent/internal/schema"
)

const verdictSchema = `{"type":"object","additionalProperties":false,"required":["verdict","findings"],"properties":{
"verdict":{"type":"string","enum":["yes","no"]},"findings":{"type":"array","items":{"type":"string"}}}}`

const fits = `{"verdict":"yes","findings":["a"]}`

func TestAnAnswerInJSONIsCheckedAndAskedForAgain(t *testing.T) {
	t.Parallel()
	wrongTwice := llmtest.Text(`{"verdict":"maybe","findings":[1]}`)
	for name, tc := range map[string]struct {
		scripts []llmtest.Script
		retries int
		fails   bool
		quoted  []string // in the last request
		fields  []string // pointers of the failure
	}{
		"it fits at once":                     {scripts: []llmtest.Script{llmtest.Text(fits)}, retries: 2},
		"a fence":                             {scripts: []llmtest.Script{llmtest.Text("```json\n" + fits + "\n```")}, retries: 0},
		"a fence without a label":             {scripts: []llmtest.Script{llmtest.Text("```" + fits + "```\n")}, retries: 0},
		"a fence on one line":                 {scripts: []llmtest.Script{llmtest.Text("```json" + fits + "```")}, retries: 0},
		"a fence with words around it":        {scripts: []llmtest.Script{llmtest.Text("Here it is:\n```JSON\n" + fits + "\n```\nDone.")}, retries: 0},
		"every violation is quoted":           {scripts: []llmtest.Script{wrongTwice, llmtest.Text(fits)}, retries: 2, quoted: []string{"/verdict: ", "/findings/0: ", "maybe"}},
		"prose":                               {scripts: []llmtest.Script{llmtest.Text("Yes, all is well."), llmtest.Text(fits)}, retries: 1, quoted: []string{"the whole answer: This is not valid JSON"}},
		"two blocks are not one answer":       {scripts: []llmtest.Script{llmtest.Text("```\n{}\n```\nor\n```\n" + fits + "\n```"), llmtest.Text(fits)}, retries: 1, quoted: []string{"not valid JSON"}},
		"an empty answer":                     {scripts: []llmtest.Script{llmtest.Text(" \n"), llmtest.Text(fits)}, retries: 1, quoted: []string{"The answer was empty."}},
		"a call in the place of an answer":    {scripts: []llmtest.Script{llmtest.Call("look", `{}`), llmtest.Text(fits)}, retries: 1, quoted: []string{"The answer was empty."}},
		"the last retry":                      {scripts: []llmtest.Script{llmtest.Text("no"), wrongTwice, llmtest.Text(fits)}, retries: 2, quoted: []string{"/verdict: "}},
		"no retry is left":                    {scripts: []llmtest.Script{llmtest.Text("no"), llmtest.Text("no"), wrongTwice}, retries: 2, fails: true, fields: []string{"/findings/0", "/verdict"}},
		"none is allowed":                     {scripts: []llmtest.Script{llmtest.Text(`{"verdict":"yes"}`)}, retries: 0, fails: true, fields: []string{"/findings"}},
		"empty to the end":                    {scripts: []llmtest.Script{llmtest.Response{}, llmtest.Response{}}, retries: 1, fails: true, fields: []string{""}},
		"a long answer is quoted only partly": {scripts: []llmtest.Script{llmtest.Text(strings.Repeat("ä", 20_000)), llmtest.Text(fits)}, retries: 1, quoted: []string{"ä […]"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, map[string][]llmtest.Script{"a": tc.scripts})
			got, err := llm.NewStructured(b, schema.NewCompiler().Validate, tc.retries).Ask(t.Context(), judging())
			if !tc.fails && (err != nil || string(got) != fits) {
				t.Fatalf("got %s, %v", got, err)
			}
			if tc.fails {
				wantFields(t, err, tc.fields)
			}
			requests := b.models["a"].Requests()
			if len(requests) != len(tc.scripts) {
				t.Fatalf("asked %d times, want %d", len(requests), len(tc.scripts))
			}
			for i, r := range requests {
				if r.Meta.FinalizeRetries != int64(i) || len(r.Tools) != 0 || r.ToolChoice != "" || string(r.OutputSchema) != verdictSchema || r.Messages[0].Content != "hello" {
					t.Errorf("request %d: %d retries, %d tools, choice %q, schema %s", i, r.Meta.FinalizeRetries, len(r.Tools), r.ToolChoice, r.OutputSchema)
				}
				if row := b.ledger.closed[i]; row.FinalizeRetries != int64(i) {
					t.Errorf("the row of request %d says %d retries", i, row.FinalizeRetries)
				}
				for _, msg := range r.Messages {
					if len(msg.Calls) > 0 || len(msg.Content) > 17<<10 {
						t.Errorf("request %d holds calls %v and %d bytes", i, msg.Calls, len(msg.Content))
					}
				}
			}
			for _, q := range tc.quoted {
				if last := requests[len(requests)-1]; !last.Has(q) {
					t.Errorf("the last request does not quote %q: %+v", q, last.Messages)
				}
			}
		})
	}
}

// judging is a request for a verdict.
func judging() llm.Request {
	req := request(llm.ProfileSpeed)
	req.OutputSchema, req.ToolChoice = json.RawMessage(verdictSchema), "list_tasks"
	return req
}

func wantFields(t *testing.T, err error, pointers []string) {
	t.Helper()
	var e *assent.Error
	if !errors.As(err, &e) || e.Code != assent.CodeOutputInvalid || len(e.Fields) != len(pointers) {
		t.Fatalf("err = %v, want output_invalid with %q", err, pointers)
	}
	for i, f := range e.Fields {
		if f.Pointer != pointers[i] || f.Message == "" {
			t.Errorf("violation %d: %+v, want %q", i, f, pointers[i])
		}
	}
}

// TestAModelThatFailsIsNotAskedForJSONAgain: a failure of the call is no answer
// of the wrong form.
func TestAModelThatFailsIsNotAskedForJSONAgain(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string][]llmtest.Script{"a": {llmtest.Fail(401, "")}})
	_, err := llm.NewStructured(b, schema.NewCompiler().Validate, 2).Ask(t.Context(), judging())
	if n := len(b.models["a"].Requests()); llm.ClassOf(err) != llm.ClassAuth || n != 1 {
		t.Errorf("err = %v after %d requests", err, n)
	}
}

// TestACorrectionIsBounded: a hundred violations are no longer prompt than twenty.
func TestACorrectionIsBounded(t *testing.T) {
	t.Parallel()
	wrong := make([]assent.FieldError, 100)
	for i := range wrong {
		wrong[i] = assent.FieldError{Pointer: "/x", Message: "is wrong"}
	}
	if c := llm.Correction(wrong); strings.Count(c, "/x: is wrong") != 20 || !strings.Contains(c, "and 80 more") {
		t.Errorf("the correction is %s", c)
	}
}
