package offline_test

import (
	"context"
	"encoding/json"
	"fmt"

	"assent/internal/assent"
	"assent/internal/llm"
	"assent/internal/llm/offline"
)

// said is what became of one message.
type said struct {
	text   string
	reads  []llm.Call // carried out on the way
	writes []llm.Call // wanted in the end; never carried out
	steps  []assent.Step
}

const maxRounds = 8

// render writes a state as it stands at the end of the planner's prompt.
func render(state map[string]any) (string, error) {
	b, err := json.Marshal(state)
	return "\n\n<state>" + string(b) + "</state>", err
}

// answerTo is what the model says to words after the calls that it made for them.
func (w *world) answerTo(ctx context.Context, sc scene, words string, after []llm.Message) (string, error) {
	req, err := w.request(sc, words)
	if err != nil {
		return "", err
	}
	req.Messages = append(req.Messages, after...)
	a, err := llm.Collect(offline.New(offline.Options{}).Stream(ctx, "", req))
	return a.Text, err
}

// request is the planner's request for words in a scene.
func (w *world) request(sc scene, words string) (llm.Request, error) {
	block, err := render(sc.state())
	return llm.Request{Meta: llm.Meta{Operation: assent.OpPlannerStream, ContextType: sc.context, SessionID: "s", TurnID: "t", UserID: ada.ID},
		System: "You plan." + block, Tools: w.offer, Messages: append(append([]llm.Message{}, sc.past...), llm.Message{Role: llm.RoleUser, Content: words})}, err
}

// tell says words to the model in a scene, and lets it read until it answers or
// wants to write. Every call is checked against its tool's schema.
func (w *world) tell(ctx context.Context, sc scene, words string) (said, error) {
	req, err := w.request(sc, words)
	if err != nil {
		return said{}, err
	}
	var out said
	for range maxRounds {
		a, err := llm.Collect(offline.New(offline.Options{}).Stream(ctx, "", req))
		if err != nil {
			return out, err
		}
		if out.text += a.Text; len(a.Calls) == 0 {
			return out, nil
		}
		req.Messages = append(req.Messages, a.Message())
		for _, c := range a.Calls {
			m, err := w.take(ctx, c, &out)
			if err != nil {
				return out, err
			}
			req.Messages = append(req.Messages, m)
		}
		if len(out.writes) > 0 {
			return out, w.plan(ctx, sc, words, &out)
		}
	}
	return out, fmt.Errorf("no end after %d rounds: %v", maxRounds, out.reads)
}

// take carries out a read, and notes a write.
func (w *world) take(ctx context.Context, c llm.Call, out *said) (llm.Message, error) {
	contract, ok := w.schemas[c.Name]
	if !ok {
		return llm.Message{}, fmt.Errorf("there is no tool %s", c.Name)
	}
	if v := w.check.Validate(contract, c.Arguments); len(v) > 0 {
		return llm.Message{}, fmt.Errorf("%s %s: %v", c.Name, c.Arguments, v)
	}
	if w.effects[c.Name] != assent.EffectRead {
		out.writes = append(out.writes, c)
		return llm.Message{}, nil
	}
	out.reads = append(out.reads, c)
	return w.read(ctx, c)
}

// plan fills in the steps of a plan that is wanted: those of the call, or those
// that the model works out when it is asked to change the waiting plan.
func (w *world) plan(ctx context.Context, sc scene, words string, out *said) error {
	c := out.writes[0]
	var a struct {
		Steps        []assent.Step `json:"steps"`
		Instructions string        `json:"instructions"`
	}
	if err := json.Unmarshal(c.Arguments, &a); err != nil {
		return err
	}
	switch c.Name {
	case "agent_create_plan":
		out.steps = a.Steps
		return w.lint(a.Steps)
	case "agent_revise_plan":
		steps, text, err := w.revise(ctx, sc, a.Instructions)
		out.steps, out.text = steps, out.text+text
		return err
	}
	return nil
}

// revise asks for the waiting plan, changed, as the planner does.
func (w *world) revise(ctx context.Context, sc scene, instructions string) ([]assent.Step, string, error) {
	state := sc.state()
	state["planning"] = map[string]any{"task": "revise", "instructions": instructions,
		"plan": map[string]any{"objective": sc.plan.Objective, "steps": sc.plan.Steps}}
	block, err := render(state)
	if err != nil {
		return nil, "", err
	}
	req := llm.Request{Meta: llm.Meta{Operation: assent.OpPlanGeneration, ContextType: sc.context, SessionID: "s", TurnID: "t", UserID: ada.ID},
		System: "You plan." + block, ToolChoice: "__planning__", Tools: []llm.Tool{{Name: "__planning__", Schema: json.RawMessage(`{"type":"object"}`)}},
		Messages: append(append([]llm.Message{}, sc.past...), llm.Message{Role: llm.RoleUser, Content: instructions})}
	a, err := llm.Collect(offline.New(offline.Options{}).Stream(ctx, "", req))
	if err != nil {
		return nil, "", err
	}
	if len(a.Calls) != 1 || a.Calls[0].Name != "__planning__" {
		return nil, "", fmt.Errorf("the plan was not changed: %q %v", a.Text, a.Calls)
	}
	var p struct {
		Type    string        `json:"type"`
		Content string        `json:"content"`
		Steps   []assent.Step `json:"steps"`
	}
	if err := json.Unmarshal(a.Calls[0].Arguments, &p); err != nil {
		return nil, "", err
	}
	if p.Type == "direct_response" {
		return sc.plan.Steps, p.Content, nil
	}
	return p.Steps, "", w.lint(p.Steps)
}

// lint checks the tools and arguments of steps; references are strings, and so
// is everything that they stand for here.
func (w *world) lint(steps []assent.Step) error {
	for _, st := range steps {
		if w.schemas[st.Tool] == nil {
			return fmt.Errorf("step %s: there is no tool %q", st.ID, st.Tool)
		}
		if v := w.check.Validate(w.schemas[st.Tool], st.Arguments); len(v) > 0 {
			return fmt.Errorf("step %s: %s %.300s: %v", st.ID, st.Tool, st.Arguments, v)
		}
	}
	return nil
}
