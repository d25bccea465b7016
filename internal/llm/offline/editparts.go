package offline

import (
	"strings"

	"assent/internal/llm/offline/english"
)

// goesOn begins what belongs to the order before it: "to the office move and make
// it urgent".
var goesOn = groups.Compile(`^(?:{we} )?(?:(?:call|name|make|set|give|mark|assign|put|keep|move|have|let|note|prioritise) |with |without |due|high|low|normal|urgent|critical|medium|priority|important|it |is |are |by |on |until |before |assigned |depends |blocked|start)`)

// leftOver is what stands behind a finished order and is none itself: what
// follows an "and" after a date or the name of a project.
func (s *situation) leftOver(t english.Text) string {
	if t.Len() > longestOrder {
		return ""
	}
	var ends []int
	if _, r, ok := s.knownProject(t); ok {
		ends = append(ends, r.To)
	}
	for _, d := range s.reader.Dates(t) {
		ends = append(ends, d.To)
	}
	for _, at := range ends {
		rest := t.Part(english.Range{From: at + 1, To: t.Len()})
		if !t.Is(at, "and") || rest.Len() == 0 || goesOn.In(rest.Canon()) || s.namesProject(rest) {
			continue
		}
		if dates := s.reader.Dates(rest); len(dates) == 0 || dates[0].From > 0 {
			return strings.Trim(rest.String(), " .,;!")
		}
	}
	return ""
}

// clearOrder is the score from which a part of a message is an order of its own.
const clearOrder = 70

// editParts splits a message into the changes it asks for. A part that is no
// change of its own belongs to the one before.
func (s *situation) editParts(a *ask) []*ask {
	var out []*ask
	from := 0
	for _, at := range append(joints(a.text), a.text.Len()) {
		part := a.text.Part(english.Range{From: from, To: at})
		if part.Len() == 0 || onlyJoints(part) {
			continue
		}
		p := &ask{raw: part.String(), text: part, mode: a.mode}
		p.takeCourtesy()
		p.refresh(s.reader)
		if u := understand(s, p); !isEdit(u.want) || u.score < clearOrder || len(out) > 0 && refersBack.In(p.canon) {
			if len(out) == 0 && at == a.text.Len() {
				return []*ask{a}
			}
			if len(out) > 0 {
				return []*ask{a}
			}
			continue
		}
		out = append(out, p)
		from = at
	}
	if len(out) < 2 {
		return []*ask{a}
	}
	return out
}

// refersBack says only what the words before it are: "note that as a decision".
var refersBack = groups.Compile(`^(?:add|put|note|log|record|track|make|save) (?:it|that|this|them|those|these)(?: down)?(?: as .+)?$`)

// joints are the tokens at which one change may end and the next begin: the end
// of a sentence, or an "and" before another order.
func joints(t english.Text) []int {
	var out []int
	for i := 1; i < t.Len()-1; i++ {
		if t.Ends(i) || t.Is(i, "and", ",", "then") && t.Is(skipWords(t, i+1), "add", "create", "mark", "rename", "delete", "remove", "move", "set", "complete", "close", "push", "assign",
			"block", "unblock", "reopen", "archive", "record", "log", "finish", "postpone", "change", "make", "reschedule", "link", "update") {
			out = append(out, i)
		}
	}
	if len(out) > maxSteps {
		return nil // a text, and no list of orders
	}
	return out
}

func skipWords(t english.Text, i int) int {
	for t.Is(i, "and", "then", "also", "please") {
		i++
	}
	return i
}
