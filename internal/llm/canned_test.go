package llm_test

import (
	"slices"
	"testing"

	"assent/internal/assent"
	"assent/internal/llm"
	"assent/internal/llm/llmtest"
)

func TestGatewayCanned(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	meta := request(llm.ProfileBalanced).Meta
	answer, err := llm.Collect(b.Canned(t.Context(), meta, "What shall I do?"))
	if err != nil || answer.Text != "What shall I do?" || answer.Finish != "stop" {
		t.Fatalf("answer = %+v, %v", answer, err)
	}
	got := b.ledger.closed[0]
	if got.Operation != assent.OpClarification || got.Provider != llm.CannedProvider || got.TokensIn+got.TokensOut != 0 ||
		got.CostMicros == nil || *got.CostMicros != 0 || got.Status != assent.CallOK || got.TurnID != "turn-1" {
		t.Errorf("row %+v", got)
	}
}

func TestGatewayCheck(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string][]llmtest.Script{"a": {ok, class(llm.ClassAuth, 0)}})
	meta := llm.Meta{UserID: "ada"}
	target := llm.Target{Provider: "a", Model: "m1"}
	if err := b.Check(t.Context(), meta, target); err != nil {
		t.Error(err)
	}
	if err := b.Check(t.Context(), meta, target); llm.ClassOf(err) != llm.ClassAuth {
		t.Errorf("err = %v", err)
	}
	if err := b.Check(t.Context(), meta, llm.Target{Provider: "x", Model: "y"}); llm.ClassOf(err) != llm.ClassInvalidRequest {
		t.Errorf("err = %v", err)
	}
	if got := rows(b.ledger); !slices.Equal(got, []string{"a/m1 ok", "a/m1 failed auth"}) ||
		b.ledger.closed[0].Operation != assent.OpProviderCheck || b.ledger.closed[0].CostMicros != nil {
		t.Errorf("rows %q, %+v", got, b.ledger.closed[0])
	}
	b.ledger.balanced(t)
}
