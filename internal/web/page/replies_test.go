package page_test

import (
	"net/http"
	"testing"

	"assent/internal/assent"
	"assent/internal/consent/rules"
)

// TestEveryOfferedReplyIsUnderstood reads what the cards offer with the rules of
// the consent reader: a button must not say what is then not understood.
func TestEveryOfferedReplyIsUnderstood(t *testing.T) {
	t.Parallel()
	s := newChatSite(t)
	b := s.as(s.ada)
	for _, c := range []struct {
		status assent.PlanStatus
		kind   rules.ItemKind
		want   map[string]assent.ReadingAs
	}{
		{assent.PlanPendingReview, rules.Waiting, map[string]assent.ReadingAs{"Looks good, run it": assent.ReadApprove}},
		{assent.PlanWaitingHuman, rules.WaitingHuman, map[string]assent.ReadingAs{"Yes, go on": assent.ReadApprove, "No, stop here": assent.ReadReject}},
	} {
		id := s.session(s.ada, "Move")
		s.play(id, recorded(t, "drafted")...)
		if c.status == assent.PlanWaitingHuman { // in the middle of a step
			s.play(id, event(t, "t2", assent.PlanState{PlanID: "p1", Version: 1, Status: assent.PlanRunning}), event(t, "t2", assent.RunState{RunID: "r1", PlanID: "p1", Status: assent.RunRunning}),
				event(t, "t2", assent.StepComplete{RunID: "r1", PlanID: "p1", Path: "make", Attempt: 1, Status: assent.StepWaitingHuman, Summary: "It was interrupted."}))
		}
		s.play(id, event(t, "t2", assent.PlanState{PlanID: "p1", Version: 1, Status: c.status}), event(t, "t2", assent.RunState{RunID: "r1", PlanID: "p1", Status: assent.RunStatus(c.status)}))
		page := b.get("/chat/" + id)
		b.want(http.StatusOK)
		offered := 0
		for _, say := range page.one("article.plan").all("button.say") {
			words := say.attr("value")
			want, known := c.want[words]
			if !known {
				continue // the plan's own suggestions are the planner's
			}
			offered++
			got, _ := rules.Read(words, rules.Situation{Items: []rules.Item{{Kind: c.kind, PlanID: "p1", Version: 1, RunID: "r1", Title: "Office move", Seen: true,
				Steps: []rules.StepInfo{{ID: "make", Number: "1", Label: "Create the project", Tool: "create_project"}}}}})
			if got.As != want || !got.Counts {
				t.Errorf("%s: %q is read as %+v", c.status, words, got)
			}
		}
		if offered != len(c.want) {
			t.Errorf("%s: %d replies are offered, want %d", c.status, offered, len(c.want))
		}
	}
}

func TestARunIsTakenUpAgainByHand(t *testing.T) {
	t.Parallel()
	s := newChatSite(t)
	id := s.session(s.ada, "Move")
	s.storeRun(id)
	b := s.as(s.ada)
	b.post("/runs/r1/continue")
	b.want(http.StatusOK)
	if b.at != "/chat/"+id || len(s.turns.acted) != 1 || s.turns.acted[0].Action != assent.ControlContinue {
		t.Errorf("at %s, asked for %v", b.at, s.turns.acted)
	}
	b.post("/runs/r1/destroy")
	b.want(http.StatusNotFound)
	stranger := s.as(s.add("Bob", assent.RoleMember))
	stranger.post("/runs/r1/undo")
	stranger.want(http.StatusNotFound)
	s.turns.refuse = assent.Errorf(assent.CodeConflict, "The run is over.")
	b.post("/runs/r1/continue").says("The run is over.", "Nothing was changed")
	b.want(http.StatusConflict)
}
