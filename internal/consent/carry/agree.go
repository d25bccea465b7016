package carry

import (
	"slices"
	"strconv"
	"strings"

	"assent/internal/assent"
	"assent/internal/consent/said"
	"assent/internal/plan/lang"
)

// disagreeing gives the removals whose words speak of another number of steps
// than the new version leaves out. It trusts no reading: who reads "the first
// two" as one step, rules or model, does not make the second run.
func (j *judge) disagreeing() []assent.Change {
	var out []assent.Change
	residue := j.Words
	for i, c := range j.Changes {
		residue = strings.Replace(residue, c.Words, " | ", 1)
		if c.Op != opRemove || slices.ContainsFunc(j.Changes[:i], func(o assent.Change) bool { return o.Op == c.Op && o.Words == c.Words }) {
			continue
		}
		gone, items := j.leftOut(c.Words)
		if items && !j.oneItem(c.Words, gone) || !items && !j.agree(c.Words, gone) {
			out = append(out, c)
		}
	}
	if len(out) == 0 && slices.ContainsFunc(j.Changes, func(c assent.Change) bool { return c.Op == opRemove }) && !silent(residue) {
		out = append(out, assent.Change{Op: opRemove, Words: strings.TrimSpace(j.Words)})
	}
	return out
}

// silent reports words that say nothing of how many; the version of a plan is
// no such number.
func silent(words string) bool {
	a := said.AmountOf(words)
	return len(a.Numbers) == 0 && len(a.Counts) == 0 && a.Ordinals == 0 && !a.Both && !a.Few && !a.Except
}

// leftOut gives the steps that are gone by changes of the same words, or tells
// that items of lists are.
func (j *judge) leftOut(words string) (gone []string, items bool) {
	for i, c := range j.Changes {
		if c.Op != opRemove || c.Words != words {
			continue
		}
		for _, d := range j.used[i] {
			if items = items || d.Op != lang.OpRemove; d.Op == lang.OpRemove {
				gone = append(gone, idOf(d.Path))
			}
		}
	}
	return gone, items
}

// oneItem reports words that speak of one item of a list, and of nothing more.
func (j *judge) oneItem(words string, gone []string) bool {
	a := said.AmountOf(words)
	several := a.Both || a.All || a.Few || a.Except || a.Several || a.Range[1] > 0 || len(a.Counts) > 0 || a.Ordinals > 1 || len(a.Numbers) > 1
	for _, n := range a.Kinds {
		several = several || n == said.Many
	}
	return len(gone) == 0 && !several
}

// counted is a step with what words may call it by.
type counted struct {
	id, number string
	step       assent.Step
	nested     bool
	kinds      []string
}

// counting lists the steps of the plan that was shown.
func (j *judge) counting() []counted {
	var out []counted
	for _, p := range lang.Paths(j.Before.Document) {
		c := counted{id: p.Step.ID, number: p.Number, step: p.Step, nested: p.Parent != ""}
		if c.kinds = said.Kinds(strings.ReplaceAll(p.Step.Tool, "_", " ")); len(c.kinds) == 0 {
			c.kinds = said.Kinds(p.Step.Label)
		}
		out = append(out, c)
	}
	return out
}

// agree reports whether words can mean just these steps.
func (j *judge) agree(words string, gone []string) bool {
	a, all := said.AmountOf(words), j.counting()
	n, top := len(gone), 0
	for _, c := range all {
		if !c.nested {
			top++
		}
	}
	switch {
	case n == 0:
		return true // it is missed anyway
	case a.Few:
		return false
	case a.Except:
		return exceptAgrees(a, all, gone, top)
	case a.Range[1] > 0:
		return n == a.Range[1]-a.Range[0]+1 || len(a.Numbers) > 2 && n > a.Range[1]-a.Range[0]+1
	case a.After > 0:
		return n == top-a.After
	case a.From > 0:
		return n == top-a.From+1
	case a.Before > 0:
		return n == a.Before-1
	}
	return numbersAgree(a, all, gone) && countsAgree(a, all, gone) && kindsAgree(words, a, all, gone)
}

// exceptAgrees: "all but 2" leaves out that one, or all others.
func exceptAgrees(a said.Amount, all []counted, gone []string, top int) bool {
	named := len(a.Numbers) + a.Ordinals
	for _, c := range a.Counts {
		named = max(named, c)
	}
	if len(gone) != named && len(gone) != top-named {
		return false
	}
	in := 0
	for _, c := range all {
		if slices.Contains(a.Numbers, c.number) && slices.Contains(gone, c.id) {
			in++
		}
	}
	return in == len(a.Numbers) || in == 0 && len(gone) == top-named
}

// numbersAgree: each number is that of a step that is gone, its place among its
// kind, or how many are gone.
func numbersAgree(a said.Amount, all []counted, gone []string) bool {
	for _, n := range a.Numbers {
		if len(a.Numbers) == 1 && n == strconv.Itoa(len(gone)) && (a.Ordinals > 0 || len(gone) > 1) {
			continue
		}
		if !slices.ContainsFunc(all, func(c counted) bool { return slices.Contains(gone, c.id) && (c.number == n || place(c, all) == n) }) {
			return false
		}
	}
	return len(a.Numbers) <= max(len(gone), 1)
}

// place is where a step stands among those of its kind.
func place(of counted, all []counted) string {
	n := 0
	for _, c := range all {
		if slices.ContainsFunc(c.kinds, func(k string) bool { return slices.Contains(of.kinds, k) }) {
			n++
		}
		if c.id == of.id {
			break
		}
	}
	return strconv.Itoa(n)
}

// countsAgree: what is counted is gone, and no less.
func countsAgree(a said.Amount, all []counted, gone []string) bool {
	sum := 0
	byNumber := a.Named && a.Ordinals == 0
	for _, c := range a.Counts {
		sum += c
		byNumber = byNumber && slices.ContainsFunc(all, func(s counted) bool { return s.number == strconv.Itoa(c) && slices.Contains(gone, s.id) })
	}
	if len(a.Counts) > 0 && sum != len(gone) && !(byNumber && len(gone) >= len(a.Counts)) {
		return false
	}
	switch {
	case a.Both && (len(gone) < 2 || len(a.Kinds) > 0 && a.Ordinals == 0 && len(gone) > 2), a.Several && len(gone) < 2:
		return false
	case a.Ordinals > len(gone):
		return false
	case len(a.Counts) == 0 && !a.Both && !a.Several && len(a.Kinds) == 0 && len(a.Numbers) == 0 && a.Ordinals > 0:
		return a.Ordinals == len(gone) || a.All
	case a.All && len(a.Kinds) == 0:
		return len(gone) > 1 || !a.Bare() && len(a.Numbers) == len(gone)
	}
	return true
}

// kindsAgree: a plural means every step of its kind, and a singular the only one
// or one that is told apart by something else.
func kindsAgree(words string, a said.Amount, all []counted, gone []string) bool {
	exact := len(a.Numbers) > 0 || a.Ordinals > 0
	for kind, n := range a.Kinds {
		var of, out []counted
		for _, c := range all {
			if slices.Contains(c.kinds, kind) {
				of = append(of, c)
				if slices.Contains(gone, c.id) {
					out = append(out, c)
				}
			}
		}
		switch {
		case len(of) == 0 || len(out) == 0:
		case n == said.Many && exact:
			if len(gone) < 2 && len(of) > 1 && a.Ordinals == 0 {
				return false
			}
		case n == said.Many || a.All || a.Both:
			if len(out) != len(of) && !toldApart(words, of, out) {
				return false
			}
		case !exact && len(a.Counts) > 0:
			if len(out) != len(of) && !toldApart(words, of, out) {
				return false
			}
		case len(of) > 1 && !exact:
			if (n == said.One && len(out) > 1 || len(out) < len(of)) && !toldApart(words, of, out) {
				return false
			}
		}
	}
	return true
}

// toldApart reports words that are those of what is gone, and not of what stays.
func toldApart(words string, of, out []counted) bool {
	for _, c := range out {
		found := false
		for _, w := range said.Words(c.step.Label + " " + title(c.step)) {
			stays := slices.ContainsFunc(of, func(o counted) bool {
				gone := slices.ContainsFunc(out, func(x counted) bool { return x.id == o.id })
				return !gone && said.Name(o.step.Label+" "+title(o.step), w)
			})
			found = found || len(w) > 2 && !stays && said.Name(words, w)
		}
		if !found {
			return false
		}
	}
	return true
}
