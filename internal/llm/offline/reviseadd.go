package offline

import (
	"time"

	"assent/internal/assent"
	"assent/internal/llm/offline/english"
)

// add adds a milestone, task, risk, goal, decision or document to the plan.
func (r *revision) add(t english.Text) bool {
	if askFirst.In(t.Canon()) && !addVerb.In(t.Canon()) || t.Is(skipDet(t), "checkpoint") {
		return r.fail("I cannot add a stop inside a plan; the whole plan waits for your word anyway.")
	}
	if putBack.In(t.Canon()) {
		return r.fail("I do not keep what an earlier change took out. Name what should come back, for example “add the tasks call Bob and order boxes”, or discard the plan and ask for it anew.")
	}
	t = r.placeLast(r.withoutProject(t))
	m, ok := addVerb.Find(t.Canon())
	if !ok && !addBare.In(t.Canon()) {
		return false
	}
	rest := t
	if ok {
		rest = t.Drop(m.Range)
	}
	if r.movesInTime(t, rest) {
		return false
	}
	if many, under := r.tasksUnder(rest); len(many) > 0 {
		return r.addUnder(many, under)
	}
	p, rest := r.takePlace(rest)
	kind, items := r.wanted(rest)
	if len(items) == 0 {
		return r.fail("I could not tell what to add. Name it, for example “add a milestone “Budget agreed” before the lease”.")
	}
	if kind == assent.KindTask && len(items) > 1 && !r.hasTaskList() && p.step < 0 {
		return r.addTaskList(items)
	}
	for _, it := range items {
		if !r.addOne(kind, it, p) {
			return false
		}
	}
	if len(items) == 1 {
		r.just = items[0].title
	}
	return true
}

// putBack asks for what an earlier change left out.
var putBack = groups.Compile(`^(?:put|bring|take|get|add|give me|restore) (?:{det} |all |me )*(?:[^ ]+ ){0,4}?back(?: in| again| please| into .+| to .+)*(?: [.!])*$`)

// addOne adds one thing.
func (r *revision) addOne(kind assent.Kind, it item, p place) bool {
	if kind == assent.KindMilestone && !r.strict && len(r.lists()) > 0 && p.step < 0 {
		return r.addMilestone(it, p)
	}
	if kind == assent.KindTask && !r.strict && r.addToTasks(it, p) {
		return true
	}
	if kind == assent.KindProject || kind == assent.KindTemplate {
		return r.fail("A second " + string(kind) + " is a plan of its own. Finish or discard this one first.")
	}
	project, ok := r.projectReference()
	if !ok {
		return r.fail("I cannot tell to which project that should be added.")
	}
	a := args{"project_id": project}
	if kind == assent.KindRisk {
		it.title = withLevels(it.title, a)
	}
	a["title"] = literal(it.title)
	if kind == assent.KindMilestone || kind == assent.KindTask {
		if due := r.dueOf(it, p); !due.IsZero() {
			a["due_date"] = due.Format(time.DateOnly)
		}
	}
	st := assent.Step{ID: r.freshID(string(kind)), Type: assent.StepTool, Label: "Add the " + string(kind) + " " + quoted(it.title), Tool: "create_" + string(kind), Arguments: encode(within(a))}
	return r.insert(st, r.index(kind, p))
}
