package views

import (
	"encoding/json"
	"slices"
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
				lines: DiffText("", argumentText(row.arguments))})
		case was.title() != row.title() || was.note != row.note || argumentText(was.arguments) != argumentText(row.arguments):
			out = append(out, stepChange{path: row.path, number: row.number, was: was.number, is: row.number, op: "changed",
				spans: DiffWords(was.described(), row.described()), lines: DiffText(argumentText(was.arguments), argumentText(row.arguments))})
		}
	}
	for _, row := range before {
		if _, ok := find(after, row.path); !ok {
			out = append(out, stepChange{path: row.path, number: row.number, was: row.number, op: "removed", spans: []DiffSpan{{Op: DiffRemoved, Text: row.title()}},
				lines: DiffText(argumentText(row.arguments), "")})
		}
	}
	return out
}

// besides are the changes since old that come back for a word.
func (v *chatVersion) besides(old *chatVersion) []stepChange {
	var out []stepChange
	for _, ch := range v.changesSince(old) {
		if slices.Contains(v.changed, ch.path) || slices.Contains(v.changed, lastPart(ch.path)) {
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

// changedSteps reads which steps of a version come back for a word: ids or
// paths, alone or with more about each.
func changedSteps(data []byte) []string {
	var ev struct {
		Changed []json.RawMessage `json:"changed"`
	}
	if json.Unmarshal(data, &ev) != nil {
		return nil
	}
	var out []string
	for _, raw := range ev.Changed {
		var id string
		var more struct{ Step, Path, ID string }
		if json.Unmarshal(raw, &id) != nil && json.Unmarshal(raw, &more) == nil {
			id = orWord(more.Path, orWord(more.Step, more.ID))
		}
		if id != "" {
			out = append(out, id)
		}
	}
	return out
}

func lastPart(path string) string {
	for i := len(path) - 1; i >= 0; i-- {
		if path[i] == '/' {
			return path[i+1:]
		}
	}
	return path
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
