package planner_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"assent/internal/assent"
	"assent/internal/llm"
	"assent/internal/llm/llmtest"
)

// transcript is one file of testdata: a heading in words, then sections.
//
// The section "script" has one thing that happens on each line:
//
//	set mode=draft_only            something about the world, before it begins
//	> words                        Ada says this, and waits until all is done
//	>> words                       she says this and does not wait
//	>[mode=draft_only seen=9] …    with a mode, an older page, a key, scopes
//	! stop | settle | sleep 2s | kill | restart   what else happens
//	! take-back returned           she takes her last words back, with this outcome
//	< say text | more              what the model answers, each piece a chunk
//	< call tool {"a":"b"}          a call; $plan1 is the first plan's id
//	+ call tool {}                 more of the same answer
//	< fail 500, < blocked          an answer that fails
//	+ cut, + hang, + delay 2s      how an answer goes on
//	+ uses 9000                    how many tokens it had
//
// The model's answers are given in order, whoever asks.
type transcript struct {
	path, comment string
	sections      map[string]string
}

// shown are the sections that a run of the script is compared with.
func shown() []string { return []string{"events", "asked", "rows"} }

// readTranscript reads the txtar form: a comment, then files headed "-- name --".
func readTranscript(t *testing.T, path string) transcript {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	tr := transcript{path: path, sections: map[string]string{}}
	name := ""
	for line := range strings.Lines(string(data)) {
		if rest, ok := strings.CutPrefix(line, "-- "); ok && strings.HasSuffix(strings.TrimSpace(rest), " --") {
			name = strings.TrimSuffix(strings.TrimSpace(rest), " --")
		} else if name == "" {
			tr.comment += line
		} else {
			tr.sections[name] += line
		}
	}
	return tr
}

// update writes the file with what happened.
func (tr transcript) update(t *testing.T, got map[string]string) {
	t.Helper()
	var b strings.Builder
	b.WriteString(tr.comment + "-- script --\n" + tr.sections["script"])
	for _, name := range shown() {
		b.WriteString("-- " + name + " --\n" + got[name])
	}
	if err := os.WriteFile(tr.path, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// script is a transcript's script, taken apart.
type script struct {
	options options
	acts    []string   // what people do, in order
	answers [][]string // what the model answers, line by line
}

func (tr transcript) script(t *testing.T) script {
	t.Helper()
	var s script
	for line := range strings.Lines(tr.sections["script"]) {
		line = strings.TrimSuffix(line, "\n")
		rest := ""
		if len(line) > 2 {
			rest = line[2:]
		}
		switch {
		case strings.HasPrefix(line, "set "):
			s.set(t, line[4:])
		case strings.HasPrefix(line, "< "):
			s.answers = append(s.answers, []string{rest})
		case strings.HasPrefix(line, "+ "):
			s.answers[len(s.answers)-1] = append(s.answers[len(s.answers)-1], rest)
		case line != "" && !strings.HasPrefix(line, "#"):
			s.acts = append(s.acts, line)
		}
	}
	return s
}

func (s *script) set(t *testing.T, line string) {
	t.Helper()
	for _, pair := range strings.Fields(line) {
		key, value, _ := strings.Cut(pair, "=")
		switch key {
		case "mode":
			s.options.mode = assent.Mode(value)
		case "context":
			s.options.context = assent.ContextType(value)
		case "turn":
			d, err := time.ParseDuration(value)
			if err != nil {
				t.Fatal(err)
			}
			s.options.limits = limits()
			s.options.limits.Turn = d
		case "tokens", "iterations", "history":
			n, err := strconv.Atoi(value)
			if err != nil {
				t.Fatal(err)
			}
			s.options.limits = limits()
			switch key {
			case "tokens":
				s.options.limits.Loop.Tokens = int64(n)
			case "iterations":
				s.options.limits.Loop.Iterations = n
			case "history":
				s.options.limits.History = n
			}
		case "calls_a_day":
			s.options.budget.CallsPerDay = number(t, value)
		case "cost_a_day":
			s.options.budget.CostMicrosPerDay = number(t, value)
		case "cap":
			name, n, _ := strings.Cut(value, ":")
			limit, err := strconv.Atoi(n)
			if err != nil {
				t.Fatal(err)
			}
			s.options.caps = map[string]int{name: limit}
		default:
			t.Fatalf("nothing is called %q", key)
		}
	}
}

func number(t *testing.T, value string) *int64 {
	t.Helper()
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return &n
}

// scripts are the model's answers; placeholders are filled in when it is asked.
func (s script) scripts(t *testing.T, w func() *world) []llmtest.Script {
	var out []llmtest.Script
	for _, lines := range s.answers {
		out = append(out, llmtest.Func(func(llmtest.Request) llmtest.Response {
			var r llmtest.Response
			for _, line := range lines {
				r = respond(t, r, w().expand(t, line))
			}
			return r
		}))
	}
	return out
}

// pace is how long the model takes for each chunk, so that each is an event of
// its own.
const pace = time.Millisecond

func respond(t *testing.T, r llmtest.Response, line string) llmtest.Response {
	verb, rest, _ := strings.Cut(line, " ")
	switch verb {
	case "say":
		for _, chunk := range strings.Split(rest, "|") {
			r = r.Text(chunk).Delay(pace)
		}
		return r
	case "call":
		name, arguments, _ := strings.Cut(rest, " ")
		return r.Call(name, arguments)
	case "fail":
		status, err := strconv.Atoi(rest)
		if err != nil {
			t.Error(err)
		}
		return llmtest.Fail(status, "")
	case "blocked":
		return llmtest.Blocked()
	case "cut":
		return r.Cut()
	case "uses":
		return r.Usage(llm.Tokens{In: 10, Out: *number(t, rest)})
	case "hang":
		return r.Hang()
	case "panic":
		panic("the model's client broke")
	case "delay":
		d, err := time.ParseDuration(rest)
		if err != nil {
			t.Error(err)
		}
		return r.Delay(d)
	}
	t.Errorf("the model cannot %q", verb)
	return r
}

// expand fills in the ids of plans and of what was created.
func (w *world) expand(t testing.TB, line string) string {
	if !strings.Contains(line, "$") {
		return line
	}
	plans, err := w.ListPlansBySession(context.Background(), w.session)
	if err != nil {
		t.Error(err)
	}
	for i, p := range plans {
		line = strings.ReplaceAll(line, fmt.Sprintf("$plan%d", i+1), p.ID)
	}
	return line
}

// act does what one line says.
func (w *world) act(t *testing.T, line string) {
	t.Helper()
	switch {
	case strings.HasPrefix(line, ">>"):
		w.say(t, line[2:])
		time.Sleep(500 * time.Millisecond)
	case strings.HasPrefix(line, ">"):
		w.say(t, line[1:])
		w.settle(t)
	case line == "! settle":
		w.settle(t)
	case line == "! stop":
		w.stopTurn(t)
	case line == "! kill":
		w.kill(t)
	case line == "! restart":
		w.restart(t)
	case strings.HasPrefix(line, "! take-back "):
		if got, want := w.takeBack(t), line[len("! take-back "):]; got != want {
			t.Errorf("taken back: %s, want %s", got, want)
		}
	case strings.HasPrefix(line, "! sleep "):
		d, err := time.ParseDuration(line[len("! sleep "):])
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(d)
	default:
		t.Fatalf("nobody can %q", line)
	}
}

// say sends a message of Ada's, with what stands in brackets before it.
func (w *world) say(t *testing.T, line string) {
	t.Helper()
	req := assent.SendRequest{SessionID: w.session}
	var scopes []assent.TokenScope
	if strings.HasPrefix(line, "[") {
		opts, rest, _ := strings.Cut(line[1:], "]")
		line = rest
		for _, pair := range strings.Fields(opts) {
			key, value, _ := strings.Cut(pair, "=")
			switch key {
			case "mode":
				req.Mode = assent.Mode(value)
			case "key":
				req.IdempotencyKey = value
			case "scopes":
				for _, s := range strings.Split(value, ",") {
					scopes = append(scopes, assent.TokenScope(s))
				}
			case "seen":
				seq, err := strconv.ParseInt(value, 10, 64)
				if err != nil {
					t.Fatal(err)
				}
				req.SeenSeq = &seq
			default:
				t.Fatalf("a message has no %q", key)
			}
		}
	}
	req.Content = strings.TrimPrefix(line, " ")
	if _, err := w.planner.Send(t.Context(), w.principal(scopes...), req); err != nil {
		t.Fatal(err)
	}
}

func (w *world) stopTurn(t *testing.T) {
	t.Helper()
	turn, err := w.FindRunningTurn(t.Context(), w.session)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.planner.Stop(t.Context(), w.principal(), turn.ID); err != nil {
		t.Fatal(err)
	}
	w.settle(t)
}

// takeBack takes the reading of the last message of Ada's back, and says what
// became of it.
func (w *world) takeBack(t *testing.T) string {
	t.Helper()
	messages, err := w.ListMessages(t.Context(), w.session)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range slices.Backward(messages) {
		if m.Role != assent.RoleUser {
			continue
		}
		out, err := w.planner.TakeBack(t.Context(), w.principal(), m.ID)
		if err != nil {
			return string(assent.ErrorCode(err)) + ": " + assent.ErrorMessage(err)
		}
		return out.Outcome
	}
	return "Ada has said nothing yet"
}
