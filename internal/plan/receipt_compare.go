package plan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"assent/internal/assent"
	"assent/internal/plan/lang"
)

// Deviations compares an approved version's steps with a journal. None is what
// the engine promises: every step that began is one that was approved, with the
// same tool, and its arguments are the approved ones with values in the places
// of references.
func Deviations(approved []assent.Step, ran []assent.StepRun) []string {
	var out []string
	places := newBasis(assent.PlanDocument{Steps: approved}).places
	for _, sr := range ran {
		p, ok := places[sr.Path]
		switch {
		case !ok:
			out = append(out, fmt.Sprintf("Step %s ran and was never approved.", sr.Path))
		case sr.Attempt == 0:
		case sr.Type != p.Step.Type || sr.Tool != p.Step.Tool || sr.Agent != p.Step.Agent:
			out = append(out, fmt.Sprintf("Step %s was approved as %s and ran as %s.", p.Number, p.Step.Tool+p.Step.Agent, sr.Tool+sr.Agent))
		case given(sr.Arguments) && !instance(givenTo(p.Step), sr.Arguments):
			out = append(out, fmt.Sprintf("Step %s ran with other arguments than the approved ones.", p.Number))
		}
	}
	return out
}

// given reports whether a journal holds arguments; a question and a parallel step
// have none.
func given(args json.RawMessage) bool { return len(args) > 0 && string(args) != "null" }

// givenTo is what a step is called with, as written: a tool's arguments, or
// what an agent is given besides its prompt.
func givenTo(st assent.Step) json.RawMessage {
	given := st.Arguments
	if st.Type == assent.StepAgent {
		given = st.With
	}
	if len(given) == 0 {
		return json.RawMessage("{}")
	}
	return given
}

// instance reports whether a resolved JSON text is an approved one with values
// put in the places of its references.
func instance(approved, resolved json.RawMessage) bool {
	var a, r any
	return decodeExact(approved, &a) == nil && decodeExact(resolved, &r) == nil && instanceOf(a, r)
}

// decodeExact keeps the digits of numbers.
func decodeExact(raw json.RawMessage, v *any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	return d.Decode(v)
}

func instanceOf(approved, resolved any) bool {
	switch a := approved.(type) {
	case map[string]any:
		r, ok := resolved.(map[string]any)
		if !ok || len(r) != len(a) {
			return false
		}
		for k, v := range a {
			if x, ok := r[k]; !ok || !instanceOf(v, x) {
				return false
			}
		}
		return true
	case []any:
		r, ok := resolved.([]any)
		if !ok || len(r) != len(a) {
			return false
		}
		for i := range a {
			if !instanceOf(a[i], r[i]) {
				return false
			}
		}
		return true
	case string:
		return instanceOfText(a, resolved)
	}
	return approved == resolved
}

// instanceOfText matches the literal parts of a string in their order; a whole
// reference may stand for anything.
func instanceOfText(approved string, resolved any) bool {
	t, err := lang.ParseTemplate(approved)
	if err != nil {
		return approved == resolved
	}
	if t.Whole {
		return true
	}
	text, ok := resolved.(string)
	if !ok {
		return false
	}
	if whole, ok := t.Literal(); ok {
		return whole == text
	}
	return fits(t.Parts, text)
}

// fits finds the literals of a template in a text, the first at its beginning
// and the last at its end where no reference stands there.
func fits(parts []lang.Part, text string) bool {
	free := false // a reference may stand for anything before the next literal
	for i, p := range parts {
		switch {
		case p.Ref != nil:
			free = true
			continue
		case i == len(parts)-1:
			return strings.HasSuffix(text, p.Literal)
		case !free:
			if !strings.HasPrefix(text, p.Literal) {
				return false
			}
			text = text[len(p.Literal):]
		default:
			at := strings.Index(text, p.Literal)
			if at < 0 {
				return false
			}
			text = text[at+len(p.Literal):]
		}
		free = false
	}
	return true
}
