package provider

import (
	"bytes"
	"encoding/json"
)

// Arguments turns what a model wrote as a call's arguments into the form that
// llm.Call promises: a JSON object stays as it is, nothing becomes {}, and
// anything else becomes a JSON string of the raw text. The executor's schema
// check refuses that string, so the model is told and can try again.
func Arguments(raw []byte) json.RawMessage {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" {
		return json.RawMessage("{}")
	}
	if raw[0] == '{' && json.Valid(raw) {
		return append(json.RawMessage(nil), raw...)
	}
	text, _ := json.Marshal(string(raw)) // a string always encodes
	return text
}

// SentArguments is the reverse, for the history that is sent back: always a
// JSON object, because servers parse it. Malformed text goes under "_malformed".
func SentArguments(args json.RawMessage) json.RawMessage {
	args = bytes.TrimSpace(args)
	if len(args) == 0 || string(args) == "null" {
		return json.RawMessage("{}")
	}
	if args[0] == '{' && json.Valid(args) {
		return args
	}
	var text string
	if json.Unmarshal(args, &text) != nil {
		text = string(args)
	}
	wrapped, _ := json.Marshal(map[string]string{"_malformed": text}) // cannot fail
	return wrapped
}

// JSONOnly is the last instruction to a model that has no schema mode.
func JSONOnly(schema json.RawMessage) string {
	return "Answer with one JSON value and nothing else: no prose before or after it, no code fence. " +
		"It must satisfy this JSON Schema:\n" + string(schema)
}
