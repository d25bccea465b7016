package views

import (
	"slices"

	"assent/internal/assent"
)

// stepChange is what became of a step between two versions.
type stepChange struct {
	path   string
	number string // in the newer version, of a removed step in the older one
	was    string // its number in the older version; empty if it is new
	is     string // its number in the newer version; empty if it is gone
	op     string // added, removed or changed
	spans  []DiffSpan
	lines  []DiffLine
	given  []argument // what an added step is called with
}

// changesSince compares two versions step by step; steps keep their ids.
func (v *chatVersion) changesSince(old *chatVersion) []stepChange {
	before, after := flat(old.rows(nil)), flat(v.rows(nil))
	var out []stepChange
	for _, row := range after {
		was, ok := find(before, row.path)
		switch {
		case !ok:
			out = append(out, stepChange{path: row.path, number: row.number, is: row.number, op: "added", spans: []DiffSpan{{Op: DiffAdded, Text: row.title()}},
				lines: DiffText("", argumentText(row.arguments)), given: row.arguments})
		case was.title() != row.title() || was.note != row.note || argumentText(was.arguments) != argumentText(row.arguments):
			out = append(out, stepChange{path: row.path, number: row.number, was: was.number, is: row.number, op: "changed",
				spans: DiffWords(was.described(), row.described()), lines: DiffText(argumentText(was.arguments), argumentText(row.arguments))})
		}
	}
	for _, row := range before {
		if _, ok := find(after, row.path); !ok {
			out = append(out, stepChange{path: row.path, number: row.number, was: row.number, op: "removed", spans: []DiffSpan{{Op: DiffRemoved, Text: row.title()}}})
		}
	}
	return out
}

// besides are the steps that come back for a word since old; everything else is
// as it was seen.
func (v *chatVersion) besides(old *chatVersion) []stepChange {
	if old == nil || len(v.changed) == 0 {
		return nil
	}
	var out []stepChange
	for _, ch := range v.changesSince(old) {
		if slices.Contains(v.changed, ch.path) {
			out = append(out, ch)
		}
	}
	return out
}

// sideOf is one side of a comparison: without what only the other side has.
func sideOf(spans []DiffSpan, without DiffOp) []DiffSpan {
	var out []DiffSpan
	for _, s := range spans {
		if s.Op != without {
			out = append(out, s)
		}
	}
	return out
}

// changedSteps are the paths of the steps that differ from the version before.
func changedSteps(changes []assent.StepChange) []string {
	var out []string
	for _, ch := range changes {
		if ch.Step != "" && !slices.Contains(out, ch.Step) {
			out = append(out, ch.Step)
		}
	}
	return out
}

func (r stepRow) title() string {
	if r.tool == "" || r.tool == r.label {
		return r.label
	}
	return r.label + " (" + r.tool + ")"
}

// described is the title with what the definition adds to it.
func (r stepRow) described() string {
	if r.note == "" {
		return r.title()
	}
	return r.title() + ", " + r.note
}

func flat(rows []stepRow) []stepRow {
	var out []stepRow
	for _, r := range rows {
		out = append(append(out, r), flat(r.children)...)
	}
	return out
}

func find(rows []stepRow, path string) (stepRow, bool) {
	for _, r := range rows {
		if r.path == path {
			return r, true
		}
	}
	return stepRow{}, false
}
