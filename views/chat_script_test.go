package views

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"assent/internal/assent"
)

var update = flag.Bool("update", false, "write the recorded conversations anew")

// tape records the events of a conversation as the store would.
type tape struct {
	events []assent.LoggedEvent
	turn   string
	now    assent.Time
}

func newTape() *tape { return &tape{now: 1795269600000} } // 2026-11-21 14:00 UTC

func (t *tape) wait(ms int64) *tape { t.now += assent.Time(ms); return t }

func (t *tape) in(turn string) *tape { t.turn = turn; return t }

func (t *tape) log(events ...assent.Event) *tape {
	for _, e := range events {
		data, err := json.Marshal(e)
		if err != nil {
			panic(err)
		}
		t.now += 7
		t.events = append(t.events, assent.LoggedEvent{SessionID: "s1", Seq: int64(len(t.events) + 1), TurnID: t.turn, Type: e.EventType(), At: t.now, Data: data})
	}
	return t
}

// says streams a text in small deltas.
func (t *tape) says(text string) *tape {
	r := []rune(text)
	for i := 0; i < len(r); i += 9 {
		t.log(assent.Text{Delta: string(r[i:min(i+9, len(r))])}).wait(15)
	}
	return t
}

func (t *tape) begins() *tape {
	return t.log(assent.SessionEvent{SessionID: "s1", ContextType: assent.ContextProjectCreate},
		assent.OntologyLoaded{Scope: "workspace", Counts: map[string]int{"project": 2, "task": 31, "template": 4}},
		assent.AgentState{State: assent.StateThinking, ContextType: assent.ContextProjectCreate})
}

func (t *tape) calls(id, tool, label, args, summary, output string, ms int64) *tape {
	t.log(assent.AgentState{State: assent.StateExecutingTool, Details: label},
		assent.ToolCallEvent{CallID: id, Tool: tool, Arguments: json.RawMessage(args), Label: label, Effect: assent.EffectRead}).wait(ms)
	return t.log(assent.ToolResultEvent{CallID: id, Tool: tool, OK: true, Summary: summary, Output: json.RawMessage(output), DurationMS: ms},
		assent.AgentState{State: assent.StateThinking})
}

func (t *tape) ends(answer string, st assent.TurnStatus) *tape {
	cost := int64(3900)
	return t.log(assent.MessageEvent{MessageID: "a" + t.turn, Role: assent.RoleAssistant, Content: answer, Stopped: st == assent.TurnStopped},
		assent.Done{Status: st, Usage: assent.Usage{Calls: 2, LLMCalls: 2, TokensIn: 4210, TokensOut: 380, CostMicros: &cost},
			Counts: map[string]int{"tool_calls": 2}, DurationMS: 4100})
}

func officeSteps(budget bool) []assent.Step {
	titles := `["Lease signed","Fit-out done","Move day"]`
	label := "Add milestones: lease signed, fit-out done, move day"
	if budget {
		titles, label = `["Budget approved","Lease signed","Fit-out done","Move day"]`, "Add 4 milestones"
	}
	return []assent.Step{
		{ID: "make", Type: assent.StepTool, Label: "Create the project from “Relocation”", Tool: "create_project", ResultKey: "project",
			Effect: assent.EffectWrite, Target: "“Office move to Leith”",
			Arguments: json.RawMessage(`{"name":"Office move to Leith","template_id":"relocation","due_date":"2027-03-31","status":"planning"}`)},
		{ID: "marks", Type: assent.StepTool, Label: label, Tool: "create_milestones", ResultKey: "milestones", Effect: assent.EffectWrite,
			Arguments: json.RawMessage(`{"project_id":"$0.output.artifact_id","milestones":` + titles + `}`)},
		{ID: "know", Type: assent.StepParallel, Label: "Gather what we know", Merge: "collect", Steps: []assent.Step{
			{ID: "r", Type: assent.StepAgent, Label: "Researcher: removal firms in Edinburgh", Agent: "researcher", ResultKey: "research",
				Prompt: "Removal firms near {{ result.project.artifact.name }}"},
			{ID: "d", Type: assent.StepTool, Label: "Documents: search “lease”", Tool: "search_documents", Effect: assent.EffectRead, ResultKey: "docs",
				Arguments: json.RawMessage(`{"query":"lease"}`)}}},
		{ID: "tasks", Type: assent.StepTool, Label: "Break milestones into tasks", Tool: "create_tasks", Effect: assent.EffectWrite,
			Arguments: json.RawMessage(`{"project_id":"{{ result.project.artifact_id }}","notes":"{{ result.research.artifact.content }}","tasks":[{"title":"Compare removal firms"}]}`)},
		{ID: "doc", Type: assent.StepTool, Label: "Publish the context document", Tool: "publish_document", Effect: assent.EffectWrite,
			Arguments: json.RawMessage(`{"project_id":"$0.output.artifact_id","title":"Context"}`)},
	}
}

func officePreview(milestones int) assent.Preview {
	p := assent.NewPreview()
	p.Creates = map[string]int{"project": 1, "milestone": milestones, "task": 9, "document": 1}
	p.Undoable = []string{"make", "marks", "tasks", "doc"}
	cost := int64(4000)
	p.Estimate = assent.Estimate{LLMCalls: 3, CostMicros: &cost}
	return p
}

const objective = "Set up “Office move to Leith”"

func (t *tape) plans(version int64, budget bool) *tape {
	steps, preview := officeSteps(budget), officePreview(3+map[bool]int{true: 1}[budget])
	hash := fmt.Sprintf("%064d", version)
	return t.log(assent.PlanCreated{PlanID: "p1", Version: version, Hash: hash, Objective: objective, Mode: assent.ModeDraftOnly, Steps: steps, Preview: preview},
		assent.PlanReady{PlanID: "p1", Version: version, Hash: hash, Objective: objective, Mode: assent.ModeDraftOnly, Steps: steps, Preview: preview,
			Reasoning:        "A relocation template exists, so the project starts from it.",
			SuggestedReplies: []string{"Looks good, run it", "Add a budget milestone first", "Leave out the research"}},
		assent.PlanState{PlanID: "p1", Version: version, Status: assent.PlanPendingReview})
}

// drafted is a turn that drafts a plan, and the plan waiting.
func drafted() *tape {
	t := newTape().in("t1")
	t.log(assent.MessageEvent{MessageID: "m1", Role: assent.RoleUser,
		Content: "We're moving the office to Leith by the end of March. Set it up as a project, but show me the plan first."})
	t.begins().wait(700).says("I looked for a template that fits and drafted a plan. Nothing has been created yet.\n\n")
	t.calls("c1", "list_templates", "Find a template", `{"query":"relocation"}`, "Found “Relocation” and 2 others", `{"artifact":{"templates":[{"slug":"relocation"}],"total":3}}`, 12)
	t.log(assent.ToolCallEvent{CallID: "c2", Tool: "agent_create_plan", Label: "Draft a plan", Virtual: true, Effect: assent.EffectWrite,
		Arguments: json.RawMessage(`{"objective":"Set up the office move","execution_mode":"draft_only"}`)}).wait(1900)
	t.plans(1, false)
	t.log(assent.PlanReview{PlanID: "p1", Version: 1, Reviewer: "plan_review", Verdict: assent.VerdictApproved,
		Findings: []assent.Finding{{Severity: "info", Text: "Every milestone has an owner-less task; assign owners after creation."},
			{Step: "tasks", Severity: "warning", Text: "The due dates of the tasks come from the template."}}})
	t.log(assent.ToolResultEvent{CallID: "c2", Tool: "agent_create_plan", OK: true, Summary: "Draft only, 5 steps, checked", DurationMS: 1900})
	t.says("Version 1 of “Set up “Office move to Leith”” waits for your word. Say “go ahead”, or say what to change.")
	return t.log(assent.AgentState{State: assent.StateWaitingOnUser}).ends("…", assent.TurnCompleted)
}

// revised is drafted and a second turn that changes the plan and starts it.
func revised() *tape {
	t := drafted().wait(90_000).in("t2")
	r := assent.Reading{As: assent.ReadApproveWithChanges, PlanID: "p1", Version: 1, Words: "then go ahead", Counts: true, By: "model",
		Changes: []assent.Change{{Op: "add", Words: "Add a budget milestone before the lease"}}}
	t.log(assent.MessageEvent{MessageID: "m2", Role: assent.RoleUser, Content: "Add a budget milestone before the lease, then go ahead.", Reading: &r},
		assent.ReadingEvent{MessageID: "m2", Reading: r})
	t.begins().wait(400).plans(2, true)
	t.says("Added “Budget approved” as the first milestone. That is version 2; you asked to go ahead, so I am running it now.")
	r.Version, r.RunID = 2, "r1"
	return t.log(assent.PlanState{PlanID: "p1", Version: 2, Status: assent.PlanRunning},
		assent.RunState{RunID: "r1", PlanID: "p1", Status: assent.RunRunning, NotBefore: t.now + 5000},
		assent.ReadingEvent{MessageID: "m2", Reading: r},
		assent.AgentState{State: assent.StateExecutingPlan})
}

func (t *tape) step(path, args, summary string, ms int64) *tape {
	t.log(assent.StepStart{RunID: "r1", PlanID: "p1", Path: path, Attempt: 1, Status: assent.StepRunning, Arguments: json.RawMessage(args)}).wait(ms)
	return t.log(assent.StepComplete{RunID: "r1", PlanID: "p1", Path: path, Attempt: 1, Status: assent.StepSuccess, Summary: summary, DurationMS: ms})
}

// running is revised with two steps done and the third under way.
func running() *tape {
	t := revised().wait(5000)
	t.step("make", `{"name":"Office move to Leith","template_id":"relocation","due_date":"2027-03-31","status":"planning"}`, "Created the project “Office move to Leith”", 41)
	t.step("marks", `{"project_id":"01k","milestones":["Budget approved","Lease signed","Fit-out done","Move day"]}`, "Created 4 milestones", 18)
	t.log(assent.StepStart{RunID: "r1", PlanID: "p1", Path: "know", Attempt: 1, Status: assent.StepRunning},
		assent.StepStart{RunID: "r1", PlanID: "p1", Path: "know/r", Attempt: 1, Status: assent.StepRunning})
	return t.step("know/d", `{"query":"lease"}`, "Found 2 documents", 9)
}

// finished is the whole conversation, with a receipt.
func finished() *tape {
	t := running().wait(5900)
	t.log(assent.StepComplete{RunID: "r1", PlanID: "p1", Path: "know/r", Attempt: 1, Status: assent.StepSuccess, Summary: "3 firms, with prices", DurationMS: 5900},
		assent.StepComplete{RunID: "r1", PlanID: "p1", Path: "know", Attempt: 1, Status: assent.StepSuccess, Summary: "2 of 2 done", DurationMS: 5910})
	t.step("tasks", `{"project_id":"01k","tasks":[{"title":"Compare removal firms"}]}`, "Created 9 tasks", 55)
	t.step("doc", `{"project_id":"01k","title":"Context"}`, "Published “Context”", 12)
	t.log(assent.PlanState{PlanID: "p1", Version: 2, Status: assent.PlanCompleted}, assent.RunState{RunID: "r1", PlanID: "p1", Status: assent.RunCompleted})
	return t.says("The project stands:\n\n| Milestone | Due |\n|---|---:|\n| Budget approved | 11 Jan |\n| Lease signed | 25 Jan |\n| Move day | 31 Mar |\n\n"+
		"- [x] Project with 4 milestones\n- [ ] Owners for the 9 tasks\n\n```sql\nselect title, due from tasks where owner is null;\n```\n\nOn record: created 1 project, 4 milestones, 9 tasks and 1 document.").
		ends("…", assent.TurnCompleted)
}

// troubled holds what goes wrong: a queued message, a failing tool, a warning,
// a failing run, an error, a stop, an interruption.
func troubled() *tape {
	t := running().in("t3").log(assent.MessageEvent{MessageID: "m3", Role: assent.RoleUser, Content: "And tell me\nwhich tasks are blocked.", Queued: true})
	t.in("t2").wait(800).log(
		assent.StepComplete{RunID: "r1", PlanID: "p1", Path: "know/r", Attempt: 1, Status: assent.StepFailed, Summary: "The researcher could not reach the web.",
			Error: &assent.Problem{Code: assent.CodeUnavailable, Message: "The researcher could not reach the web."}, DurationMS: 700},
		assent.StepComplete{RunID: "r1", PlanID: "p1", Path: "know", Attempt: 1, Status: assent.StepPartial, Summary: "1 of 2 done", DurationMS: 710},
		assent.PlanState{PlanID: "p1", Version: 2, Status: assent.PlanFailed, Reason: "Step “Gather what we know” failed"},
		assent.RunState{RunID: "r1", PlanID: "p1", Status: assent.RunFailed, Reason: "Step “Gather what we know” failed"})
	t.says("The research failed; the rest is kept.").ends("…", assent.TurnCompleted)
	t.in("t3").begins().log(assent.ToolCallEvent{CallID: "c1", Tool: "blocked_tasks", Arguments: json.RawMessage(`{}`), Label: "Blocked tasks", Effect: assent.EffectRead},
		assent.ToolResultEvent{CallID: "c1", Tool: "blocked_tasks", Summary: "There is no such project.", Error: &assent.Problem{Code: assent.CodeNotFound, Message: "There is no such project."}, DurationMS: 3},
		assent.Warning{Code: "no_progress", Message: "The same call gave the same result twice, so I stopped there. Try to put it differently.", Retryable: true})
	t.says("I could not").log(assent.ErrorEvent{Code: "unavailable", Message: "The model could not be reached.", Retryable: true}).ends("I could not", assent.TurnFailed)
	t.in("t4").log(assent.MessageEvent{MessageID: "m4", Role: assent.RoleUser, Content: "Pause", Reading: &assent.Reading{As: assent.ReadControl, Action: assent.ControlPause, Words: "Pause", Reason: "Nothing runs."}})
	t.begins().log(assent.LastTurnContext{PreviousTurnID: "t3", Status: "failed", Entities: []string{"01k"}}).says("There is").
		log(assent.ToolCallEvent{CallID: "c9", Tool: "search", Arguments: json.RawMessage(`{"query":"x"}`), Label: "Search", Effect: assent.EffectRead}).ends("There is", assent.TurnStopped)
	t.in("t5").log(assent.MessageEvent{MessageID: "m5", Role: assent.RoleUser, Content: "Continue", Reading: &assent.Reading{As: assent.ReadControl, Action: assent.ControlContinue, RunID: "r1", PlanID: "p1", Words: "Continue", Counts: true}})
	t.log(assent.PlanState{PlanID: "p1", Version: 2, Status: assent.PlanRunning}, assent.RunState{RunID: "r1", PlanID: "p1", Status: assent.RunRunning})
	t.begins().step("know", `{}`, "2 of 2 done", 10).log(assent.PlanState{PlanID: "p1", Version: 2, Status: assent.PlanPaused, Reason: "took back step 3"},
		assent.RunState{RunID: "r1", PlanID: "p1", Status: assent.RunPaused, Reason: "took back step 3"})
	return t.says("Paused.").ends("Paused.", assent.TurnInterrupted)
}

// scripts are the recorded conversations by name.
func scripts() map[string]*tape {
	taken := drafted().in("t2")
	taken.log(assent.PlanState{PlanID: "p1", Version: 1, Status: assent.PlanRunning}, assent.RunState{RunID: "r1", PlanID: "p1", Status: assent.RunRunning, NotBefore: taken.now + 5000})
	r := assent.Reading{As: assent.ReadApprove, PlanID: "p1", Version: 1, RunID: "r1", Words: "go on", Counts: true}
	taken.log(assent.MessageEvent{MessageID: "m2", Role: assent.RoleUser, Content: "go on", Reading: &r}, assent.ReadingEvent{MessageID: "m2", Reading: r}).begins()
	r.TakenBack = true
	taken.log(assent.PlanState{PlanID: "p1", Version: 1, Status: assent.PlanCancelled, Reason: "cancelled"}, assent.RunState{RunID: "r1", PlanID: "p1", Status: assent.RunCancelled, Reason: "cancelled"},
		assent.PlanState{PlanID: "p1", Version: 1, Status: assent.PlanPendingReview, Reason: "taken back"}, assent.ReadingEvent{MessageID: "m2", Reading: r}).ends("Taken back.", assent.TurnCompleted)
	taken.in("").log(assent.PlanState{PlanID: "p1", Version: 1, Status: assent.PlanRunning}, assent.RunState{RunID: "r2", PlanID: "p1", Status: assent.RunRunning},
		assent.MessageEvent{MessageID: "m3", Role: assent.RoleUser, Content: "yes", Reading: &assent.Reading{As: assent.ReadApprove, PlanID: "p1", Version: 1, RunID: "r2", Words: "yes", Counts: true}},
		assent.PlanState{PlanID: "p1", Version: 1, Status: assent.PlanCompleted}, assent.RunState{RunID: "r2", PlanID: "p1", Status: assent.RunCompleted})
	taken.in("t3").begins().says("A report.").ends("A report.", assent.TurnCompleted)
	rounds := newTape().in("t1").log(assent.MessageEvent{MessageID: "m1", Role: assent.RoleUser, Content: "Do it"}).begins().plans(1, false).says("Better so:").plans(2, true)
	rounds.log(assent.PlanState{PlanID: "p1", Version: 2, Status: assent.PlanRejected, Reason: "rejected in chat"}).ends("Better so:", assent.TurnCompleted)
	out := controlScripts()
	for name, tp := range map[string]*tape{"drafted": drafted(), "revised": revised(), "running": running(), "finished": finished(), "troubled": troubled(), "taken-back": taken, "rounds": rounds} {
		out[name] = tp
	}
	return out
}

// TestRecordings holds that the recorded conversations, which tests of other
// packages read, are those of this file.
func TestRecordings(t *testing.T) {
	for name, tp := range scripts() {
		var b bytes.Buffer
		for _, ev := range tp.events {
			line, err := json.Marshal(struct {
				Seq  int64           `json:"seq"`
				Type string          `json:"type"`
				Turn string          `json:"turn_id"`
				At   assent.Time     `json:"at"`
				Data json.RawMessage `json:"data"`
			}{ev.Seq, ev.Type, ev.TurnID, ev.At, ev.Data})
			if err != nil {
				t.Fatal(err)
			}
			b.Write(append(line, '\n'))
		}
		path := filepath.Join("testdata", name+".jsonl")
		if *update {
			if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		old, err := os.ReadFile(path)
		if err != nil || !bytes.Equal(old, b.Bytes()) {
			t.Errorf("%s differs from the script (%v): run with -update", path, err)
		}
	}
}
