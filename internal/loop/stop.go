package loop

import (
	"context"
	"encoding/json"
	"fmt"

	"assent/internal/assent"
	"assent/internal/llm"
	"assent/internal/store"
)

// stop has the loop end with one last call without tools. The first reason counts.
func (r *run) stop(code assent.Code, why string) {
	if r.out.Stopped == "" {
		r.out.Stopped, r.why = code, why
	}
}

// maxBroken is how many responses in a row may hold calls that cannot be read:
// the first is told what is wrong and may be mended, the second ends the loop.
const maxBroken = 2

// budgets looks for the ends that a whole response brings: tokens, model calls,
// and calls that cannot be read though it was said what is wrong.
func (r *run) budgets(calls []*pending, results []assent.ToolResult) {
	r.called = r.called[:0:0]
	unreadable := ""
	for i, p := range calls {
		c := Called{Tool: p.Tool}
		if results[i].Err != nil {
			c.Code = results[i].Err.Code
		}
		r.called = append(r.called, c)
		if c.Code == assent.CodeUnknownTool || !isObject(p.Arguments) {
			unreadable = p.Tool
		}
	}
	if r.broken++; unreadable == "" {
		r.broken = 0
	}
	limits := r.job.Limits
	switch {
	case r.broken >= maxBroken:
		r.stop(assent.CodeInvalid, fmt.Sprintf("The model called tools in a way that cannot be read (%s), also after it was told what is wrong, so I stopped there. Try to put it differently.", unreadable))
	case limits.Tokens > 0 && r.out.tokens() >= limits.Tokens:
		r.stop(assent.CodeBudgetExceeded, fmt.Sprintf("The limit of %d tokens for one turn was reached. You can ask to go on.", limits.Tokens))
	case r.out.modelCalls() >= limits.Iterations-1:
		r.stop(assent.CodeBudgetExceeded, fmt.Sprintf("The limit of %d model calls for one turn was reached. You can ask to go on.", limits.Iterations))
	}
}

// isObject reports whether arguments can be read at all.
func isObject(raw json.RawMessage) bool {
	var o map[string]json.RawMessage
	return json.Unmarshal(raw, &o) == nil && o != nil
}

// askWhole is ask, and asks once more, with a warning, where the stream broke in
// the midst of calls: nobody has seen anything of them and none has run.
func (r *run) askWhole(ctx context.Context, last bool) (answer, error) {
	a, err := r.ask(ctx, last)
	if llm.ClassOf(err) != llm.ClassNetwork || len(a.Calls) == 0 || a.Content != "" || r.cut || ctx.Err() != nil {
		return a, err
	}
	r.cut = true
	s := r.job.Scope
	werr := r.writer.Write(ctx, func(tx *store.Tx) error {
		_, err := tx.Append(s.SessionID, s.TurnID, assent.Warning{Code: string(llm.ClassNetwork), Message: "The connection to the model broke while it called tools. Nothing was run; it is asked once more.", Retryable: true})
		return err
	})
	if werr != nil {
		return a, err
	}
	return r.ask(ctx, last)
}
