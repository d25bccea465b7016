package llm_test

import (
	"strings"
	"testing"

	"assent/internal/llm"
	"assent/internal/llm/llmtest"
)

// TestLiveChecks holds the conversation with models that can and cannot.
func TestLiveChecks(t *testing.T) {
	t.Parallel()
	const planted = "sk-planted-secret"
	add := func(args ...string) llmtest.Response {
		r := llmtest.Call("calculator.add", args[0])
		for _, a := range args[1:] {
			r = r.Call("calculator.add", a)
		}
		return r
	}
	used := llm.Tokens{In: 12, Out: 34}
	able := []llmtest.Script{llmtest.Text("one, ", "two").Usage(used), add(`{"a":17,"b":25}`), llmtest.Text("It is 42."), add(`{"a":1,"b":2}`, `{"a":3,"b":4}`),
		add(`{"a":2,"b":2}`), llmtest.JSON(map[string]string{"city": "Paris"})}
	for name, c := range map[string]struct {
		scripts []llmtest.Script
		bad     string // parts that do not work
		note    string
	}{
		"everything": {able, "", "12 tokens in, 34 out"},
		"one by one": {swap(able, 3, add(`{"a":1,"b":2}`)), "", "one after the other"},
		"nothing":    {[]llmtest.Script{llmtest.Fail(401, planted)}, "streams text", "key"},
		"no tokens":  {swap(able, 0, llmtest.Text("one").Usage(llm.Tokens{})), "says what it used", "costs cannot be known"},
		"no tools": {[]llmtest.Script{able[0], llmtest.Text("42"), llmtest.Text("3 and 7"), llmtest.Text("4"), able[5]},
			"calls a tool, reads a tool's result, calls tools side by side, calls the tool it is told to", "without calling"},
		"other numbers":   {swap(able, 4, add(`{"a":9,"b":9}`)), "calls the tool it is told to", "other numbers"},
		"prose, no JSON":  {swap(able, 5, llmtest.Text("Paris, of course")), "answers in JSON of a schema", "no JSON"},
		"fails in a part": {swap(able, 3, llmtest.Fail(500, planted)), "calls tools side by side", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var bad, notes []string
			ok := llm.Live(t.Context(), llmtest.NewModel(t, c.scripts...), "m", func(f llm.Finding) {
				if notes = append(notes, f.Note); !f.OK {
					bad = append(bad, f.Part)
				}
			})
			all := strings.Join(notes, "\n")
			if ok != (c.bad == "") || strings.Join(bad, ", ") != c.bad || !strings.Contains(all, c.note) || strings.Contains(all, planted) {
				t.Errorf("ok %v, bad %q, notes:\n%s", ok, bad, all)
			}
		})
	}
}

// swap gives scripts with another one at a place.
func swap(scripts []llmtest.Script, at int, s llmtest.Script) []llmtest.Script {
	out := append([]llmtest.Script(nil), scripts...)
	out[at] = s
	return out
}
