package carry_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"assent/internal/assent"
	"assent/internal/consent/carry"
	"assent/internal/consent/said"
)

// plan is what was shown: a project, its milestone, two tasks side by side, a
// note that works with one of them, a question and a deletion.
const shown = `{"steps":[
	{"id":"make","type":"tool","tool":"create_project","arguments":{"name":"Office move","start_date":"2027-02-01","due_date":"2027-03-01","milestones":[{"title":"Kick-off","due_date":"2027-02-01"},{"title":"Moved"}]},"result_key":"project"},
	{"id":"van","type":"tool","tool":"create_task","arguments":{"project_id":"$0.output.artifact_id","title":"Book the van","priority":"high","count":1}},
	{"id":"tape","type":"tool","tool":"create_task","arguments":{"project_id":"p1","title":"Buy tape"},"result_key":"tape"},
	{"id":"note","type":"tool","tool":"update_task","arguments":{"task_id":"{{ result.tape.artifact_id }}","status":"done"}},
	{"id":"link","type":"tool","tool":"create_relation","arguments":{"from_id":"$1.output.artifact_id","to_id":"{{ result.tape.artifact_id }}"}},
	{"id":"ask","type":"checkpoint","prompt":"Delete the old one?"},
	{"id":"old","type":"tool","tool":"find_task","arguments":{"query":"old boxes"}},
	{"id":"drop","type":"tool","tool":"delete_task","arguments":{"task_id":"$6.output.id"}}]}`

func document(t testing.TB, s string) assent.PlanDocument {
	t.Helper()
	var d assent.PlanDocument
	if err := json.Unmarshal([]byte(s), &d); err != nil {
		t.Fatal(err, s)
	}
	return d
}

func question(t testing.TB, after string, changes ...assent.Change) carry.Question {
	t.Helper()
	return carry.Question{Before: carry.Version{Document: document(t, shown)}, After: carry.Version{Document: document(t, after)}, Changes: changes,
		Today:     said.Today{Date: time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)},
		NeedsWord: func(st assent.Step) bool { return strings.HasPrefix(st.Tool, "delete_") },
		Creates: func(st assent.Step) (string, bool) {
			kind, ok := strings.CutPrefix(st.Tool, "create_")
			return kind, ok && kind != "relation"
		}}
}

// edit replaces parts of the plan that was shown; each must be there.
func edit(t testing.TB, pairs ...string) string {
	t.Helper()
	out := shown
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(out, pairs[i]) {
			t.Fatalf("no %q", pairs[i])
		}
		out = strings.Replace(out, pairs[i], pairs[i+1], 1)
	}
	return out
}

// without takes steps out; references by position count on.
func without(t testing.TB, ids ...string) string {
	t.Helper()
	doc := document(t, shown)
	var kept []assent.Step
	for _, st := range doc.Steps {
		gone := false
		for _, id := range ids {
			gone = gone || st.ID == id
		}
		if !gone {
			kept = append(kept, st)
		}
	}
	at := map[string]string{}
	for i, st := range doc.Steps {
		for k, other := range kept {
			if other.ID == st.ID {
				at["$"+string(rune('0'+i))+"."] = "$" + string(rune('0'+k)) + "."
			}
		}
	}
	for i := range kept {
		for from, to := range at {
			if strings.Contains(string(kept[i].Arguments), from) {
				kept[i].Arguments = []byte(strings.ReplaceAll(string(kept[i].Arguments), from, to))
				break
			}
		}
	}
	doc.Steps = kept
	b, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func remove(step string) assent.Change {
	return assent.Change{Op: "remove", Step: step, Words: "leave it out"}
}

func set(step, words string) assent.Change { return assent.Change{Op: "set", Step: step, Words: words} }

func add(words string) assent.Change { return assent.Change{Op: "add", Words: words} }

const van = `"title":"Book the van","priority":"high","count":1}}`

// task is a new step behind the others.
func task(tool, args string) []string {
	last := `{"task_id":"$6.output.id"}}`
	return []string{last, last + `,{"id":"new","type":"tool","tool":"` + tool + `","arguments":` + args + `}`}
}

func TestWhatWasNamedIsCarried(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		after   string
		changes []assent.Change
	}{
		"a step less":                        {without(t, "ask"), []assent.Change{remove("ask")}},
		"what works with the step only goes": {without(t, "link", "tape", "note"), []assent.Change{remove("tape"), remove("link")}},
		"a destructive step less":            {without(t, "drop"), []assent.Change{remove("drop")}},
		"a step of the kind that was named":  {without(t, "drop"), []assent.Change{{Op: "remove", Step: "drop", Words: "without the last task"}}},
		"the same step named twice":          {without(t, "ask"), []assent.Change{remove("ask"), {Op: "remove", Step: "ask", Words: "and without the question"}}},
		"a date":                             {edit(t, "2027-03-01", "2027-04-30"), []assent.Change{set("", "put it in April")}},
		"both dates of a step":               {edit(t, "2027-02-01", "2027-04-01", "2027-03-01", "2027-04-30"), []assent.Change{set("make", "put it in April")}},
		"a date of an item":                  {edit(t, `"Kick-off","due_date":"2027-02-01"`, `"Kick-off","due_date":"2027-03-31"`), []assent.Change{set("", "the kick-off at the end of March")}},
		"a date that was not there":          {edit(t, van, `"title":"Book the van","priority":"high","count":1,"due_date":"2027-04-02"}}`), []assent.Change{set("van", "the van on 2 April")}},
		"a number":                           {edit(t, `"count":1`, `"count":2`), []assent.Change{set("", "make it two vans")}},
		"a word":                             {edit(t, `"high"`, `"low"`), []assent.Change{set("van", "low priority")}},
		"a name":                             {edit(t, "Office move", "Leith"), []assent.Change{set("", "call it “Leith”")}},
		"one thing more":                     {edit(t, task("create_milestone", `{"project_id":"$0.output.artifact_id","title":"Budget"}`)...), []assent.Change{add("add a budget milestone")}},
		"one thing more where others are":    {edit(t, task("create_task", `{"project_id":"p1","title":"Call the landlord","due_date":"2027-04-02"}`)...), []assent.Change{add("add a task to call the landlord on 2 April")}},
		"one item more":                      {edit(t, `{"title":"Moved"}`, `{"title":"Budget"},{"title":"Moved"}`), []assent.Change{add("add a budget milestone before the last")}},
		"one item less":                      {edit(t, `,{"title":"Moved"}`, ``), []assent.Change{{Op: "remove", Words: "leave out the milestone “Moved”"}}},
		"two changes":                        {strings.Replace(without(t, "ask"), "2027-03-01", "2027-04-30", 1), []assent.Change{remove("ask"), set("", "put it in April")}},
		"labels are no difference":           {edit(t, `"id":"ask"`, `"id":"ask","label":"Really?"`, "2027-03-01", "2027-04-30"), []assent.Change{set("", "put it in April")}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if v := carry.Judge(question(t, tt.after, tt.changes...)); !v.Carried() {
				t.Errorf("not carried: loose %+v, missed %+v", v.Loose, v.Missed)
			}
		})
	}
}

func TestWhatWasNotNamedIsNotCarried(t *testing.T) {
	t.Parallel()
	april := set("", "put it in April")
	for name, tt := range map[string]struct {
		after   string
		changes []assent.Change
	}{
		"no change at all":                     {shown, nil},
		"a difference without a change":        {edit(t, `"high"`, `"low"`), nil},
		"a change that was not made":           {shown, []assent.Change{april}},
		"one of two changes":                   {without(t, "ask"), []assent.Change{remove("ask"), april}},
		"another step less":                    {without(t, "ask"), []assent.Change{remove("drop")}},
		"a step more less":                     {without(t, "ask", "van", "link"), []assent.Change{remove("ask")}},
		"a step less, none named":              {without(t, "ask"), []assent.Change{{Op: "remove", Words: "leave out the question"}}},
		"what works with others goes":          {without(t, "link", "tape", "note"), []assent.Change{remove("tape")}},
		"a step of another kind":               {without(t, "ask"), []assent.Change{{Op: "remove", Step: "ask", Words: "leave out the last milestone"}}},
		"a question goes with a step":          {without(t, "note", "ask"), []assent.Change{remove("note")}},
		"a date nobody said":                   {edit(t, "2027-03-01", "2027-05-01"), []assent.Change{april}},
		"a value more":                         {edit(t, "2027-03-01", "2027-04-30", `"high"`, `"low"`), []assent.Change{april}},
		"dates of two steps":                   {edit(t, "2027-03-01", "2027-04-30", van, `"title":"Book the van","priority":"high","count":1,"due_date":"2027-04-02"}}`), []assent.Change{april}},
		"another step than the one named":      {edit(t, "2027-03-01", "2027-04-30"), []assent.Change{set("van", "put it in April")}},
		"two changes could mean it":            {edit(t, "2027-03-01", "2027-04-30"), []assent.Change{april, set("make", "the move in April")}},
		"a tool":                               {edit(t, `"find_task"`, `"search"`), []assent.Change{set("", "search for it instead")}},
		"an agent":                             {edit(t, `"type":"tool","tool":"find_task"`, `"type":"agent","agent":"researcher"`), []assent.Change{set("", "let the researcher agent do it")}},
		"an order":                             {edit(t, `"id":"ask","type":"checkpoint","prompt":"Delete the old one?"},`, `"id":"old","type":"tool","tool":"find_task","arguments":{"query":"old boxes"}},`, `{"id":"old","type":"tool","tool":"find_task","arguments":{"query":"old boxes"}},`+"\n\t"+`{"id":"drop"`, `{"id":"ask","type":"checkpoint","prompt":"Delete the old one?"},{"id":"drop"`, `$6.output`, `$5.output`), []assent.Change{set("", "look first, then ask")}},
		"a time-out":                           {edit(t, `"id":"van",`, `"id":"van","timeout_ms":5,`), []assent.Change{set("van", "time out 5")}},
		"a result key":                         {edit(t, `"result_key":"project"`, `"result_key":"move"`), []assent.Change{set("make", "the move")}},
		"a reference":                          {edit(t, `"project_id":"p1"`, `"project_id":"$0.output.artifact_id"`), []assent.Change{set("tape", "$0.output.artifact_id")}},
		"a value that is gone":                 {edit(t, `"priority":"high",`, ``), []assent.Change{set("van", "without a high priority")}},
		"true and false":                       {edit(t, `"high"`, `true`), []assent.Change{set("van", "true")}},
		"a month as a name":                    {edit(t, "Office move", "April"), []assent.Change{april}},
		"the number of a step":                 {edit(t, `"count":1`, `"count":2`), []assent.Change{set("van", "step 2 in April")}},
		"what a deletion works with":           {edit(t, "old boxes", "new"), []assent.Change{set("old", "look for new")}},
		"a deletion":                           {edit(t, "$6.output.id", "boxes"), []assent.Change{set("drop", "delete boxes")}},
		"a deletion more":                      {edit(t, task("delete_task", `{"task_id":"boxes"}`)...), []assent.Change{add("add that boxes are deleted")}},
		"a thing nobody named":                 {edit(t, task("create_task", `{"title":"Call the landlord"}`)...), []assent.Change{add("add a task")}},
		"a thing of another kind":              {edit(t, task("create_project", `{"name":"Budget"}`)...), []assent.Change{add("add a budget milestone")}},
		"a thing with more than was said":      {edit(t, task("create_task", `{"title":"Budget","description":"Ask Bo for 500"}`)...), []assent.Change{add("add a budget task")}},
		"a thing in another project":           {edit(t, task("create_task", `{"title":"Budget","project_id":"p2"}`)...), []assent.Change{add("add a budget task")}},
		"a thing that changes another one":     {edit(t, task("update_task", `{"title":"Budget"}`)...), []assent.Change{add("add a budget task")}},
		"two things for one":                   {edit(t, task("create_task", `{"title":"Budget"}},{"id":"new2","type":"tool","tool":"create_task","arguments":{"title":"Budget"}`)...), []assent.Change{add("add a budget task")}},
		"an item that was not named":           {edit(t, `{"title":"Moved"}`, `{"title":"Moved"},{"title":"Party"}`), []assent.Change{add("add a budget milestone")}},
		"two items":                            {edit(t, `{"title":"Moved"}`, `{"title":"Moved"},{"title":"Budget"},{"title":"Budget"}`), []assent.Change{add("add a budget milestone")}},
		"an item more, another one changed":    {edit(t, `{"title":"Moved"}`, `{"title":"Away"},{"title":"Budget"}`), []assent.Change{add("add a budget milestone")}},
		"an item less that was not named":      {edit(t, `,{"title":"Moved"}`, ``), []assent.Change{{Op: "remove", Words: "leave out the kick-off milestone"}}},
		"an unknown op":                        {edit(t, "2027-03-01", "2027-04-30"), []assent.Change{{Op: "replace", Words: "put it in April"}}},
		"a new thing that uses the plan input": {edit(t, task("create_task", `{"title":"Budget","project_id":"{{ bindings.p }}"}`)...), []assent.Change{add("add a budget task")}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if v := carry.Judge(question(t, tt.after, tt.changes...)); v.Carried() {
				t.Error("carried")
			}
		})
	}
}

// A tool that is not what it was when the plan was shown is a difference too.
func TestAToolThatChangedMeanwhileIsNotCarried(t *testing.T) {
	t.Parallel()
	q := question(t, edit(t, "2027-03-01", "2027-04-30"), set("", "put it in April"))
	q.Before.Digests, q.After.Digests = map[string]string{"create_task": "1"}, map[string]string{"create_task": "1"}
	if v := carry.Judge(q); !v.Carried() {
		t.Errorf("not carried: %+v", v)
	}
	q.After.Digests = map[string]string{"create_task": "2"}
	if v := carry.Judge(q); v.Carried() || v.Loose[0].Field != "digest" {
		t.Errorf("carried with another tool: %+v", v)
	}
}
