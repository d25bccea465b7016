package consent

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"assent/internal/assent"
	"assent/internal/consent/rules"
	"assent/internal/consent/said"
)

// How the product's own questions begin. They are about what waits, whatever
// else a question in an answer may be.
const (
	askRun   = "Shall I run version"
	askWhich = "Which one do you mean:"
	askGoOn  = "Shall I go on with"
)

// Clarify gives what the product says to a message whose reading is unclear: at
// first one short question that names both readings, upon a second such message
// about the same thing how to answer plainly, and nothing after that: what
// waits keeps waiting, and the conversation goes on.
func (s *Service) Clarify(ctx context.Context, m assent.Message) (string, error) {
	plans, err := s.store.ListPlansBySession(ctx, m.SessionID)
	if err != nil {
		return "", err
	}
	sit, empty, err := s.situation(ctx, m.SessionID, plans, m.SeenSeq)
	if err != nil || empty {
		return "", err
	}
	items := slices.DeleteFunc(sit.Items, func(it rules.Item) bool { return it.Kind != rules.Waiting && it.Kind != rules.WaitingHuman })
	before, err := s.unclearBefore(ctx, m, lastShown(plans))
	switch {
	case err != nil || len(items) == 0 || before > 1:
		return "", err
	case before == 1:
		return plainly(items), nil
	}
	return question(items, *m.Reading), nil
}

// unclearBefore counts the messages right before this one that were unclear as
// well, since what waits now was shown, at that seq.
func (s *Service) unclearBefore(ctx context.Context, m assent.Message, shown int64) (int, error) {
	messages, err := s.store.ListMessages(ctx, m.SessionID)
	if err != nil {
		return 0, err
	}
	n := 0
	for _, o := range slices.Backward(messages) {
		if o.Role != assent.RoleUser || o.ID >= m.ID {
			continue
		}
		if o.Reading == nil || o.Reading.As != assent.ReadUnclear || o.SeenSeq < shown {
			break
		}
		n++
	}
	return n, nil
}

// lastShown is the seq at which the newest of what waits was shown.
func lastShown(plans []assent.Plan) (seq int64) {
	for _, p := range plans {
		for _, v := range p.Versions {
			if p.Status == assent.PlanPendingReview && v.Version == p.Version {
				seq = max(seq, v.ReadySeq)
			}
		}
	}
	return seq
}

// question names both readings of a message.
func question(items []rules.Item, r assent.Reading) string {
	if len(items) > 1 {
		return askWhich + " " + either(items) + "? Nothing runs until you say."
	}
	it := items[0]
	if it.Kind == rules.WaitingHuman {
		return askGoOn + " " + named(it) + "? If that was about something else, say what. It waits until you answer."
	}
	currency, aboutLimit := said.AsksLimit(r.Reason)
	run := fmt.Sprintf("%s %d of %s as it stands?", askRun, it.Version, named(it))
	switch {
	case !it.Seen:
		return "There is a newer version than the one you had seen, so nothing has run. " + run + " If something is to be changed, say what."
	case aboutLimit:
		return r.Reason + " Say it like “go ahead, but not over " + currency.Sign() + "2”, or “run the plan” without a limit. Nothing has run."
	case strings.HasSuffix(r.Reason, "?"):
		return run + " If you were answering my question above instead, please do so in a few more words."
	case r.Reason != "":
		return r.Reason + " " + run + " If you meant something else, say what."
	}
	return run + " If something is to be changed first, or you meant something else, say what."
}

// named is a title in quotes, without marks that would end the sentence.
func named(it rules.Item) string {
	return "“" + strings.Map(func(r rune) rune {
		if strings.ContainsRune(".!?？。\n", r) {
			return -1
		}
		return r
	}, it.Title) + "”"
}

// either lists the titles of items.
func either(items []rules.Item) string {
	names := make([]string, len(items))
	for i, it := range items {
		names[i] = named(it)
	}
	return strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1]
}

// plainly says how to answer so that it is understood.
func plainly(items []rules.Item) string {
	it := items[0]
	switch {
	case len(items) > 1:
		return fmt.Sprintf("I still cannot tell which one you mean, so nothing runs. To run one, name it: “yes, run %s”. To drop one: “discard %s”.", it.Title, it.Title)
	case it.Kind == rules.WaitingHuman:
		return "I still cannot tell, so it keeps waiting. To go on, say “go on”; to end it, say “no”; if it has been done already, say “it is done already”."
	}
	return fmt.Sprintf("I still cannot tell, so nothing runs. To run version %d, say “yes, go ahead”; to change it, say what, like “leave out step %d”; to drop it, say “discard this plan”. It waits as long as you like.",
		it.Version, max(1, len(it.Steps)))
}
