package views

import (
	"encoding/json"
	"strings"

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

func (c *Chat) onSession(ev assent.LoggedEvent, e assent.SessionEvent) []string {
	c.running, c.previous, c.loaded = ev.TurnID, assent.LastTurnContext{}, assent.OntologyLoaded{}
	c.state, c.details = assent.StateThinking, ""
	c.Session.ContextType, c.Session.EntityID = e.ContextType, e.EntityID
	delete(c.queued, ev.TurnID)
	g, made := c.groupOf(ev.TurnID, "", ev.Seq)
	ids := []string{idContext, idStatus, idWorking, idActions}
	if made {
		ids = append(ids, g.id)
	}
	for _, it := range g.items {
		if m, ok := it.(*chatMessage); ok && m.queued {
			m.queued = false
			ids = append(ids, m.id)
		}
	}
	return ids
}

func (c *Chat) onPrevious(_ assent.LoggedEvent, e assent.LastTurnContext) []string {
	c.previous = e
	return []string{idWorking}
}

func (c *Chat) onLoaded(_ assent.LoggedEvent, e assent.OntologyLoaded) []string {
	c.loaded = e
	return []string{idWorking}
}

func (c *Chat) onMessage(ev assent.LoggedEvent, e assent.MessageEvent) []string {
	if e.Role == assent.RoleAssistant {
		return c.onAnswer(ev, e)
	}
	if m := c.messages[e.MessageID]; m != nil {
		return []string{m.id}
	}
	g, made := c.groupOf(ev.TurnID, e.MessageID, ev.Seq)
	m := &chatMessage{itemBase: itemBase{id: "m-" + e.MessageID, seq: ev.Seq}, message: e, at: ev.At, reading: e.Reading, queued: e.Queued}
	c.messages[e.MessageID] = m
	ids := []string{c.add(g, made, m), idActions, idWorking, idStatus}
	if e.Queued {
		c.queued[ev.TurnID] = true
	}
	if e.Reading != nil {
		ids = append(ids, c.understood(m, ev.At, *e.Reading)...)
	}
	return ids
}

// onAnswer takes in a stored answer. Its text was streamed already; where the
// log's prefix is gone the message itself is all there is.
func (c *Chat) onAnswer(ev assent.LoggedEvent, e assent.MessageEvent) []string {
	g, made := c.groupOf(ev.TurnID, e.MessageID, ev.Seq)
	for _, it := range g.items {
		if _, ok := it.(*chatText); ok {
			return []string{idWorking}
		}
	}
	t := &chatText{itemBase: itemBase{id: "x-" + e.MessageID, seq: ev.Seq}}
	t.prose.Write(e.Content)
	g.whole = true
	return []string{c.add(g, made, t), idWorking}
}

func (c *Chat) onReading(ev assent.LoggedEvent, e assent.ReadingEvent) []string {
	m := c.messages[e.MessageID]
	if m == nil {
		return nil
	}
	m.reading = &e.Reading
	return append([]string{m.id}, c.understood(m, ev.At, e.Reading)...)
}

// understood ties an approval to its run.
func (c *Chat) understood(m *chatMessage, at assent.Time, r assent.Reading) []string {
	if r.RunID == "" || r.As == assent.ReadControl {
		return nil
	}
	c.approvals[r.RunID] = &chatApproval{message: m.message.MessageID, words: r.Words, at: m.at, takenBack: r.TakenBack}
	run := c.runs[r.RunID]
	if run == nil {
		return nil
	}
	ids := []string{run.plan.cardID(), idPinned}
	for _, l := range run.lines {
		ids = append(ids, l.id)
	}
	return ids
}

func (c *Chat) onState(_ assent.LoggedEvent, e assent.AgentState) []string {
	c.state, c.details = e.State, e.Details
	c.announce = stateWords(e.State, e.Details)
	return []string{idStatus, idWorking, idAnnounce}
}

// onText lets the turn's text grow: only the open block and those that were
// just finished change.
func (c *Chat) onText(ev assent.LoggedEvent, e assent.Text) []string {
	g, made := c.groupOf(ev.TurnID, "seq"+itoa(ev.Seq), ev.Seq)
	t := g.text
	if g.whole {
		return []string{idWorking}
	}
	if t == nil {
		if strings.TrimSpace(e.Delta) == "" {
			return []string{idWorking} // space between two stretches
		}
		t = &chatText{itemBase: itemBase{id: "x-" + itoa(ev.Seq), seq: ev.Seq}}
		t.prose.Write(e.Delta)
		id := c.add(g, made, t)
		g.text = t
		return []string{id}
	}
	from := t.prose.Done()
	t.prose.Write(e.Delta)
	var ids []string
	for i := from; i < len(t.prose.Blocks()); i++ {
		b := chatBlock{t, i}
		c.elements[b.elementID()] = b
		ids = append(ids, b.elementID())
	}
	if len(ids) == 0 {
		return []string{idWorking}
	}
	return ids
}

func (c *Chat) onCall(ev assent.LoggedEvent, e assent.ToolCallEvent) []string {
	g, made := c.groupOf(ev.TurnID, "seq"+itoa(ev.Seq), ev.Seq)
	call := &chatCall{itemBase: itemBase{id: "c-" + itoa(ev.Seq), seq: ev.Seq}, call: e, at: ev.At}
	c.calls[ev.TurnID+"/"+e.CallID] = call
	return []string{c.add(g, made, call)}
}

func (c *Chat) onResult(ev assent.LoggedEvent, e assent.ToolResultEvent) []string {
	if call := c.calls[ev.TurnID+"/"+e.CallID]; call != nil {
		call.result = &e
		return []string{call.id}
	}
	ids := c.onCall(ev, assent.ToolCallEvent{CallID: e.CallID, Tool: e.Tool}) // its call lies in the pruned part of the log
	c.calls[ev.TurnID+"/"+e.CallID].result = &e
	return ids
}

func (c *Chat) onWarning(ev assent.LoggedEvent, e assent.Warning) []string {
	g, made := c.groupOf(ev.TurnID, "seq"+itoa(ev.Seq), ev.Seq)
	c.announce = e.Message
	return []string{c.add(g, made, &chatNote{itemBase: itemBase{id: "n-" + itoa(ev.Seq), seq: ev.Seq},
		code: e.Code, message: e.Message, retryable: e.Retryable}), idAnnounce}
}

func (c *Chat) onError(ev assent.LoggedEvent, e assent.ErrorEvent) []string {
	g, made := c.groupOf(ev.TurnID, "seq"+itoa(ev.Seq), ev.Seq)
	c.announce = e.Message
	return []string{c.add(g, made, &chatNote{itemBase: itemBase{id: "n-" + itoa(ev.Seq), seq: ev.Seq},
		code: e.Code, message: e.Message, failed: true, retryable: e.Retryable}), idAnnounce}
}

func (c *Chat) onDone(ev assent.LoggedEvent, e assent.Done) []string {
	g, made := c.groupOf(ev.TurnID, "seq"+itoa(ev.Seq), ev.Seq)
	if g.ended {
		return []string{idWorking}
	}
	f := &chatFooter{itemBase: itemBase{id: "d-" + g.turn, seq: ev.Seq}, done: e}
	if c.running == ev.TurnID {
		f.loaded, f.previous = c.loaded, c.previous
		c.running, c.state, c.details = "", "", ""
		c.announce = doneWords(e.Status, c.waiting() > 0)
	}
	delete(c.queued, ev.TurnID)
	g.ended = true
	ids := []string{c.add(g, made, f), idStatus, idWorking, idActions, idAnnounce}
	for _, it := range g.items {
		switch it := it.(type) {
		case *chatMessage:
			if it.queued { // stopped before it began
				it.queued = false
				ids = append(ids, it.id)
			}
		case *chatCall:
			if it.result == nil { // it will get none any more
				ids = append(ids, it.id)
			}
		}
	}
	return ids
}
