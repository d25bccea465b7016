package carry_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"assent/internal/assent"
	"assent/internal/consent/carry"
	"assent/internal/plan/lang"
)

// maker makes random plans, changes that a person names, and differences that
// nobody named. Values of the plan, of the words and of the differences come from
// words of their own, so that none stands for another by chance.
type maker struct{ *rand.Rand }

func (m maker) word(from string) string { return fmt.Sprintf("%s%d", from, m.IntN(1000)) }

func (m maker) plan() assent.PlanDocument {
	var doc assent.PlanDocument
	n := 2 + m.IntN(6)
	for i := range n {
		st := m.step(fmt.Sprintf("s%d", i), doc)
		if m.IntN(6) == 0 {
			st = assent.Step{ID: st.ID, Type: assent.StepParallel, Merge: lang.MergeCollect}
			for k := range 1 + m.IntN(3) {
				st.Steps = append(st.Steps, m.step(fmt.Sprintf("s%dc%d", i, k), doc))
			}
		}
		doc.Steps = append(doc.Steps, st)
	}
	return doc
}

// step refers to earlier steps by their keys, sometimes.
func (m maker) step(id string, doc assent.PlanDocument) assent.Step {
	if m.IntN(8) == 0 {
		return assent.Step{ID: id, Type: assent.StepCheckpoint, Prompt: m.word("old")}
	}
	tools := []string{"create_task", "create_milestone", "update_task", "find_task", "delete_task"}
	args := map[string]any{"title": m.word("old"), "due_date": fmt.Sprintf("2027-%02d-%02d", 6+m.IntN(6), 1+m.IntN(28)), "count": 1000 + m.IntN(1000)}
	for range m.IntN(3) {
		if len(doc.Steps) > 0 {
			to := doc.Steps[m.IntN(len(doc.Steps))]
			if to.ResultKey != "" {
				args[m.word("ref")+"_id"] = "{{ result." + to.ResultKey + ".artifact_id }}"
			}
		}
	}
	return assent.Step{ID: id, Type: assent.StepTool, Tool: tools[m.IntN(len(tools))], ResultKey: "key_" + id, Arguments: encode(args)}
}

func encode(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // maps of plain values always marshal
	}
	return b
}

func arguments(st assent.Step) map[string]any {
	out := map[string]any{}
	d := json.NewDecoder(strings.NewReader(string(st.Arguments)))
	d.UseNumber()
	if err := d.Decode(&out); err != nil {
		panic(err) // they were encoded above
	}
	return out
}

// copyOf gives a document that shares nothing with another.
func copyOf(doc assent.PlanDocument) assent.PlanDocument {
	var out assent.PlanDocument
	if err := json.Unmarshal(encode(doc), &out); err != nil {
		panic(err)
	}
	return out
}

// each calls f with every step that calls a tool.
func each(steps []assent.Step, f func(*assent.Step)) {
	for i := range steps {
		if steps[i].Type == assent.StepTool {
			f(&steps[i])
		}
		each(steps[i].Steps, f)
	}
}

func (m maker) tool(doc assent.PlanDocument, ok func(assent.Step) bool) *assent.Step {
	var found []*assent.Step
	each(doc.Steps, func(st *assent.Step) {
		if ok(*st) {
			found = append(found, st)
		}
	})
	if len(found) == 0 {
		return nil
	}
	return found[m.IntN(len(found))]
}

// free reports a step that no other one refers to, and that nothing destructive
// works with.
func free(doc assent.PlanDocument, id string) bool {
	return !strings.Contains(string(encode(doc)), "result.key_"+id+".")
}

func harmless(doc assent.PlanDocument) func(assent.Step) bool {
	return func(st assent.Step) bool { return st.Tool != "delete_task" && free(doc, st.ID) }
}

// named makes changes in the document as a person names them.
func (m maker) named(doc *assent.PlanDocument) []assent.Change {
	var out []assent.Change
	used := map[string]bool{}
	for range 1 + m.IntN(3) {
		switch m.IntN(4) {
		case 0:
			i := m.IntN(len(doc.Steps))
			st := doc.Steps[i]
			if len(doc.Steps) < 2 || used[st.ID] || len(st.Steps) > 0 || !free(*doc, st.ID) || st.ID == "new" {
				continue
			}
			used[st.ID] = true
			doc.Steps = slices.Delete(doc.Steps, i, i+1)
			out = append(out, assent.Change{Op: "remove", Step: st.ID, Words: "leave it out"})
		case 1, 2:
			st := m.tool(*doc, harmless(*doc))
			if st == nil || used[st.ID] || st.ID == "new" {
				continue
			}
			used[st.ID] = true
			out = append(out, m.set(st))
		case 3:
			if used["new"] {
				continue
			}
			used["new"] = true
			title := m.word("said")
			doc.Steps = slices.Insert(doc.Steps, m.IntN(len(doc.Steps)+1), assent.Step{ID: "new", Type: assent.StepTool, Tool: "create_task", Arguments: encode(map[string]any{"title": title})})
			out = append(out, assent.Change{Op: "add", Words: "add a task " + title})
		}
	}
	return out
}

func (m maker) set(st *assent.Step) assent.Change {
	args := arguments(*st)
	c := assent.Change{Op: "set", Step: st.ID}
	switch m.IntN(3) {
	case 0:
		title := m.word("said")
		args["title"], c.Words = title, "call it "+title
	case 1:
		args["due_date"], c.Words = fmt.Sprintf("2027-04-%02d", 1+m.IntN(30)), "put it in April"
	case 2:
		n := 3 + m.IntN(900)
		args["count"], c.Words = n, fmt.Sprintf("make it %d", n)
	}
	st.Arguments = encode(args)
	return c
}

// slip makes a difference that nobody named.
func (m maker) slip(doc *assent.PlanDocument) string {
	st := m.tool(*doc, func(assent.Step) bool { return true })
	i := m.IntN(len(doc.Steps))
	kind := m.IntN(11)
	if st == nil && kind < 7 {
		kind = 7
	}
	switch kind {
	case 0:
		args := arguments(*st)
		args["title"] = m.word("slip")
		st.Arguments = encode(args)
	case 1:
		args := arguments(*st)
		args[m.word("slip")] = m.word("slip")
		st.Arguments = encode(args)
	case 2:
		args := arguments(*st)
		delete(args, "title")
		st.Arguments = encode(args)
	case 3:
		st.Tool = "slip_task"
	case 4:
		st.TimeoutMS += 5
	case 5:
		if st.ID == "new" {
			return "" // nothing can refer to it
		}
		st.ResultKey += "_slip"
	case 6:
		args := arguments(*st)
		args["count"] = 5000 + m.IntN(1000)
		st.Arguments = encode(args)
	case 7:
		doc.Steps = slices.Insert(doc.Steps, i, assent.Step{ID: "slip", Type: assent.StepTool, Tool: []string{"create_task", "delete_task", "find_task"}[m.IntN(3)],
			Arguments: encode(map[string]any{"title": m.word("slip")})})
	case 8:
		doc.Steps = slices.Delete(doc.Steps, i, i+1)
	case 9:
		k := m.IntN(len(doc.Steps))
		if doc.Steps[i].ID == "new" || doc.Steps[k].ID == "new" {
			return "" // a new step may stand anywhere
		}
		doc.Steps[i], doc.Steps[k] = doc.Steps[k], doc.Steps[i]
	case 10:
		p := assent.Step{ID: "slip", Type: assent.StepParallel, Merge: lang.MergeCollect, Steps: []assent.Step{doc.Steps[i]}}
		if len(doc.Steps[i].Steps) > 0 {
			return ""
		}
		doc.Steps[i] = p
	}
	return fmt.Sprint("slip ", kind)
}

// hold checks the rule for one random plan: what was named is carried, and with
// one more difference it is not.
func hold(t *testing.T, seed uint64) {
	m := maker{rand.New(rand.NewPCG(seed, 7))}
	before := m.plan()
	after := copyOf(before)
	changes := m.named(&after)
	q := question(t, shown, changes...)
	q.Before, q.After = carry.Version{Document: before}, carry.Version{Document: after}
	if v := carry.Judge(q); v.Carried() != (len(changes) > 0) {
		t.Fatalf("seed %d: changes %+v of\n%s\nto\n%s\ngive %+v", seed, changes, encode(before), encode(after), v)
	}
	for range 4 {
		slipped := copyOf(after)
		what := m.slip(&slipped)
		if lang.Hash(slipped, nil) == lang.Hash(after, nil) || what == "" {
			continue
		}
		q.After.Document = slipped
		if v := carry.Judge(q); v.Carried() {
			t.Fatalf("seed %d: %s is carried with the changes %+v of\n%s\nto\n%s", seed, what, changes, encode(before), encode(slipped))
		}
	}
}

func TestNothingBeyondTheNamedChangesIsEverCarried(t *testing.T) {
	t.Parallel()
	for seed := range uint64(600) {
		hold(t, seed)
	}
}

func FuzzNothingBeyondTheNamedChangesIsEverCarried(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(hold)
}

// FuzzJudge: whatever two versions and words are given, judging ends, and a
// carried version differs from its predecessor in no step that needs a word.
func FuzzJudge(f *testing.F) {
	f.Add(shown, strings.Replace(shown, "2027-03-01", "2027-04-30", 1), "put it in April", "make")
	f.Add(shown, strings.Replace(shown, "old boxes", "new", 1), "new", "")
	f.Fuzz(func(t *testing.T, a, b, words, step string) {
		var before, after assent.PlanDocument
		if json.Unmarshal([]byte(a), &before) != nil || json.Unmarshal([]byte(b), &after) != nil || len(lang.Structure(before))+len(lang.Structure(after)) > 0 {
			return
		}
		q := question(t, shown, assent.Change{Op: "set", Step: step, Words: words}, assent.Change{Op: "add", Words: words}, assent.Change{Op: "remove", Step: step, Words: words})
		for i := range q.Changes {
			one := q
			one.Before, one.After, one.Changes = carry.Version{Document: before}, carry.Version{Document: after}, q.Changes[i:i+1]
			if !carry.Judge(one).Carried() {
				continue
			}
			had := map[string]string{}
			for _, p := range lang.Paths(before) {
				had[p.Path] = string(encode(p.Step.Arguments)) + p.Step.Tool
			}
			for _, p := range lang.Paths(after) {
				if q.NeedsWord(p.Step) && had[p.Path] == "" {
					t.Errorf("a destructive step is carried in: %s", p.Path)
				}
			}
		}
	})
}
