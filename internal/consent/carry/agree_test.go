package carry_test

import (
	"testing"

	"assent/internal/assent"
	"assent/internal/consent/carry"
)

// several is a plan with steps of the same kind.
const several = `{"steps":[
	{"id":"d1","type":"tool","tool":"delete_task","arguments":{"task_id":"a"}},
	{"id":"d2","type":"tool","tool":"delete_task","arguments":{"task_id":"b"}},
	{"id":"r1","type":"tool","tool":"create_risk","arguments":{"title":"Rent"}},
	{"id":"r2","type":"tool","tool":"create_risk","arguments":{"title":"Weather"}},
	{"id":"m","type":"tool","tool":"create_milestone","arguments":{"title":"Kick-off"}}]}`

// TestWordsThatMeanOtherStepsThanThoseGoneAreNotCarried holds the net under the
// readings: changes name one step where the words leave out more, or where they
// could mean another one.
func TestWordsThatMeanOtherStepsThanThoseGoneAreNotCarried(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		words, message string
		gone           []string
		carried        bool
	}{
		{"without the first two", "", []string{"d1"}, false},
		{"without the first two", "", []string{"d1", "d2"}, true},
		{"without the first", "yes, without the first two", []string{"d1"}, false},
		{"leave out 1", "yes, leave out 1 and 2", []string{"d1"}, false},
		{"leave out 1 and 2", "yes, leave out 1 and 2", []string{"d1", "d2"}, true},
		{"leave out 1-3", "", []string{"d1", "r1"}, false},
		{"leave out 1-3", "", []string{"d1", "d2", "r1"}, true},
		{"leave out steps 1 through 3", "", []string{"d1"}, false},
		{"skip the risks", "", []string{"r1"}, false},
		{"skip the risks", "", []string{"r1", "r2"}, true},
		{"skip the risk", "", []string{"r1"}, false},
		{"skip the rent risk", "", []string{"r1"}, true},
		{"skip the second risk", "", []string{"r2"}, true},
		{"skip both risks", "", []string{"r2"}, false},
		{"skip every risk", "", []string{"r2"}, false},
		{"skip some of the risks", "", []string{"r2"}, false},
		{"skip the other risk", "", []string{"r2"}, false},
		{"skip the milestone", "", []string{"m"}, true},
		{"skip the milestones", "", []string{"m"}, true},
		{"skip the last three steps", "", []string{"m"}, false},
		{"skip everything after 3", "", []string{"r2"}, false},
		{"skip everything after 3", "", []string{"r2", "m"}, true},
		{"everything but 1", "", []string{"d1"}, true},
		{"leave out 4", "", []string{"r1"}, false},
		{"ohne die letzten beiden", "", []string{"m"}, false},
		{"ohne die letzten beiden", "", []string{"r2", "m"}, true},
		{"zonder de laatste twee", "", []string{"m"}, false},
		{"最後の二つは抜いて", "", []string{"m"}, false},
		{"去掉最后两个", "", []string{"m"}, false},
		{"去掉最后两个", "", []string{"r2", "m"}, true},
		{"sans les risques", "", []string{"r1"}, false},
	} {
		before := document(t, several)
		after := assent.PlanDocument{}
		q := question(t, several)
		q.Before.Document, q.Words = before, "yes, "+tc.words
		if tc.message != "" {
			q.Words = tc.message
		}
		for _, st := range before.Steps {
			kept := true
			for _, id := range tc.gone {
				kept = kept && id != st.ID
			}
			if kept {
				after.Steps = append(after.Steps, st)
			}
		}
		q.After.Document = after
		for _, id := range tc.gone {
			q.Changes = append(q.Changes, assent.Change{Op: "remove", Step: id, Words: tc.words})
		}
		if v := carry.Judge(q); v.Carried() != tc.carried {
			t.Errorf("%q without %v: carried %t, %+v", q.Words, tc.gone, v.Carried(), v)
		}
	}
}
