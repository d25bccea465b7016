package plan

import (
	"strconv"

	"assent/internal/assent"
	"assent/internal/store"
	"assent/internal/tool"
)

func itoa(n int) string { return strconv.Itoa(n) }

// Preview tells what a document would do before it does it, from each tool's
// own preview, for the person by; what cannot be counted yet is listed as open.
func (s *Service) Preview(by assent.Person, doc assent.PlanDocument) assent.Preview {
	return s.preview(s.Store.Reads, tool.Look{By: by.ID, Now: s.Clock().In(by.Zone())}, doc)
}

func (s *Service) preview(r store.Reads, l tool.Look, doc assent.PlanDocument) assent.Preview {
	p := assent.NewPreview()
	s.previewSteps(r, l, &p, doc.Steps)
	p.Estimate = s.estimate(doc)
	return p
}

func (s *Service) previewSteps(r store.Reads, l tool.Look, p *assent.Preview, steps []assent.Step) {
	for _, st := range steps {
		s.previewSteps(r, l, p, st.Steps)
		t, ok := s.Registry.Find(st.Tool)
		if !ok || st.Type != assent.StepTool {
			continue
		}
		if t.Spec.Effect == assent.EffectExternal {
			p.External = append(p.External, t.Spec.Source)
		}
		if t.Writes() && t.Spec.Effect != assent.EffectRead {
			p.Undoable = append(p.Undoable, st.ID)
		}
		if t.Preview == nil {
			continue
		}
		one := t.Preview(l.By, arguments(st))
		add(p.Creates, one.Creates)
		add(p.Updates, one.Updates)
		add(p.Deletes, one.Deletes)
		p.External = append(p.External, one.External...)
		if len(one.Open) > 0 {
			p.Open = append(p.Open, st.ID)
		}
		addContents(p, st.ID, s.contents(r, l, st).Items)
	}
}

func add(to, from map[string]int) {
	for k, n := range from {
		to[k] += n
	}
}
