package carry

import (
	"bytes"
	"encoding/json"
	"strings"

	"assent/internal/assent"
	"assent/internal/consent/said"
	"assent/internal/plan/lang"
)

// sets reports whether the words name the value that a field has now. A field
// that is gone was not set.
func (j *judge) sets(words string, d lang.Difference) bool {
	today := j.Today
	today.Was, _ = decode(d.Old).(string)
	return stands(words, decode(d.New), today)
}

// stands reports whether a single value stands in the words. True, false and
// nothing never do, and neither does what would be a reference.
func stands(words string, v any, today said.Today) bool {
	switch v := v.(type) {
	case json.Number:
		return said.Number(words, v.String())
	case string:
		switch {
		case strings.Contains(v, "{{"), strings.HasPrefix(v, "$"):
			return false
		case said.IsDate(v):
			return said.Date(words, v, today)
		case said.IsMonth(v):
			return false // a month is a date, not a text
		}
		return said.Name(words, v)
	}
	return false
}

// decode reads a value; nil where there is none.
func decode(raw json.RawMessage) any {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil
	}
	return v
}

func isDate(raw json.RawMessage) bool {
	s, ok := decode(raw).(string)
	return ok && said.IsDate(s)
}

// names are the arguments that call a thing by its name.
func isName(key string) bool { return key == "title" || key == "name" }

// adds reports whether a step creates the one thing that the words name, and
// does nothing that they do not.
func (j *judge) adds(c assent.Change, st assent.Step) bool {
	kind, ok := j.Creates(st)
	if !ok || st.Type != assent.StepTool || j.NeedsWord(st) || st.TimeoutMS != 0 || !said.Kind(c.Words, kind) {
		return false
	}
	args, _ := decode(st.Arguments).(map[string]any)
	return j.called(c.Words, args, func(key string, v any) bool { return j.known(key, v, st) })
}

// called reports whether the values of a new thing stand in the words, its name
// among them; besides, other may know them.
func (j *judge) called(words string, values map[string]any, other func(key string, v any) bool) bool {
	named := false
	for key, v := range values {
		switch {
		case isName(key) && stands(words, v, j.Today):
			named = true
		case isName(key):
			return false
		case !stands(words, v, j.Today) && !other(key, v):
			return false
		}
	}
	return named
}

// known reports an argument that only says where the new thing belongs: a
// reference to a step of the plan, or an id that the approved plan used under the
// same name.
func (j *judge) known(key string, v any, st assent.Step) bool {
	if !strings.HasSuffix(key, "_id") {
		return false
	}
	text, ok := v.(string)
	if !ok {
		return false
	}
	if t, err := lang.ParseTemplate(text); err != nil || t.Whole {
		return err == nil && j.refersToOld(st)
	}
	for _, old := range j.before.steps {
		args, _ := decode(old.Arguments).(map[string]any)
		if args[key] == v {
			return true
		}
	}
	return false
}

// refersToOld: every step that a new one works with was there before.
func (j *judge) refersToOld(st assent.Step) bool {
	for _, to := range j.after.refs[st.ID] {
		if _, ok := j.before.steps[to]; !ok {
			return false
		}
	}
	return true
}

// appends reports a list with one more item, which the words name.
func (j *judge) appends(words string, d lang.Difference) bool {
	item, ok := extra(decode(d.Old), decode(d.New))
	if !ok || !said.Kind(words, strings.TrimSuffix(idOf(strings.ReplaceAll(d.Field, ".", "/")), "s")) {
		return false
	}
	if values, isObject := item.(map[string]any); isObject {
		return j.called(words, values, func(string, any) bool { return false })
	}
	return stands(words, item, j.Today)
}

// dropsNamed reports a list with one item less, which the words name.
func dropsNamed(words string, d lang.Difference) bool {
	item, ok := extra(decode(d.New), decode(d.Old))
	if !ok {
		return false
	}
	values, isObject := item.(map[string]any)
	if !isObject {
		text, _ := item.(string)
		return said.Name(words, text)
	}
	for key, v := range values {
		if text, _ := v.(string); isName(key) && said.Name(words, text) {
			return true
		}
	}
	return false
}

// extra gives the one item that the longer list has beside those of the shorter,
// which stand in it in their order. No list at all is an empty one.
func extra(shorter, longer any) (any, bool) {
	a, aok := shorter.([]any)
	b, bok := longer.([]any)
	if !bok || !aok && shorter != nil || len(b) != len(a)+1 {
		return nil, false
	}
	at := 0
	for at < len(a) && equal(a[at], b[at]) {
		at++
	}
	for i := at; i < len(a); i++ {
		if !equal(a[i], b[i+1]) {
			return nil, false
		}
	}
	return b[at], true
}

func equal(a, b any) bool {
	x, errx := json.Marshal(a)
	y, erry := json.Marshal(b)
	return errx == nil && erry == nil && bytes.Equal(x, y)
}
