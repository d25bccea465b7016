package plan

import (
	"context"
	"encoding/json"

	"assent/internal/assent"
	"assent/internal/llm"
	"assent/internal/plan/lang"
	"assent/internal/store"
)

// verdictSchema is what a reviewer answers in; design 03 §5 item 10.
const verdictSchema = `{"type":"object","additionalProperties":false,"required":["verdict","findings"],"properties":{
"verdict":{"type":"string","enum":["approved","rejected","needs_changes"]},
"findings":{"type":"array","items":{"type":"object","additionalProperties":false,"required":["step","severity","text"],"properties":{
"step":{"type":"string"},"severity":{"type":"string","enum":["info","warning","error"]},"text":{"type":"string"}}}}}}`

// Review asks a second model for a verdict on the plan's current version and
// stores it. An answer that is no verdict, however often it was asked for, counts
// as needs_changes, so that the person decides.
func (s *Service) Review(ctx context.Context, p assent.Plan, meta llm.Meta, state StateBlock) (assent.Review, error) {
	meta.Operation, meta.Profile, meta.PlanID = assent.OpPlanReview, llm.ProfileQuality, p.ID
	system, err := prompt("review.md", nil, state.with("review", map[string]any{"plan": map[string]any{"objective": p.Objective, "steps": p.Steps}, "preview": p.Preview}))
	if err != nil {
		return assent.Review{}, err
	}
	answer, err := s.Structured.Ask(ctx, llm.Request{Meta: meta, System: system, OutputSchema: json.RawMessage(verdictSchema),
		Messages: []llm.Message{{Role: llm.RoleUser, Content: "Review the plan in the state."}}})
	if err != nil && assent.ErrorCode(err) != assent.CodeOutputInvalid {
		return assent.Review{}, err
	}
	r := verdict(answer, p)
	r.ID, r.PlanID, r.Version, r.Reviewer = s.IDs(), p.ID, p.Version, "plan_review"
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		r.At = tx.Now()
		if err := tx.CreatePlanReview(r); err != nil {
			return err
		}
		_, err := tx.Append(p.SessionID, meta.TurnID, assent.PlanReview{PlanID: p.ID, Version: p.Version, Reviewer: r.Reviewer, Verdict: r.Verdict, Findings: r.Findings})
		return err
	})
	return r, err
}

// verdict is a reviewer's answer, checked against verdictSchema already; nil if
// none came in that form.
func verdict(answer json.RawMessage, p assent.Plan) assent.Review {
	var r assent.Review
	if answer == nil || json.Unmarshal(answer, &r) != nil {
		return assent.Review{Verdict: assent.VerdictNeedsChanges, Findings: []assent.Finding{{Severity: "warning",
			Text: "The reviewer gave no verdict in the form that was asked for, so please decide yourself."}}}
	}
	known := map[string]bool{"": true}
	for _, place := range lang.Paths(assent.PlanDocument{Steps: p.Steps}) {
		known[place.Step.ID], known[place.Path] = true, true
	}
	for i := range r.Findings {
		if !known[r.Findings[i].Step] {
			r.Findings[i].Step = ""
		}
	}
	return r
}
