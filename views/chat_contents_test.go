package views

import (
	"strings"
	"testing"

	"assent/internal/assent"
)

// TestACardNamesWhatATemplateBrings: what is approved can be read before it is,
// down to each task, risk and date.
func TestACardNamesWhatATemplateBrings(t *testing.T) {
	t.Parallel()
	p := officePreview(2)
	p.Contents = []assent.StepContents{{Step: "make", More: 3, Items: []assent.PreviewItem{
		{Kind: assent.KindMilestone, Title: "Lease signed", DueDate: "2027-01-15"},
		{Kind: assent.KindTask, Title: "View three offices", DueDate: "2027-01-15", Under: "Lease signed"},
		{Kind: assent.KindTask, Title: "Have the lease <b>checked</b>", DueDate: "2027-01-15", Under: "Lease signed"},
		{Kind: assent.KindMilestone, Title: "Moved in"},
		{Kind: assent.KindTask, Title: "Celebrate"},
		{Kind: assent.KindRisk, Title: "The fit-out is late"},
		{Kind: assent.KindRisk, Title: "Phones are dead"},
	}}}
	c := fold(newTape().in("t1").begins().log(assent.PlanCreated{PlanID: "p", Version: 1, Hash: "h", Objective: "Move", Steps: officeSteps(false), Preview: p},
		assent.PlanReady{PlanID: "p", Version: 1, Hash: "h", Objective: "Move", Steps: officeSteps(false), Preview: p}).events)
	got := strings.Fields(normal(byID(pageOf(t, c), "p-p-1")))
	text := strings.Join(got, " ")
	for _, want := range []string{"2 milestones, 3 tasks, 2 risks and 3 more", "Lease signed", "15 January 2027", "View three offices", "Have the lease <b>checked</b>", "Moved in", "Celebrate",
		"The fit-out is late", "Phones are dead", "And 3 more, which are not listed here."} {
		if !strings.Contains(text, want) {
			t.Errorf("the card does not say %q:\n%s", want, text)
		}
	}
	if strings.Count(text, "15 January 2027") != 1 {
		t.Error("the tasks of a milestone repeat its date")
	}
}
