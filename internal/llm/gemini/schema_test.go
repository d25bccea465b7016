package gemini

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestAdapted(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, in, want string }{
		{"as it is", `{"type":"object", "additionalProperties":false,"properties":{"n":{"const":1}}}`, `{"type":"object", "additionalProperties":false,"properties":{"n":{"const":1}}}`},
		{"nothing", ``, ``},
		{"no JSON", `{"$ref"`, `{"$ref"`},
		{"the draft", `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","maximum":9007199254740993}`, `{"maximum":9007199254740993,"type":"object"}`},
		{"a reference", `{"type":"object","properties":{"a":{"$ref":"#/$defs/A","description":"mine"}},"$defs":{"A":{"type":"string","description":"its"}}}`,
			`{"properties":{"a":{"description":"mine","type":"string"}},"type":"object"}`},
		{"within lists, of references", `{"items":{"anyOf":[{"$ref":"#/definitions/a~1b%20c"},{"type":"null"}]},"definitions":{"a/b c":{"$ref":"#/definitions/d"},"d":{"type":"integer"}}}`,
			`{"items":{"anyOf":[{"type":"integer"},{"type":"null"}]}}`},
		{"to a place", `{"properties":{"a":{"type":"string"},"b":{"$ref":"#/properties/a"},"c":{"prefixItems":[{"type":"null"}]},"d":{"$ref":"#/properties/c/prefixItems/0"}}}`,
			`{"properties":{"a":{"type":"string"},"b":{"type":"string"},"c":{"prefixItems":[{"type":"null"}]},"d":{"type":"null"}}}`},
		{"to itself", `{"$ref":"#/$defs/T","$defs":{"T":{"type":"array","items":{"$ref":"#/$defs/T"}}}}`, `{"items":{"type":"array"},"type":"array"}`},
		{"to nowhere", `{"properties":{"a":{"$ref":"#/$defs/gone"},"b":{"$ref":"https://example.org/s"},"c":{"$ref":"#/properties/9/x","type":"string"}}}`, `{"properties":{"a":{},"b":{},"c":{"type":"string"}}}`},
		{"names and data", `{"properties":{"$ref":{"type":"string"},"default":{"$ref":"#/$defs/A"},"x":{"default":{"$ref":"no schema"},"enum":[{"$ref":"#/$defs/A"}]}},"$defs":{"A":{"type":"null"}}}`,
			`{"properties":{"$ref":{"type":"string"},"default":{"type":"null"},"x":{"default":{"$ref":"no schema"},"enum":[{"$ref":"#/$defs/A"}]}}}`},
	}
	for _, tt := range tests {
		if got := string(adapted(json.RawMessage(tt.in))); got != tt.want {
			t.Errorf("%s:\n%s, want\n%s", tt.name, got, tt.want)
		}
	}
}

// TestAdaptedIsBounded: each part refers twice to the next, so that all of it
// would be 2^60 parts.
func TestAdaptedIsBounded(t *testing.T) {
	t.Parallel()
	defs := map[string]any{}
	for i := range 60 {
		next := map[string]any{"$ref": "#/$defs/" + strings.Repeat("x", i+2)}
		defs[strings.Repeat("x", i+1)] = map[string]any{"properties": map[string]any{"a": next, "b": next}}
	}
	schema, err := json.Marshal(map[string]any{"$ref": "#/$defs/x", "$defs": defs})
	if err != nil {
		t.Fatal(err)
	}
	if got := adapted(schema); len(got) > 1<<20 || !json.Valid(got) {
		t.Errorf("%d bytes", len(got))
	}
}
