package offline_test

import (
	"encoding/json"
	"testing"

	"assent/internal/assent"
)

// TestTemplateUnfolds changes single things of a plan that is made from a
// template: what the template would create then stands in the plan itself.
func TestTemplateUnfolds(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, c := range []struct {
		words, name              string
		milestones, tasks, risks int // tasks are those of the first milestone
		lastMilestone            string
	}{
		{"drop the risks", "Bakery web shop", 6, 3, 0, "Site live"},
		{"looks good but drop the risks, then run it", "Bakery web shop", 6, 3, 0, "Site live"},
		{"Leave out the last milestone and the risks, and rename it to Bakery shop", "Bakery shop", 5, 3, 0, "Site tested"},
		{"leave out the second task of the first milestone", "Bakery web shop", 6, 2, 4, "Site live"},
		{"leave out site tested", "Bakery web shop", 5, 3, 4, "Site live"},
	} {
		t.Run(c.words, func(t *testing.T) {
			sc, err := sceneOf("draft shop")
			if err != nil {
				t.Fatal(err)
			}
			sc.reading, sc.past = reading(*sc.plan, c.words), w.templatesShown(t, *sc.plan)
			got, err := w.tell(t.Context(), sc, c.words)
			if err != nil || len(got.steps) < 2 {
				t.Fatalf("%v: %d steps, said %q", err, len(got.steps), got.text)
			}
			p := createdBy(t, got.steps[1])
			if p.Name != c.name || p.Template != "" || len(p.Milestones) != c.milestones || len(p.Risks) != c.risks {
				t.Fatalf("it is %q from template %q with %d milestones and %d risks", p.Name, p.Template, len(p.Milestones), len(p.Risks))
			}
			if n := len(p.Milestones[0].Tasks); n != c.tasks {
				t.Errorf("the first milestone has %d tasks, want %d", n, c.tasks)
			}
			if last := p.Milestones[len(p.Milestones)-1]; last.Title != c.lastMilestone || last.Due == "" {
				t.Errorf("the last milestone is %q, due %q", last.Title, last.Due)
			}
		})
	}
}

// madeProject is what the arguments of create_project say.
type madeProject struct {
	Name       string   `json:"name"`
	Template   string   `json:"template_id"`
	Risks      []string `json:"risks"`
	Milestones []struct {
		Title string   `json:"title"`
		Due   string   `json:"due_date"`
		Tasks []string `json:"tasks"`
	} `json:"milestones"`
}

func createdBy(t *testing.T, st assent.Step) (p madeProject) {
	t.Helper()
	if err := json.Unmarshal(st.Arguments, &p); err != nil || st.Tool != "create_project" {
		t.Fatalf("%v: %s %s", err, st.Tool, st.Arguments)
	}
	return p
}
