package offline_test

import (
	"encoding/json"
	"strings"
	"testing"

	"assent/internal/llm"
)

const (
	user, assistant = llm.RoleUser, llm.RoleAssistant
	cancelledResult = `{"success":false,"error":{"code":"cancelled","message":"The server was restarted before this was done.","details":{}}}`
	addedResult     = `{"success":true,"output":{"artifact_id":"t-new","artifact":{"id":"t-new","kind":"task","title":"Call the landlord"}}}`
)

func called(tool, arguments, result string) []llm.Message {
	return []llm.Message{{Role: assistant, Calls: []llm.Call{{ID: "c1", Name: tool, Arguments: json.RawMessage(arguments)}}},
		{Role: llm.RoleTool, CallID: "c1", Tool: tool, Content: result}}
}

func TestGoingOnTakesUpTheInterruptedWish(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	add := llm.Message{Role: user, Content: "add a task to the office move: call the landlord"}
	overdue := llm.Message{Role: user, Content: "what is overdue?"}
	created := called("create_task", `{"project_id":"office","title":"Call the landlord"}`, addedResult)
	for _, c := range []struct {
		name  string
		past  []llm.Message
		words string
		want  []string
	}{
		{"killed before the first call", []llm.Message{add}, "continue", []string{`create_task project_id=office title="Call the landlord"`}},
		{"killed within a write that was not done", append([]llm.Message{add}, called("create_task", `{"project_id":"office","title":"Call the landlord"}`, cancelledResult)...), "go on",
			[]string{`create_task project_id=office title="Call the landlord"`}},
		{"killed within a read", append([]llm.Message{overdue}, called("overdue_tasks", `{}`, cancelledResult)...), "please continue", []string{"read overdue_tasks", `says "Fix the contact form"`}},
		{"killed after the write: it is told, not done again", append(append([]llm.Message{add}, created...), llm.Message{Role: assistant, Content: "Added the\n\nOn record: created 1 task."}),
			"Continue", []string{"writes nothing", `says "Added the task “Call the landlord” to “Office move”"`}},
		{"asked twice", append(append([]llm.Message{add}, llm.Message{Role: user, Content: "continue"}), created...), "carry on", []string{"writes nothing", `says "Added the task"`}},
		{"nothing was broken off", append(append([]llm.Message{add}, created...), llm.Message{Role: assistant, Content: "Added the task “Call the landlord” to “Office move”.\n\nOn record: created 1 task."}),
			"continue", []string{"writes nothing", `says "nothing left to go on with"`}},
		{"nothing was said before", nil, "continue", []string{"writes nothing", `says "what I can do"`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			sc, err := sceneOf("general")
			if err != nil {
				t.Fatal(err)
			}
			sc.past = c.past
			got, err := w.tell(t.Context(), sc, c.words)
			if err != nil {
				t.Fatal(err)
			}
			if problem := compare(sc, got, c.want); problem != "" {
				t.Errorf("%s\nsays %q", problem, got.text)
			}
		})
	}
}

// The planner ends a turn in which something waits with a line of its own; the
// model's words before it only explain.
func TestHowToAnswerAPlanIsLeftToThePlanner(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	sc, err := sceneOf("general")
	if err != nil {
		t.Fatal(err)
	}
	plan := `{"success":true,"output":{"plan_id":"plan-1","version":1,"status":"pending_review","objective":"Set up the project “Leith”",
		"steps":[{"id":"project","tool":"create_project","arguments":{"name":"Leith","due_date":"2027-03-31"}}],"preview":{"creates":{"project":1,"task":3}}}}`
	for tool, result := range map[string]string{"agent_create_plan": plan, "agent_revise_plan": plan,
		"delete_task": `{"success":false,"error":{"code":"confirmation_required","message":"It waits.","details":{}}}`} {
		sc.past = nil
		got, err := w.answerTo(t.Context(), sc, "set up the project Leith", called(tool, `{}`, result))
		if err != nil {
			t.Fatal(err)
		}
		if got == "" || strings.Contains(got, "go ahead") || strings.Contains(got, "discard it") {
			t.Errorf("after %s it says %q", tool, got)
		}
	}
}
