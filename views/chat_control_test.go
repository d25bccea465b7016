package views

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"assent/internal/assent"

	"golang.org/x/net/html"
)

// careSteps is a plan with everything that the language knows.
func careSteps() []assent.Step {
	return []assent.Step{
		{ID: "make", Type: assent.StepTool, Label: "Create the project", Tool: "create_project", Effect: assent.EffectWrite, ResultKey: "project", Target: "“Office move”", Arguments: json.RawMessage(`{"name":"Office move"}`)},
		{ID: "know", Type: assent.StepParallel, Label: "Gather what we know", Merge: "collect", Steps: []assent.Step{
			{ID: "r", Type: assent.StepAgent, Label: "Removal firms", Agent: "researcher", Mode: "build", Effect: assent.EffectRead, Prompt: "Firms near {{ result.project.artifact.name }}"},
			{ID: "d", Type: assent.StepTool, Tool: "search_documents", Effect: assent.EffectRead, Arguments: json.RawMessage(`{"query":"lease"}`)}}},
		{ID: "ask", Type: assent.StepCheckpoint, Label: "Confirm before inviting people", Prompt: "Send the invitations for {{ result.project.artifact.name }}?"},
		{ID: "send", Type: assent.StepTool, Label: "Send them", Tool: "mail/send", Effect: assent.EffectExternal, Arguments: json.RawMessage(`{"to":"everybody"}`)},
	}
}

func (t *tape) starts(path string, status assent.StepStatus, attempt int64) *tape {
	return t.log(assent.StepStart{RunID: "r1", PlanID: "p1", Path: path, Attempt: attempt, Status: status, Arguments: json.RawMessage(`{}`)})
}

func (t *tape) stops(path string, status assent.StepStatus, summary string) *tape {
	e := assent.StepComplete{RunID: "r1", PlanID: "p1", Path: path, Attempt: 1, Status: status, Summary: summary, DurationMS: 40}
	if status == assent.StepFailed || status == assent.StepPartial {
		e.Error = &assent.Problem{Code: assent.CodeUnavailable, Message: summary}
	}
	return t.log(e)
}

func (t *tape) turns(st assent.RunStatus, reason string) *tape {
	return t.log(assent.PlanState{PlanID: "p1", Version: 1, Status: assent.PlanStatus(st), Reason: reason}, assent.RunState{RunID: "r1", PlanID: "p1", Status: st, Reason: reason})
}

// careful is a plan that a reviewer objected to, approved all the same, up to
// its checkpoint.
func careful() *tape {
	t := newTape().in("t1").log(assent.MessageEvent{MessageID: "m1", Role: assent.RoleUser, Content: "Move the office and tell everybody"}).begins()
	p := assent.NewPreview()
	p.Creates["project"], p.Undoable, p.External = 1, []string{"make"}, []string{"mail"}
	p.Estimate = assent.Estimate{LLMCalls: 4, Tokens: 4100, Basis: "From 12 earlier runs: one call tells you the outcome."}
	hash := strings.Repeat("c", 64)
	t.log(assent.PlanCreated{PlanID: "p1", Version: 1, Hash: hash, Objective: objective, Mode: assent.ModeAgentReview, Steps: careSteps(), Preview: p},
		assent.PlanReview{PlanID: "p1", Version: 1, Reviewer: "plan_review", Verdict: assent.VerdictRejected, Findings: []assent.Finding{{Step: "know/d", Severity: "warning", Text: "Only one word is looked for."}, {Step: "send", Severity: "error", Text: "Nobody can call a mail back."}}},
		assent.PlanReady{PlanID: "p1", Version: 1, Hash: hash, Objective: objective, Mode: assent.ModeAgentReview, Steps: careSteps(), Preview: p, SuggestedReplies: []string{"Looks good, run it", "Discard this plan"}},
		assent.PlanState{PlanID: "p1", Version: 1, Status: assent.PlanPendingReview}).ends("It waits.", assent.TurnCompleted)
	r := assent.Reading{As: assent.ReadApprove, PlanID: "p1", Version: 1, RunID: "r1", Words: "run it anyway", Counts: true}
	t.in("t2").log(assent.PlanState{PlanID: "p1", Version: 1, Status: assent.PlanRunning}, assent.RunState{RunID: "r1", PlanID: "p1", Status: assent.RunRunning},
		assent.MessageEvent{MessageID: "m2", Role: assent.RoleUser, Content: "run it anyway", Reading: &r}).begins()
	t.step("make", `{"name":"Office move"}`, "Created the project “Office move”", 41).starts("know", assent.StepRunning, 1).starts("know/r", assent.StepRunning, 1).starts("know/d", assent.StepRunning, 1)
	t.stops("know/d", assent.StepSuccess, "Found 2 documents").stops("know/r", assent.StepSuccess, "3 firms").stops("know", assent.StepSuccess, "2 of 2 parts done")
	return t.starts("ask", assent.StepWaitingHuman, 1).turns(assent.RunWaitingHuman, "Send the invitations for Office move?").ends("A question.", assent.TurnCompleted)
}

// interrupted is careful, answered, with the sending cut off by a kill.
func interrupted() *tape {
	t := careful().in("t3").stops("ask", assent.StepSuccess, "confirmed").turns(assent.RunRunning, "").starts("send", assent.StepRunning, 1)
	const question = "The step “Send them” was interrupted. The mail server had taken the message. Shall I run it once more, or is it done?"
	return t.stops("send", assent.StepWaitingHuman, question).turns(assent.RunWaitingHuman, question)
}

// partly is careful up to the parallel step, of which one part fails.
func partly() *tape {
	t := careful()
	i := slices.IndexFunc(t.events, func(ev assent.LoggedEvent) bool {
		return ev.Type == "step_complete" && strings.Contains(string(ev.Data), `"know/r"`)
	})
	t.events = t.events[:i]
	return t.in("t2").stops("know/r", assent.StepFailed, "The web cannot be reached.").stops("know", assent.StepPartial, "1 of 2 parts done").
		turns(assent.RunFailed, "Step “Gather what we know” failed: Not every part succeeded").ends("Failed.", assent.TurnCompleted)
}

// carried is a conditional approval whose change was not exactly what was said.
func carried() *tape {
	t := drafted().wait(90_000).in("t2").begins()
	hash := strings.Repeat("2", 64)
	e := assent.PlanReady{PlanID: "p1", Version: 2, Hash: hash, Objective: objective, Mode: assent.ModeDraftOnly, Steps: officeSteps(true), Preview: officePreview(4),
		Changed: []assent.StepChange{{Kind: "changed", Field: "inputs"}, {Step: "marks", Kind: "changed", Field: "arguments.milestones"}, {Step: "marks", Kind: "changed", Field: "tool"}}}
	return t.log(assent.PlanCreated{PlanID: "p1", Version: 2, Hash: hash, Objective: objective, Mode: assent.ModeDraftOnly, Steps: e.Steps, Preview: e.Preview},
		e, assent.PlanState{PlanID: "p1", Version: 2, Status: assent.PlanPendingReview})
}

// controlScripts are recorded conversations about runs that are controlled.
func controlScripts() map[string]*tape {
	again := interrupted().turns(assent.RunRunning, "").starts("send", assent.StepRunning, 2).stops("send", assent.StepSuccess, "Sent to 12 people").turns(assent.RunCompleted, "")
	back := careful().in("t3").turns(assent.RunPaused, "took back step 2").turns(assent.RunRunning, "").starts("know", assent.StepRunning, 2)
	return map[string]*tape{"careful": careful(), "interrupted": interrupted(), "partly": partly(), "carried": carried(), "again": again, "back": back,
		"refused": careful().in("t3").turns(assent.RunCancelled, "cancelled"), "undone": partly().in("t3").turns(assent.RunUndone, "undone")}
}

// text is what an element says, with single spaces.
func text(n *html.Node) string {
	var b strings.Builder
	each(n, func(x *html.Node) {
		if x.Type == html.TextNode {
			b.WriteString(x.Data + " ")
		}
	})
	return strings.Join(strings.Fields(b.String()), " ")
}

// liveCard is the plan's live card of a conversation.
func liveCard(t *testing.T, tp *tape) *html.Node {
	t.Helper()
	c := fold(tp.events)
	c.Usage = func(run string) (assent.Usage, bool) { return assent.Usage{Calls: 3}, run == "r1" }
	c.Deviations = func([]assent.Step, []assent.StepRun) []string { return nil }
	n := byID(pageOf(t, c), c.plans["p1"].cardID())
	if n == nil {
		t.Fatal("there is no card")
	}
	return n
}

func classed(root *html.Node, class string) (out []*html.Node) {
	each(root, func(n *html.Node) {
		if n.Type == html.ElementNode && slices.Contains(strings.Fields(attr(n, "class")), class) {
			out = append(out, n)
		}
	})
	return out
}

// TestTheCardSaysWhatARunIsDoing holds what each state of a run reads like, in
// words and not by colour alone.
func TestTheCardSaysWhatARunIsDoing(t *testing.T) {
	t.Parallel()
	all := controlScripts()
	for _, c := range []struct {
		name  string
		says  []string
		marks string // of the steps, in order
		acts  string // by hand
		reply string
	}{
		{"careful", []string{"waiting for your answer", "Send the invitations for Office move?", "over the reviewer’s objection", "waiting for you", "asks you", "researcher", "2.1", "2.2", "touches mail",
			"Warning: Only one word is looked for.", "Error: Nobody can call a mail back.", "cannot be undone"},
			"Step 1, done|Step 2, done|Step 2.1, done|Step 2.2, done|Step that waits for you: 3|Step 4", "rollback cancel undo", "Yes, go on|No, stop here"},
		{"interrupted", []string{"was interrupted", "The mail server had taken the message.", "waiting for your answer"},
			"Step 1, done|Step 2, done|Step 2.1, done|Step 2.2, done|Step 3, done|Step that waits for you: 4", "rollback cancel undo", "Yes, go on|No, stop here|It is done already"},
		{"again", []string{"attempt 2", "Everything ran as approved.", "Deviations from what was approved: none.", "3 AI calls in the run, no price; estimated: about 4 AI calls, 4,100 tokens"},
			"Step 1, done|Step 2, done|Step 2.1, done|Step 2.2, done|Step 3, done|Step 4, done", "rollback undo", ""},
		{"partly", []string{"partly done", "failed, 40", "Skipped", "The web cannot be reached."},
			"Step 1, done|Step 2, partly done|Step 2.1, failed|Step 2.2, done|Step 3, skipped|Step 4, skipped", "continue rollback undo", ""},
		{"back", []string{"attempt 2", "running, step 2 of 4"}, "Step 1, done|Step under way: 2|Step 2.1|Step 2.2|Step 3|Step 4", "pause cancel", ""},
		{"refused", []string{"cancelled", "What was done so far is kept."}, "Step 1, done|Step 2, done|Step 2.1, done|Step 2.2, done|Step 3, cancelled|Step 4, skipped", "undo", ""},
		{"undone", []string{"taken back"}, "Step 1, taken back|Step 2, taken back|Step 2.1, failed|Step 2.2, taken back|Step 3, skipped|Step 4, skipped", "", ""},
	} {
		card := liveCard(t, all[c.name])
		words := text(card)
		for _, w := range c.says {
			if !strings.Contains(strings.ToLower(words), strings.ToLower(w)) {
				t.Errorf("%s: the card does not say %q:\n%s", c.name, w, words)
			}
		}
		var marks, acts, replies []string
		for _, n := range classed(card, "num") {
			marks = append(marks, text(n))
		}
		each(card, func(n *html.Node) {
			if a := attr(n, "formaction"); strings.HasPrefix(a, "/runs/r1/") {
				acts = append(acts, strings.TrimPrefix(a, "/runs/r1/"))
			}
			if attr(n, "name") == "reply" {
				replies = append(replies, attr(n, "value"))
			}
		})
		if got := strings.Join(marks, "|"); got != c.marks {
			t.Errorf("%s: marks\n%s, want\n%s", c.name, got, c.marks)
		}
		if got := strings.Join(acts, " "); got != c.acts {
			t.Errorf("%s: can be done by hand: %s, want %s", c.name, got, c.acts)
		}
		if got := strings.Join(replies, "|"); got != c.reply {
			t.Errorf("%s: replies %s, want %s", c.name, got, c.reply)
		}
	}
}

// TestADraftSaysWhatEachStepWillDo holds what stands on a card before a run.
func TestADraftSaysWhatEachStepWillDo(t *testing.T) {
	t.Parallel()
	tp := careful()
	tp.events = tp.events[:slices.IndexFunc(tp.events, func(ev assent.LoggedEvent) bool { return ev.Type == "run_state" })-1]
	words := text(liveCard(t, tp))
	for _, w := range []string{"mode build", "agent, reads", "in parallel", "Send the invitations for …?", "uses project from step 1", "external", "cannot be undone", "can be undone", "touches mail",
		"Estimate: about 4 AI calls, 4,100 tokens. From 12 earlier runs: one call tells you the outcome."} {
		if !strings.Contains(words, w) {
			t.Errorf("the card does not say %q:\n%s", w, words)
		}
	}
}

// TestARunThatWaitsIsPinned holds that the question stands above the composer.
func TestARunThatWaitsIsPinned(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"careful": "Send the invitations for Office move? Yes, go on No, stop here", "interrupted": "was interrupted", "partly": "", "again": ""} {
		c := fold(controlScripts()[name].events)
		got := text(byID(pageOf(t, c), idPinned))
		if !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("%s: pinned %q, want %q", name, got, want)
		}
		if said := "The run waits for your answer: "; want != "" && !strings.HasPrefix(c.announce, said) && !strings.HasPrefix(c.announce, "The answer is complete") {
			t.Errorf("%s: a screen reader is told %q", name, c.announce)
		}
		if _, chip := c.chatStatus(); (chip == "Waiting on you") != (want != "") {
			t.Errorf("%s: the status is %q", name, chip)
		}
	}
}

// TestChangedStepsComeBackSideBySide holds that only the steps that need a word
// are set beside what they were.
func TestChangedStepsComeBackSideBySide(t *testing.T) {
	t.Parallel()
	card := liveCard(t, carried())
	pairs := classed(card, "pair")
	if len(pairs) != 1 {
		t.Fatalf("%d steps come back", len(pairs))
	}
	words := text(pairs[0])
	for _, w := range []string{"Version 1, step 2", "Version 2, step 2", "Budget approved"} {
		if !strings.Contains(words, w) {
			t.Errorf("%q is missing in %s", w, words)
		}
	}
	left := pairs[0].FirstChild
	for left.Type != html.ElementNode {
		left = left.NextSibling
	}
	if strings.Contains(text(left), "Budget approved") {
		t.Error("what is new stands in the old version")
	}
	if len(classed(liveCard(t, drafted()), "pair")) != 0 {
		t.Error("a first version has changed")
	}
}

func TestADeviationStandsOnTheCard(t *testing.T) {
	t.Parallel()
	c := fold(controlScripts()["again"].events)
	var seen []assent.StepRun
	c.Deviations = func(_ []assent.Step, ran []assent.StepRun) []string {
		seen = ran
		return []string{"Step 4 ran with other arguments than the approved ones."}
	}
	card := byID(pageOf(t, c), c.plans["p1"].cardID())
	if got := text(classed(card, "deviations")[0]); !strings.Contains(got, "Step 4 ran with other arguments") {
		t.Errorf("the card says %q", got)
	}
	if len(seen) != 6 || seen[5].Path != "send" || seen[5].Attempt != 2 || seen[5].Tool != "mail/send" {
		t.Errorf("compared %+v", seen)
	}
}

func TestEveryActionHasItsWords(t *testing.T) {
	t.Parallel()
	for _, a := range []assent.ControlAction{assent.ControlPause, assent.ControlResume, assent.ControlContinue, assent.ControlRollback, assent.ControlExecute, assent.ControlCancel, assent.ControlUndo, assent.ControlHuman} {
		if l := ControlLabel(a); l == "" || l == string(a) {
			t.Errorf("%s is called %q", a, l)
		}
	}
}
