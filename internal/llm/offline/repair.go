package offline

import (
	"strings"

	"assent/internal/assent"
)

// repair changes steps so that the violations go away: unknown or wrong optional
// arguments are dropped. ok is false if it found nothing to change, so that the
// caller explains instead of repeating itself.
func repair(steps []assent.Step, violations []violation) (fixed []assent.Step, ok bool) {
	fixed = append([]assent.Step{}, steps...)
	for _, v := range violations {
		for i := range fixed {
			if fixed[i].ID != v.Step {
				continue
			}
			name := v.Argument
			if name == "" {
				name = lastPart(v.Pointer)
			}
			name, _, _ = strings.Cut(name, ".")
			if a := argsOf(fixed[i].Arguments); v.Code != "missing_argument" && !essential[name] && a[name] != nil {
				delete(a, name)
				fixed[i].Arguments = encode(a)
				ok = true
			}
		}
	}
	return fixed, ok
}

// essential are arguments without which a step means nothing.
var essential = map[string]bool{"name": true, "title": true, "project_id": true, "task_id": true, "milestone_id": true, "document_id": true,
	"risk_id": true, "decision_id": true, "goal_id": true, "milestones": true, "tasks": true, "from_id": true, "to_id": true}

func lastPart(pointer string) string {
	return pointer[strings.LastIndex(pointer, "/")+1:]
}
