package offline_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"assent/internal/assent"
	"assent/internal/consent/rules"
	"assent/internal/llm"
)

// phrasing is one line of the corpus; testdata/corpus/README.md explains the
// format.
type phrasing struct {
	file  string
	line  int
	scene string
	words string
	want  []string
}

// fewest is how many phrasings a family has at least.
var fewest = map[string]int{"create": 60, "find": 60, "add": 60, "change": 60, "health": 60, "draft": 60, "decline": 40}

func TestCorpus(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	files, err := filepath.Glob("testdata/corpus/*.txt")
	if err != nil || len(files) < len(fewest) {
		t.Fatal(files, err)
	}
	for _, file := range files {
		all := readCorpus(t, file)
		family := strings.TrimSuffix(filepath.Base(file), ".txt")
		if len(all) < fewest[family] {
			t.Errorf("%s has %d phrasings, want %d", family, len(all), fewest[family])
		}
		for _, p := range all {
			t.Run(fmt.Sprintf("%s/%d", family, p.line), func(t *testing.T) { p.check(t, w) })
		}
	}
}

func readCorpus(t testing.TB, file string) []phrasing {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []phrasing
	scene, group, complete := "general", 0, true
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		switch {
		case strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "== "):
			scene = strings.TrimPrefix(line, "== ")
		case strings.HasPrefix(line, "\t"):
			complete = true
			for i := group; i < len(out); i++ {
				out[i].want = append(out[i].want, strings.TrimSpace(line))
			}
		default:
			if complete {
				group, complete = len(out), false
			}
			out = append(out, phrasing{file: file, line: n, scene: scene, words: strings.ReplaceAll(line, `\n`, "\n")})
		}
	}
	if err := lines.Err(); err != nil || !complete {
		t.Fatalf("%s: %v, the last phrasing has no outcome: %v", file, err, !complete)
	}
	return out
}

func (p phrasing) check(t *testing.T, w *world) {
	sc, err := sceneOf(p.scene)
	if err != nil {
		t.Fatal(err)
	}
	if sc.plan != nil {
		sc.reading = reading(*sc.plan, p.words)
		sc.past = w.templatesShown(t, *sc.plan)
	}
	if before, ok := strings.CutPrefix(p.scene, "after "); ok {
		first, err := w.tell(t.Context(), sc, before)
		if err != nil {
			t.Fatalf("%q: %v", before, err)
		}
		sc.past = []llm.Message{{Role: llm.RoleUser, Content: before}, {Role: llm.RoleAssistant, Content: first.text}}
	}
	got, err := w.tell(t.Context(), sc, p.words)
	if err != nil {
		t.Fatalf("%q: %v", p.words, err)
	}
	if problem := compare(sc, got, p.want); problem != "" {
		t.Errorf("%s:%d: %q\n%s\nreads %s\nsays %q", p.file, p.line, p.words, problem, renderCalls(got.reads), got.text)
	}
}

// templatesShown are the messages with which a plan from a template was drafted.
func (w *world) templatesShown(t *testing.T, doc assent.PlanDocument) []llm.Message {
	t.Helper()
	if len(doc.Steps) < 2 || !strings.Contains(string(doc.Steps[1].Arguments), "template_id") {
		return nil
	}
	c := llm.Call{ID: "shown", Name: "list_templates", Arguments: doc.Steps[0].Arguments}
	m, err := w.read(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return []llm.Message{{Role: llm.RoleUser, Content: "set it up"}, {Role: llm.RoleAssistant, Calls: []llm.Call{c}}, m}
}

// reading is what the consent reader makes of words about a waiting plan; where
// it leaves them to a model, this one finds nothing in them.
func reading(doc assent.PlanDocument, words string) *assent.Reading {
	item := rules.Item{Kind: rules.Waiting, PlanID: waitingPlan, Version: 1, Title: doc.Objective, Seen: true}
	for i, st := range doc.Steps {
		item.Steps = append(item.Steps, rules.StepInfo{ID: st.ID, Number: fmt.Sprint(i + 1), Label: st.Label, Tool: st.Tool})
	}
	r, sure := rules.Read(words, rules.Situation{Items: []rules.Item{item}})
	r.Counts = sure
	return &r
}

// sceneOf reads the name of a scene: "general", "in project ID", "in task ID",
// "draft NAME", "after WORDS", "deleted
// project" (a conversation about one), "new" (nothing there yet), with "US" behind it for that locale.
func sceneOf(name string) (scene, error) {
	sc := scene{context: assent.ContextGeneral, locale: "en-GB"}
	if rest, us := strings.CutSuffix(name, " US"); us {
		name, sc.locale = rest, "en-US"
	}
	words := strings.Fields(name)
	switch {
	case name == "general", words[0] == "after":
	case len(words) == 2 && words[0] == "deleted": // its project is gone
		sc.context = assent.ContextType(words[1])
	case name == "new":
		sc.empty, sc.context = true, assent.ContextProjectCreate
	case len(words) == 3 && words[0] == "in":
		sc.context = assent.ContextType(words[1])
		titles := map[string]string{"office": "Office move", "web": "Website relaunch", "party": "Summer party", "t-sign": "Sign the lease", "t-form": "Fix the contact form"}
		sc.entity = map[string]any{"kind": words[1], "id": words[2], "title": titles[words[2]], "project_id": map[string]string{"t-sign": "office", "t-form": "web"}[words[2]]}
	case len(words) == 2 && words[0] == "draft":
		raw, err := os.ReadFile("testdata/corpus/draft-" + words[1] + ".json")
		if err != nil {
			return sc, err
		}
		sc.plan = &assent.PlanDocument{}
		return sc, json.Unmarshal(raw, sc.plan)
	default:
		return sc, fmt.Errorf("there is no scene %q", name)
	}
	return sc, nil
}

// compare gives what differs between what was wanted and what came out.
func compare(sc scene, got said, want []string) string {
	if len(want) > 0 && strings.HasPrefix(want[0], "revise") {
		return compareRevision(sc, got, want[1:])
	}
	calls := renderCalls(got.writes)
	if len(got.steps) > 0 {
		calls = renderSteps(got.steps)
	}
	for _, w := range want {
		var ok bool
		if calls, ok = met(sc, got, calls, w); !ok {
			return fmt.Sprintf("want %s\ngot  %s", strings.Join(want, "\n     "), strings.Join(append(renderSteps(got.steps), renderCalls(got.writes)...), "\n     "))
		}
	}
	calls = slices.DeleteFunc(calls, func(c string) bool { return strings.HasPrefix(c, "list_templates ") })
	if len(calls) > 0 {
		return "too much: " + strings.Join(calls, "\n          ")
	}
	return ""
}

// met reports whether one line of what was wanted came true, and gives the calls
// that no line has named yet.
func met(sc scene, got said, calls []string, want string) ([]string, bool) {
	verb, rest, _ := strings.Cut(want, " ")
	ok := true
	switch verb {
	case "plan":
		ok = len(got.writes) == 1 && got.writes[0].Name == "agent_create_plan" && planMode(got.writes[0].Arguments, rest)
	case "project":
		if ok = newProject(got, rest); ok {
			calls = nil
		}
	case "says":
		ok = strings.Contains(strings.ToLower(got.text), strings.ToLower(strings.Trim(rest, `"`)))
	case "asks":
		ok = len(calls) == 0 && strings.Contains(got.text, "?")
	case "declines":
		ok = len(calls) == 0 && strings.Contains(got.text, "what I can do") && strings.Contains(got.text, "Add and change")
	case "writes":
		ok = rest == "nothing" && len(calls) == 0
	case "reading":
		calls = slices.DeleteFunc(calls, func(c string) bool { // what the planner does by itself
			return strings.HasPrefix(c, "agent_execute_plan ") && rest == "approve"
		})
		ok = sc.reading != nil && sc.reading.Counts && string(sc.reading.As) == rest && len(calls) == 0
	case "read":
		ok = len(got.reads) > 0 && fits(written(got.reads[len(got.reads)-1].Name, got.reads[len(got.reads)-1].Arguments), rest) && len(calls) == 0
	default:
		at := slices.IndexFunc(calls, func(c string) bool { return fits(c, want) })
		if ok = at >= 0; ok {
			calls = slices.Delete(calls, at, at+1)
		}
	}
	return calls, ok
}

func renderCalls(calls []llm.Call) []string {
	var out []string
	for _, c := range calls {
		out = append(out, written(c.Name, c.Arguments))
	}
	return out
}

func renderSteps(steps []assent.Step) []string {
	var out []string
	for _, st := range steps {
		out = append(out, written(st.Tool, st.Arguments))
	}
	return out
}

// field is one argument as the corpus writes it.
var field = regexp.MustCompile(`([a-z_]+)=("[^"]*"|\S+)`)

// free are arguments of long or derived text that the corpus need not name.
var free = []string{"description", "body", "limit", "objective", "reasoning", "requested_outputs", "priority_entities", "steps", "instructions", "execution_mode"}

var inBrackets = regexp.MustCompile(` \([^()]*\)`)

// outline is what the model may put into a new project by itself.
var outline = []string{"milestones", "tasks", "risks", "goals"}

// fits reports whether a call is the one that the corpus names: the same tool,
// the same arguments, those that are free only where they are named.
func fits(got, want string) bool {
	gotTool, _, _ := strings.Cut(got, " ")
	wantTool, _, _ := strings.Cut(want, " ")
	if gotTool != wantTool {
		return false
	}
	has, asked := fields(got), fields(want)
	for k, v := range asked {
		if !strings.Contains(v, "(") {
			has[k] = inBrackets.ReplaceAllString(has[k], "") // only titles are named
		}
		count, isCount := strings.CutPrefix(v, "#")
		switch {
		case isCount && fmt.Sprint(len(strings.Split(has[k], "; "))) == count && has[k] != "":
		case v == "any" && has[k] != "":
		case has[k] != v:
			return false
		}
	}
	for k := range has {
		if _, named := asked[k]; !named && !slices.Contains(free, k) && !(gotTool == "create_project" && slices.Contains(outline, k)) {
			return false
		}
	}
	return true
}

func fields(line string) map[string]string {
	out := map[string]string{}
	for _, m := range field.FindAllStringSubmatch(line, -1) {
		out[m[1]] = strings.Trim(m[2], `"`)
	}
	return out
}

// written writes a call as the corpus does: the tool and its arguments by name.
func written(tool string, arguments json.RawMessage) string {
	var args map[string]any
	if json.Unmarshal(arguments, &args) != nil {
		return tool + " " + string(arguments)
	}
	out := []string{tool}
	for _, k := range slices.Sorted(keys(args)) {
		if v := strings.ReplaceAll(value(args[k]), `"`, "'"); k != "steps" && k != "body" {
			out = append(out, fmt.Sprintf("%s=%q", k, v))
		}
	}
	return strings.Join(out, " ")
}

// value writes a list with "; " between its items, and an object as its title
// with the rest in brackets.
func value(v any) string {
	switch v := v.(type) {
	case []any:
		var items []string
		for _, i := range v {
			items = append(items, value(i))
		}
		return strings.Join(items, "; ")
	case map[string]any:
		var rest []string
		for _, k := range slices.Sorted(keys(v)) {
			if k != "title" && k != "description" {
				rest = append(rest, strings.ReplaceAll(value(v[k]), "; ", ", "))
			}
		}
		if len(rest) == 0 {
			return fmt.Sprint(v["title"])
		}
		return fmt.Sprintf("%v (%s)", v["title"], strings.Join(rest, ", "))
	}
	return fmt.Sprint(v)
}

// planMode reports whether a plan is in the mode that was wanted, if one was.
func planMode(arguments json.RawMessage, want string) bool {
	var a struct {
		Mode string `json:"execution_mode"`
	}
	return json.Unmarshal(arguments, &a) == nil && (want == "" || a.Mode == want)
}

// newProject reports whether a plan creates the project that was wanted, as
// design 02 §1 has it: a template is looked for, the project created and filled,
// its context document published last.
func newProject(got said, want string) bool {
	n := len(got.steps)
	if len(got.writes) != 1 || got.writes[0].Name != "agent_create_plan" || n < 3 ||
		got.steps[0].Tool != "list_templates" || got.steps[1].Tool != "create_project" || got.steps[n-1].Tool != "publish_document" {
		return false
	}
	return fits(filled(got.steps[1:n-1]), "create_project "+want)
}

// filled writes the creation of a project together with the steps that fill it,
// of which only titles count.
func filled(steps []assent.Step) string {
	line := written(steps[0].Tool, steps[0].Arguments)
	titles := map[string][]string{}
	for _, st := range steps[1:] {
		var a map[string]any
		if json.Unmarshal(st.Arguments, &a) != nil {
			return line
		}
		kind := strings.TrimSuffix(strings.TrimPrefix(st.Tool, "create_"), "s") + "s"
		list, many := a[kind].([]any)
		if !many {
			list = []any{a}
		}
		for _, item := range list {
			if m, ok := item.(map[string]any); ok {
				titles[kind] = append(titles[kind], fmt.Sprint(m["title"]))
			}
		}
	}
	for kind, list := range titles {
		line += fmt.Sprintf(" %s=%q", kind, strings.Join(list, "; "))
	}
	return line
}
