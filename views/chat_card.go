package views

import (
	"bytes"
	"encoding/json"
	"strings"

	"assent/internal/assent"

	"github.com/a-h/templ"
)

// Element renders one part of the page by its id; nil if there is none.
func (c *Chat) Element(id string, r Reader) templ.Component {
	switch id {
	case idStatus:
		return statusView(c)
	case idContext:
		return contextView(c)
	case idWorking:
		return workingView(c, r)
	case idPinned:
		return pinnedView(c, r)
	case idActions:
		return actionsView(c)
	case idAnnounce:
		return announceView(c)
	}
	switch e := c.elements[id].(type) {
	case *chatGroup:
		return chatGroupView(c, e, r)
	case chatBlock:
		return chatBlockView(e)
	case chatItem:
		return c.item(e, r)
	}
	return nil
}

// item is the component of an item.
func (c *Chat) item(it chatItem, r Reader) templ.Component {
	switch it := it.(type) {
	case *chatMessage:
		return chatMessageView(c, it, r)
	case *chatText:
		return chatTextView(it)
	case *chatCall:
		return chatCallView(it, r)
	case *chatPlace:
		return chatPlaceView(c, it, r)
	case *chatLine:
		return chatLineView(c, it, r)
	case *chatNote:
		return chatNoteView(it)
	case *chatFooter:
		return chatFooterView(it, r)
	}
	return templ.NopComponent
}

// mayTakeBack reports whether a reading can still be taken back.
func (c *Chat) mayTakeBack(r assent.Reading) bool {
	run := c.runs[r.RunID]
	return r.Counts && !r.TakenBack && r.As != assent.ReadControl && run != nil && !run.status.Ended()
}

// readingKind colours a reading: green for a word that counts.
func readingKind(r assent.Reading) string {
	if r.Counts && !r.TakenBack && (r.As == assent.ReadApprove || r.As == assent.ReadApproveWithChanges) {
		return "ok"
	}
	return ""
}

func (c *chatCall) failed() bool { return c.result != nil && !c.result.OK }

func (c *chatCall) mark() string {
	switch {
	case c.result == nil && c.group.ended:
		return ""
	case c.result == nil:
		return "run"
	case c.result.OK:
		return "ok"
	}
	return "bad"
}

func (c *chatCall) summary() string {
	if c.result != nil && c.result.Summary != "" {
		return c.result.Summary
	}
	return c.call.Label
}

func (n *chatNote) kind() string {
	if n.failed {
		return "bad"
	}
	return "wait"
}

func (n *chatNote) title() string {
	if n.failed {
		return "This answer could not be finished."
	}
	return "Note."
}

func (n *chatNote) reply() string {
	if n.failed {
		return "Please try again"
	}
	return "Please go on"
}

// cost is a turn in a few words: "4.1 s · 2 AI calls · $0.002".
func (f *chatFooter) cost(r Reader) string {
	parts := []string{r.Duration(f.done.DurationMS)}
	if n := f.done.Usage.Calls; n > 0 {
		parts = append(parts, r.Count(n, "AI call"))
	}
	if f.done.Usage.CostMicros != nil {
		parts = append(parts, r.Money(f.done.Usage.CostMicros))
	}
	return strings.Join(parts, " · ")
}

// pretty indents JSON.
func pretty(raw []byte) string {
	var b bytes.Buffer
	if json.Indent(&b, raw, "", "  ") != nil {
		return string(raw)
	}
	return b.String()
}

// short is the start of a hash, enough to compare by eye.
func short(hash string) string { return hash[:min(len(hash), 12)] }

// planFact is one thing that a card says beforehand.
type planFact struct{ text, kind string }

// facts tells what a version does before it does it.
func (v *chatVersion) facts(r Reader) []planFact {
	out := append([]planFact{{text: r.Count(int64(len(v.steps)), "step")}}, v.counts(r)...)
	if len(v.preview.Deletes) == 0 {
		out = append(out, planFact{text: "deletes nothing"})
	}
	if n := len(v.preview.Open); n > 0 {
		out = append(out, planFact{text: r.Count(int64(n), "step") + " cannot be counted yet"})
	}
	est := v.preview.Estimate
	if est.LLMCalls > 0 {
		s := "about " + r.Count(est.LLMCalls, "AI call")
		if est.CostMicros != nil {
			s += " · " + r.Money(est.CostMicros)
		}
		out = append(out, planFact{text: s})
	}
	return out
}

// counts are the effects, from each tool's own preview.
func (v *chatVersion) counts(r Reader) []planFact {
	var out []planFact
	add := func(verb, kind string, counts map[string]int) {
		if s := countWords(r, counts); s != "" {
			out = append(out, planFact{verb + " " + s, kind})
		}
	}
	add("creates", "", v.preview.Creates)
	add("changes", "", v.preview.Updates)
	add("deletes", "strong", v.preview.Deletes)
	if len(v.preview.External) > 0 {
		out = append(out, planFact{"touches " + assent.List(v.preview.External), "strong"})
	}
	return out
}

// countWords lists counts by kind in the order of the kinds: "1 project, 9 tasks".
func countWords(r Reader, counts map[string]int) string {
	var parts []string
	for _, k := range assent.Kinds() {
		if n := counts[string(k)]; n > 0 {
			parts = append(parts, r.Count(int64(n), string(k)))
		}
	}
	for _, k := range sortedKeys(counts) {
		if _, known := entityKind(k); !known && counts[k] > 0 {
			parts = append(parts, r.Count(int64(counts[k]), k))
		}
	}
	return strings.Join(parts, ", ")
}

func entityKind(s string) (assent.Kind, bool) {
	for _, k := range assent.Kinds() {
		if string(k) == s {
			return k, true
		}
	}
	return "", false
}

func verdictWords(v string) string {
	switch v {
	case assent.VerdictApproved:
		return "Reviewer: approved."
	case assent.VerdictRejected:
		return "Reviewer: would not run this."
	}
	return "Reviewer: asks for changes."
}

// state is how far a step is; pending without a run.
func (r stepRow) state() assent.StepStatus {
	if r.run == nil {
		return assent.StepPending
	}
	return r.run.status
}

// ran is what a step was called with when it ran.
func (r stepRow) ran() []argument {
	if r.run == nil {
		return nil
	}
	return argumentList(r.run.arguments)
}
