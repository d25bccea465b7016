package llmtest

import (
	"encoding/base64"
	"fmt"

	"assent/internal/llm"
)

// answer implements wire.
func (geminiWire) answer(w *writer, r Request, resp Response) {
	a := &geminiAnswer{w: w, r: r, resp: resp}
	a.w.eol = "\r\n"
	if w.w.Header().Get("Content-Type") == "" {
		w.w.Header().Set("Content-Type", "text/event-stream")
	}
	for _, act := range resp.acts {
		if !a.perform(act) {
			return
		}
	}
	a.chunk([]object{{"text": ""}}, a.finish(), resp.tokens())
}

// geminiAnswer writes one answer.
type geminiAnswer struct {
	w     *writer
	r     Request
	resp  Response
	calls int
}

// perform does one act; false ends the answer without its finish.
func (a *geminiAnswer) perform(x act) bool {
	sofar := llm.Tokens{In: a.resp.tokens().In}
	switch x.kind {
	case actText:
		a.chunk([]object{{"text": x.text}}, "", sofar)
		if x.sig != "" { // as Gemini does: in an empty part of its own
			a.chunk([]object{{"text": "", "thoughtSignature": encoded(x.sig)}}, "", sofar)
		}
	case actThought:
		a.chunk([]object{{"text": x.text, "thought": true}}, "", sofar)
	case actCall:
		a.chunk([]object{a.call(x)}, "", sofar)
	case actBlocked:
		a.w.event(object{"promptFeedback": object{"blockReason": "SAFETY"}, "usageMetadata": geminiUsage(sofar)})
		return false
	default:
		return a.w.pass(x)
	}
	return true
}

func encoded(sig string) string { return base64.StdEncoding.EncodeToString([]byte(sig)) }

// call is a call's part. The first of an answer is always signed.
func (a *geminiAnswer) call(x act) object {
	part := object{"functionCall": object{"id": callID(x, a.r.N, a.calls), "name": x.call.Name, "args": x.call.Arguments}}
	if a.calls == 0 && x.sig == "" {
		x.sig = fmt.Sprintf("signature-%d", a.r.N)
	}
	if x.sig != "" {
		part["thoughtSignature"] = encoded(x.sig)
	}
	a.calls++
	return part
}

func (a *geminiAnswer) finish() string {
	if a.resp.finish != "" {
		return a.resp.finish
	}
	return "STOP"
}

func (a *geminiAnswer) chunk(parts []object, finish string, t llm.Tokens) {
	candidate := object{"content": object{"role": "model", "parts": parts}, "index": 0}
	if finish != "" {
		candidate["finishReason"] = finish
	}
	a.w.event(object{"candidates": []object{candidate}, "usageMetadata": geminiUsage(t),
		"modelVersion": a.r.Model, "responseId": fmt.Sprintf("response-%d", a.r.N)})
}

// geminiUsage counts thoughts beside the candidates, as Gemini does.
func geminiUsage(t llm.Tokens) object {
	return object{"promptTokenCount": t.In, "candidatesTokenCount": t.Out - t.Reasoning,
		"thoughtsTokenCount": t.Reasoning, "cachedContentTokenCount": t.Cached, "totalTokenCount": t.In + t.Out}
}
