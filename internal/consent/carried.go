package consent

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"assent/internal/assent"
	"assent/internal/consent/carry"
	"assent/internal/consent/said"
	"assent/internal/plan/lang"
	"assent/internal/store"
)

// errSame rolls a new version back that is the same as the one before.
var errSame = errors.New("nothing changed")

// Carry stores the version that was made of an approval with changes. Where it
// differs in nothing but what the words name, the approval holds for it and its
// run starts, all in one transaction; design 03 §5 item 7. Otherwise the new
// version asks for a word of its own, and the reading, which is kept with the
// message and comes back, says why. It does not count either where nothing came
// of the changes: then the plan is as it was.
func (s *Service) Carry(ctx context.Context, m assent.Message, by assent.Person, doc assent.PlanDocument) (assent.Reading, error) {
	c := carrying{Service: s, m: m, by: by, r: *m.Reading}
	err := s.store.WriteFull(ctx, func(tx *store.Tx) error {
		err := tx.Try(func() error { return c.apply(tx, doc) })
		switch {
		case errors.Is(err, errSame):
			c.refuse("Your words changed nothing of the plan, so it waits as it is.")
		case assent.ErrorCode(err) == assent.CodeConflict, assent.ErrorCode(err) == assent.CodeStale, assent.ErrorCode(err) == assent.CodeNotFound:
			c.refuse(assent.ErrorMessage(err))
		case err != nil:
			return err
		}
		return s.keep(tx, m, c.r)
	})
	return c.r, err
}

// NotCarried keeps with a message that nothing came of its reading, and why.
func (s *Service) NotCarried(ctx context.Context, m assent.Message, reason string) (assent.Reading, error) {
	r := *m.Reading
	r.Counts, r.Reason = false, reason
	return r, s.store.Write(ctx, func(tx *store.Tx) error { return s.keep(tx, m, r) })
}

// keep stores a reading with its message and tells of it.
func (s *Service) keep(tx *store.Tx, m assent.Message, r assent.Reading) error {
	if err := tx.UpdateMessageReading(m.ID, r); err != nil {
		return err
	}
	_, err := tx.Append(m.SessionID, m.TurnID, assent.ReadingEvent{MessageID: m.ID, Reading: r})
	return err
}

// carrying is one approval with changes on its way.
type carrying struct {
	*Service
	m  assent.Message
	by assent.Person
	r  assent.Reading
}

func (c *carrying) refuse(reason string) {
	c.r.Counts, c.r.Reason, c.r.RunID = false, reason, ""
}

func (c *carrying) apply(tx *store.Tx, doc assent.PlanDocument) error {
	before, err := tx.FindPlanVersion(context.Background(), c.r.PlanID, c.r.Version)
	if err != nil {
		return err
	}
	p, after, err := c.plans.ReviseIn(tx, c.m.TurnID, c.r.PlanID, c.r.Version, doc, "planner")
	if err != nil {
		return err
	}
	if p.UserID != c.by.ID {
		return assent.NotFound("plan")
	}
	if after.Hash == before.Hash {
		return errSame
	}
	if reason := c.doubt(tx, before, after); reason != "" {
		c.refuse(reason)
		return c.plans.ReadyIn(tx, p.ID, c.m.TurnID, "")
	}
	c.r.Version = after.Version
	approved := c.r
	c.r.RunID, err = c.start(tx, starter{planID: p.ID, version: after.Version, person: c.by, turnID: c.m.TurnID,
		notBefore: assent.At(tx.Now().Std().Add(grace)),
		approval:  assent.Approval{Basis: assent.BasisCarried, MessageID: c.m.ID, Words: c.r.Words, Reading: &approved, CostLimitMicros: c.r.CostLimitMicros}})
	return err
}

// doubt says why the approval does not hold for the new version; "" if it does.
func (c *carrying) doubt(tx *store.Tx, before, after assent.Version) string {
	switch {
	case !c.m.MayApprove:
		return "The token that sent this may not approve. What waits keeps waiting."
	case before.ReadySeq == 0 || before.ReadySeq > c.m.SeenSeq:
		return "You had not seen the version that your words change, so please look at the new one first."
	}
	v := carry.Judge(carry.Question{
		Before: carry.Version{Document: before.Document, Digests: before.Digests}, After: carry.Version{Document: after.Document, Digests: after.Digests},
		Changes: c.r.Changes, Words: c.r.Words, Today: c.today(tx.Now().Std()), NeedsWord: c.plans.StepNeedsWord,
		Creates: func(st assent.Step) (string, bool) { return c.plans.Creates(c.by.ID, st) }})
	if v.Carried() {
		return ""
	}
	return explain(v, before, after)
}

func (c *carrying) today(now time.Time) said.Today {
	return said.Today{Date: now.In(c.by.Zone()), MonthFirst: strings.EqualFold(c.by.Locale, "en-US")}
}

// explain says what of a new version nobody asked for, or what of the wish is
// missing in it.
func explain(v carry.Verdict, before, after assent.Version) string {
	names := map[string]string{}
	for _, doc := range []assent.PlanDocument{before.Document, after.Document} {
		for _, p := range lang.Paths(doc) {
			names[p.Path] = "step " + p.Number
			if p.Step.Label != "" {
				names[p.Path] += " (" + p.Step.Label + ")"
			}
		}
	}
	var parts []string
	for i, d := range v.Loose {
		if i == 3 {
			parts = append(parts, "and "+strconv.Itoa(len(v.Loose)-i)+" more")
			break
		}
		parts = append(parts, difference(d, names[d.Path]))
	}
	if len(parts) > 0 {
		return "The new version differs in more than your words name: " + strings.Join(parts, "; ") + "."
	}
	if len(v.Missed) == 0 {
		return "Your words “" + v.Doubtful[0].Words + "” may mean other steps than the ones that are left out now."
	}
	if w := v.Missed[0].Words; w != "" {
		return "The new version does not do all of it: “" + w + "” is not found in it."
	}
	return "Your words do not say what to change."
}

func difference(d lang.Difference, name string) string {
	switch d.Op {
	case lang.OpAdd:
		return name + " is new"
	case lang.OpRemove:
		return name + " is gone"
	}
	if d.Field == "digest" {
		return "what runs in " + name + " has changed"
	}
	return spoken(d.Field) + " of " + name + " is changed"
}

// spoken is a field as people say it: "due date of milestone 1".
func spoken(field string) string {
	parts := strings.Split(strings.TrimPrefix(strings.TrimPrefix(field, "arguments."), "with."), ".")
	out := ""
	for i := len(parts) - 1; i >= 0; i-- {
		part := strings.ReplaceAll(parts[i], "_", " ")
		if n, err := strconv.Atoi(part); err == nil && i > 0 {
			i--
			part = strings.TrimSuffix(strings.ReplaceAll(parts[i], "_", " "), "s") + " " + strconv.Itoa(n+1)
		}
		if out != "" {
			out += " of "
		}
		out += part
	}
	return out
}
