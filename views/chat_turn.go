package views

import "assent/internal/assent"

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
	if m == nil || e.As == assent.ReadUnrelated && c.waiting() == 0 {
		return nil // where nothing waits there is nothing to say
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
