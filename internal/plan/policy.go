package plan

import "assent/internal/assent"

// Policy is what admins say about a tool or agent.
func (s *Service) Policy(name string) assent.ToolPolicy { return s.Registry.Policy(name) }

// NeedsWord reports whether steps never run without a person's word: one of
// them is destructive or external by its own definition, or admins want to be
// asked for it.
func (s *Service) NeedsWord(steps []assent.Step) bool {
	for _, st := range steps {
		if s.StepNeedsWord(st) || s.NeedsWord(st.Steps) {
			return true
		}
	}
	return false
}

// StepNeedsWord is NeedsWord for one step, without its children.
func (s *Service) StepNeedsWord(st assent.Step) bool {
	switch st.Type {
	case assent.StepTool:
		t, ok := s.Registry.Find(st.Tool)
		return st.Effect.NeedsWord() || ok && (t.Spec.Effect.NeedsWord() || s.Policy(t.Spec.Name) == assent.PolicyAsk)
	case assent.StepAgent:
		if s.Agents != nil {
			if info, _, ok := s.Agents.Find(st.Agent); ok && info.Effect.NeedsWord() {
				return true
			}
		}
		return st.Effect.NeedsWord() || s.Policy(st.Agent) == assent.PolicyAsk
	}
	return false
}

// OnlyReads reports whether steps change nothing anywhere.
func (s *Service) OnlyReads(steps []assent.Step) bool {
	for _, st := range steps {
		if t, ok := s.Registry.Find(st.Tool); st.Type == assent.StepAgent || st.Type == assent.StepTool && (!ok || t.Spec.Effect != assent.EffectRead) || !s.OnlyReads(st.Steps) {
			return false
		}
	}
	return true
}

// Creates gives the kind of the one thing that a step creates, if it is a
// built-in write that does nothing else; by is who looks.
func (s *Service) Creates(by string, st assent.Step) (kind string, ok bool) {
	t, found := s.Registry.Find(st.Tool)
	if !found || st.Type != assent.StepTool || t.Spec.Effect != assent.EffectWrite || t.Spec.Source != "builtin" || t.Preview == nil {
		return "", false
	}
	p := t.Preview(by, arguments(st))
	if len(p.Updates)+len(p.Deletes)+len(p.External)+len(p.Open) > 0 || len(p.Creates) != 1 {
		return "", false
	}
	for k, n := range p.Creates {
		kind, ok = k, n == 1
	}
	return kind, ok
}

// Permitted is a conflict if admins have switched off what a step uses since it
// was checked.
func (s *Service) Permitted(steps []assent.Step) error {
	for _, st := range steps {
		if name := st.Tool + st.Agent; name != "" && s.Policy(name) == assent.PolicyDeny {
			return &assent.Error{Code: assent.CodeConflict, Message: name + " has been switched off by the admins, so this plan cannot run as it is.", Details: map[string]any{"allowed": []string{}}}
		}
		if err := s.Permitted(st.Steps); err != nil {
			return err
		}
	}
	return nil
}
