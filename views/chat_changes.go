package views

// stepChange is what became of a step between two versions.
type stepChange struct {
	number string
	op     string // added, removed or changed
	spans  []DiffSpan
	lines  []DiffLine
}

// changesSince compares two versions step by step; steps keep their ids.
func (v *chatVersion) changesSince(old *chatVersion) []stepChange {
	before, after := flat(old.rows(nil)), flat(v.rows(nil))
	var out []stepChange
	for _, row := range after {
		was, ok := find(before, row.path)
		switch {
		case !ok:
			out = append(out, stepChange{number: row.number, op: "added", spans: []DiffSpan{{Op: DiffAdded, Text: row.label}},
				lines: DiffText("", argumentText(row.arguments))})
		case was.label != row.label || was.tool != row.tool || argumentText(was.arguments) != argumentText(row.arguments):
			out = append(out, stepChange{number: row.number, op: "changed", spans: DiffWords(was.title(), row.title()),
				lines: DiffText(argumentText(was.arguments), argumentText(row.arguments))})
		}
	}
	for _, row := range before {
		if _, ok := find(after, row.path); !ok {
			out = append(out, stepChange{number: row.number, op: "removed", spans: []DiffSpan{{Op: DiffRemoved, Text: row.label}}})
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
