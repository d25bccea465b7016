package views

import (
	"slices"
	"strconv"
	"strings"

	"assent/internal/assent"
)

// stepRow is a step as a card shows it: the model's label beside what the
// definition says, and how far it is.
type stepRow struct {
	number     string // as people count: "3", its children "3.1"
	path       string
	label      string
	tool       string // or agent, or ""
	target     string
	tag        string
	tagKind    string
	note       string // "in parallel", the question of a checkpoint, an agent's mode
	checkpoint bool
	uses       []stepUse
	undo       string
	arguments  []argument
	contents   *stepContents
	findings   []assent.Finding
	run        *chatStep
	children   []stepRow
}

// rows gives a version's steps as its card shows them; run may be nil.
func (v *chatVersion) rows(run *chatRun) []stepRow {
	return v.rowsOf(v.steps, "", "", run)
}

func (v *chatVersion) rowsOf(steps []assent.Step, number, path string, run *chatRun) []stepRow {
	out := make([]stepRow, len(steps))
	for i, st := range steps {
		row := stepRow{number: number + strconv.Itoa(i+1), path: path + st.ID, label: stepLabel(st), tool: st.Tool, target: st.Target,
			uses: v.usesOf(st), arguments: argumentsOf(st), contents: v.contentsOf(st), undo: v.undoOf(st), note: stepNote(st), checkpoint: st.Type == assent.StepCheckpoint}
		row.tag, row.tagKind = tagOf(st)
		if st.Type == assent.StepAgent {
			row.tool, row.note = st.Agent, agentNote(st)
		}
		if run != nil {
			row.run = run.steps[row.path]
		}
		for _, r := range v.reviews {
			for _, f := range r.Findings {
				if f.Step == st.ID || f.Step == row.path && f.Step != "" {
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
		return inBraces.ReplaceAllString(st.Prompt, "…")
	}
	return ""
}

// agentNote says how an agent works.
func agentNote(st assent.Step) string {
	var parts []string
	if st.Mode != "" {
		parts = append(parts, "mode "+st.Mode)
	}
	if st.Action != "" {
		parts = append(parts, "action "+st.Action)
	}
	return strings.Join(parts, ", ")
}

// tagOf is the effect of a step in one word; a container shows the strictest of
// its children's.
func tagOf(st assent.Step) (text, kind string) {
	switch st.Type {
	case assent.StepCheckpoint:
		return "asks you", "asks"
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
	case (st.Type == assent.StepTool || st.Type == assent.StepAgent) && (st.Effect == assent.EffectWrite || st.Effect.NeedsWord()):
		return "cannot be undone"
	}
	return ""
}
