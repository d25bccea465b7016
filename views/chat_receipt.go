package views

import (
	"strings"

	"assent/internal/assent"
)

// ranWords is a step's outcome for the receipt.
func ranWords(row stepRow, r Reader) string {
	switch row.state() {
	case assent.StepSuccess:
		if row.checkpoint {
			return "Confirmed"
		}
		return orWord(row.run.summary, "Done") + ", " + r.Duration(row.run.ms)
	case assent.StepFailed:
		return "Failed: " + row.run.summary
	case assent.StepPartial:
		return "Partly done: " + row.run.summary
	case assent.StepPending:
		return "Did not run"
	case assent.StepUndone:
		return "Taken back" + because(row.run.summary)
	}
	return StepWords(row.state())
}

// StepWords is what became of a step, as people read it.
func StepWords(st assent.StepStatus) string {
	switch st {
	case assent.StepSuccess:
		return "Done"
	case assent.StepPartial:
		return "Partly done"
	case assent.StepUndone:
		return "Taken back"
	case assent.StepWaitingHuman:
		return "Waiting for you"
	case assent.StepPending:
		return "Not yet"
	}
	return Words(string(st))
}

// outcome is what became of a step with how long it took; empty while it has
// not begun or runs.
func (r stepRow) outcome(rd Reader) string {
	switch r.state() {
	case assent.StepPending, assent.StepRunning:
		return ""
	case assent.StepSuccess:
		if r.checkpoint {
			return "answered"
		}
		return rd.Duration(r.run.ms)
	case assent.StepFailed, assent.StepPartial:
		return strings.ToLower(StepWords(r.state())) + ", " + rd.Duration(r.run.ms)
	}
	return strings.ToLower(StepWords(r.state()))
}

func (r stepRow) failed() bool {
	return r.state() == assent.StepFailed || r.state() == assent.StepPartial
}

// objected reports whether the last word of a reviewer on this version is not
// an approval.
func (v *chatVersion) objected() bool {
	n := len(v.reviews)
	return n > 0 && v.reviews[n-1].Verdict != assent.VerdictApproved
}

// basis is the estimate with what it rests on.
func (v *chatVersion) basis(r Reader) string {
	est := v.preview.Estimate
	if est.Basis == "" {
		return ""
	}
	return "Estimate: " + estimateWords(est, r) + ". " + est.Basis
}

// estimateWords is an estimate in numbers: "about 3 AI calls, 4,100 tokens, $0.004".
func estimateWords(est assent.Estimate, r Reader) string {
	out := "about " + r.Count(est.LLMCalls, "AI call")
	if est.Tokens > 0 {
		out += ", " + r.Count(est.Tokens, "token")
	}
	if est.CostMicros != nil {
		out += ", " + r.Money(est.CostMicros)
	}
	return out
}

// receiptHead says what was approved, by which words and when.
func (c *Chat) receiptHead(v *chatVersion, run *chatRun, r Reader) string {
	out := "Version " + itoa(v.n) + ", " + c.approvedBy(run) + " on " + r.Moment(c.approvedAt(run))
	if v.objected() {
		out += ", over the reviewer’s objection"
	}
	return out + "."
}

// costWords sets what a run took beside what was estimated.
func (c *Chat) costWords(v *chatVersion, run *chatRun, r Reader) string {
	out := "Took " + r.Duration(int64(run.endedAt-run.startedAt))
	if c.Usage != nil {
		if u, ok := c.Usage(run.id); ok {
			out += ", " + usageWords(u, r)
		}
	}
	return out + "; estimated: " + estimateWords(v.preview.Estimate, r) + ", the answer that tells of it included."
}

// usageWords is what a run took of models.
func usageWords(u assent.Usage, r Reader) string {
	out := r.Count(u.Calls, "AI call") + " in the run"
	if u.Calls > 0 {
		out += ", " + r.Money(u.CostMicros)
	}
	return out
}

// deviations names where what ran is not what was approved.
func (c *Chat) deviations(v *chatVersion, run *chatRun) []string {
	if c.Deviations == nil {
		return nil
	}
	var ran []assent.StepRun
	eachStep(v.steps, "", func(path string, st assent.Step) {
		if s := run.steps[path]; s != nil {
			ran = append(ran, assent.StepRun{ID: st.ID, Path: path, Type: st.Type, Tool: st.Tool, Agent: st.Agent, Status: s.status, Attempt: s.attempt, Arguments: s.arguments})
		}
	})
	return c.Deviations(v.steps, ran)
}
