package offline

import (
	"assent/internal/assent"
)

// projectReference is how steps refer to the plan's project.
func (r *revision) projectReference() (string, bool) {
	if i := r.projectStep(); i >= 0 {
		return "$" + itoa(i) + ".output.artifact_id", true
	}
	for _, st := range r.doc.Steps {
		if id := argsOf(st.Arguments).text("project_id"); id != "" {
			return id, true
		}
	}
	if e, ok := r.s.homeProject(); ok {
		return e.ID, true
	}
	return "", false
}

func (r *revision) freshID(base string) string {
	used := map[string]bool{}
	for _, st := range r.doc.Steps {
		used[st.ID] = true
		for _, c := range st.Steps {
			used[c.ID] = true
		}
	}
	id := base
	for n := 2; used[id]; n++ {
		id = base + itoa(n)
	}
	return id
}

func (r *revision) insert(st assent.Step, at int) bool {
	var from []int
	for i := range r.doc.Steps {
		if i == at {
			from = append(from, -1)
		}
		from = append(from, i)
	}
	if at >= len(r.doc.Steps) {
		from = append(from, -1)
	}
	return r.rearranged(from, st)
}
