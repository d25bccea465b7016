package offline

import (
	"encoding/json"
	"fmt"
	"regexp"
	"sort"
	"strings"

	"assent/internal/llm"
	"assent/internal/llm/offline/english"
)

// agentWork answers for an agent: it looks up what its tools allow, then writes
// down what the results and the given sources say, in their own words.
func (s *situation) agentWork() answer {
	if len(s.results) == 0 && s.offered() {
		if next := s.lookUpForAgent(); len(next.calls) > 0 {
			return next
		}
	}
	text := s.report()
	if len(s.req.OutputSchema) > 0 {
		return say(string(encode(fill(s.req.OutputSchema, s.words, text, s.reader))))
	}
	return say(text)
}

// lookUpForAgent is the first look-up that answers the prompt with tools that
// the agent has.
func (s *situation) lookUpForAgent() answer {
	a := newAsk(s.words, s.reader)
	u := understand(s, a)
	switch u.want {
	case wantList, wantSearch, wantOpen, wantAudit:
		if next := s.answerWant(u, a); s.has(next) {
			return next
		}
	}
	query := strings.Join(english.Terms(english.Clip(s.words, 12)), " ")
	for _, tool := range []string{"search", "search_documents"} {
		if next := use(tool, args{"query": english.Clip(query, 8)}); s.has(next) && query != "" {
			return next
		}
	}
	return answer{}
}

// has reports whether all calls of an answer are of tools on offer.
func (s *situation) has(a answer) bool {
	if len(a.calls) == 0 {
		return false
	}
	on := map[string]bool{}
	for _, t := range s.req.Tools {
		on[t.Name] = true
	}
	for _, c := range a.calls {
		if !on[c.tool] {
			return false
		}
	}
	return true
}

// report writes Markdown out of results and sources.
func (s *situation) report() string {
	var b strings.Builder
	topic := english.Clip(strings.TrimRight(english.Squeeze(s.words), ".?! "), 14)
	fmt.Fprintf(&b, "# %s\n\n_Compiled by the built-in offline planner from what is in the workspace; no AI model was used._\n", english.Sentence(topic))
	told := false
	for _, o := range s.results {
		if text := s.tellOutcome(o); text != "" {
			b.WriteString("\n" + text + "\n")
			told = true
		}
	}
	if lines := s.relevant(topic); len(lines) > 0 {
		b.WriteString("\n## From the sources\n\n")
		for _, l := range lines {
			b.WriteString("- " + l + "\n")
		}
		told = true
	}
	if !told {
		b.WriteString("\nI found nothing in the workspace about this. With an AI model connected, an agent could write more here.\n")
	}
	return b.String()
}

// tellOutcome tells any result of a look-up.
func (s *situation) tellOutcome(o outcome) string {
	if !o.env.Success {
		return explainError(o).text
	}
	switch o.tool {
	case "search":
		return s.tellSearch(argsOf(o.args).text("query"), o).text
	case "project_health":
		var h health
		if o.artifact(&h) {
			return s.tellHealth(h, false)
		}
	}
	for kind, tool := range listTools {
		if tool == o.tool {
			return s.tellList(question{call: call{tool, args{}}, kind: kind, about: listKeys[kind]}, o)
		}
	}
	switch o.tool {
	case "blocked_tasks", "overdue_tasks":
		return s.tellList(question{call: call{o.tool, args{}}, kind: "task", about: spokenStatus(o.tool)}, o)
	case "search_documents":
		return s.tellList(question{call: call{o.tool, args{}}, kind: "document", about: "documents"}, o)
	}
	if e, ok := o.one(); ok {
		return s.detail(e)
	}
	return ""
}

var sentenceEnds = regexp.MustCompile(`[.!?]\s+|\n+`)

const maxRelevant = 8

// relevant are the sentences of the given sources that share most words with
// the topic, in their order.
func (s *situation) relevant(topic string) []string {
	want := map[string]bool{}
	for _, t := range english.Terms(topic) {
		want[t] = true
	}
	type scored struct {
		text     string
		score, n int
	}
	var all []scored
	for _, text := range s.sources() {
		for _, line := range sentenceEnds.Split(text, -1) {
			line = strings.Trim(english.Squeeze(line), "-*# >")
			n := 0
			for _, t := range english.Unique(english.Terms(line)) {
				if want[t] {
					n++
				}
			}
			if n > 0 && len(line) > 20 && len(line) < 400 && !strings.HasPrefix(line, "{") {
				all = append(all, scored{line, n, len(all)})
			}
		}
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].score > all[j].score })
	all = all[:min(len(all), maxRelevant)]
	sort.SliceStable(all, func(i, j int) bool { return all[i].n < all[j].n })
	var out []string
	for _, c := range all {
		out = append(out, c.text)
	}
	return out
}

// sources are the texts that an agent was given beside its prompt: what stands
// in tags of the system prompt, and earlier messages.
func (s *situation) sources() []string {
	var out []string
	for _, m := range sourceTag.FindAllStringSubmatch(s.req.System, -1) {
		if m[1] != "state" {
			out = append(out, m[2])
		}
	}
	for _, m := range s.past {
		if m.Role != llm.RoleTool && !isNote(m.Content) {
			out = append(out, m.Content)
		}
	}
	return out
}

var sourceTag = regexp.MustCompile(`(?s)<([a-z_-]+)[^>]*>(.*?)</[a-z_-]+>`)

// schema is the part of JSON Schema that fill reads.
type schema struct {
	Type       any                `json:"type"`
	Properties map[string]*schema `json:"properties"`
	Required   []string           `json:"required"`
	Items      *schema            `json:"items"`
	Enum       []any              `json:"enum"`
	Const      any                `json:"const"`
	Default    any                `json:"default"`
	AnyOf      []*schema          `json:"anyOf"`
	Format     string             `json:"format"`
}

// fill makes the smallest value of a schema, with what words and text say.
func fill(raw json.RawMessage, words, text string, r english.Reader) any {
	var sc schema
	if json.Unmarshal(raw, &sc) != nil {
		return map[string]any{}
	}
	f := filler{words: words, text: text, reader: r, parsed: read(words)}
	return f.value("", &sc, 0)
}

type filler struct {
	words, text string
	parsed      english.Text
	reader      english.Reader
}

const maxFillDepth = 8

func (f filler) value(name string, sc *schema, depth int) any {
	switch {
	case sc == nil || depth > maxFillDepth:
		return nil
	case sc.Const != nil:
		return sc.Const
	case len(sc.Enum) > 0:
		return f.choice(sc.Enum)
	case len(sc.AnyOf) > 0:
		return f.value(name, sc.AnyOf[0], depth+1)
	}
	switch typeOf(sc) {
	case "object":
		out := map[string]any{}
		for _, key := range sc.Required {
			out[key] = f.value(key, sc.Properties[key], depth+1)
		}
		for key, p := range sc.Properties {
			if v, ok := f.said(key, p); ok {
				out[key] = v
			}
		}
		return out
	case "array":
		return []any{}
	case "integer", "number":
		for i := range f.parsed.Tokens {
			if n, _, ok := f.parsed.Count(i); ok {
				return n
			}
		}
		return 0
	case "boolean":
		return false
	case "null":
		return nil
	}
	if v, ok := f.said(name, sc); ok {
		return v
	}
	return f.words
}

func typeOf(sc *schema) string {
	if list, ok := sc.Type.([]any); ok && len(list) > 0 {
		t, _ := list[0].(string)
		return t
	}
	t, _ := sc.Type.(string)
	if t == "" && len(sc.Properties) > 0 {
		return "object"
	}
	return t
}

// choice is the enum value that the words name, else the first.
func (f filler) choice(all []any) any {
	for _, v := range all {
		if s, ok := v.(string); ok && strings.Contains(strings.ToLower(f.words), strings.ReplaceAll(strings.ToLower(s), "_", " ")) {
			return v
		}
	}
	return all[0]
}

// said reads the value of a field from the words by what the field is called.
func (f filler) said(name string, sc *schema) (any, bool) {
	if sc == nil || typeOf(sc) != "string" || len(sc.Enum) > 0 {
		return nil, false
	}
	low := strings.ToLower(name)
	switch {
	case sc.Format == "date" || strings.Contains(low, "date") || low == "due_before":
		if d := f.reader.Dates(f.parsed); len(d) > 0 {
			return d[0].Day.Format("2006-01-02"), true
		}
		return nil, false
	case strings.Contains(low, "content") || strings.Contains(low, "body") || strings.Contains(low, "markdown") || strings.Contains(low, "summary"):
		return f.text, true
	case low == "title" || low == "name":
		for _, t := range f.parsed.Tokens {
			if t.Kind == english.Quote {
				return t.Inside, true
			}
		}
		return english.Sentence(english.Clip(strings.TrimRight(f.words, ".?! "), 10)), true
	case low == "query" || low == "topic" || low == "subject":
		return english.Clip(strings.TrimRight(f.words, ".?! "), 10), true
	case strings.HasSuffix(low, "id"):
		if id := someID.FindString(f.words); id != "" {
			return id, true
		}
	}
	return nil, false
}

var someID = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)
