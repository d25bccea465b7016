package offline

import (
	"encoding/json"
	"fmt"
	"strings"

	"assent/internal/assent"
	"assent/internal/llm/offline/english"
)

// narrateRun tells honestly what a run did.
func narrateRun(r runResult) string {
	done, failed, rest := sortSteps(r.Steps)
	switch r.Status {
	case assent.PlanRunning, assent.PlanApproved:
		return "It is running; the card shows each step as it happens, and I report when it ends."
	case assent.PlanWaitingHuman:
		return waitingText(r, done)
	case assent.PlanPaused:
		return "The run is paused" + after(done) + ". Say “resume” to go on or “cancel” to stop for good."
	case assent.PlanUndone:
		return "Everything that this plan did is undone."
	case assent.PlanCancelled:
		return "The run was cancelled" + after(done) + ". What was done before is kept; say “undo” to take it back."
	}
	if r.Success || r.Status == assent.PlanCompleted && len(failed) == 0 {
		return "Done.\n" + bullets(effects(done)) + "\nSay “undo” to take all of it back."
	}
	return failureText(done, failed, rest)
}

// effects leaves out the steps that only looked something up, if there are others.
func effects(done []stepResult) []stepResult {
	var out []stepResult
	for _, st := range done {
		if st.Effect != assent.EffectRead && !strings.HasPrefix(st.Tool, "list_") && !strings.HasPrefix(st.Tool, "get_") && !strings.HasPrefix(st.Tool, "search") {
			out = append(out, st)
		}
	}
	if len(out) == 0 {
		return done
	}
	return out
}

func failureText(done, failed, rest []stepResult) string {
	var b strings.Builder
	b.WriteString("The plan did not finish.")
	for _, st := range failed {
		fmt.Fprintf(&b, " “%s” failed", st.name())
		if st.Error != nil && st.Error.Message != "" {
			fmt.Fprintf(&b, ": %s", strings.TrimRight(st.Error.Message, "."))
		}
		b.WriteString(".")
	}
	if len(done) > 0 {
		b.WriteString("\n\nThis was done before and is kept:\n" + bullets(done))
	} else {
		b.WriteString(" Nothing was changed before that.")
	}
	if len(rest) > 0 {
		fmt.Fprintf(&b, "\n%s not run.", english.Sentence(english.Plural(len(rest), "step")+was(len(rest))))
	}
	b.WriteString("\nSay “continue” to try again from there, or “undo” to take back what was done.")
	return b.String()
}

func was(n int) string {
	if n == 1 {
		return " was"
	}
	return " were"
}

func waitingText(r runResult, done []stepResult) string {
	for _, st := range r.Steps {
		if st.Status == assent.StepWaitingHuman {
			return fmt.Sprintf("The run waits for your word at “%s”%s. Say “go on” to let it continue, or “stop” to cancel it.", st.name(), after(done))
		}
	}
	return "The run waits for your word" + after(done) + "."
}

func after(done []stepResult) string {
	if len(done) == 0 {
		return ""
	}
	return " after " + english.Plural(len(done), "step")
}

func sortSteps(steps []stepResult) (done, failed, rest []stepResult) {
	for _, st := range steps {
		switch st.Status {
		case assent.StepSuccess:
			done = append(done, st)
		case assent.StepFailed, assent.StepPartial:
			failed = append(failed, firstFailed(st))
		default:
			rest = append(rest, st)
		}
	}
	return done, failed, rest
}

// firstFailed is the child of a parallel step that explains its failure.
func firstFailed(st stepResult) stepResult {
	for _, c := range st.Children {
		if c.Status == assent.StepFailed {
			return c
		}
	}
	return st
}

func bullets(steps []stepResult) string {
	var b strings.Builder
	for _, st := range steps {
		b.WriteString("- " + strings.TrimRight(st.outcome(), ".") + "\n")
	}
	return b.String()
}

// outcome is what a finished step did: its summary, else what its output tells,
// else its label.
func (s stepResult) outcome() string {
	if s.Summary != "" {
		return s.Summary
	}
	var out output
	var e entity
	if json.Unmarshal(s.Outputs, &out) == nil && json.Unmarshal(out.Artifact, &e) == nil {
		if text := told(s.Tool, e); text != "" {
			return text
		}
	}
	return s.name()
}
