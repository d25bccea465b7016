package openai

import (
	"testing"
)

// ordinary chunks, as servers send them; parseDelta must take them.
var ordinary = map[string]string{
	"openai":     `{"id":"chatcmpl-B9","object":"chat.completion.chunk","created":1741569952,"model":"gpt-4o-2024-08-06","service_tier":"default","system_fingerprint":"fp_44709d6fcb","choices":[{"index":0,"delta":{"content":" milestones"},"logprobs":null,"finish_reason":null}],"usage":null,"obfuscation":"w0Kz"}`,
	"ollama":     `{"id":"chatcmpl-881","object":"chat.completion.chunk","created":1741569952,"model":"qwen3:8b","system_fingerprint":"fp_ollama","choices":[{"index":0,"delta":{"role":"assistant","content":" \u003cb\u003e"},"finish_reason":null}]}`,
	"vllm":       `{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1741569952,"model":"meta-llama/Llama-3.3-70B","choices":[{"index":0,"delta":{"content":"Bücher\n","tool_calls":[]},"logprobs":null,"finish_reason":null,"token_ids":null}],"prompt_token_ids":null}`,
	"thought":    `{"id":"1","choices":[{"index":0,"delta":{"content":null,"reasoning_content":"Hm, \"so\""}}]}`,
	"openrouter": `{"id":"gen-1","provider":"Google","model":"google/gemini","object":"chat.completion.chunk","created":1,"choices":[{"index":0,"delta":{"role":"assistant","content":"","reasoning":"Let","reasoning_details":[{"type":"reasoning.text","text":"Let","index":0}]},"finish_reason":null,"native_finish_reason":null,"logprobs":null}]}`,
	"azure":      `{"choices":[{"content_filter_results":{"hate":{"filtered":false,"severity":"safe"}},"delta":{"content":"x"},"finish_reason":null,"index":0,"logprobs":null}],"created":1.5e9,"id":"","model":"m","object":"chat.completion.chunk"}`,
	"escapes":    `{"choices":[{"delta":{"content":"\"\\\/\b\f\n\r\t\u00e9\u20AC"},"x":[true,false,-0.5e+3,{"y":[]},"\u12aF\n"]}]}`,
	"empty":      ` {"choices" : [ ] } `,
}

func TestDeltaTakesOrdinaryChunks(t *testing.T) {
	t.Parallel()
	want := map[string]delta{
		"openai": {text: " milestones"}, "ollama": {text: " <b>"}, "vllm": {text: "Bücher\n"},
		"thought": {thought: `Hm, "so"`, keep: true}, "openrouter": {thought: "Let"}, "azure": {text: "x"}, "escapes": {text: "\"\\/\b\f\n\r\té€"}, "empty": {},
	}
	for name, in := range ordinary {
		got, ok := parseDelta([]byte(in))
		if !ok || got != want[name] {
			t.Errorf("%s: got %+v, %t; want %+v", name, got, ok, want[name])
		}
		agree(t, []byte(in))
	}
}

// unusual chunks are left to parseChunk.
var unusual = []string{
	`{"choices":[{"delta":{},"finish_reason":"stop"}]}`,
	`{"choices":[],"usage":{"prompt_tokens":1}}`,
	`{"error":{"message":"x"},"choices":[]}`,
	`{"choices":[{"delta":{"tool_calls":[{"index":0}]}}]}`,
	`{"choices":[{"delta":{"content":"a","content":"b"}}]}`,
	`{"choices":[{"delta":{"Content":"a"}}]}`,
	`{"choices":[{"delta":{"content":"\ud83d\ude00"}}]}`,
	"{\"choices\":[{\"delta\":{\"content\":\"\xff\"}}]}",
	`{"choices":[{"delta":{"content":["a"]}}]}`,
	`{"choices":[{"delta":{"content":"a"}},{"delta":{"content":"b"}}]}`,
	`{"choices":null}`, `{"object":"error","message":"x"}`, `[DONE]`, ``, `{`, `{"choices":[]}x`,
	`{"choices":[{"delta":{"content":"a` + "\n" + `"}}]}`, `{"choices":[],}`, `{"choices":[{"index":01}]}`,
	`{"choices":[{"index":1.}]}`, `{"choices":[{"x":"\u12g4"}]}`, `{"choices":[{"x":[1,]}]}`,
	"{\"choices\":[{\"delta\":{\"\u212aontent\":\"kelvin\"}}]}",
}

func TestDeltaLeavesTheRest(t *testing.T) {
	t.Parallel()
	for _, in := range unusual {
		if got, ok := parseDelta([]byte(in)); ok {
			t.Errorf("%s: taken as %+v", in, got)
		}
	}
}

// agree fails if parseDelta takes b for something that parseChunk does not.
func agree(t *testing.T, b []byte) {
	t.Helper()
	fast, ok := parseDelta(b)
	if !ok {
		return
	}
	w, err := parseChunk(b)
	if err != nil || w.failed() || w.Usage != nil || w.empty() {
		t.Fatalf("taken as %+v, but it is %+v, %v: %q", fast, w, err, b)
	}
	var slow delta
	if len(w.Choices) > 0 {
		c := w.Choices[0]
		if c.FinishReason != nil || c.Message != nil || len(c.Delta.ToolCalls) > 0 ||
			len(c.Delta.ExtraContent) > 0 && string(c.Delta.ExtraContent) != "null" || len(w.Choices) > 1 {
			t.Fatalf("taken as %+v, but it holds more: %q", fast, b)
		}
		slow = c.Delta.simple()
	}
	if fast != slow {
		t.Fatalf("fast %+v, slow %+v: %q", fast, slow, b)
	}
}

// FuzzDelta proves that the quick way and encoding/json agree.
func FuzzDelta(f *testing.F) {
	for _, in := range ordinary {
		f.Add([]byte(in))
	}
	for _, in := range unusual {
		f.Add([]byte(in))
	}
	f.Fuzz(agree)
}

var sink delta

func BenchmarkParseDelta(b *testing.B) {
	in := []byte(ordinary["openai"])
	b.ReportAllocs()
	b.SetBytes(int64(len(in)))
	for b.Loop() {
		d, ok := parseDelta(in)
		if !ok {
			b.Fatal("not taken")
		}
		sink = d
	}
}

// BenchmarkParseChunk is the way of what parseDelta leaves.
func BenchmarkParseChunk(b *testing.B) {
	in := []byte(ordinary["openai"])
	b.ReportAllocs()
	b.SetBytes(int64(len(in)))
	for b.Loop() {
		w, err := parseChunk(in)
		if err != nil {
			b.Fatal(err)
		}
		sink = w.Choices[0].Delta.simple()
	}
}
