package carry

import (
	"slices"
	"strings"

	"assent/internal/assent"
	"assent/internal/consent/said"
	"assent/internal/plan/lang"
)

// Version is a document with the digests of what it uses.
type Version struct {
	Document assent.PlanDocument
	Digests  map[string]string
}

// Question is what is to be judged.
type Question struct {
	Before  Version // what the person has seen and approved with changes
	After   Version // what was made of it
	Changes []assent.Change
	Words   string // the whole message, or what of it the reading rests on
	Today   said.Today
	// NeedsWord says whether a step never runs without a person's word.
	NeedsWord func(assent.Step) bool
	// Creates gives the kind of the one thing that a built-in write creates; false
	// for every other step.
	Creates func(assent.Step) (kind string, ok bool)
}

// Verdict is what came of it. Loose are the differences that nobody asked for,
// Missed the changes that the new version does not make, Doubtful those removals
// whose words may mean other steps than the ones that are gone.
type Verdict struct {
	Loose    []lang.Difference
	Missed   []assent.Change
	Doubtful []assent.Change
}

// Carried reports whether the approval holds for the new version.
func (v Verdict) Carried() bool { return len(v.Loose)+len(v.Missed)+len(v.Doubtful) == 0 }

// Judge compares two versions. Without a change nothing is carried.
func Judge(q Question) Verdict {
	q.Changes = distinct(q.Changes)
	j := judge{Question: q, before: graphOf(q.Before.Document), after: graphOf(q.After.Document), used: make([][]lang.Difference, len(q.Changes))}
	diff := lang.DiffCanonical(lang.Canonical(q.Before.Document, q.Before.Digests), lang.Canonical(q.After.Document, q.After.Digests))
	var rest []lang.Difference
	for _, d := range diff {
		if i, ok := j.only(d); ok {
			j.used[i] = append(j.used[i], d)
		} else {
			rest = append(rest, d)
		}
	}
	var v Verdict
	v.Loose = unique(slices.Concat(j.undependent(rest), j.excess(), j.unsafe(diff)))
	for i, c := range q.Changes {
		if len(j.used[i]) == 0 {
			v.Missed = append(v.Missed, c)
		}
	}
	v.Doubtful = j.disagreeing()
	if len(q.Changes) == 0 {
		v.Missed = append(v.Missed, assent.Change{})
	}
	return v
}

// distinct leaves out a change that is named twice.
func distinct(in []assent.Change) []assent.Change {
	var out []assent.Change
	for _, c := range in {
		if !slices.ContainsFunc(out, func(o assent.Change) bool {
			return o.Op == c.Op && o.Step == c.Step && (o.Words == c.Words || c.Op == opRemove && c.Step != "")
		}) {
			out = append(out, c)
		}
	}
	return out
}

// The ops of changes.
const (
	opRemove = "remove"
	opSet    = "set"
	opAdd    = "add"
)

type judge struct {
	Question
	before, after graph
	used          [][]lang.Difference // by change
}

// only finds the one change that asks for a difference.
func (j *judge) only(d lang.Difference) (int, bool) {
	found := -1
	for i, c := range j.Changes {
		if !j.asks(c, d) {
			continue
		}
		if found >= 0 {
			return -1, false
		}
		found = i
	}
	return found, found >= 0
}

// asks reports whether a change asks for a difference.
func (j *judge) asks(c assent.Change, d lang.Difference) bool {
	id := idOf(d.Path)
	switch {
	case c.Op == opRemove && d.Op == lang.OpRemove:
		return c.Step != "" && c.Step == id && j.means(c.Words, j.before.steps[id])
	case c.Op == opRemove && d.Op == lang.OpChange:
		return j.here(c, id) && j.written(d.Field) && dropsNamed(c.Words, d)
	case c.Op == opAdd && d.Op == lang.OpAdd:
		return !strings.Contains(d.Path, "/") && j.adds(c, j.after.steps[id])
	case c.Op == opAdd && d.Op == lang.OpChange:
		return j.here(c, id) && j.written(d.Field) && j.appends(c.Words, d)
	case c.Op == opSet && d.Op == lang.OpChange:
		return j.here(c, id) && j.written(d.Field) && j.sets(c.Words, d)
	}
	return false
}

// means reports whether words may speak of a step: of "the last milestone" only
// one that has to do with milestones.
func (j *judge) means(words string, st assent.Step) bool {
	kinds := said.Kinds(words)
	return len(kinds) == 0 || slices.ContainsFunc(said.Kinds(st.Label+" "+st.Tool+" "+st.Agent+" "+st.Prompt+" "+title(st)), func(k string) bool { return slices.Contains(kinds, k) })
}

// title is what a step calls the thing it makes or changes.
func title(st assent.Step) string {
	args, _ := decode(st.Arguments).(map[string]any)
	for key, v := range args {
		if text, ok := v.(string); ok && isName(key) {
			return text
		}
	}
	return ""
}

// here: a change that names a step is about that step only.
func (j *judge) here(c assent.Change, id string) bool { return c.Step == "" || c.Step == id }

// written are the fields that hold values, not what a step is.
func (j *judge) written(field string) bool {
	return strings.HasPrefix(field, "arguments.") || strings.HasPrefix(field, "with.") || field == "prompt"
}

// excess gives what is more than a change may do: one thing, or several dates
// of one step.
func (j *judge) excess() []lang.Difference {
	var out []lang.Difference
	for i, ds := range j.used {
		if len(ds) < 2 {
			continue
		}
		for _, d := range ds {
			if j.Changes[i].Op != opSet || d.Path != ds[0].Path || !isDate(d.New) {
				out = append(out, ds...)
				break
			}
		}
	}
	return out
}

// undependent gives those differences that no removal brings with it: steps go
// with a removed one if they refer to removed steps and to nothing else.
func (j *judge) undependent(rest []lang.Difference) []lang.Difference {
	gone := map[string]bool{}
	for _, ds := range j.used {
		for _, d := range ds {
			if d.Op == lang.OpRemove {
				j.before.drop(idOf(d.Path), gone)
			}
		}
	}
	for again := true; again; {
		again = false
		rest = slices.DeleteFunc(rest, func(d lang.Difference) bool {
			id := idOf(d.Path)
			if d.Op != lang.OpRemove || !j.before.onlyOn(id, gone) {
				return false
			}
			j.before.drop(id, gone)
			again = true
			return true
		})
	}
	return rest
}

// unsafe gives the differences that touch a step which needs a person's word, or
// something that such a step works with.
func (j *judge) unsafe(diff []lang.Difference) []lang.Difference {
	var out []lang.Difference
	for _, p := range lang.Paths(j.After.Document) {
		if !j.NeedsWord(p.Step) {
			continue
		}
		feeds := j.after.feeds(p.Step.ID)
		for _, d := range diff {
			if d.Op != lang.OpRemove && feeds[idOf(d.Path)] {
				out = append(out, d)
			}
		}
	}
	return out
}

func idOf(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// unique keeps the first of equal differences.
func unique(in []lang.Difference) []lang.Difference {
	var out []lang.Difference
	for _, d := range in {
		if !slices.ContainsFunc(out, func(o lang.Difference) bool { return o.Path == d.Path && o.Op == d.Op && o.Field == d.Field }) {
			out = append(out, d)
		}
	}
	return out
}
