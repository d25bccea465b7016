package offline

import (
	"encoding/json"
	"strings"
	"time"

	"assent/internal/assent"
	"assent/internal/llm"
	"assent/internal/llm/offline/english"
)

// situation is everything that a decision rests on.
type situation struct {
	req     llm.Request
	state   state
	reader  english.Reader
	words   string        // the person's latest message
	results []outcome     // what was called since, in order
	past    []llm.Message // what came before it
	just    *entity       // what the part of the message before this one changed
	topic   *entity       // the project that the message names before its wish
}

// outcome is a call of this turn with its result.
type outcome struct {
	tool string
	args json.RawMessage
	env  assent.Envelope
}

func newSituation(req llm.Request) *situation {
	s := &situation{req: req, state: readState(req.System)}
	today, _ := english.ParseDay(s.state.Today)
	s.reader = english.Reader{Today: today, MonthFirst: strings.HasSuffix(s.state.Locale, "-US")}
	at := lastWords(req.Messages)
	if at >= 0 {
		s.words = strings.TrimSpace(strings.ReplaceAll(req.Messages[at].Content, "\x00", " ")) // no tool takes a NUL
		s.past = req.Messages[:at]
	}
	s.results = outcomes(req.Messages[at+1:])
	return s
}

// lastWords is the place of the person's latest message, -1 if there is none. A
// note of the runtime in angle brackets is none.
func lastWords(messages []llm.Message) int {
	for i := len(messages) - 1; i >= 0; i-- {
		m := messages[i]
		if m.Role == llm.RoleUser && !isNote(m.Content) {
			return i
		}
	}
	return -1
}

func isNote(s string) bool {
	s = strings.TrimSpace(s)
	return strings.HasPrefix(s, "<") && strings.HasSuffix(s, ">")
}

// outcomes pairs the calls of messages with their results.
func outcomes(messages []llm.Message) []outcome {
	calls := map[string]llm.Call{}
	var out []outcome
	for _, m := range messages {
		for _, c := range m.Calls {
			calls[c.ID] = c
		}
		if m.Role != llm.RoleTool {
			continue
		}
		c := calls[m.CallID]
		o := outcome{tool: m.Tool, args: c.Arguments, env: readEnvelope(m.Content)}
		if o.tool == "" {
			o.tool = c.Name
		}
		out = append(out, o)
	}
	return out
}

// readEnvelope reads a tool message. What is no envelope (cut by the runtime,
// say) counts as a success with its text.
func readEnvelope(content string) assent.Envelope {
	var env assent.Envelope
	if err := json.Unmarshal([]byte(content), &env); err == nil && (env.Success && len(env.Output) > 0 || env.Error != nil) {
		return env
	}
	var cut struct {
		Start string `json:"output_start"`
	}
	if json.Unmarshal([]byte(content), &cut) == nil && cut.Start != "" {
		return assent.Envelope{Success: true, Output: encode(cut)}
	}
	return assent.Envelope{Success: true, Output: encode(map[string]string{"text": content})}
}

// last is the newest outcome of this turn.
func (s *situation) last() (outcome, bool) {
	if len(s.results) == 0 {
		return outcome{}, false
	}
	return s.results[len(s.results)-1], true
}

// outcomesOf gives this turn's outcomes of a tool.
func (s *situation) outcomesOf(tools ...string) []outcome {
	var out []outcome
	for _, o := range s.results {
		for _, t := range tools {
			if o.tool == t {
				out = append(out, o)
			}
		}
	}
	return out
}

// latest is this turn's newest outcome of a tool.
func (s *situation) latest(tools ...string) (outcome, bool) {
	all := s.outcomesOf(tools...)
	if len(all) == 0 {
		return outcome{}, false
	}
	return all[len(all)-1], true
}

// tried reports whether the call was made in this turn with the same arguments.
func (s *situation) tried(c call) bool {
	want := string(encode(within(c.args)))
	for _, o := range s.results {
		if o.tool == c.tool && sameJSON(o.args, want) {
			return true
		}
	}
	return false
}

// resultOf is this turn's newest outcome of just this call.
func (s *situation) resultOf(c call) outcome {
	want := string(encode(within(c.args)))
	for i := len(s.results) - 1; i >= 0; i-- {
		if o := s.results[i]; o.tool == c.tool && sameJSON(o.args, want) {
			return o
		}
	}
	return outcome{}
}

func sameJSON(a json.RawMessage, b string) bool {
	var v any
	return json.Unmarshal(a, &v) == nil && string(encode(v)) == b
}

// today is the person's day, zero if unknown.
func (s *situation) today() time.Time { return s.reader.Today }

// offered reports whether the model may call tools at all.
func (s *situation) offered() bool { return len(s.req.Tools) > 0 }
