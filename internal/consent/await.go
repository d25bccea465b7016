package consent

import (
	"context"

	"assent/internal/assent"
)

// AwaitChanges keeps an approval from counting while an earlier message of the
// same person, sent when they had seen that version, is still being worked on:
// it may change what waits, so they may have spoken of the plan as it will be.
// open is what the unfinished turns of the session answer.
func (s *Service) AwaitChanges(ctx context.Context, r *assent.Reading, open []assent.Message) error {
	if !r.Counts || len(open) == 0 || r.As != assent.ReadApprove && r.As != assent.ReadApproveWithChanges {
		return nil
	}
	v, err := s.store.FindPlanVersion(ctx, r.PlanID, r.Version)
	if err != nil {
		return err
	}
	for _, m := range open {
		if m.ID == "" || m.SeenSeq < v.ReadySeq || changesNothing(m.Reading) {
			continue
		}
		*r = assent.Reading{As: assent.ReadUnclear, PlanID: r.PlanID, Version: r.Version, Words: r.Words, By: r.By,
			Reason: "What you said before was still being worked on, so I was not sure which version you meant."}
		return nil
	}
	return nil
}

// changesNothing reports a message that leaves a plan that waits as it is.
func changesNothing(r *assent.Reading) bool {
	return r != nil && (r.As == assent.ReadQuestion || r.As == assent.ReadControl || r.As == assent.ReadApprove && r.Counts)
}
