package consent

import (
	"regexp"
	"strings"

	"assent/internal/assent"
	"assent/internal/consent/rules"
	"assent/internal/consent/said"
	"assent/internal/plan"
)

// Read reads a message by the rules, and what they leave to it: a limit of cost
// beside an approval, which is no change of the plan, and the word that an
// interrupted step is done. sure is as in rules.Read.
func (s *Service) Read(message string, sit rules.Situation) (r assent.Reading, sure bool) {
	return Read(message, sit, s.currency())
}

// Read is Service.Read with the currency in which a limit of cost is counted.
func Read(message string, sit rules.Situation, currency assent.Currency) (r assent.Reading, sure bool) {
	if r, ok := readDone(message, sit); ok {
		return r, true
	}
	limit, rest, ok := said.FindLimit(message, currency)
	if !ok {
		r, sure = rules.Read(message, sit)
		if refused, ok := readRefused(message, sit); ok && !r.Counts {
			return refused, true
		}
		return r, sure
	}
	about := sit
	about.AsksElse = false // who limits the cost speaks of the run
	r, sure = rules.Read(rest, about)
	if r.As != assent.ReadApprove && r.As != assent.ReadApproveWithChanges {
		return rules.Read(message, sit)
	}
	for i := range r.Changes {
		r.Changes[i].Words = original(message, rest, r.Changes[i].Words)
	}
	if r.Words = original(message, rest, r.Words); len(message) <= 400 {
		r.Words = strings.TrimSpace(message)
	}
	if limit.Unclear != "" {
		r.As, r.Counts, r.Reason, r.Changes = assent.ReadUnclear, false, limit.Unclear, nil
		return r, true
	}
	r.CostLimitMicros = &limit.Micros
	return r, sure
}

// readRefused reads words that would refuse a plan as the wish to stop one that
// runs already, if nothing waits that they could be about. While its start is held
// for second thoughts, any word against it does: nothing has been written yet.
func readRefused(message string, sit rules.Situation) (assent.Reading, bool) {
	var running []rules.Item
	for _, it := range sit.Items {
		switch it.Kind {
		case rules.Waiting, rules.WaitingHuman:
			return assent.Reading{}, false
		case rules.Running:
			it.Kind, it.Seen = rules.Waiting, true
			running = append(running, it)
		}
	}
	if len(running) == 0 {
		return assent.Reading{}, false
	}
	r, sure := rules.Read(message, rules.Situation{Items: running, AsksElse: sit.AsksElse})
	refuses := sure && r.Counts && r.As == assent.ReadReject
	if held := len(running) == 1 && running[0].Held; !refuses && !(held && r.As != assent.ReadQuestion && rules.Objects(message, sit)) {
		return assent.Reading{}, false
	}
	for _, it := range running {
		if it.PlanID == r.PlanID || len(running) == 1 {
			r.PlanID, r.Version, r.RunID = it.PlanID, it.Version, it.RunID
		}
	}
	return assent.Reading{As: assent.ReadControl, Action: assent.ControlCancel, PlanID: r.PlanID, Version: r.Version, RunID: r.RunID,
		Words: strings.TrimSpace(message), Counts: true, By: ByRules}, true
}

// original gives words of a text of which something was blanked out as they
// stand in the message: every byte kept its place.
func original(message, rest, words string) string {
	i := strings.Index(rest, words)
	if i < 0 {
		return words
	}
	return message[i : i+len(words)]
}

// done are the ways to say that an interrupted step has happened, and nothing
// else.
var done = regexp.MustCompile(`(?i)^\s*(?:yes[,.]?\s+|no[,.]?\s+)?(?:(?:it|that|this|the step)(?:['’]s| is| was| has been| has)?(?: already)?(?: been)? (?:done|happened|finished)(?: already)?` +
	`|(?:already|it[’']?s already) done|(?:count|mark|take|consider) (?:it|that|this) (?:as |to be )?done|i(?:['’]ve| have)?(?: already)? (?:did|done) (?:it|that)(?: already| myself)?` +
	`|(?:das|es) ist (?:schon |bereits )?(?:erledigt|passiert|gemacht)|schon erledigt|c['’]est (?:déjà )?fait|ya está hecho|è (?:già )?fatto|já (?:está|foi) feito|(?:het|dat) is (?:al )?gedaan|to już zrobione|(?:もう)?(?:終わって|済んで)います|已经(?:完成|做)了?)[\s.!。]*$`)

// readDone reads that what a run waits for has been done.
func readDone(message string, sit rules.Situation) (assent.Reading, bool) {
	if len(message) > 200 || !done.MatchString(message) {
		return assent.Reading{}, false
	}
	var found []rules.Item
	for _, it := range sit.Items {
		if it.Kind == rules.WaitingHuman {
			found = append(found, it)
		}
	}
	r := assent.Reading{As: assent.ReadApprove, Words: strings.TrimSpace(message), By: ByRules}
	switch len(found) {
	case 0:
		return r, false
	case 1:
		r.PlanID, r.Version, r.RunID, r.Input, r.Counts = found[0].PlanID, found[0].Version, found[0].RunID, plan.InputDone, true
		return r, true
	}
	r.As, r.Reason = assent.ReadUnclear, "Several plans wait, and your words do not say which one is meant."
	return r, true
}
