package planner_test

import (
	"database/sql"
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"

	"assent/internal/assent"
	"assent/internal/llm/llmtest"
	"assent/internal/redact"
	"assent/internal/store"
)

// TestASecretIsShownToNobody plants one where a conversation could meet it: in
// what a person says, in what a tool reads, in what a model says, calls and
// plans. No request, event or row of the conversation holds it.
func TestASecretIsShownToNobody(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		model := llmtest.NewModel(t,
			llmtest.Text("I look at "+planted+".").Call("get_task", `{"task_id":"`+boxesID+`"}`).Call("list_tasks", `{"query":"`+planted+`"}`).Call("get_task", `{"task_id":"`+planted+`"}`),
			llmtest.Call("agent_create_plan", `{"objective":"Note `+planted+`","steps":[{"id":"a","type":"tool","tool":"get_task","arguments":{"task_id":"`+boxesID+`"}},{"id":"b","type":"tool","tool":"create_task","arguments":{"project_id":"project-leith","title":"$0.output.artifact.description"}}]}`),
			llmtest.Text("It says "+planted))
		w := newWorld(t, options{model: model})
		w.plant(t)
		w.say(t, " What is "+planted+" for?")
		w.settle(t)
		for i, r := range model.Requests() {
			sent, err := json.Marshal([]any{r.System, r.Messages, r.Tools})
			if err != nil || strings.Contains(string(sent), planted) {
				t.Errorf("request %d holds it: %s, %v", i, sent, err)
			}
			if i > 0 && !r.Has(redact.Mark) {
				t.Errorf("request %d has nothing hidden, so it proves nothing", i)
			}
		}
		if got := w.last(t).Content; !strings.Contains(got, "It says "+redact.Mark) {
			t.Errorf("the answer is %q", got)
		}
		w.nowhere(t)
	})
}

// plant writes the secret into a task by hand, as a careless person might.
func (w *world) plant(t *testing.T) {
	t.Helper()
	err := w.Write(t.Context(), func(tx *store.Tx) error {
		n, err := tx.FindAny(t.Context(), boxesID)
		if err != nil {
			return err
		}
		task := n.(*assent.Task)
		task.Description = "The key is " + planted
		return tx.UpdateEntity(store.Origin{UserID: w.ada.ID, Caller: assent.CallerPerson, Tool: "by hand"}, task)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// nowhere looks through every table of the conversation.
func (w *world) nowhere(t *testing.T) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+w.Path()+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	found := 0
	for _, table := range []string{"messages", "events", "history", "turns", "plans", "plan_versions", "step_runs", "runs", "errors", "audit", "llm_usage", "approvals"} {
		rows, err := db.Query("SELECT * FROM " + table)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range lines(t, rows) {
			found++
			if strings.Contains(line, planted) {
				t.Errorf("%s: %s", table, line)
			}
		}
		if err := rows.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if found < 20 {
		t.Errorf("only %d rows to look through", found)
	}
}
