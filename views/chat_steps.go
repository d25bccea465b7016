package views

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"assent/internal/assent"
)

// stepRow is a step as a card shows it: the model's label beside what the
// definition says, and how far it is.
type stepRow struct {
	number    string // as people count: "3", its children "3.1"
	path      string
	label     string
	tool      string // or agent, or ""
	target    string
	tag       string
	tagKind   string
	note      string // "in parallel", the question of a checkpoint
	uses      []stepUse
	undo      string
	arguments []argument
	findings  []assent.Finding
	run       *chatStep
	children  []stepRow
}

// stepUse is an output of an earlier step that a step refers to.
type stepUse struct{ key, step string }

// argument is one argument, readable.
type argument struct{ name, value string }

// rows gives a version's steps as its card shows them; run may be nil.
func (v *chatVersion) rows(run *chatRun) []stepRow {
	return v.rowsOf(v.steps, "", "", run)
}

func (v *chatVersion) rowsOf(steps []assent.Step, number, path string, run *chatRun) []stepRow {
	out := make([]stepRow, len(steps))
	for i, st := range steps {
		row := stepRow{number: number + strconv.Itoa(i+1), path: path + st.ID, label: stepLabel(st), tool: st.Tool, target: st.Target,
			uses: v.usesOf(st), arguments: argumentsOf(st), undo: v.undoOf(st), note: stepNote(st)}
		row.tag, row.tagKind = tagOf(st)
		if st.Type == assent.StepAgent {
			row.tool = st.Agent
		}
		if run != nil {
			row.run = run.steps[row.path]
		}
		for _, r := range v.reviews {
			for _, f := range r.Findings {
				if f.Step == st.ID {
					row.findings = append(row.findings, f)
				}
			}
		}
		row.children = v.rowsOf(st.Steps, row.number+".", row.path+"/", run)
		out[i] = row
	}
	return out
}

func stepLabel(st assent.Step) string {
	for _, s := range []string{st.Label, st.Tool, st.Agent, st.Prompt, st.ID} {
		if s != "" {
			return s
		}
	}
	return string(st.Type)
}

func stepNote(st assent.Step) string {
	switch st.Type {
	case assent.StepParallel:
		if st.Merge == "first_success" {
			return "in parallel, the first to succeed counts"
		}
		return "in parallel"
	case assent.StepCheckpoint:
		return st.Prompt
	}
	return ""
}

// tagOf is the effect of a step in one word; a container shows the strictest of
// its children's.
func tagOf(st assent.Step) (text, kind string) {
	switch st.Type {
	case assent.StepCheckpoint:
		return "asks you", "read"
	case assent.StepParallel:
		effect := assent.EffectRead
		eachStep(st.Steps, "", func(_ string, ch assent.Step) {
			if effectRank(ch.Effect) > effectRank(effect) {
				effect = ch.Effect
			}
		})
		return effectWords(effect), string(effect)
	case assent.StepAgent:
		if st.Effect == "" {
			return "agent", "read"
		}
		return "agent, " + effectWords(st.Effect), string(st.Effect)
	}
	return effectWords(st.Effect), string(st.Effect)
}

func effectRank(e assent.Effect) int {
	return slices.Index([]assent.Effect{assent.EffectRead, assent.EffectWrite, assent.EffectDestructive, assent.EffectExternal}, e)
}

func effectWords(e assent.Effect) string {
	switch e {
	case assent.EffectRead:
		return "reads"
	case assent.EffectWrite:
		return "writes"
	case assent.EffectDestructive:
		return "destructive"
	case assent.EffectExternal:
		return "external"
	}
	return "tool"
}

// undoOf says whether what a step does can be taken back; nothing for what
// only reads.
func (v *chatVersion) undoOf(st assent.Step) string {
	switch {
	case slices.Contains(v.preview.Undoable, st.ID):
		return "can be undone"
	case st.Type == assent.StepTool && (st.Effect == assent.EffectWrite || st.Effect.NeedsWord()):
		return "cannot be undone"
	}
	return ""
}

// The two notations of references, as far as a card needs them.
var (
	byIndex = regexp.MustCompile(`^\$(\d+)\.output\b`)
	byKey   = regexp.MustCompile(`\{\{\s*result\.([A-Za-z0-9_-]+)`)
)

// usesOf lists the earlier outputs that a step refers to, each once.
func (v *chatVersion) usesOf(st assent.Step) []stepUse {
	var out []stepUse
	add := func(u stepUse, ok bool) {
		if ok && !slices.Contains(out, u) {
			out = append(out, u)
		}
	}
	for _, s := range append(append(stringsIn(st.Arguments), stringsIn(st.With)...), st.Prompt) {
		if m := byIndex.FindStringSubmatch(s); m != nil {
			add(v.byNumber(m[1]))
			continue
		}
		for _, m := range byKey.FindAllStringSubmatch(s, -1) {
			add(v.byResult(m[1]))
		}
	}
	return out
}

func (v *chatVersion) byNumber(n string) (stepUse, bool) {
	i, err := strconv.Atoi(n)
	if err != nil || i >= len(v.steps) {
		return stepUse{}, false
	}
	key := v.steps[i].ResultKey
	if key == "" {
		key = "the result"
	}
	return stepUse{key, strconv.Itoa(i + 1)}, true
}

func (v *chatVersion) byResult(key string) (u stepUse, ok bool) {
	for i, st := range v.steps {
		if st.ResultKey == key {
			return stepUse{key, strconv.Itoa(i + 1)}, true
		}
		for j, ch := range st.Steps {
			if ch.ResultKey == key {
				return stepUse{key, strconv.Itoa(i+1) + "." + strconv.Itoa(j+1)}, true
			}
		}
	}
	return u, false
}

// stringsIn collects the string values of a JSON document.
func stringsIn(raw []byte) []string {
	var v any
	if len(raw) == 0 || json.Unmarshal(raw, &v) != nil {
		return nil
	}
	return collectStrings(v, nil)
}

func collectStrings(v any, out []string) []string {
	switch v := v.(type) {
	case string:
		return append(out, v)
	case []any:
		for _, x := range v {
			out = collectStrings(x, out)
		}
	case map[string]any:
		for _, k := range sortedKeys(v) {
			out = collectStrings(v[k], out)
		}
	}
	return out
}

func sortedKeys[T any](m map[string]T) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// argumentsOf is what a step is called with, prompt included.
func argumentsOf(st assent.Step) []argument {
	out := argumentList(st.Arguments)
	if st.Prompt != "" && st.Type == assent.StepAgent {
		out = append(out, argument{"prompt", st.Prompt})
	}
	return append(out, argumentList(st.With)...)
}

// argumentList makes a JSON object readable, by name.
func argumentList(raw []byte) []argument {
	var m map[string]json.RawMessage
	if len(raw) == 0 || json.Unmarshal(raw, &m) != nil {
		return nil
	}
	var out []argument
	for _, k := range sortedKeys(m) {
		out = append(out, argument{k, readable(m[k])})
	}
	return out
}

// readable shows a string as it is, everything else as JSON.
func readable(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}

// argumentText is a list of arguments as text, for comparing.
func argumentText(args []argument) string {
	var b strings.Builder
	for _, a := range args {
		b.WriteString(a.name + ": " + a.value + "\n")
	}
	return b.String()
}

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
