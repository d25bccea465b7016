package views

import (
	"strings"

	"assent/internal/assent"
)

// stateWords is an agent_state as people read it.
func stateWords(state, details string) string {
	switch state {
	case assent.StateThinking:
		return "Thinking"
	case assent.StateExecutingTool:
		if details != "" {
			return details
		}
		return "Using a tool"
	case assent.StateExecutingPlan:
		return "Running the plan"
	case assent.StateWaitingOnUser:
		return "Waiting on you"
	}
	return ""
}

// doneWords is how a turn ended, for the live region.
func doneWords(st assent.TurnStatus, waits bool) string {
	switch {
	case st == assent.TurnStopped:
		return "Stopped. What was said and done so far is kept."
	case st == assent.TurnFailed:
		return "The answer could not be finished. What was said and done so far is kept."
	case st == assent.TurnInterrupted:
		return "The answer was interrupted. What was said and done so far is kept."
	case waits:
		return "The answer is complete. A plan waits for your word."
	}
	return "The answer is complete."
}

// chatStatus is the status chip: what the conversation is doing right now.
func (c *Chat) chatStatus() (kind, text string) {
	waits := c.waiting() > 0
	run := c.activeRun()
	switch {
	case c.running != "" && c.state != assent.StateWaitingOnUser && !(waits && c.state == ""):
		if run != nil && c.state == assent.StateExecutingPlan {
			return "run", runWords(run)
		}
		return "run", stateWords(c.state, c.details)
	case waits:
		return "wait", "Waiting on you"
	case run != nil && run.status == assent.RunRunning:
		return "run", runWords(run)
	case run != nil:
		return "", "Paused"
	}
	return "", "Ready"
}

// activeRun is the newest run that has not ended.
func (c *Chat) activeRun() *chatRun {
	for i := len(c.planOrder) - 1; i >= 0; i-- {
		if r := c.plans[c.planOrder[i]].run; r != nil && !r.status.Ended() {
			return r
		}
	}
	return nil
}

// runWords says how far a run is: "Running, step 3 of 5".
func runWords(r *chatRun) string {
	done, total := r.progress()
	if total == 0 {
		return "Running"
	}
	return "Running, step " + itoa(min(done+1, total)) + " of " + itoa(total)
}

// progress counts top-level steps.
func (r *chatRun) progress() (done, total int64) {
	v := r.plan.version(r.version)
	if v == nil {
		return 0, 0
	}
	for _, st := range v.steps {
		if s := r.steps[st.ID]; s != nil && s.status == assent.StepSuccess {
			done++
		}
	}
	return done, int64(len(v.steps))
}

// lineWords is the compact line for a change of a plan's state.
func (l *chatLine) lineWords(c *Chat) string {
	version := "Version " + itoa(l.ver)
	switch l.status {
	case assent.PlanPendingReview:
		return version + " waits for your word again" + because(l.reason)
	case assent.PlanRunning:
		if !l.start {
			return "Going on with version " + itoa(l.ver)
		}
		return version + " started, " + c.approvedBy(l.run) + l.overruled()
	case assent.PlanPaused:
		return "Paused" + because(l.reason)
	case assent.PlanWaitingHuman:
		return "The run waits for your answer" + because(l.reason)
	case assent.PlanCompleted:
		return "Done: " + l.stepsDone() + " as approved"
	case assent.PlanFailed:
		return "Failed after " + l.stepsDone() + because(l.reason)
	case assent.PlanRejected:
		return "Discarded" + because(l.reason)
	case assent.PlanCancelled:
		if l.done == 0 {
			return "Cancelled before anything was done"
		}
		return "Cancelled after " + l.stepsDone() + "; what was done is kept"
	case assent.PlanUndone:
		return "Everything that the run did is taken back"
	}
	return version + ": " + StatusWords(string(l.status))
}

// overruled says that a reviewer did not agree with what was started.
func (l *chatLine) overruled() string {
	if l.run == nil {
		return ""
	}
	if v := l.run.plan.version(l.run.version); v != nil && v.objected() {
		return ", over the reviewer’s objection"
	}
	return ""
}

// runAnnounced is what a screen reader is told when a run changes; empty for
// what the turn tells of itself.
func runAnnounced(r *chatRun) string {
	switch r.status {
	case assent.RunWaitingHuman:
		return "The run waits for your answer: " + r.asks()
	case assent.RunPaused:
		return "The run is paused" + because(r.reason) + "."
	case assent.RunFailed:
		return "The run failed" + because(r.reason) + ". What succeeded is kept."
	case assent.RunCompleted:
		return "The run is done: everything ran as approved."
	case assent.RunCancelled:
		return "The run is cancelled."
	case assent.RunUndone:
		return "Everything that the run did is taken back."
	}
	return ""
}

func because(reason string) string {
	if reason == "" {
		return ""
	}
	return ": " + strings.TrimSuffix(reason, ".")
}

func (l *chatLine) stepsDone() string {
	if l.total == 0 {
		return "no step"
	}
	return itoa(l.done) + " of " + itoa(l.total) + " " + Plural("step", l.total)
}

// approvedBy says on what ground a run runs.
func (c *Chat) approvedBy(r *chatRun) string {
	if r == nil {
		return "approved"
	}
	if a := c.approvals[r.id]; a != nil {
		return "approved by “" + a.words + "”"
	}
	if r.plan.mode == assent.ModeAgentReview {
		return "approved by your setting “have plans reviewed”"
	}
	return "approved by your setting “run plans”"
}

// contextWords is what a conversation is about, as the chip says it.
func contextWords(ct assent.ContextType) string {
	switch ct {
	case assent.ContextProjectCreate:
		return "New project"
	case assent.ContextProject:
		return "Project"
	case assent.ContextTask:
		return "Task"
	case assent.ContextProjectAudit:
		return "Project audit"
	}
	return "General"
}

// modeWords is a mode as the composer offers it.
func modeWords(m assent.Mode) string {
	switch m {
	case assent.ModeAgentReview:
		return "Have plans reviewed"
	case assent.ModeDraftOnly:
		return "Show me plans first"
	}
	return "Run plans"
}

// loadedWords says what of the workspace the model was shown.
func loadedWords(r Reader, e assent.OntologyLoaded) string {
	var parts []string
	for _, k := range assent.Kinds() {
		if n := e.Counts[string(k)]; n > 0 {
			parts = append(parts, r.Count(int64(n), string(k)))
		}
	}
	if len(parts) == 0 {
		return "an empty workspace"
	}
	return assent.List(parts)
}
