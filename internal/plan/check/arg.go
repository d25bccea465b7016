package check

import (
	"assent/internal/plan/lang"
)

// arg is a value of a step's arguments as it is written, references in it
// standing for what they will be.
type arg struct {
	v      any // what it is, where it holds no reference
	size   int // values in it, itself included
	refs   bool
	wrong  bool           // a reference in it has an error of its own
	whole  *produced      // it is one reference
	refer  string         // the reference, or the first one of a text
	fields map[string]arg // of an object with references in it
	items  []arg          // of an array
}

func build(v any, refs resolved) arg {
	switch v := v.(type) {
	case string:
		return buildText(v, refs)
	case []any:
		a := arg{v: v, size: 1, items: make([]arg, 0, len(v))}
		for i := range v {
			item := build(v[i], refs)
			a.items, a.refs, a.size = append(a.items, item), a.refs || item.refs, a.size+item.size
			v[i] = item.v
		}
		return a
	case map[string]any:
		a := arg{v: v, size: 1, fields: make(map[string]arg, len(v))}
		for k := range v {
			field := build(v[k], refs)
			a.fields[k] = field
			a.refs, a.size = a.refs || field.refs, a.size+field.size
			v[k] = field.v
		}
		return a
	}
	return arg{v: v, size: 1}
}

func buildText(s string, refs resolved) arg {
	t, err := lang.ParseTemplate(s)
	if err != nil {
		return arg{refs: true, wrong: true, size: 1}
	}
	if literal, ok := t.Literal(); ok {
		return arg{v: literal, size: 1}
	}
	a := arg{refs: true, size: 1}
	for _, ref := range t.Refs() {
		p, ok := refs[ref.String()]
		a.wrong = a.wrong || !ok
		if t.Whole {
			a.whole = &p
		}
		if a.refer == "" {
			a.refer = ref.String()
		}
	}
	if a.whole != nil && a.whole.known && !a.wrong {
		return arg{v: a.whole.value, size: 1}
	}
	return a
}
