package openai

import (
	"hash/fnv"
	"strconv"
	"strings"
	"sync"

	"assent/internal/llm"
)

// part is an optional part of a request that some servers refuse.
type part string

const (
	partUsage      part = "stream_options"
	partToolChoice part = "tool_choice"
	partMaxTokens  part = "max_tokens" // without it: the other of its two names
	partStrict     part = "strict"
	partSchema     part = "response_format"
)

// optional lists the parts in the order in which a refusal is tried on them.
var optional = []struct {
	part    part
	sent    func(*outgoing) bool
	refused func(text string) bool
}{
	{partUsage, func(*outgoing) bool { return true },
		func(text string) bool {
			return strings.Contains(text, "stream_options") || strings.Contains(text, "include_usage")
		}},
	{partMaxTokens, func(o *outgoing) bool { return o.req.MaxTokens > 0 },
		func(text string) bool {
			return strings.Contains(text, "max_tokens") && strings.Contains(text, "max_completion_tokens")
		}},
	{partToolChoice, func(o *outgoing) bool { return o.req.ToolChoice != "" && len(o.req.Tools) > 0 },
		func(text string) bool {
			return strings.Contains(text, "tool_choice") || strings.Contains(text, "tool choice")
		}},
	// OpenAI's strict mode takes a subset of JSON Schema; without it the schema
	// still guides the model.
	{partStrict, hasSchema,
		func(text string) bool {
			return strings.Contains(text, "strict") || strings.Contains(text, "additionalproperties") ||
				strings.Contains(text, "'required'")
		}},
	// Servers have many words for a schema they do not take, so any refusal of
	// a request that had one is reason enough to try without.
	{partSchema, hasSchema, func(string) bool { return true }},
}

func hasSchema(o *outgoing) bool { return len(o.req.OutputSchema) > 0 }

// downgrade leaves out the part that e refuses; false if it refuses none. Each
// part is left out once, so a request is sent at most six times.
func (o *outgoing) downgrade(e *llm.Error) bool {
	if e.Class != llm.ClassInvalidRequest || (e.Status != 400 && e.Status != 422 && e.Status != 501) {
		return false
	}
	text := strings.ToLower(e.Detail)
	for _, opt := range optional {
		if !o.without[opt.part] && opt.sent(o) && opt.refused(text) {
			if o.without == nil {
				o.without = map[part]bool{}
			}
			o.without[opt.part] = true
			return true
		}
	}
	return false
}

// memory keeps what a server refused and then took without, by model, and for
// response schemas by schema too, because it may take another. Safe for
// concurrent use; the zero value is empty.
type memory struct{ refused sync.Map }

// keep remembers what the accepted request o had to leave out.
func (m *memory) keep(o *outgoing) {
	for p, without := range o.without {
		if without {
			m.refused.Store(memoryKey(o, p), true)
		}
	}
}

// recall is what to leave out of o from the start; nil mostly.
func (m *memory) recall(o *outgoing) (without map[part]bool) {
	for _, opt := range optional {
		if !opt.sent(o) {
			continue
		}
		if _, known := m.refused.Load(memoryKey(o, opt.part)); !known {
			continue
		}
		if without == nil {
			without = map[part]bool{}
		}
		without[opt.part] = true
	}
	return without
}

func memoryKey(o *outgoing, p part) string {
	key := o.model + "\x00" + string(p)
	if p == partSchema || p == partStrict {
		h := fnv.New64a()
		h.Write(o.req.OutputSchema)
		key += strconv.FormatUint(h.Sum64(), 16)
	}
	return key
}
