package consent

import (
	"context"
	"slices"
	"strings"

	"assent/internal/assent"
	"assent/internal/consent/rules"
)

// Which reads the answer to the product's question which of several plans is
// meant: with the words that were asked about it must be as clear as if it had
// been said at once. ok is false where nothing was asked or it is no answer.
func (s *Service) Which(ctx context.Context, sessionID, message string, sit rules.Situation) (r assent.Reading, ok bool, err error) {
	if len(sit.Items) < 2 || len(message) > 200 {
		return r, false, nil
	}
	messages, err := s.store.ListMessages(ctx, sessionID)
	if err != nil {
		return r, false, err
	}
	said, asked := lastAsked(messages)
	if !asked {
		return r, false, nil
	}
	sit.AsksElse = false // that very question is answered
	r, sure := s.Read(message+", "+said, sit)
	if !sure || !r.Counts || r.As != assent.ReadApprove && r.As != assent.ReadReject {
		return r, false, nil
	}
	r.Words = strings.TrimSpace(message)
	return r, true, nil
}

// lastAsked gives the person's last words, if the product asked about them which
// plan is meant and nothing was said since. Words under a token that may not
// approve complete nothing.
func lastAsked(messages []assent.Message) (string, bool) {
	asked := false
	for _, m := range slices.Backward(messages) {
		switch {
		case m.Role == assent.RoleAssistant && !asked && strings.HasPrefix(m.Content, askWhich):
			asked = true
		case m.Role == assent.RoleUser && asked && m.MayApprove && m.Reading != nil && m.Reading.As == assent.ReadUnclear:
			return m.Content, true
		default:
			return "", false
		}
	}
	return "", false
}
