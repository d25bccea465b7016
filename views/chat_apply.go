package views

import (
	"encoding/json"

	"assent/internal/assent"
)

// Apply takes the next event in and gives the ids of the elements that changed,
// each once, outer ones first. Events must come in order of seq; what was taken
// in already and what is unknown changes nothing.
func (c *Chat) Apply(ev assent.LoggedEvent) []string {
	if ev.Seq <= c.Seq {
		return nil
	}
	c.Seq = ev.Seq
	return unique(c.apply(ev))
}

func (c *Chat) apply(ev assent.LoggedEvent) []string {
	switch ev.Type {
	case "text":
		return with(ev, c.onText)
	case "session":
		return with(ev, c.onSession)
	case "message":
		return with(ev, c.onMessage)
	case "reading":
		return with(ev, c.onReading)
	case "last_turn_context":
		return with(ev, c.onPrevious)
	case "ontology_loaded":
		return with(ev, c.onLoaded)
	case "agent_state":
		return with(ev, c.onState)
	case "tool_call":
		return with(ev, c.onCall)
	case "tool_result":
		return with(ev, c.onResult)
	case "plan_created":
		return with(ev, c.onPlanCreated)
	case "plan_ready_for_review":
		return with(ev, c.onPlanReady)
	case "plan_review":
		return with(ev, c.onPlanReview)
	case "plan_state":
		return with(ev, c.onPlanState)
	case "run_state":
		return with(ev, c.onRunState)
	case "step_start":
		return with(ev, c.onStepStart)
	case "step_complete":
		return with(ev, c.onStepComplete)
	case "warning":
		return with(ev, c.onWarning)
	case "error":
		return with(ev, c.onError)
	case "done":
		return with(ev, c.onDone)
	case "reset":
		return []string{idWorking}
	}
	return nil
}

// with decodes an event for the function that takes it in; what cannot be read
// changes nothing.
func with[E assent.Event](ev assent.LoggedEvent, take func(assent.LoggedEvent, E) []string) []string {
	var e E
	if json.Unmarshal(ev.Data, &e) != nil {
		return nil
	}
	return take(ev, e)
}

func unique(ids []string) []string {
	seen := map[string]bool{}
	out := ids[:0]
	for _, id := range ids {
		if id != "" && !seen[id] {
			seen[id] = true
			out = append(out, id)
		}
	}
	return out
}
