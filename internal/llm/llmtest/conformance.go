package llmtest

import (
	"testing"
	"time"

	"assent/internal/llm"
)

// Harness tells Run about an implementation. Either Wire or Local is set.
type Harness struct {
	// Wire makes a fake that follows the scripts, and the model that talks to
	// it. Its provider's name and key are Name and Key.
	Wire func(t *testing.T, scripts ...Script) (llm.Model, *Server)
	// Local makes a model that has no wire. Ask is a request that it answers
	// with text, AskForCall one that it answers with a tool call.
	Local           func(t *testing.T) llm.Model
	Ask, AskForCall llm.Request

	Name  string // provider's name in calls and errors
	Model string // name of the model to ask for
	Key   string // that Wire's model uses, if any; it must appear in no error

	// What the wire can carry.
	Signatures bool // on calls; the last Signed of an answer's text too
	Thoughts   bool
	// Failures are answers to a request that must end in an error of a class.
	Failures []Failure
}

// Failure is a row of a provider's table of errors.
type Failure struct {
	Name       string
	Response   Response
	Class      llm.Class
	RetryAfter time.Duration
}

// Run checks that an implementation keeps the promises of llm.Model. Its
// subtests do not run in parallel, because some count goroutines.
func Run(t *testing.T, h Harness) {
	t.Helper()
	h.requests()
	cases := commonCases()
	if h.Wire != nil {
		cases = append(cases, wireCases()...)
		if h.Signatures {
			cases = append(cases, namedCase{"signatures and ids go back", signaturesGoBack})
		}
		if h.Thoughts {
			cases = append(cases, namedCase{"thoughts are kept apart", thoughtsApart})
		}
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { c.run(t, h) })
	}
	for _, f := range h.Failures {
		t.Run("failure/"+f.Name, func(t *testing.T) { failureHasClass(t, h, f) })
	}
}

type namedCase struct {
	name string
	run  func(*testing.T, Harness)
}

// requests fills in the requests that any scripted model answers.
func (h *Harness) requests() {
	if h.Wire == nil {
		return
	}
	h.Ask = llm.Request{System: "Be brief.", Messages: []llm.Message{{Role: llm.RoleUser, Content: "Say hello."}}}
	h.AskForCall = h.Ask
	h.AskForCall.Tools = []llm.Tool{listTasks()}
}

func listTasks() llm.Tool {
	return llm.Tool{Name: "list_tasks", Description: "Lists tasks.",
		Schema: []byte(`{"type":"object","properties":{"status":{"type":"string"}}}`)}
}

// start makes the model for one case.
func (h Harness) start(t *testing.T, scripts ...Script) (llm.Model, *Server) {
	t.Helper()
	if h.Wire == nil {
		return h.Local(t), nil
	}
	return h.Wire(t, scripts...)
}

// failureHasClass checks a row of the table, and that no key is in the error.
func failureHasClass(t *testing.T, h Harness, f Failure) {
	model, _ := h.start(t, Func(func(Request) Response { return f.Response }))
	_, err := llm.Collect(model.Stream(t.Context(), h.Model, h.Ask))
	e := wantClass(t, h, err, f.Class)
	if e.RetryAfter != f.RetryAfter {
		t.Errorf("RetryAfter = %v, want %v", e.RetryAfter, f.RetryAfter)
	}
	if f.Response.status >= 400 && e.Status != f.Response.status {
		t.Errorf("Status = %d, want %d", e.Status, f.Response.status)
	}
}
