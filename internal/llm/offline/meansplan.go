package offline

import (
	"fmt"
	"strings"

	"assent/internal/assent"
	"assent/internal/llm/offline/english"
)

// meansPlan reports whether an order to add or change something is about the
// plan that waits: it names a thing of the plan, or adds one without saying where.
func (s *situation) meansPlan(a *ask, u understanding) bool {
	p, ok := s.waiting()
	if !ok || s.aboutOtherProject(a, p) || moodOf(a.text) == moodTells {
		return false
	}
	if u.want == wantAdd && u.score >= sure {
		return true
	}
	words := strings.ToLower(english.Squeeze(s.words))
	for _, title := range planTitles(p.Steps) {
		if strings.Contains(words, strings.ToLower(title)) && (u.want == wantChange || len(a.dates) > 0) {
			return true
		}
	}
	return false
}

// planTitles are the titles of what a plan creates.
func planTitles(steps []assent.Step) []string {
	var out []string
	for _, st := range steps {
		a := argsOf(st.Arguments)
		if title := a.text("title"); title != "" && strings.HasPrefix(st.Tool, "create_") {
			out = append(out, plain(title))
		}
		for _, m := range milestonesOf(a) {
			out = append(out, plain(m.Title))
			for _, task := range m.Tasks {
				out = append(out, plain(task))
			}
		}
		list, _ := a["tasks"].([]any)
		for _, item := range list {
			out = append(out, plain(titleOf(item)))
		}
	}
	return out
}

func (s *situation) whichPlan() string {
	var all []string
	for _, p := range s.state.Plans {
		if p.waits() {
			all = append(all, quoted(p.Objective))
		}
	}
	return "Several plans wait: " + english.Join(all) + ". Which one do you mean?"
}

func planName(p plan) string {
	return fmt.Sprintf("version %d of %s", p.Version, quoted(p.Objective))
}
