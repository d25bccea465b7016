package openai

import (
	"bytes"
	"unicode/utf8"
)

// delta is what an ordinary chunk of a stream says.
type delta struct {
	text    string
	thought string
	// keep says that the thought must go back to the server with the calls that
	// follow from it.
	keep bool
}

// parseDelta reads an ordinary chunk (a text or thought delta without end,
// usage or calls) about eight times as fast as encoding/json. It gives up, with
// ok false, on anything it does not know exactly, and parseChunk decides then;
// FuzzDelta proves that what it accepts means the same to both.
func parseDelta(b []byte) (d delta, ok bool) {
	s := scanner{b: b}
	seen := false
	ok = s.object(func(key []byte) bool {
		switch string(key) {
		case "choices":
			if seen {
				return false
			}
			seen = true
			return s.choices(&d)
		case "usage", "error":
			return s.null()
		}
		return unknownKey(key) && s.skip(0)
	})
	s.space()
	return d, ok && seen && s.at == len(b)
}

// choices reads an array of at most one choice.
func (s *scanner) choices(d *delta) bool {
	if !s.byte('[') {
		return false
	}
	if s.byte(']') {
		return true
	}
	return s.choice(d) && s.byte(']')
}

func (s *scanner) choice(d *delta) bool {
	seen := false
	return s.object(func(key []byte) bool {
		switch string(key) {
		case "delta":
			if seen {
				return false
			}
			seen = true
			return s.delta(d)
		case "finish_reason", "message":
			return s.null()
		}
		return unknownKey(key) && s.skip(0)
	})
}

func (s *scanner) delta(d *delta) bool {
	var content, reasoningContent, reasoning bool
	var other string
	ok := s.object(func(key []byte) bool {
		switch string(key) {
		case "content":
			return once(&content) && s.textOrNull(&d.text)
		case "reasoning_content":
			return once(&reasoningContent) && s.textOrNull(&d.thought)
		case "reasoning":
			return once(&reasoning) && s.textOrNull(&other)
		case "refusal", "extra_content":
			return s.null()
		case "tool_calls":
			return s.null() || s.byte('[') && s.byte(']')
		}
		return unknownKey(key) && s.skip(0)
	})
	d.keep = d.thought != ""
	if !d.keep {
		d.thought = other
	}
	return ok
}

func once(seen *bool) bool {
	first := !*seen
	*seen = true
	return first
}

// known are the keys that mean something to parseChunk, anywhere.
var known = [...]string{"choices", "usage", "error", "delta", "message", "finish_reason", "content",
	"reasoning_content", "reasoning", "refusal", "tool_calls", "extra_content"}

// unknownKey reports whether encoding/json would ignore key as well. It takes
// other spellings of a known key for that key, so these are left to it.
func unknownKey(key []byte) bool {
	for _, c := range key {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	for _, k := range known {
		if len(k) == len(key) && bytes.EqualFold(key, []byte(k)) {
			return false
		}
	}
	return true
}
