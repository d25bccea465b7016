package check

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"assent/internal/plan/lang"
)

// path goes a reference's path through the type of an output.
func (r *run) path(p lang.Place, l lang.Located, o output) (produced, bool) {
	forms := o.forms
	v := produced{}
	for i, part := range l.Ref.Path {
		s := r.enter(forms, part)
		at := "the output"
		if i > 0 {
			at = fmt.Sprintf("%q", strings.Join(l.Ref.Path[:i], "."))
		}
		e := finding(p, l, codeFieldNotFound, "%s: %s of %s has no %q.", l.Ref, at, o.from, part)
		e.Tool = o.tool
		switch {
		case !s.has && !s.unsure:
			if e.AvailableFields = available(forms); len(e.AvailableFields) > 0 {
				e.Message = strings.TrimSuffix(e.Message, ".") + "; there is " + strings.Join(e.AvailableFields, ", ") + "."
			}
			r.tell(e)
			return v, false
		case s.lacks:
			e.Code, e.Message = codeMayBeAbsent, fmt.Sprintf("%s: %s of %s may have no %q; the step fails then.", l.Ref, at, o.from, part)
			r.warn(e)
		}
		if s.unsure && !v.told {
			v.told = true
			e.Code, e.Message = codeUnchecked, fmt.Sprintf("%s: nobody knows beforehand what %s of %s is.", l.Ref, at, o.from)
			r.warn(e)
		}
		forms = s.forms
	}
	v.forms = forms
	return v, true
}

// available names what may stand in the place of a path's part.
func available(forms []form) []string {
	const most = 50
	names := fields(forms)
	if len(names) == 0 && slices.ContainsFunc(forms, func(f form) bool { return f.said && f.kinds&array != 0 }) {
		names = []string{"0"}
	}
	return names[:min(len(names), most)]
}

// binding checks a reference to what the caller passes in.
func (r *run) binding(p lang.Place, l lang.Located) (produced, bool) {
	raw, ok := r.o.Bindings[l.Ref.Key]
	if !ok {
		e := finding(p, l, codeUnknownBinding, "%s: nothing of that name is passed in.", l.Ref)
		e.AvailableFields = slices.Sorted(maps.Keys(r.o.Bindings))
		r.tell(e)
		return produced{}, false
	}
	v, err := decode(raw)
	if len(raw) == 0 || err != nil {
		if len(l.Ref.Path) > 0 {
			r.warn(finding(p, l, codeUnchecked, "%s: nobody knows beforehand what is passed in.", l.Ref))
			return produced{forms: []form{unknown}, told: true}, true
		}
		return produced{forms: []form{unknown}}, true
	}
	for _, part := range l.Ref.Path {
		next, ok := enterValue(v, part)
		if !ok {
			e := finding(p, l, codeFieldNotFound, "%s: there is no %q in what is passed in.", l.Ref, part)
			e.AvailableFields = names(v)
			r.tell(e)
			return produced{}, false
		}
		v = next
	}
	return produced{value: v, known: true}, true
}

func enterValue(v any, part string) (any, bool) {
	switch v := v.(type) {
	case map[string]any:
		next, ok := v[part]
		return next, ok
	case []any:
		if i, ok := lang.ItemIndex(part); ok && i < len(v) {
			return v[i], true
		}
	}
	return nil, false
}

func names(v any) []string {
	m, _ := v.(map[string]any)
	return slices.Sorted(maps.Keys(m))
}

// decode reads JSON with its numbers' digits.
func decode(raw json.RawMessage) (any, error) {
	var v any
	d := json.NewDecoder(strings.NewReader(string(raw)))
	d.UseNumber()
	err := d.Decode(&v)
	return v, err
}
