package plan

import (
	"context"
	"time"

	"assent/internal/assent"
	"assent/internal/plan/lang"
	"assent/internal/store"
	"assent/internal/tool"
)

// Bounds of what a preview names one by one; the counts are always whole.
const (
	itemsOfStep = 100
	itemsOfPlan = 200
)

// look is a person looking at a plan, at the time of day where they are.
func look(r store.Reads, personID string, at assent.Time) (tool.Look, error) {
	p, err := r.FindPerson(context.Background(), personID)
	return tool.Look{By: personID, Now: at.Std().In(p.Zone())}, err
}

// contents is what a tool step would create, one by one.
func (s *Service) contents(r store.Reads, l tool.Look, st assent.Step) tool.Contents {
	t, ok := s.Registry.Find(st.Tool)
	if !ok || st.Type != assent.StepTool || t.Contents == nil {
		return tool.Contents{}
	}
	return t.Contents(r, l, arguments(st))
}

// marks are digests of what decides steps beside their arguments.
func (s *Service) marks(r store.Reads, l tool.Look, steps []assent.Step) map[string]string {
	out := map[string]string{}
	for _, st := range steps {
		if c := s.contents(r, l, st); c.Mark != "" {
			out[lang.ContentsDigest(st.ID)] = digest(c.Mark)
		}
		for k, v := range s.marks(r, l, st.Steps) {
			out[k] = v
		}
	}
	return out
}

// addContents names in a preview what a step creates, as far as there is room.
func addContents(p *assent.Preview, stepID string, items []assent.PreviewItem) {
	if len(items) == 0 {
		return
	}
	room := itemsOfPlan
	for _, c := range p.Contents {
		room -= len(c.Items)
	}
	shown := min(len(items), itemsOfStep, room)
	p.Contents = append(p.Contents, assent.StepContents{Step: stepID, Items: items[:shown], More: len(items) - shown})
}

// SameTools compares the digests of a version's tools, and of what else decides
// its steps, with what they are now: what was approved must be what would run.
// Days are counted from when the version was made, so that waiting changes none.
func (s *Service) SameTools(r store.Reads, personID string, v assent.Version) error {
	now := s.digests(v.Document.Steps)
	for _, place := range lang.Paths(v.Document) {
		if err := s.sameContents(r, personID, v.Digests, v.CreatedAt, place.Step); err != nil {
			return err
		}
		if name := place.Step.Tool + place.Step.Agent; name != "" && now[name] != v.Digests[name] {
			return &assent.Error{Code: assent.CodeConflict, Message: "The tool " + name + " has changed since this plan was shown, so it needs to be looked at again.",
				Details: map[string]any{"tool": name, "allowed": []string{}}}
		}
	}
	return nil
}

// sameContents is a conflict if a step would create other things than were shown.
// Versions of before contents were shown have no mark, and nothing to hold.
func (s *Service) sameContents(r store.Reads, personID string, digests map[string]string, shown assent.Time, st assent.Step) error {
	was := digests[lang.ContentsDigest(st.ID)]
	if was == "" {
		return nil
	}
	l, err := look(r, personID, shown)
	if err != nil {
		return err
	}
	if digest(s.contents(r, l, st).Mark) == was {
		return nil
	}
	return &assent.Error{Code: assent.CodeConflict, Message: "What step “" + st.Label + "” is made from has changed since this plan was shown, so it needs to be looked at again.",
		Details: map[string]any{"step": st.ID, "allowed": []string{}}}
}

// fence refuses a step whose contents are not what was approved, in the
// transaction that would create them.
func (s *Service) fence(a attempt) func(*store.Tx) error {
	return func(tx *store.Tx) error {
		return s.sameContents(tx.Reads, a.run.UserID, a.digests, a.shown, a.step)
	}
}

// shownAt is when what runs was shown, for the handler of a step.
func (b basis) shownAt() time.Time {
	if b.shown == 0 {
		return time.Time{}
	}
	return b.shown.Std()
}
