package planner_test

import (
	"strings"
	"testing"
	"testing/synctest"

	"assent/internal/assent"
	"assent/internal/llm/llmtest"
)

// TestTheProtocolStandsInEveryPrompt, whatever the context, and is the same for
// every call of a turn; the state of the budgets comes and goes with its setting.
func TestTheProtocolStandsInEveryPrompt(t *testing.T) {
	t.Parallel()
	for _, ct := range []assent.ContextType{assent.ContextGeneral, assent.ContextProjectCreate, assent.ContextProject, assent.ContextTask, assent.ContextProjectAudit} {
		for _, dynamic := range []bool{true, false} {
			synctest.Test(t, func(t *testing.T) {
				model := llmtest.NewModel(t, llmtest.Call("list_projects", `{}`), llmtest.Text("One."))
				l := limits()
				l.DynamicPromptState = dynamic
				w := newWorld(t, options{model: model, context: ct, limits: l})
				w.say(t, " What is there?")
				w.settle(t)
				asked := model.Requests()
				for i, r := range asked {
					for _, step := range []string{"THINK:", "ACT:", "OBSERVE:"} {
						if !strings.Contains(r.System, step) {
							t.Errorf("%s: request %d lacks %s", ct, i, step)
						}
					}
					if (r.Note != "") != dynamic || r.System != asked[0].System || strings.Contains(r.System, "<budget>") {
						t.Errorf("%s: request %d is told %q last", ct, i, r.Note)
					}
				}
				if len(asked) != 2 || dynamic && !strings.Contains(asked[1].Note, "1 of 8 tool calls") {
					t.Errorf("%s: %d requests", ct, len(asked))
				}
			})
		}
	}
}
