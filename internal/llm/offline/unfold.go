package offline

import "encoding/json"

// namesContent are the kinds of things that a template brings along.
var namesContent = groups.Compile(`(?:milestones?|phases?|tasks?|risks?|goals?)`)

// unfold writes what the template of the plan would create into the plan itself,
// so that single things of it can be left out. It reports whether it did: the
// conversation must have shown the template.
func (r *revision) unfold() bool {
	i := r.projectStep()
	if i < 0 {
		return false
	}
	a := argsOf(r.doc.Steps[i].Arguments)
	tpl, ok := r.shownTemplate(a.text("template_id"))
	if !ok {
		return false
	}
	for key, raw := range map[string]json.RawMessage{"goals": tpl.Goals, "risks": tpl.Risks} {
		var titles []string
		if a[key] == nil && json.Unmarshal(raw, &titles) == nil && len(titles) > 0 {
			a[key] = literals(titles)
		}
	}
	own := a["milestones"] != nil
	delete(a, "template_id")
	r.set(i, a)
	r.doc.Steps[i].Label = cutFrom(r.doc.Steps[i].Label)
	if !own {
		ms := escaped(fromTemplate(tpl.milestones, len(tpl.milestones)))
		r.setMilestones(i, ms)
		r.respread(i, ms)
	}
	return true
}

// shownTemplate is the template of an id, as the conversation has shown it.
func (r *revision) shownTemplate(id string) (template, bool) {
	for _, o := range append(outcomes(r.s.past), r.s.results...) {
		for _, tpl := range templatesOf(o) {
			if o.tool == "list_templates" && tpl.ID == id && id != "" && len(tpl.milestones) > 0 {
				return tpl, true
			}
		}
	}
	return template{}, false
}
