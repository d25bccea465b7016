package e2e

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"assent/internal/llm"
	"assent/internal/llm/llmtest"
)

// officePlan is what a model would plan for an office move: discovery, project,
// context document.
const officePlan = `{"objective":"Office move to Leith","reasoning":"A template fits.","execution_mode":"auto_execute","steps":[
{"id":"find","type":"tool","tool":"list_templates","arguments":{"query":"office move"},"result_key":"templates"},
{"id":"make","type":"tool","tool":"create_project","arguments":{"name":"Office move to Leith","template_id":"$0.output.artifact.templates.0.id","due_date":"2027-03-31"},"result_key":"project"},
{"id":"doc","type":"tool","tool":"publish_document","arguments":{"project_id":"$1.output.artifact_id","title":"Context","body":"We move to {{ result.project.artifact.name }}."}}]}`

// officeUse is what each answer uses in the office conversation.
func officeUse() llm.Tokens { return llm.Tokens{In: 1000, Out: 200} }

// TestTheMainJobOnARealProvider has the office moved by a model on the wire of
// each provider, with the server killed between the draft and the approval.
func TestTheMainJobOnARealProvider(t *testing.T) {
	for _, provider := range []string{"gemini", "openai"} {
		t.Run(provider, func(t *testing.T) {
			t.Parallel()
			srv := fakeProvider(t, provider,
				llmtest.Call("list_templates", `{"query":"office move"}`).Signed("sig-find").Usage(officeUse()),
				llmtest.Call("agent_create_plan", officePlan).Signed("sig-plan").Usage(officeUse()),
				llmtest.Text("Here is ", "a draft.").Usage(officeUse()),
				llmtest.Text("The project ", "is there.").Usage(officeUse()),
				llmtest.Text("You are welcome.").Usage(officeUse()))
			in := setUpInstall(t, providerEnv(provider, srv.URL))
			session := in.conversation("project_create")
			if turn := in.say(session, "We are moving our office to Leith by the end of March. Set it up, but show me the plan first."); turn.Status != "completed" {
				t.Fatalf("the draft's turn is %s: %+v", turn.Status, turn.Error)
			}
			in.nothingYet()
			in.kill()
			in.start()
			turn := in.say(session, "looks good, run it")
			if turn.Status != "completed" || turn.Usage.Calls != 1 || turn.Usage.CostMicros == nil || *turn.Usage.CostMicros != 400 {
				t.Errorf("the approval's turn: %+v", turn)
			}
			in.officeIsThere(session)
			in.signIn()
			if turn := in.say(session, "thank you"); turn.Status != "completed" {
				t.Errorf("the last turn is %s: %+v", turn.Status, turn.Error)
			}
			echoed(t, provider, srv)
			in.accounts(provider, 5)
			in.leaks(session)
		})
	}
}

// TestAKillAfterTheApprovalOnTheWire kills the server as soon as the approval is
// answered: the run ends by itself, each thing exists once, and the outcome is
// told in a conversation that the provider accepts.
func TestAKillAfterTheApprovalOnTheWire(t *testing.T) {
	for _, provider := range []string{"gemini", "openai"} {
		t.Run(provider, func(t *testing.T) {
			t.Parallel()
			srv := fakeProvider(t, provider,
				llmtest.Call("list_templates", `{"query":"office move"}`).Signed("sig-find"),
				llmtest.Call("agent_create_plan", officePlan).Signed("sig-plan"),
				llmtest.Text("Here is a draft."),
				llmtest.Func(func(llmtest.Request) llmtest.Response { return llmtest.Text("The project ", "is there.") }))
			in := setUpInstall(t, providerEnv(provider, srv.URL))
			session := in.conversation("project_create")
			in.say(session, "Set the office move up as a project, but show me the plan first.")
			in.call("POST", "/sessions/"+session+"/messages", map[string]any{"content": "looks good, run it"}, nil)
			in.kill()
			in.start()
			in.completes(session)
			in.officeIsThere(session)
			if turn := in.say(session, "thank you"); turn.Status != "completed" {
				t.Errorf("the next turn is %s: %+v", turn.Status, turn.Error)
			}
		})
	}
}

// completes waits until the plan has run and been told of.
func (in *install) completes(session string) {
	in.t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); {
		in.events(session)
		var s struct {
			Turns []turnView
			Plans []struct{ Status string }
		}
		in.call("GET", "/sessions/"+session, nil, &s)
		if len(s.Plans) == 1 && s.Plans[0].Status == "completed" && s.Turns[len(s.Turns)-1].Status == "completed" {
			return
		}
	}
	in.t.Fatalf("the plan is not run and told of:\n%s", in.events(session))
}

func (in *install) nothingYet() {
	in.t.Helper()
	var projects struct{ Items []any }
	in.call("GET", "/projects", nil, &projects)
	if len(projects.Items) != 0 {
		in.t.Errorf("there are projects before anybody approved: %v", projects.Items)
	}
}

// officeIsThere looks at what the plan was to make, and how it is told.
func (in *install) officeIsThere(session string) {
	in.t.Helper()
	var projects struct{ Items []struct{ ID, Name string } }
	in.call("GET", "/projects", nil, &projects)
	if len(projects.Items) != 1 || projects.Items[0].Name != "Office move to Leith" {
		in.t.Fatalf("the projects are %v", projects.Items)
	}
	id := projects.Items[0].ID
	for what, least := range map[string]int{"milestones": 3, "tasks": 3, "documents": 1} {
		var list struct{ Items []any }
		in.call("GET", "/"+what+"?project_id="+id, nil, &list)
		if len(list.Items) < least {
			in.t.Errorf("there are %d %s, want at least %d", len(list.Items), what, least)
		}
	}
	var s struct {
		Messages []struct{ Role, Content string }
		Plans    []struct {
			Status    string
			Approvals []struct{ Basis, Words string }
			Runs      []struct{ Status string }
		}
	}
	in.call("GET", "/sessions/"+session, nil, &s)
	if len(s.Plans) != 1 || s.Plans[0].Status != "completed" || len(s.Plans[0].Runs) != 1 || len(s.Plans[0].Approvals) != 1 ||
		s.Plans[0].Approvals[0].Basis != "words" || s.Plans[0].Approvals[0].Words != "looks good, run it" {
		in.t.Errorf("the plans are %+v", s.Plans)
	}
	last := s.Messages[len(s.Messages)-1].Content
	if !strings.HasPrefix(last, "The project is there.") || !strings.Contains(last, "created 1 project") {
		in.t.Errorf("the outcome is told as %q", last)
	}
}

// echoed holds that what the provider signed comes back as it was, also after a
// restart, and that the call which the product made is answered by its run.
func echoed(t *testing.T, provider string, srv *llmtest.Server) {
	t.Helper()
	for n := 2; n <= 4; n++ {
		signed := map[string]string{}
		for _, m := range srv.Request(n).Messages {
			for _, c := range m.Calls {
				var signature string
				if len(c.Opaque) > 0 {
					if err := json.Unmarshal(c.Opaque, &signature); err != nil {
						t.Fatal(err)
					}
				}
				signed[c.Name] = signature
			}
		}
		if signed["list_templates"] != "sig-find" || signed["agent_create_plan"] != "sig-plan" {
			t.Errorf("request %d has the signatures %v", n, signed)
		}
		if made, ok := signed["agent_execute_plan"]; ok != (n > 2) || provider == "gemini" && ok && made != llmtest.Placeholder {
			t.Errorf("request %d has our own call: %v, signed %q", n, ok, made)
		}
	}
	told := srv.Request(3).Last()
	var result struct {
		Success bool
		Output  struct {
			Status string
			Steps  []struct{ Status string }
		}
	}
	if err := json.Unmarshal([]byte(told.Content), &result); err != nil || told.Role != llm.RoleTool || !result.Success || result.Output.Status != "completed" || len(result.Output.Steps) != 3 {
		t.Errorf("the model is told of the run: %s %s", told.Role, told.Content)
	}
}

// accounts looks at what an admin sees of the model calls.
func (in *install) accounts(provider string, calls int64) {
	in.t.Helper()
	var usage struct {
		Items []struct {
			Provider, Model string
			Operation       string `json:"operation_type"`
			Calls           int64
			Failures        int64
			Unpriced        int64  `json:"unpriced_calls"`
			TokensIn        int64  `json:"tokens_in"`
			TokensOut       int64  `json:"tokens_out"`
			CostMicros      *int64 `json:"cost_micros"`
		}
	}
	in.call("GET", "/admin/usage?group_by=provider,model,operation_type", nil, &usage)
	if len(usage.Items) != 1 {
		in.t.Fatalf("the usage is %+v", usage.Items)
	}
	u := usage.Items[0]
	cost := calls * (officeUse().In*priceIn + officeUse().Out*priceOut) / 1_000_000
	if u.Provider != provider || u.Model != modelName || u.Operation != "planner_stream" || u.Calls != calls || u.Failures != 0 || u.Unpriced != 0 ||
		u.TokensIn != calls*officeUse().In || u.TokensOut != calls*officeUse().Out || u.CostMicros == nil || *u.CostMicros != cost {
		in.t.Errorf("the usage is %+v, want %d calls for %d micro-dollars", u, calls, cost)
	}
	if page := in.page("/admin/usage"); !strings.Contains(page, modelName) {
		in.t.Error("the usage page does not show the model")
	}
}

// failure is one way in which a provider lets people down.
type failure struct {
	name   string
	script llmtest.Script
	gone   bool // nobody listens at the address
	class  string
	kept   string // what was said before it broke
}

func failures() []failure {
	repeats := func(r llmtest.Response) llmtest.Script {
		return llmtest.Func(func(llmtest.Request) llmtest.Response { return r })
	}
	quoting := fmt.Sprintf(`{"error":{"code":401,"status":"UNAUTHENTICATED","message":"Incorrect API key provided: %s. It is not valid."}}`, secretKey)
	return []failure{
		{name: "unreachable", gone: true, class: "network"},
		{name: "wrong model", script: repeats(llmtest.Fail(404, "")), class: "invalid_request"},
		{name: "401 that quotes the key", script: repeats(llmtest.Fail(401, quoting)), class: "auth"},
		{name: "429", script: repeats(llmtest.Fail(429, "")), class: "rate_limited"},
		{name: "500", script: repeats(llmtest.Fail(500, "")), class: "overloaded"},
		{name: "500 that is a page", script: repeats(llmtest.Fail(500, "<html>Bad gateway</html>")), class: "overloaded"},
		{name: "cut in the answer", script: repeats(llmtest.Text("Let me ", "see").Cut()), class: "network", kept: "Let me see"},
		{name: "malformed", script: repeats(llmtest.Text("Let me ").Garbage("data: {\"oops\r\n\r\n")), class: "internal", kept: "Let me "},
	}
}

// TestAProviderThatFails holds what a person and an admin are told then, that
// no words are lost, and that the key is nowhere.
func TestAProviderThatFails(t *testing.T) {
	for _, provider := range []string{"gemini", "openai"} {
		for _, f := range failures() {
			t.Run(provider+" "+f.name, func(t *testing.T) {
				t.Parallel()
				srv := fakeProvider(t, provider, f.script)
				if f.gone {
					srv.Stop()
				}
				in := setUpInstall(t, providerEnv(provider, srv.URL))
				session := in.conversation("general")
				turn := in.say(session, "How do we move an office?")
				in.failedPlainly(turn, f)
				in.kept(session, f)
				in.onRecord(provider, turn, f)
				in.leaks(session)
			})
		}
	}
}

// failedPlainly: one plain sentence, without the provider's own words.
func (in *install) failedPlainly(turn turnView, f failure) {
	in.t.Helper()
	if turn.Status != "failed" || turn.Error == nil || turn.Error.Code != f.class {
		in.t.Fatalf("the turn is %s: %+v, want class %s", turn.Status, turn.Error, f.class)
	}
	said := turn.Error.Message
	for _, raw := range []string{"HTTP", "http", "{", "dial", "EOF", "127.0.0.1", "Incorrect"} {
		if strings.Contains(said, raw) {
			in.t.Errorf("the person reads %q", said)
		}
	}
	if !strings.Contains(said, "Your words are kept") || !strings.HasSuffix(said, ".") {
		in.t.Errorf("the person reads %q", said)
	}
}

// kept: the person's words, and what the model had said, are there for both
// API and page; so is the sentence.
func (in *install) kept(session string, f failure) {
	in.t.Helper()
	var s struct {
		Messages []struct{ Role, Content string }
		Turns    []turnView
	}
	in.call("GET", "/sessions/"+session, nil, &s)
	want := 1
	if f.kept != "" {
		want = 2
	}
	if len(s.Messages) != want || s.Messages[0].Content != "How do we move an office?" || f.kept != "" && s.Messages[1].Content != f.kept {
		in.t.Errorf("the messages are %+v", s.Messages)
	}
	page := in.page("/chat/" + session)
	for _, text := range []string{"How do we move an office?", strings.TrimSpace(f.kept), "Your words are kept"} {
		if !strings.Contains(page, text) {
			in.t.Errorf("the page does not show %q", text)
		}
	}
}

// onRecord: one row for the admin that names provider and class, with the
// provider's words and the way back to the turn.
func (in *install) onRecord(provider string, turn turnView, f failure) {
	in.t.Helper()
	var rows struct {
		Items []struct {
			Class, Provider string
			TurnID          string `json:"turn_id"`
			Details         map[string]any
		}
	}
	in.call("GET", "/admin/errors", nil, &rows)
	if len(rows.Items) != 1 || rows.Items[0].Class != f.class || rows.Items[0].Provider != provider || rows.Items[0].TurnID != turn.ID {
		in.t.Fatalf("the error rows are %+v", rows.Items)
	}
	if detail, _ := rows.Items[0].Details["detail"].(string); detail == "" {
		in.t.Errorf("the row has no detail: %+v", rows.Items[0])
	}
	if page := in.page("/admin/errors"); !strings.Contains(page, turn.ID) {
		in.t.Error("the page of errors does not lead to the turn")
	}
}
