package lang

import (
	"encoding/json"
	"slices"
	"strconv"
)

// Op is what happened to a step between two versions.
type Op string

// The ops of a difference, as in design 03 §5 item 7 ("set" is a change).
const (
	OpAdd    Op = "add"
	OpRemove Op = "remove"
	OpChange Op = "change"
)

// Difference is one difference between two canonical forms. Of an added step
// New is all of it, of a removed one Old; a parallel step includes its children.
// Of a change Field says where: "tool", "arguments.name", "prompt"; "position"
// if the step moved among those that stayed (Old and New are then the ids of the
// steps before it), "parent" if it moved into or out of a parallel step, and
// "inputs" with an empty Path for the plan's bindings.
type Difference struct {
	Path  string          `json:"path"` // "know/r"; of a removed step as it was
	Op    Op              `json:"op"`
	Field string          `json:"field,omitempty"`
	Old   json.RawMessage `json:"old,omitempty"`
	New   json.RawMessage `json:"new,omitempty"`
}

// DiffCanonical gives the differences between two canonical forms, step by step
// in the order of b, removals last. Digests count as well.
func DiffCanonical(a, b []byte) []Difference {
	before, after := flatten(a), flatten(b)
	d := differ{before: before, after: after, moved: moved(before, after)}
	d.inputs()
	for _, s := range after.steps {
		d.step(s)
	}
	for _, s := range before.steps {
		if _, stays := after.find(s.id); !stays && !d.goesWithParent(s, before, after) {
			d.out = append(d.out, Difference{Path: s.path, Op: OpRemove, Old: s.raw})
		}
	}
	return d.out
}

type differ struct {
	before, after canonPlan
	moved         map[string]bool
	out           []Difference
}

func (d *differ) inputs() {
	if string(d.before.inputs.raw) != string(d.after.inputs.raw) {
		d.out = append(d.out, Difference{Op: OpChange, Field: "inputs", Old: d.before.inputs.raw, New: d.after.inputs.raw})
	}
}

func (d *differ) step(now canonStep) {
	was, ok := d.before.find(now.id)
	if !ok {
		if !d.goesWithParent(now, d.after, d.before) {
			d.out = append(d.out, Difference{Path: now.path, Op: OpAdd, New: now.raw})
		}
		return
	}
	change := func(field string, old, new json.RawMessage) {
		d.out = append(d.out, Difference{Path: now.path, Op: OpChange, Field: field, Old: old, New: new})
	}
	if was.parent != now.parent {
		change("parent", jsonString(was.parent), jsonString(now.parent))
	} else if d.moved[now.id] {
		change("position", jsonString(d.before.predecessor(was)), jsonString(d.after.predecessor(now)))
	}
	compare(without(was.body), without(now.body), "", change)
}

// goesWithParent: a step of a parallel one that is added or removed as a whole
// is part of that difference.
func (d *differ) goesWithParent(s canonStep, has, lacks canonPlan) bool {
	if s.parent == "" {
		return false
	}
	_, inBoth := lacks.find(s.parent)
	return !inBoth
}

// without leaves out what is compared on its own.
func without(v value) value {
	out := value{kind: object}
	for i, k := range v.keys {
		if k != "id" && k != "steps" {
			out.keys, out.items = append(out.keys, k), append(out.items, v.items[i])
		}
	}
	return out
}

// compare goes into objects, and into arrays of one length.
func compare(a, b value, field string, change func(field string, old, new json.RawMessage)) {
	switch {
	case string(a.raw) == string(b.raw) && a.raw != nil:
	case a.kind == object && b.kind == object:
		for _, k := range slices.Compact(slices.Sorted(slices.Values(slices.Concat(a.keys, b.keys)))) {
			av, _ := a.get(k)
			bv, _ := b.get(k)
			compare(av, bv, joined(field, k), change)
		}
	case a.kind == array && b.kind == array && len(a.items) == len(b.items):
		for i := range a.items {
			compare(a.items[i], b.items[i], joined(field, strconv.Itoa(i)), change)
		}
	case a.raw != nil || b.raw != nil:
		change(field, a.raw, b.raw)
	}
}

func joined(field, part string) string {
	if field == "" {
		return part
	}
	return field + "." + part
}

func jsonString(s string) json.RawMessage {
	b, err := json.Marshal(s)
	if err != nil {
		return nil // strings always marshal
	}
	return b
}
