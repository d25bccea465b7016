package llmtest

import (
	"encoding/json"
	"fmt"
	"strings"

	"assent/internal/llm"
)

type object = map[string]any

// answer implements wire.
func (openAIWire) answer(w *writer, r Request, resp Response) {
	a := &openAIAnswer{w: w, r: r, resp: resp, d: *resp.dialect}
	if a.d.Whole {
		a.whole()
		return
	}
	a.stream()
}

// openAIAnswer writes one answer.
type openAIAnswer struct {
	w     *writer
	r     Request
	resp  Response
	d     Dialect
	calls int
}

func (a *openAIAnswer) stream() {
	a.w.eol = "\n"
	if a.d.CRLF {
		a.w.eol = "\r\n"
	}
	if a.w.w.Header().Get("Content-Type") == "" {
		a.w.w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	}
	if a.d.Comments {
		a.w.raw(": PROCESSING" + a.w.eol + a.w.eol)
	}
	a.delta(object{"role": "assistant", "content": ""}, nil)
	for _, act := range a.resp.acts {
		if !a.perform(act) {
			return
		}
	}
	a.end()
}

// perform does one act; false ends the answer without its finish.
func (a *openAIAnswer) perform(x act) bool {
	switch x.kind {
	case actText:
		d := object{"content": x.text}
		if x.sig != "" {
			d["extra_content"] = signature(x.sig)
		}
		a.delta(d, nil)
	case actThought:
		a.delta(object{a.reasoning(): x.text, "content": nil}, nil)
	case actCall:
		a.call(x)
	case actBlocked:
		a.resp.finish = "content_filter"
	default:
		return a.w.pass(x)
	}
	return true
}

func (a *openAIAnswer) reasoning() string {
	if a.d.Reasoning != "" {
		return a.d.Reasoning
	}
	return "reasoning_content"
}

func signature(sig string) object {
	return object{"google": object{"thought_signature": sig}}
}

// call writes a call, in fragments unless the dialect knows none.
func (a *openAIAnswer) call(x act) {
	first := a.wireCall(x)
	args := string(x.call.Arguments)
	if a.d.WholeCalls {
		a.delta(object{"tool_calls": []object{first}}, nil)
		return
	}
	fn := first["function"].(object)
	fn["arguments"] = ""
	a.delta(object{"tool_calls": []object{first}}, nil)
	for len(args) > 0 {
		n := min(7, len(args))
		a.delta(object{"tool_calls": []object{{"index": first["index"], "function": object{"arguments": args[:n]}}}}, nil)
		args = args[n:]
	}
}

// wireCall is a whole call.
func (a *openAIAnswer) wireCall(x act) object {
	fn := object{"name": x.call.Name, "arguments": string(x.call.Arguments)}
	if a.d.RawArguments {
		fn["arguments"] = x.call.Arguments
	}
	c := object{"index": a.calls, "type": "function", "function": fn}
	switch {
	case a.d.IndexZero:
		c["index"] = 0
	case a.d.NoIndex:
		delete(c, "index")
	}
	if !a.d.NoID {
		c["id"] = callID(x, a.r.N, a.calls)
	}
	if x.sig != "" {
		c["extra_content"] = signature(x.sig)
	}
	a.calls++
	return c
}

func callID(x act, request, n int) string {
	if x.call.ID != "" {
		return x.call.ID
	}
	return fmt.Sprintf("call_%d_%d", request, n)
}

// delta writes one chunk; finish is a reason or nil.
func (a *openAIAnswer) delta(d object, finish any) {
	a.w.event(a.chunk([]object{{"index": 0, "delta": d, "logprobs": nil, "finish_reason": finish}}, nil))
	if a.d.Comments {
		a.w.raw(": PROCESSING" + a.w.eol + a.w.eol)
	}
}

func (a *openAIAnswer) chunk(choices []object, usage any) object {
	return object{"id": fmt.Sprintf("chatcmpl-%d", a.r.N), "object": "chat.completion.chunk", "created": 1795219200,
		"model": a.r.Model, "system_fingerprint": "fp_fake", "choices": choices, "usage": usage}
}

func (a *openAIAnswer) finish() string {
	switch {
	case a.resp.finish != "":
		return a.resp.finish
	case a.resp.calls() && !a.d.StopForCalls:
		return "tool_calls"
	}
	return "stop"
}

// end writes finish reason, usage and [DONE].
func (a *openAIAnswer) end() {
	if !a.d.NoFinish || a.resp.finish != "" {
		a.delta(object{}, a.finish())
	}
	if strings.Contains(string(a.r.Body), `"include_usage":true`) && !a.d.NoUsage {
		a.w.event(a.chunk([]object{}, openAIUsage(a.resp.tokens())))
	}
	if !a.d.NoDone {
		a.w.raw("data: [DONE]" + a.w.eol + a.w.eol)
	}
}

func openAIUsage(t llm.Tokens) object {
	return object{"prompt_tokens": t.In, "completion_tokens": t.Out, "total_tokens": t.In + t.Out,
		"prompt_tokens_details":     object{"cached_tokens": t.Cached},
		"completion_tokens_details": object{"reasoning_tokens": t.Reasoning}}
}

// whole writes the answer as one JSON body.
func (a *openAIAnswer) whole() {
	var text, thought strings.Builder
	var calls []object
	for _, x := range a.resp.acts {
		switch x.kind {
		case actText:
			text.WriteString(x.text)
		case actThought:
			thought.WriteString(x.text)
		case actCall:
			calls = append(calls, a.wireCall(x))
		default:
			if !a.w.pass(x) {
				return
			}
		}
	}
	message := object{"role": "assistant", "content": text.String(), a.reasoning(): thought.String(), "tool_calls": calls}
	b, _ := json.Marshal(object{"object": "chat.completion", "model": a.r.Model, // plain values
		"choices": []object{{"index": 0, "message": message, "finish_reason": a.finish()}},
		"usage":   openAIUsage(a.resp.tokens())})
	a.w.w.Header().Set("Content-Type", "application/json")
	a.w.raw(string(b))
}
