package main

import (
	"strings"
	"testing"

	"assent/internal/llm/llmtest"
)

// TestDoctorTalksToAModel holds the live check over the true wire of a provider:
// what works and what does not is said, the key never.
func TestDoctorTalksToAModel(t *testing.T) {
	t.Parallel()
	const key = "sk-never-printed-0123456789"
	add := func(a, b string) llmtest.Response {
		return llmtest.Call("calculator.add", `{"a":`+a+`,"b":`+b+`}`)
	}
	answers := []llmtest.Script{llmtest.Text("yes"), llmtest.Text("one, ", "two"), add("17", "25"), llmtest.Text("42"), add("1", "2"), add("2", "2"),
		llmtest.Text("Paris, I think.")}
	fake := llmtest.NewOpenAI(t, answers...).RequireKey(key)
	s := newShell(t)
	s.env = append(s.env, "ASSENT_LLM_PROVIDER=openai", "OPENAI_API_KEY="+key, "ASSENT_OPENAI_BASE_URL="+fake.URL, "ASSENT_OPENAI_MODEL=m1")
	out, errOut := s.run(1, "", "doctor", "--live")
	for _, want := range []string{"ok    openai/m1 answers", "ok      streams text: first text after", "ok      says what it used", "ok      calls a tool",
		"ok      reads a tool's result", "ok      calls tools side by side: one after the other", "FAIL    answers in JSON of a schema"} {
		if !strings.Contains(out, want) {
			t.Errorf("doctor does not print %q:\n%s", want, out)
		}
	}
	if !strings.Contains(errOut, "1 of 1 models") || strings.Contains(out+errOut, key) {
		t.Errorf("it prints %q and %q", out, errOut)
	}
}
