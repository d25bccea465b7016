package check

import (
	"fmt"

	"assent/internal/assent"
	"assent/internal/plan/lang"
)

// limits checks how much there is; design 03 §1.
func (r *run) limits() {
	n, size := 0, 0
	for _, p := range r.places {
		if p.Step.Type != assent.StepParallel {
			n++
		}
		size += len(p.Step.Arguments) + len(p.Step.With) + len(p.Step.Prompt) + len(p.Step.Label)
	}
	if n > r.o.Limits.MaxSteps {
		r.tell(assent.FieldError{Pointer: "/steps", Code: codeTooManySteps,
			Message: fmt.Sprintf("A plan has at most %d steps, a parallel step counting as the steps in it; this one has %d.", r.o.Limits.MaxSteps, n)})
	}
	if size > lang.MaxBytes {
		r.tell(assent.FieldError{Code: codeTooLarge, Message: fmt.Sprintf("A plan may have %d KB.", lang.MaxBytes>>10)})
	}
}

// resultKeys finds who sets which key. The merged output of a parallel step is
// keyed by them, too, and by the ids of the children that have none.
func (r *run) resultKeys() {
	merged := map[string]bool{}
	for _, p := range r.places {
		key := p.Step.ResultKey
		if key != "" {
			if first, taken := r.keys[key]; taken {
				r.tell(at(p, "/result_key", codeDuplicateResultKey, "The result_key %q is set by step %q already.", key, first.Path))
			} else {
				r.keys[key] = p
			}
		}
		if p.Parent == "" {
			continue
		}
		name := fmt.Sprint(p.Top, " ", lang.OutputKey(p.Step))
		if merged[name] && key == "" {
			r.tell(at(p, "/id", codeDuplicateResultKey, "Another step of this parallel step has %q as its result_key.", p.Step.ID))
		}
		merged[name] = true
	}
}
