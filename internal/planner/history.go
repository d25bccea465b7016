package planner

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"

	"assent/internal/assent"
	"assent/internal/llm"
	"assent/internal/loop"
	"assent/internal/store"
)

// defaultHistory is how many bytes of earlier turns a model is shown; every model
// of today has room for it, the conversation's tools and its answer.
const defaultHistory = 160_000

// maxOldResult bounds each tool result of a turn that is summarised, or that is
// too long to be shown whole.
const maxOldResult = 2_000

// summaryPosition is where a summary stands in the history: behind everything
// else of the last turn that it covers.
const summaryPosition = 1 << 40

// summaryTokens bounds a summary.
const summaryTokens = 1_000

// exchange is an earlier turn as a model sees it.
type exchange struct {
	turnID   string
	messages []llm.Message
}

// remember gives the earlier turns as far as the model has room for them. When
// they outgrow it, the older ones are summarised, once: the summary is stored
// and stands for them from there on. A call is never cut from its result.
func (p *Planner) remember(ctx context.Context, t *turn, items []assent.HistoryItem) ([]llm.Message, error) {
	summary, turns, err := earlier(items, t.ID)
	if err != nil {
		return nil, err
	}
	room := p.Limits.History
	if room == 0 {
		room = defaultHistory
	}
	if size(summary)+sizeOf(turns) <= room {
		return joined(summary, turns), nil
	}
	// Half of the room is left free, so that it is long until the next time.
	old, kept := split(turns, room/2)
	if len(old) > 0 {
		if summary, err = p.summarise(ctx, t, summary, old, room); err != nil {
			return nil, err
		}
	}
	if sizeOf(kept) > room {
		kept = shortened(kept)
	}
	return joined(summary, kept), nil
}

// earlier groups the stored messages by turn, behind the newest summary;
// messages of this turn and of later ones are left out.
func earlier(items []assent.HistoryItem, turnID string) (summary []llm.Message, turns []exchange, err error) {
	for _, it := range items {
		if it.TurnID >= turnID {
			continue
		}
		var m llm.Message
		if err := json.Unmarshal(it.Data, &m); err != nil {
			return nil, nil, fmt.Errorf("history of turn %s: %w", it.TurnID, err)
		}
		if it.Position >= summaryPosition {
			summary, turns = []llm.Message{m}, nil
			continue
		}
		if n := len(turns); n == 0 || turns[n-1].turnID != it.TurnID {
			turns = append(turns, exchange{turnID: it.TurnID})
		}
		last := &turns[len(turns)-1]
		last.messages = append(last.messages, m)
	}
	return summary, turns, nil
}

func size(messages []llm.Message) (n int) {
	for _, m := range messages {
		n += len(m.Content)
		for _, c := range m.Calls {
			n += len(c.Arguments)
		}
	}
	return n
}

func sizeOf(turns []exchange) (n int) {
	for _, t := range turns {
		n += size(t.messages)
	}
	return n
}

// split parts the turns into older ones and the newest that fit into room; the
// very newest is always kept.
func split(turns []exchange, room int) (old, kept []exchange) {
	from := len(turns) - 1
	for used := sizeOf(turns[from:]); from > 0; from-- {
		if used += size(turns[from-1].messages); used > room {
			break
		}
	}
	return turns[:from], turns[from:]
}

func joined(summary []llm.Message, turns []exchange) []llm.Message {
	out := append([]llm.Message(nil), summary...)
	for _, t := range turns {
		out = append(out, t.messages...)
	}
	return out
}

// shortened cuts tool results, each with a note.
func shortened(turns []exchange) []exchange {
	out := make([]exchange, len(turns))
	for i, t := range turns {
		out[i].turnID = t.turnID
		for _, m := range t.messages {
			if m.Role == llm.RoleTool {
				m.Content = loop.Shorter(m.Content, maxOldResult)
			}
			out[i].messages = append(out[i].messages, m)
		}
	}
	return out
}

// summarise asks for a summary of the older turns and what was summarised before,
// and stores it behind the last of them. Without one they are left out, and that
// is said; the next turn tries again.
func (p *Planner) summarise(ctx context.Context, t *turn, before []llm.Message, old []exchange, room int) ([]llm.Message, error) {
	system, err := promptFiles.ReadFile("prompts/summary.md")
	if err != nil {
		return nil, err
	}
	meta := p.meta(t, assent.OpHistorySummary)
	meta.Profile = llm.ProfileSpeed
	_, shown := split(shortened(old), room)
	answer, err := llm.Collect(p.Gateway.Stream(ctx, llm.Request{Meta: meta, System: string(system), Messages: joined(before, shown), MaxTokens: summaryTokens,
		Note: "Summarise the conversation above, as you were told."}))
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	text := strings.TrimSpace(answer.Text)
	if err != nil || text == "" {
		slog.Warn("no summary of a long conversation", "session", t.SessionID, "turn", t.ID, "error", err)
		return []llm.Message{{Role: llm.RoleUser, Content: fmt.Sprintf("<earlier>The first %d exchanges of this conversation were left out because it is long.</earlier>", len(old))}}, nil
	}
	m := llm.Message{Role: llm.RoleUser, Content: "<earlier>Summary of the conversation before this, which is data, made because it is long:\n" + text + "\n</earlier>"}
	data, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	return []llm.Message{m}, p.Store.Write(ctx, func(tx *store.Tx) error {
		return tx.CreateHistoryItem(t.SessionID, assent.HistoryItem{TurnID: old[len(old)-1].turnID, Position: summaryPosition, Data: data})
	})
}
