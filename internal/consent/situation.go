package consent

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"assent/internal/assent"
	"assent/internal/consent/rules"
	"assent/internal/plan/lang"
)

// Who made a reading.
const (
	ByRules = "rules"
	ByModel = "model"
)

// Situation gathers what a session has that waits, runs, is paused or can be
// undone. Empty is true when there is nothing a message could be consent to.
func (s *Service) Situation(ctx context.Context, sessionID string, seen int64) (sit rules.Situation, empty bool, err error) {
	plans, err := s.store.ListPlansBySession(ctx, sessionID)
	if err != nil {
		return sit, true, err
	}
	return s.situation(ctx, sessionID, plans, seen)
}

func (s *Service) situation(ctx context.Context, sessionID string, plans []assent.Plan, seen int64) (sit rules.Situation, empty bool, err error) {
	if len(plans) == 0 {
		return sit, true, nil
	}
	last := lastDone(plans)
	for i, p := range plans {
		latest := i == last
		if item, ok := s.itemOf(p, seen, latest); ok {
			sit.Items = append(sit.Items, item)
		}
	}
	if len(sit.Items) == 0 {
		return sit, true, nil
	}
	sit.AsksElse, err = s.asksElse(ctx, sessionID, prompts(plans))
	return sit, false, err
}

// lastDone is the plan that was run last and is not undone: "undo that" means what
// was done last, not what was drafted last; said again, it means the run before.
// While a newer plan waits there is none (-1).
func lastDone(plans []assent.Plan) int {
	if newest := plans[len(plans)-1].Status; newest == assent.PlanPendingReview || newest == assent.PlanDraft {
		return -1
	}
	last, at := -1, assent.Time(0)
	for i, p := range plans {
		if n := len(p.Runs); n > 0 && p.Status != assent.PlanUndone && p.Runs[n-1].StartedAt >= at {
			last, at = i, p.Runs[n-1].StartedAt
		}
	}
	return last
}

// itemOf describes a plan to the reader; an ended run counts only while it is
// what was done last.
func (s *Service) itemOf(p assent.Plan, seen int64, latest bool) (rules.Item, bool) {
	item := rules.Item{PlanID: p.ID, Version: p.Version, Title: p.Objective, Steps: stepInfos(p.Steps), Seen: true, Destructive: s.plans.NeedsWord(p.Steps)}
	var run assent.Run
	if n := len(p.Runs); n > 0 {
		run = p.Runs[n-1]
		item.RunID = run.ID
	}
	switch p.Status {
	case assent.PlanPendingReview:
		item.Kind = rules.Waiting
		item.Seen = false
		for _, v := range p.Versions {
			if v.Version == p.Version {
				item.Seen = v.ReadySeq > 0 && v.ReadySeq <= seen
			}
		}
	case assent.PlanRunning:
		item.Kind, item.Held = rules.Running, run.NotBefore > s.store.Now()
	case assent.PlanPaused:
		item.Kind = rules.Paused
	case assent.PlanWaitingHuman:
		item.Kind = rules.WaitingHuman
	case assent.PlanCompleted, assent.PlanFailed, assent.PlanCancelled:
		if item.Kind = rules.Undoable; p.Status == assent.PlanFailed {
			item.Kind = rules.Failed
		}
		return item, latest && run.ID != ""
	default:
		return item, false
	}
	return item, true
}

// stepInfos are the steps as people see and count them, children too.
func stepInfos(steps []assent.Step) []rules.StepInfo {
	var out []rules.StepInfo
	for _, p := range lang.Paths(assent.PlanDocument{Steps: steps}) {
		out = append(out, rules.StepInfo{ID: p.Step.ID, Number: p.Number, Label: p.Step.Label, Tool: p.Step.Tool})
	}
	return out
}

// prompts are what runs ask that wait for a person.
func prompts(plans []assent.Plan) []string {
	var out []string
	for _, p := range plans {
		if n := len(p.Runs); n > 0 && p.Status == assent.PlanWaitingHuman {
			for _, st := range p.Runs[n-1].Steps {
				if st.Status == assent.StepWaitingHuman {
					out = append(out, st.Summary)
				}
			}
		}
	}
	return out
}

// asksElse reports whether the assistant's latest words ask something other
// than whether to go ahead, so that a bare "yes" could mean that. asked is what
// runs ask: to repeat it is nothing else.
func (s *Service) asksElse(ctx context.Context, sessionID string, asked []string) (bool, error) {
	messages, err := s.store.ListMessages(ctx, sessionID)
	if err != nil {
		return false, err
	}
	for i := len(messages) - 1; i >= 0; i-- {
		if messages[i].Role == assent.RoleAssistant {
			return otherQuestion(messages[i].Content, asked), nil
		}
	}
	return false, nil
}

// otherQuestion reports a question that is not about what waits.
func otherQuestion(text string, asked []string) bool {
	for _, q := range questions(text) {
		if own(q) || slices.ContainsFunc(asked, func(prompt string) bool { return repeats(q, prompt) }) {
			continue
		}
		q = strings.ToLower(q)
		about := false
		for _, w := range []string{"run it", "run this", "go ahead", "approve", "start it", "proceed", "this plan", "the plan", "version", "shall i run", "look right", "looks right", "looks good"} {
			about = about || strings.Contains(q, w)
		}
		if !about || strings.Contains(q, " or ") {
			return true
		}
	}
	return false
}

// own reports a question that the product itself asks about what waits.
func own(q string) bool {
	q = strings.TrimSpace(q)
	return strings.HasPrefix(q, askRun) || strings.HasPrefix(q, askWhich) || strings.HasPrefix(q, askGoOn)
}

// repeats reports a question that says hardly anything but a prompt does.
func repeats(q, prompt string) bool {
	known := map[string]bool{}
	for _, w := range strings.FieldsFunc(strings.ToLower(prompt), isNoLetter) {
		known[w] = true
	}
	total, shared := 0, 0
	for _, w := range strings.FieldsFunc(strings.ToLower(q), isNoLetter) {
		if len(w) > 3 {
			total++
			if known[w] {
				shared++
			}
		}
	}
	return total > 0 && 3*shared >= 2*total
}

func isNoLetter(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// questions splits out the sentences that end with a question mark.
func questions(text string) []string {
	var out []string
	start := 0
	for i, r := range text {
		switch r {
		case '?', '？':
			out = append(out, text[start:i])
			start = i + 1
		case '.', '!', '\n', '。':
			start = i + 1
		}
	}
	return out
}
