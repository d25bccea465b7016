package views

import (
	"strings"

	"assent/internal/assent"
)

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
