package lang

import (
	"encoding/json"
	"math"
	"slices"
)

// canonStep is a step of a canonical form.
type canonStep struct {
	id, path, parent string
	body             value // without its children's place in the comparison
	raw              json.RawMessage
}

type canonPlan struct {
	steps  []canonStep
	inputs value
}

func (p canonPlan) find(id string) (canonStep, bool) {
	i := slices.IndexFunc(p.steps, func(s canonStep) bool { return s.id == id })
	if i < 0 {
		return canonStep{}, false
	}
	return p.steps[i], true
}

func flatten(form []byte) canonPlan {
	v, _, err := read(form, 2*maxNesting, math.MaxInt)
	if err != nil {
		return canonPlan{}
	}
	var p canonPlan
	p.inputs, _ = v.get("inputs")
	p.add(v, "", "")
	return p
}

func (p *canonPlan) add(v value, prefix, parent string) {
	steps, _ := v.get("steps")
	for _, s := range steps.items {
		id, _ := s.get("id")
		p.steps = append(p.steps, canonStep{id: id.text, path: prefix + id.text, parent: parent, body: s, raw: s.raw})
		p.add(s, prefix+id.text+"/", id.text)
	}
}

func (p canonPlan) predecessor(of canonStep) string {
	last := ""
	for _, s := range p.steps {
		if s.id == of.id {
			break
		}
		if s.parent == of.parent {
			last = s.id
		}
	}
	return last
}

// moved gives the ids that changed their order among the steps that stayed with
// their parent: all but a longest sequence that kept it.
func moved(a, b canonPlan) map[string]bool {
	out := map[string]bool{}
	groups := map[string][]int{} // parent → positions in a, in the order of b
	ids := map[string][]string{}
	for _, s := range b.steps {
		if was, ok := a.find(s.id); ok && was.parent == s.parent {
			groups[s.parent] = append(groups[s.parent], slices.IndexFunc(a.steps, func(o canonStep) bool { return o.id == s.id }))
			ids[s.parent] = append(ids[s.parent], s.id)
		}
	}
	for parent, positions := range groups {
		kept := rising(positions)
		for i, id := range ids[parent] {
			if !kept[i] {
				out[id] = true
			}
		}
	}
	return out
}

// rising marks a longest rising subsequence.
func rising(p []int) []bool {
	length, before := make([]int, len(p)), make([]int, len(p))
	best := -1
	for i := range p {
		length[i], before[i] = 1, -1
		for j := range i {
			if p[j] < p[i] && length[j]+1 > length[i] {
				length[i], before[i] = length[j]+1, j
			}
		}
		if best < 0 || length[i] > length[best] {
			best = i
		}
	}
	kept := make([]bool, len(p))
	for i := best; i >= 0; i = before[i] {
		kept[i] = true
	}
	return kept
}
