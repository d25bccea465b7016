package views

import (
	"strings"
	"testing"

	"assent/internal/assent"
)

// storedOffice is what the rows tell once the conversation "finished" is over.
func storedOffice(events []assent.LoggedEvent) Stored {
	at := func(typ, turn string) assent.Time {
		for _, ev := range events {
			if ev.Type == typ && ev.TurnID == turn {
				return ev.At
			}
		}
		return 0
	}
	var st Stored
	words := map[string]string{"t1": "We're moving the office", "t2": "Add a budget milestone"}
	for _, turn := range []string{"t1", "t2"} {
		begun, done := at("message", turn), at("done", turn)
		st.Turns = append(st.Turns, assent.Turn{ID: turn, SessionID: "s1", Status: assent.TurnCompleted, CreatedAt: begun, StartedAt: begun, EndedAt: done})
		m := assent.Message{ID: "m" + turn[1:], TurnID: turn, Role: assent.RoleUser, Content: words[turn], CreatedAt: begun}
		if turn == "t2" {
			m.Reading = &assent.Reading{As: assent.ReadApproveWithChanges, PlanID: "p1", Version: 2, RunID: "r1", Words: "then go ahead", Counts: true}
		}
		st.Messages = append(st.Messages, m, assent.Message{ID: "a" + turn, TurnID: turn, Role: assent.RoleAssistant, Content: "Answer of " + turn, CreatedAt: done})
	}
	p := assent.Plan{ID: "p1", Status: assent.PlanCompleted, Version: 2, Mode: assent.ModeDraftOnly}
	for n, turn := range map[int64]string{1: "t1", 2: "t2"} {
		p.Versions = append(p.Versions, assent.Version{PlanID: "p1", Version: n, ReadySeq: 1, CreatedAt: at("plan_created", turn), Steps: officeSteps(n == 2),
			Preview: officePreview(3), Hash: strings.Repeat("a", 64), Document: assent.PlanDocument{Objective: objective}})
	}
	if p.Versions[0].Version == 2 {
		p.Versions[0], p.Versions[1] = p.Versions[1], p.Versions[0]
	}
	// event 80 is the run's end
	run := assent.Run{ID: "r1", PlanID: "p1", TurnID: "t2", Version: 2, Status: assent.RunCompleted, StartedAt: at("run_state", "t2"), EndedAt: events[79].At}
	for _, st := range officeSteps(true) {
		run.Steps = append(run.Steps, assent.StepRun{RunID: "r1", ID: st.ID, Path: st.ID, Status: assent.StepSuccess, Attempt: 1, StartedAt: run.StartedAt + 1, EndedAt: run.EndedAt - 1})
	}
	p.Runs = []assent.Run{run}
	st.Plans = []assent.Plan{p}
	return st
}

// TestPrunedLogsShowWhatIsStored cuts the log anywhere: messages, plan and
// receipt are there, once each, and the stream goes on from any position.
func TestPrunedLogsShowWhatIsStored(t *testing.T) {
	t.Parallel()
	events := finished().events
	for cut := 1; cut <= len(events); cut += 2 {
		st, kept := storedOffice(events), events[cut:]
		if len(kept) > 0 {
			st.Before = kept[0].At
		}
		session := assent.Session{ID: "s1", Title: "Office move to Leith"}
		whole := RestoreChat(session, st, kept)
		page := normal(pageOf(t, whole))
		for _, want := range []string{"We're moving the office", "Add a budget milestone", "Receipt: what was approved, and what ran", "Create the project from “Relocation”"} {
			if !strings.Contains(page, want) {
				t.Fatalf("cut at %d: %q is not on the page", cut, want)
			}
		}
		if n := strings.Count(page, "data-n=-1000000000"); n != 2 {
			t.Fatalf("cut at %d: %d messages of the person", cut, n)
		}
		half := len(kept) / 2
		c := RestoreChat(session, st, kept[:half])
		doc := pageOf(t, c)
		live(t, c, doc, kept[half:], func() int { return 1 })
		if got := normal(doc); got != page {
			t.Fatalf("cut at %d: %s", cut, diffLine(got, page))
		}
	}
}

// TestARunningTurnSurvivesPruning keeps the status when the turn's opening is gone.
func TestARunningTurnSurvivesPruning(t *testing.T) {
	t.Parallel()
	tp := newTape().in("t1").begins()
	st := Stored{Turns: []assent.Turn{{ID: "t1", Status: assent.TurnRunning, CreatedAt: tp.events[0].At, StartedAt: tp.events[0].At}},
		Before: tp.events[2].At}
	if c := RestoreChat(assent.Session{ID: "s1"}, st, tp.events[2:]); !c.Busy() {
		t.Error("the turn is not under way")
	}
}
