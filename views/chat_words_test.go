package views

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"assent/internal/assent"

	"golang.org/x/net/html"
)

func TestReadingsInWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		r    assent.Reading
		want string
	}{
		{assent.Reading{As: assent.ReadApprove, Version: 2, Counts: true}, "go ahead with version 2"},
		{assent.Reading{As: assent.ReadApprove, Version: 2, Reason: "A newer version exists."}, "go ahead with version 2. A newer version exists."},
		{assent.Reading{As: assent.ReadApproveWithChanges, Version: 1, Counts: true, Changes: []assent.Change{{Words: "leave out 3"}, {Words: "add a budget"}}},
			"go ahead with version 1, changed (“leave out 3” and “add a budget”)"},
		{assent.Reading{As: assent.ReadChange, Counts: true}, "a change to the plan"},
		{assent.Reading{As: assent.ReadReject, Counts: true}, "discard the plan"},
		{assent.Reading{As: assent.ReadQuestion}, "a question; the plan keeps waiting"},
		{assent.Reading{As: assent.ReadUnclear}, "unclear; nothing was started"},
		{assent.Reading{As: assent.ReadControl, Action: assent.ControlRollback, Counts: true}, "take the last step back"},
	} {
		if got := readingWords(c.r); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

func TestEveryStatusHasItsWords(t *testing.T) {
	t.Parallel()
	for _, s := range []assent.PlanStatus{assent.PlanDraft, assent.PlanPendingReview, assent.PlanApproved, assent.PlanRunning, assent.PlanPaused,
		assent.PlanWaitingHuman, assent.PlanCompleted, assent.PlanFailed, assent.PlanRejected, assent.PlanCancelled, assent.PlanUndone} {
		c := fold(drafted().in("t2").begins().log(assent.PlanState{PlanID: "p1", Version: 1, Status: s, Reason: "because"}).events)
		p := c.plans["p1"].place()
		if _, text := p.chip(); strings.Contains(text, "_") || text == "" {
			t.Errorf("%s: chip %q", s, text)
		}
		if p.footer().text == "" {
			t.Errorf("%s: nothing can be said", s)
		}
		if l, ok := c.groups[1].items[0].(*chatLine); ok && strings.Contains(l.lineWords(c), "_") {
			t.Errorf("%s: line %q", s, l.lineWords(c))
		}
	}
}

func TestTheStatusChipFollowsTheConversation(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, kind, text string
		tape             *tape
	}{
		{"nothing yet", "", "Ready", newTape()},
		{"thinking", "run", "Thinking", newTape().in("t1").begins()},
		{"a tool", "run", "Find a template", newTape().in("t1").begins().log(assent.AgentState{State: assent.StateExecutingTool, Details: "Find a template"})},
		{"waiting", "wait", "Waiting on you", drafted()},
		{"waiting, then asked something else", "run", "Thinking", drafted().in("t2").begins()},
		{"a run", "run", "Running, step 3 of 5", running()},
		{"done", "", "Ready", finished()},
		{"paused", "", "Paused", troubled()},
	} {
		if kind, text := fold(c.tape.events).chatStatus(); kind != c.kind || text != c.text {
			t.Errorf("%s: %q %q", c.name, kind, text)
		}
	}
}

func TestStepsTellWhatTheyUse(t *testing.T) {
	t.Parallel()
	rows := (&chatVersion{steps: officeSteps(false), preview: officePreview(3)}).rows(nil)
	for _, c := range []struct {
		number string
		uses   []stepUse
		tag    string
		undo   string
	}{
		{"1", nil, "writes", "can be undone"},
		{"2", []stepUse{{"project", "1"}}, "writes", "can be undone"},
		{"3", nil, "reads", ""},
		{"3.1", []stepUse{{"project", "1"}}, "agent", ""},
		{"4", []stepUse{{"research", "3.1"}, {"project", "1"}}, "writes", "can be undone"},
	} {
		for _, r := range flat(rows) {
			if r.number == c.number && (!slices.Equal(r.uses, c.uses) || r.tag != c.tag || r.undo != c.undo) {
				t.Errorf("step %s: %+v", c.number, r)
			}
		}
	}
	lone := chatVersion{steps: []assent.Step{{ID: "x", Type: assent.StepTool, Tool: "delete_task", Effect: assent.EffectDestructive,
		Arguments: json.RawMessage(`{"price":"$5.00","odd":"$9.output.x","key":"{{ result.none }}"}`)}}}
	if r := lone.rows(nil)[0]; len(r.uses) != 0 || r.undo != "cannot be undone" || r.tag != "destructive" {
		t.Errorf("%+v", r)
	}
}

func TestChangesBetweenVersions(t *testing.T) {
	t.Parallel()
	old := &chatVersion{steps: officeSteps(false)}
	steps := slices.Clone(officeSteps(true))
	steps = append(slices.Delete(steps, 3, 4), assent.Step{ID: "new", Type: assent.StepTool, Tool: "create_risk", Label: "Note a risk"})
	var got []string
	for _, ch := range (&chatVersion{steps: steps}).changesSince(old) {
		got = append(got, ch.op+" "+ch.number)
	}
	if want := []string{"changed 2", "added 5", "removed 4"}; !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
}

// TestCardsTellBeforehand reads a card as a person does.
func TestCardsTellBeforehand(t *testing.T) {
	t.Parallel()
	page := normal(pageOf(t, fold(drafted().events)))
	for _, want := range []string{"creates 1 project, 3 milestones, 9 tasks, 1 document", "deletes nothing", "about 3 AI calls · $0.004", "“Office move to Leith”",
		"can be undone", "Reviewer: approved.", "Looks good, run it", "Draft v1 · waiting for your word"} {
		if !strings.Contains(page, want) {
			t.Errorf("%q is not on the card", want)
		}
	}
}

// TestCountdownOffersToStop: what waits out its grace says when it starts.
func TestCountdownOffersToStop(t *testing.T) {
	t.Parallel()
	doc := pageOf(t, fold(revised().events))
	found := false
	each(doc, func(n *html.Node) { found = found || attr(n, "data-until") != "" })
	if page := normal(doc); !found || !strings.Contains(page, "Stop, I meant something else") || !strings.Contains(page, "formaction=/messages/m2/take-back") {
		t.Error("no countdown with a way to stop")
	}
	if page := normal(pageOf(t, fold(running().events))); strings.Contains(page, "data-until") {
		t.Error("the countdown goes on after the start")
	}
}

// TestNothingThatSomebodyWroteIsMarkup puts markup into everything that comes
// from models and people.
func TestNothingThatSomebodyWroteIsMarkup(t *testing.T) {
	t.Parallel()
	const evil = `<img src=x onerror=alert(1)>"'`
	raw, err := json.Marshal(map[string]string{"x": evil, evil: "y"})
	if err != nil {
		t.Fatal(err)
	}
	tp := newTape().in("t1").log(assent.MessageEvent{MessageID: "m1", Role: assent.RoleUser, Content: evil,
		Reading: &assent.Reading{As: assent.ReadApprove, Words: evil, Reason: evil, Changes: []assent.Change{{Words: evil}}}}).begins().says(evil).
		calls("c", evil, evil, string(raw), evil, string(raw), 1).
		log(assent.PlanReady{PlanID: "p", Version: 1, Objective: evil, Reasoning: evil, SuggestedReplies: []string{evil},
			Steps: []assent.Step{{ID: evil, Label: evil, Tool: evil, Target: evil, Arguments: raw}}},
			assent.Warning{Code: evil, Message: evil}, assent.ErrorEvent{Code: evil, Message: evil})
	each(pageOf(t, fold(tp.events)), func(n *html.Node) {
		if n.Data == "img" || attr(n, "onerror") != "" || n.Type == html.ElementNode && n.Data == "script" && attr(n, "src") == "" {
			t.Errorf("<%s %v> got through", n.Data, n.Attr)
		}
		if attr(n, "style") != "" {
			t.Errorf("<%s> has a style, which the content policy forbids", n.Data)
		}
	})
}

// How an unrelated message was understood is told only where a plan waits: else
// there is nothing that it could have been about.
func TestUnrelatedReadingsAreToldWhereAPlanWaits(t *testing.T) {
	t.Parallel()
	for _, waits := range []bool{true, false} {
		c := NewChat(assent.Session{ID: "s1"})
		if waits {
			c.Apply(assent.LoggedEvent{Seq: 1, Type: "plan_created", Data: []byte(`{"seq":1,"plan_id":"p","version":1,"steps":[]}`)})
			c.Apply(assent.LoggedEvent{Seq: 2, Type: "plan_ready_for_review", Data: []byte(`{"seq":2,"plan_id":"p","version":1,"steps":[]}`)})
		}
		c.Apply(assent.LoggedEvent{Seq: 3, TurnID: "t", Type: "message", Data: []byte(`{"seq":3,"message_id":"m","role":"user","content":"what is late?"}`)})
		c.Apply(assent.LoggedEvent{Seq: 4, TurnID: "t", Type: "reading", Data: []byte(`{"seq":4,"message_id":"m","as":"unrelated"}`)})
		if got := c.messages["m"].reading != nil; got != waits {
			t.Errorf("a plan waits %v: told %v", waits, got)
		}
	}
}
