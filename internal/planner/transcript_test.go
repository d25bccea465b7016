package planner_test

import (
	"database/sql"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"

	"assent/internal/llm"
	"assent/internal/llm/llmtest"

	sqlite "modernc.org/sqlite"
)

// TestTranscripts plays whole conversations: what a person says and a model
// answers, against every event, every request to the model and every row that
// comes of it. Run with -update to write down what happens now; read the
// difference before you commit it.
func TestTranscripts(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			tr := readTranscript(t, file)
			got := map[string]string{}
			synctest.Test(t, func(t *testing.T) { got = play(t, tr.script(t)) })
			if updating() {
				tr.update(t, got)
				return
			}
			for _, name := range shown() {
				if d := difference(tr.sections[name], got[name]); d != "" {
					t.Errorf("%s of %q differ:\n%s", name, strings.TrimSpace(tr.comment), d)
				}
			}
		})
	}
}

// diskOf is set once, before any test.
var diskOf = &disks{writers: map[string]sqlite.ExecQuerierContext{}}

// TestMain knows -update, and which connections write.
func TestMain(m *testing.M) {
	sqlite.RegisterConnectionHook(diskOf.note)
	flag.Bool("update", false, "write the transcripts as they are played now")
	os.Exit(m.Run())
}

func updating() bool { return flag.Lookup("update").Value.String() == "true" }

// play runs a script and writes down what came of it.
func play(t *testing.T, s script) map[string]string {
	t.Helper()
	var w *world
	model := llmtest.NewModel(t, s.scripts(t, func() *world { return w })...)
	s.options.model = model
	w = newWorld(t, s.options)
	for _, line := range s.acts {
		w.act(t, line)
	}
	if n := len(model.Requests()); n != len(s.answers) {
		t.Errorf("the model was asked %d times and had %d answers", n, len(s.answers))
	}
	n := names{known: map[string]string{}, count: map[string]int{}}
	out := map[string]string{"events": n.replace(w.eventLines(t)), "asked": n.replace(asked(t, model)), "rows": n.replace(w.rowLines(t))}
	return out
}

// eventLines are the events as they are stored, checked to be gapless.
func (w *world) eventLines(t *testing.T) string {
	t.Helper()
	events, err := w.Events(t.Context(), w.session, 0, 10_000)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for i, ev := range events {
		if ev.Seq != int64(i+1) {
			t.Errorf("event %d has seq %d", i+1, ev.Seq)
		}
		fmt.Fprintf(&b, "%s\n", ev.Data)
	}
	return b.String()
}

// asked tells of each request what a model must be able to rely on.
func asked(t *testing.T, m *llmtest.Model) string {
	t.Helper()
	var b strings.Builder
	for i, r := range m.Requests() {
		if err := paired(r.Messages); err != nil {
			t.Errorf("request %d: %v", i, err)
		}
		last := r.Last()
		fmt.Fprintf(&b, "%s tools=%d", r.Meta.Operation, len(r.Tools))
		if r.ToolChoice != "" {
			fmt.Fprintf(&b, " must call %s", r.ToolChoice)
		}
		fmt.Fprintf(&b, " messages=%d last %s: %s\n", len(r.Messages), last.Role, told(last))
		if r.Note != "" {
			fmt.Fprintf(&b, "\t%s\n", strings.Join(strings.Fields(r.Note), " "))
		}
	}
	return b.String()
}

// paired holds what every provider asks for: each call is followed by its
// result, and no result comes without its call.
func paired(messages []llm.Message) error {
	open := map[string]bool{}
	for i, m := range messages {
		if m.Role == llm.RoleTool {
			if !open[m.CallID] {
				return fmt.Errorf("message %d is the result of no call", i)
			}
			delete(open, m.CallID)
			continue
		}
		if len(open) > 0 {
			return fmt.Errorf("message %d follows calls that have no result", i)
		}
		for _, c := range m.Calls {
			open[c.ID] = true
		}
	}
	if len(open) > 0 {
		return fmt.Errorf("the last calls have no result")
	}
	return nil
}

// told is a message in one line; of a result, whether it went well.
func told(m llm.Message) string {
	var envelope struct {
		Success bool
		Error   struct{ Code string }
		Hint    string `json:"remediation_hint"`
	}
	if m.Role != llm.RoleTool || json.Unmarshal([]byte(m.Content), &envelope) != nil {
		return m.Content
	}
	if envelope.Success {
		return m.Tool + " worked"
	}
	return strings.TrimSpace(m.Tool + " gave " + envelope.Error.Code + ". " + envelope.Hint)
}

// rowQueries are what must be on record after a conversation.
func rowQueries() [][2]string {
	return [][2]string{
		{"message", `SELECT id, turn_id, role, content, stopped, reading FROM messages ORDER BY id`},
		{"turn", `SELECT id, kind, execution_mode, status, usage, error FROM turns ORDER BY id`},
		{"usage", `SELECT turn_id, operation_type, profile, execution_mode, provider, status, error_class, tokens_in, tokens_out, cost_micros, NULLIF(finalize_retries, 0) AS finalize_retries FROM llm_usage ORDER BY id`},
		{"error", `SELECT turn_id, code, class, component, stage, provider, message FROM errors ORDER BY id`},
		{"plan", `SELECT id, objective, status, mode, version, intent_label FROM plans ORDER BY id`},
		{"version", `SELECT plan_id, version, status, created_by FROM plan_versions ORDER BY plan_id, version`},
		{"review", `SELECT plan_id, version, verdict, findings FROM plan_reviews ORDER BY id`},
		{"approval", `SELECT id, plan_id, version, basis, message_id, words, user_id, step, cost_limit_micros FROM approvals ORDER BY id`},
		{"run", `SELECT id, plan_id, version, approval_id, status, not_before > 0 AS waits FROM runs ORDER BY id`},
		{"step", `SELECT run_id, path, tool, status, attempt, summary FROM step_runs ORDER BY run_id, position`},
		{"revision", `SELECT op, kind, title, caller, tool, turn_id, run_id, step_path FROM revisions WHERE session_id <> '' ORDER BY id`},
		{"audit", `SELECT action, turn_id, caller FROM audit ORDER BY id`},
	}
}

func (w *world) rowLines(t *testing.T) string {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+w.Path()+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var b strings.Builder
	b.WriteString(w.historyLines(t))
	for _, q := range rowQueries() {
		rows, err := db.Query(q[1])
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range lines(t, rows) {
			b.WriteString(q[0] + " " + line + "\n")
		}
		if err := rows.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

// historyLines are what later turns will show a model.
func (w *world) historyLines(t *testing.T) string {
	t.Helper()
	items, err := w.ListHistory(t.Context(), w.session)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, it := range items {
		var m llm.Message
		if err := json.Unmarshal(it.Data, &m); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "history %s %s: %s", it.TurnID, m.Role, told(m))
		for _, c := range m.Calls {
			fmt.Fprintf(&b, " calls %s %s", c.Name, c.Arguments)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// lines renders rows as JSON objects, columns in order, empty ones left out.
func lines(t *testing.T, rows *sql.Rows) []string {
	t.Helper()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for rows.Next() {
		values, into := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		var parts []string
		for i, v := range values {
			if v != nil && v != "" && v != false {
				parts = append(parts, fmt.Sprintf("%q:%s", columns[i], literal(v)))
			}
		}
		out = append(out, "{"+strings.Join(parts, ",")+"}")
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

func literal(v any) string {
	if s, ok := v.(string); ok && json.Valid([]byte(s)) && strings.HasPrefix(s, "{") {
		return s
	}
	b, _ := json.Marshal(v) // columns are numbers, text and booleans
	return string(b)
}

// names gives ids and hashes short names in the order of their appearance, so
// that a transcript does not depend on how many ids were made in between. What a
// call may cost at worst goes with the length of the prompts, so it is left out.
type names struct {
	known map[string]string
	count map[string]int
}

func (n names) replace(text string) string {
	text = regexp.MustCompile(`"worst":\d+`).ReplaceAllString(text, `"worst":0`)
	field := regexp.MustCompile(`"([a-z_]+)":"((?:call_)?id-\d{8}|[0-9a-f]{64})"|(?:call_)?id-\d{8}`)
	return field.ReplaceAllStringFunc(text, func(m string) string {
		sub := field.FindStringSubmatch(m)
		id, kind := sub[2], strings.TrimSuffix(sub[1], "_id")
		if id == "" {
			id, kind = m, "id"
		}
		if n.known[id] == "" {
			n.count[kind]++
			n.known[id] = fmt.Sprintf("%s-%d", kind, n.count[kind])
		}
		return strings.ReplaceAll(m, id, n.known[id])
	})
}

// difference shows the lines where two texts part; "" if they do not.
func difference(want, got string) string {
	if want == got {
		return ""
	}
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	i := 0
	for i < len(w) && i < len(g) && w[i] == g[i] {
		i++
	}
	show := func(lines []string) string { return strings.Join(lines[min(i, len(lines)):min(i+3, len(lines))], "\n") }
	return fmt.Sprintf("from line %d on, want\n%s\ngot\n%s", i+1, show(w), show(g))
}
