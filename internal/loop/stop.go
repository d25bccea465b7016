package loop

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

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

// askWhole is ask, and asks once more where that can help and nobody has seen or
// done anything yet: with shorter results where the model had no room for them,
// and, with a warning, where the stream broke in the midst of calls.
func (r *run) askWhole(ctx context.Context, last bool) (answer, error) {
	a, err := r.ask(ctx, last)
	if err == nil || a.Content != "" || ctx.Err() != nil {
		return a, err
	}
	switch class := llm.ClassOf(err); {
	case class == llm.ClassContextLength && !r.fitted && len(a.Calls) == 0:
		r.fitted = true
		shorter, cut := fitted(r.messages)
		if !cut {
			return a, err
		}
		r.messages = shorter
	case class == llm.ClassNetwork && !r.cut && len(a.Calls) > 0:
		r.cut = true
		if r.warnOfCut(ctx) != nil {
			return a, err
		}
	default:
		return a, err
	}
	return r.ask(ctx, last)
}

func (r *run) warnOfCut(ctx context.Context) error {
	s := r.job.Scope
	return r.writer.Write(ctx, func(tx *store.Tx) error {
		_, err := tx.Append(s.SessionID, s.TurnID, assent.Warning{Code: string(llm.ClassNetwork), Message: "The connection to the model broke while it called tools. Nothing was run; it is asked once more.", Retryable: true})
		return err
	})
}

// maxFitted bounds each result where the model has no room for the whole ones.
const maxFitted = 2_000

// fitted cuts long results, each with a note; no call is cut from its result.
func fitted(messages []llm.Message) (out []llm.Message, cut bool) {
	out = append([]llm.Message(nil), messages...)
	for i, m := range out {
		if m.Role == llm.RoleTool && len(m.Content) > maxFitted {
			out[i].Content, cut = Shorter(m.Content, maxFitted), true
		}
	}
	return out, cut
}

// Shorter is the beginning of a result, with a note that it was cut.
func Shorter(result string, most int) string {
	if len(result) <= most {
		return result
	}
	return fmt.Sprintf("%s […] (cut: the whole result had %d bytes; ask for less)", strings.ToValidUTF8(result[:most], ""), len(result))
}
