package check_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"assent/internal/assent"
	"assent/internal/plan/check"
)

// flow checks a plan in which a reference carries part of what one tool gives
// to what another wants, and tells the codes that come of it.
func flow(t *testing.T, gives, path, wants string) string {
	t.Helper()
	byName := map[string]assent.ToolSpec{
		"give": {Name: "give", InputSchema: json.RawMessage(`{}`), OutputSchema: json.RawMessage(gives)},
		"take": {Name: "take", InputSchema: json.RawMessage(`{"type":"object","properties":{"x":` + wants + `}}`)},
	}
	doc := parse(t, steps(tool("a", "give", `{}`), tool("b", "take", `{"x":"$0.output`+path+`"}`)))
	rep := check.New().Check(doc, check.Options{Tools: func(name string) (assent.ToolSpec, string, bool) {
		s, ok := byName[name]
		return s, name, ok
	}})
	var codes []string
	for _, e := range append(rep.Errors, rep.Warnings...) {
		codes = append(codes, e.Code)
	}
	return strings.Join(codes, " ")
}

func TestTypes(t *testing.T) {
	obj := func(required, properties string) string {
		return `{"type":"object","additionalProperties":false,"required":[` + required + `],"properties":{` + properties + `}}`
	}
	list := `{"$defs":{"node":{"type":"object","additionalProperties":false,"required":["v","next"],"properties":{"v":{"type":"string"},"next":{"anyOf":[{"$ref":"#/$defs/node"},{"type":"null"}]}}}},"$ref":"#/$defs/node"}`
	for _, tc := range []struct{ name, gives, path, wants, codes string }{
		{"same", obj(`"a"`, `"a":{"type":"string"}`), ".a", `{"type":"string"}`, ""},
		{"anything is accepted", obj(`"a"`, `"a":{}`), ".a", `{}`, ""},
		{"nothing is known", obj(`"a"`, `"a":{}`), ".a", `{"type":"string"}`, "unchecked"},
		{"nothing is known of an object", `{"type":"object"}`, ".a", `{"type":"string"}`, "unchecked"},
		{"any value, typed", `{"type":"object","additionalProperties":{"type":"string"}}`, ".a", `{"type":"string"}`, "may_be_absent"},
		{"any value, mistyped", `{"type":"object","additionalProperties":{"type":"string"}}`, ".a", `{"type":"integer"}`, "type_mismatch may_be_absent"},
		{"by pattern", `{"type":"object","patternProperties":{"^a":{"type":"string"}},"additionalProperties":false}`, ".ab", `{"type":"string"}`, "may_be_absent"},
		{"required but not described", `{"type":"object","required":["a"]}`, ".a", `{"type":"string"}`, "unchecked"},
		{"no type but properties", `{"properties":{"a":{"type":"string"}},"required":["a"]}`, ".a", `{"type":"string"}`, "unchecked"},
		{"several types", obj(`"a"`, `"a":{"type":["string","integer"]}`), ".a", `{"type":"string"}`, "type_mismatch"},
		{"several types accepted", obj(`"a"`, `"a":{"type":["string","integer"]}`), ".a", `{"type":["number","string"]}`, ""},
		{"only null", obj(`"a"`, `"a":{"type":"null"}`), ".a", `{"type":"string"}`, "type_mismatch"},
		{"nullable", obj(`"a"`, `"a":{"type":"string","nullable":true}`), ".a", `{"type":"string"}`, "may_be_absent"},
		{"nullable on both sides", obj(`"a"`, `"a":{"type":"string","nullable":true}`), ".a", `{"type":"string","nullable":true}`, ""},
		{"into something nullable", obj(`"a"`, `"a":{"anyOf":[{"type":"object","required":["b"],"properties":{"b":{"type":"string"}}},{"type":"null"}]}`), ".a.b", `{"type":"string"}`, "may_be_absent"},
		{"in one branch", `{"anyOf":[` + obj(`"a"`, `"a":{"type":"string"}`) + `,` + obj(`"b"`, `"b":{"type":"string"}`) + `]}`, ".a", `{"type":"string"}`, "may_be_absent"},
		{"in both branches", `{"anyOf":[` + obj(`"a"`, `"a":{"type":"string"}`) + `,` + obj(`"a","b"`, `"a":{"type":"string"},"b":{}`) + `]}`, ".a", `{"type":"string"}`, ""},
		{"in no branch", `{"anyOf":[` + obj(`"a"`, `"a":{"type":"string"}`) + `,` + obj(`"b"`, `"b":{}`) + `]}`, ".c", `{"type":"string"}`, "field_not_found"},
		{"all of", `{"allOf":[{"type":"object","required":["a"],"properties":{"a":{"type":"number"}}},{"properties":{"a":{"type":"integer"}}}]}`, ".a", `{"type":"integer"}`, ""},
		{"an item that is there", `{"type":"array","minItems":2,"items":{"type":"string"}}`, ".1", `{"type":"string"}`, ""},
		{"an item that may be there", `{"type":"array","minItems":1,"items":{"type":"string"}}`, ".1", `{"type":"string"}`, "may_be_absent"},
		{"an item that cannot be there", `{"type":"array","maxItems":1,"items":{"type":"string"}}`, ".1", `{"type":"string"}`, "field_not_found"},
		{"an item of a tuple", `{"type":"array","minItems":2,"prefixItems":[{"type":"string"},{"type":"integer"}],"items":false}`, ".1", `{"type":"integer"}`, ""},
		{"beyond a tuple", `{"type":"array","prefixItems":[{"type":"string"}],"items":false}`, ".1", `{"type":"string"}`, "field_not_found"},
		{"a tuple of draft 7", `{"$schema":"http://json-schema.org/draft-07/schema#","type":"array","minItems":2,"items":[{"type":"string"},{"type":"integer"}],"additionalItems":false}`, ".1", `{"type":"integer"}`, ""},
		{"definitions of draft 7", `{"$schema":"http://json-schema.org/draft-07/schema#","definitions":{"s":{"type":"string"}},"type":"object","required":["a"],"properties":{"a":{"$ref":"#/definitions/s"}}}`, ".a", `{"type":"string"}`, ""},
		{"a list without end", list, ".next.next.v", `{"type":"string"}`, "may_be_absent"},
		{"a list without end, whole", list, "", strings.ReplaceAll(list, "#/$defs", "#/properties/x/$defs"), "unchecked"},
		{"values shared", obj(`"a"`, `"a":{"enum":["x","y"]}`), ".a", `{"enum":["y","z"]}`, ""},
		{"values not shared", obj(`"a"`, `"a":{"enum":["x","y"]}`), ".a", `{"enum":["z"]}`, "type_mismatch"},
		{"values of another type", obj(`"a"`, `"a":{"const":1}`), ".a", `{"type":"string"}`, "type_mismatch"},
		{"a pattern is a matter of values", obj(`"a"`, `"a":{"type":"string"}`), ".a", `{"type":"string","pattern":"^x","minLength":3,"format":"date","enum":["x"]}`, ""},
		{"one of two that accept it", obj(`"a"`, `"a":{"type":"integer"}`), ".a", `{"oneOf":[{"type":"integer"},{"type":"number"}]}`, "unchecked"},
		{"one of two, by type", obj(`"a"`, `"a":{"type":"integer"}`), ".a", `{"oneOf":[{"type":"integer"},{"type":"string"}]}`, ""},
		{"not", obj(`"a"`, `"a":{"type":"string"}`), ".a", `{"type":"string","not":{"const":"x"}}`, "unchecked"},
		{"if", obj(`"a"`, `"a":{"type":"string"}`), ".a", `{"if":{"const":"x"},"then":false}`, "unchecked"},
		{"contains does not concern a string", obj(`"a"`, `"a":{"type":"string"}`), ".a", `{"contains":{"const":1}}`, ""},
		{"an object with what is required", obj(`"a"`, `"a":`+obj(`"b","c"`, `"b":{"type":"string"},"c":{}`)), ".a", `{"type":"object","required":["b"],"properties":{"b":{"type":"string"}}}`, ""},
		{"an object that may lack it", obj(`"a"`, `"a":`+obj(``, `"b":{"type":"string"}`)), ".a", `{"type":"object","required":["b"]}`, "may_be_absent"},
		{"an object that lacks it", obj(`"a"`, `"a":`+obj(``, `"c":{"type":"string"}`)), ".a", `{"type":"object","required":["b"]}`, "type_mismatch"},
		{"an object with more than is accepted", obj(`"a"`, `"a":`+obj(``, `"b":{},"c":{}`)), ".a", obj(``, `"b":{}`), "type_mismatch"},
		{"an object that may hold more", obj(`"a"`, `"a":{"type":"object","properties":{"b":{}}}`), ".a", obj(``, `"b":{}`), "unchecked"},
		{"a field of another type", obj(`"a"`, `"a":`+obj(``, `"b":{"type":"integer"}`)), ".a", obj(``, `"b":{"type":"string"}`), "type_mismatch"},
		{"items of another type", obj(`"a"`, `"a":{"type":"array","items":{"type":"integer"}}`), ".a", `{"type":"array","items":{"type":"string"}}`, "type_mismatch"},
		{"items that fit", obj(`"a"`, `"a":{"type":"array","items":{"type":"integer"}}`), ".a", `{"type":"array","items":{"type":"number"},"minItems":1}`, ""},
		{"items of no type", obj(`"a"`, `"a":{"type":"array"}`), ".a", `{"type":"array","items":{"type":"string"}}`, "unchecked"},
		{"nothing is accepted", obj(`"a"`, `"a":{"type":"string"}`), ".a", `false`, "type_mismatch"},
		{"a schema that cannot be used", `{"$ref":"file:///etc/passwd"}`, ".a", `{"type":"string"}`, "unchecked"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := flow(t, tc.gives, tc.path, tc.wants); got != tc.codes {
				t.Errorf("got %q, want %q", got, tc.codes)
			}
		})
	}
}

// Hostile schemas make types unchecked, not the checker slow.
func TestExplodingTypesEndSoon(t *testing.T) {
	twice := `{"type":"object","required":["a"],"properties":{"a":{"anyOf":[{"$ref":"#"},{"$ref":"#"}]},"b":{"anyOf":[{"$ref":"#"},{"$ref":"#"}]}}}`
	var chain strings.Builder
	for i := range 40 {
		fmt.Fprintf(&chain, `"d%d":{"allOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]},`, i, i+1, i+1)
	}
	double := `{"$ref":"#/$defs/d0","$defs":{` + chain.String() + `"d40":{"type":"object"}}}`
	self := `{"$ref":"#"}`
	wants := strings.ReplaceAll(twice, `"#"`, `"#/properties/x"`)
	for _, gives := range []string{twice, double, self} {
		start := time.Now()
		if got := flow(t, gives, "", wants); !strings.Contains(got, "unchecked") {
			t.Errorf("%.40s: %q", gives, got)
		}
		if took := time.Since(start); took > 2*time.Second {
			t.Errorf("%.40s took %s", gives, took)
		}
	}
}
