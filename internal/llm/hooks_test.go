package llm_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"assent/internal/assent"
	"assent/internal/llm"
	"assent/internal/llm/llmtest"
	"assent/internal/redact"
)

// spy writes down when it is called and with what, and may step in.
type spy struct {
	name   string
	log    *[]string
	answer *llm.Answer
	refuse error // by Before
	fail   error // by After
	edit   func(*llm.Request)
}

func (s spy) BeforeLLMRequest(_ context.Context, req *llm.Request) (*llm.Answer, error) {
	*s.log = append(*s.log, "before "+s.name+" "+req.System)
	if s.edit != nil {
		s.edit(req)
	}
	return s.answer, s.refuse
}

func (s spy) AfterLLMResponse(_ context.Context, req llm.Request, a llm.Answer, failure error) error {
	*s.log = append(*s.log, strings.TrimSpace("after "+s.name+" "+req.System+" "+a.Text+" "+string(llm.ClassOf(failure))))
	if s.fail != nil {
		return s.fail
	}
	return failure
}

// hookedBench is newBench with hooks and one scripted model.
func hookedBench(t *testing.T, hooks []llm.Hook, scripts ...llmtest.Script) *bench {
	b := &bench{ledger: &ledger{}, models: map[string]*llmtest.Model{"a": llmtest.NewModel(t, scripts...)}}
	n := 0
	b.Gateway = llm.New(llm.GatewayConfig{Providers: map[string]llm.Model{"a": b.models["a"]}, Catalog: llm.SingleModel(llm.Target{Provider: "a", Model: "m"}), Ledger: b.ledger,
		Clock: time.Now, IDs: func() string { n++; return string(rune('a' + n)) }, Random: func() float64 { return 0 }, Hooks: hooks})
	return b
}

func TestHooksStandAroundACall(t *testing.T) {
	t.Parallel()
	refusal := &llm.Error{Class: llm.ClassQuota, Detail: "the budget of the day is used up"}
	for name, tc := range map[string]struct {
		first, second spy
		script        []llmtest.Script
		text          string
		class         llm.Class
		log           []string
		rows          int
	}{
		"before in order, after in reverse": {script: []llmtest.Script{llmtest.Text("fi", "ne")}, text: "fine", rows: 1,
			log: []string{"before first hello", "before second hello", "after second hello fine", "after first hello fine"}},
		"a changed request goes on": {first: spy{edit: func(r *llm.Request) { r.System = "bye" }}, script: []llmtest.Script{llmtest.Func(func(r llmtest.Request) llmtest.Response { return llmtest.Text(r.System) })}, text: "bye", rows: 1,
			log: []string{"before first hello", "before second bye", "after second bye bye", "after first bye bye"}},
		"an answer in the model's place": {second: spy{answer: &llm.Answer{Text: "by heart"}}, text: "by heart",
			log: []string{"before first hello", "before second hello", "after first hello by heart"}},
		"a refusal": {first: spy{refuse: refusal}, class: llm.ClassQuota, log: []string{"before first hello"}},
		"a refusal after another hook": {second: spy{refuse: errors.New("no")}, class: llm.ClassInternal,
			log: []string{"before first hello", "before second hello", "after first hello  internal"}},
		"a failure is told, with what came": {script: []llmtest.Script{llmtest.Text("half").Cut()}, text: "half", class: llm.ClassNetwork, rows: 1,
			log: []string{"before first hello", "before second hello", "after second hello half network", "after first hello half network"}},
		"a hook fails an answer": {second: spy{fail: refusal}, script: []llmtest.Script{llmtest.Text("fine")}, text: "fine", class: llm.ClassQuota, rows: 1,
			log: []string{"before first hello", "before second hello", "after second hello fine", "after first hello fine quota"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var log []string
			tc.first.name, tc.first.log, tc.second.name, tc.second.log = "first", &log, "second", &log
			b := hookedBench(t, []llm.Hook{tc.first, tc.second}, tc.script...)
			req := request(llm.ProfileBalanced)
			req.System = "hello"
			a, err := llm.Collect(b.Stream(t.Context(), req))
			if llm.ClassOf(err) != tc.class || a.Text != tc.text {
				t.Errorf("answer %q, %v", a.Text, err)
			}
			if !slices.Equal(log, tc.log) {
				t.Errorf("got\n%q\nwant\n%q", log, tc.log)
			}
			if len(b.ledger.closed) != tc.rows {
				t.Errorf("%d usage rows, want %d", len(b.ledger.closed), tc.rows)
			}
		})
	}
}

// TestHooksHearOfAConsumerThatLeaves, so that what they hold is given back.
func TestHooksHearOfAConsumerThatLeaves(t *testing.T) {
	t.Parallel()
	var log []string
	b := hookedBench(t, []llm.Hook{spy{name: "one", log: &log}}, llmtest.Text("a", "b", "c"))
	for range b.Stream(t.Context(), request(llm.ProfileBalanced)) {
		break
	}
	if want := []string{"before one ", "after one  a cancelled"}; !slices.Equal(log, want) {
		t.Errorf("got %q, want %q", log, want)
	}
}

// TestHooksStandAroundTextsOfOurOwn and checks: every call of the gateway.
func TestHooksStandAroundTextsOfOurOwn(t *testing.T) {
	t.Parallel()
	var log []string
	b := hookedBench(t, []llm.Hook{spy{name: "one", log: &log}}, llmtest.Text("ok"))
	meta := request(llm.ProfileBalanced).Meta
	if _, err := llm.Collect(b.Canned(t.Context(), meta, "Which one?")); err != nil {
		t.Fatal(err)
	}
	if err := b.Check(t.Context(), meta, llm.Target{Provider: "a", Model: "m"}); err != nil {
		t.Fatal(err)
	}
	if want := []string{"before one ", "after one  Which one?", "before one ", "after one"}; !slices.Equal(log, want) {
		t.Errorf("got %q, want %q", log, want)
	}
}

// TestNoSecretReachesAModel plants one wherever a request has room for it. The
// caller's own messages stay as they were.
func TestNoSecretReachesAModel(t *testing.T) {
	t.Parallel()
	const planted = "sk-planted-0123456789"
	secrets := redact.New(planted)
	b := hookedBench(t, []llm.Hook{llm.Redaction{Redactor: secrets}}, ok, ok)
	req := request(llm.ProfileBalanced)
	req.System = "The key is " + planted
	req.Messages = []llm.Message{{Role: llm.RoleUser, Content: "clean"}, {Role: llm.RoleUser, Content: "use " + planted},
		{Role: llm.RoleAssistant, Calls: []llm.Call{{ID: "1", Name: "x", Arguments: json.RawMessage(`{"a":1}`)}, {ID: "2", Name: "x", Arguments: json.RawMessage(`{"key":"` + planted + `"}`)}}},
		{Role: llm.RoleTool, CallID: "1", Content: `{}`}, {Role: llm.RoleTool, CallID: "2", Content: `{"output":"` + planted + `"}`}}
	req.Tools = []llm.Tool{{Name: "x", Description: "with " + planted, Schema: json.RawMessage(`{"const":"` + planted + `"}`)}}
	before, err := json.Marshal(req.Messages)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := llm.Collect(b.Stream(t.Context(), req)); err != nil {
		t.Fatal(err)
	}
	sent, err := json.Marshal(b.models["a"].Requests()[0].Request)
	if err != nil || strings.Contains(string(sent), planted) || strings.Count(string(sent), redact.Mark) != 6 {
		t.Errorf("the model was sent %s, %v", sent, err)
	}
	if after, err := json.Marshal(req.Messages); err != nil || string(after) != string(before) {
		t.Errorf("the caller's messages became %s, %v", after, err)
	}
	clean := request(llm.ProfileBalanced)
	if _, err := llm.Collect(b.Stream(t.Context(), clean)); err != nil {
		t.Fatal(err)
	}
	if got := b.models["a"].Requests()[1]; &got.Messages[0] != &clean.Messages[0] {
		t.Error("messages without a secret were copied")
	}
}

// TestACallRefusedByAHookKeepsItsReason beneath the class.
func TestACallRefusedByAHookKeepsItsReason(t *testing.T) {
	t.Parallel()
	var log []string
	b := hookedBench(t, []llm.Hook{spy{name: "one", log: &log, refuse: assent.Errorf(assent.CodeBudgetExceeded, "Enough for today.")}})
	if _, err := llm.Collect(b.Stream(t.Context(), request(llm.ProfileBalanced))); assent.ErrorCode(err) != assent.CodeBudgetExceeded {
		t.Errorf("err = %v", err)
	}
}
