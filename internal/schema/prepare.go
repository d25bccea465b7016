package schema

import (
	"regexp"
)

// Where subschemas stand in a schema object, by keyword: as the value, as the
// items of an array, as the values of an object. Anything else (enum, const,
// default, examples) is data and must not be touched.
var (
	holdsSchema = []string{"items", "additionalItems", "unevaluatedItems", "contains", "additionalProperties", "unevaluatedProperties",
		"propertyNames", "not", "if", "then", "else", "contentSchema"}
	holdsList = []string{"allOf", "anyOf", "oneOf", "prefixItems", "items"}
	holdsMap  = []string{"properties", "patternProperties", "dependentSchemas", "dependencies", "$defs", "definitions"}
)

// preparer rewrites what the library does not know into what it does, and
// counts the subschemas on its way.
type preparer struct{ left int }

func (p *preparer) schema(v any) any {
	m, ok := v.(map[string]any)
	if p.left--; !ok || p.left < 0 {
		return v
	}
	for _, k := range holdsSchema {
		if sub, ok := m[k].(map[string]any); ok {
			m[k] = p.schema(sub)
		}
	}
	for _, k := range holdsList {
		if subs, ok := m[k].([]any); ok {
			for i := range subs {
				subs[i] = p.schema(subs[i])
			}
		}
	}
	for _, k := range holdsMap {
		if subs, ok := m[k].(map[string]any); ok {
			for name := range subs {
				subs[name] = p.schema(subs[name])
			}
		}
	}
	dropForeignPattern(m)
	return nullable(m)
}

// dropForeignPattern removes a pattern that RE2 cannot read; refusing the whole
// tool for it would help nobody, and the tool checks its input itself.
func dropForeignPattern(m map[string]any) {
	if s, ok := m["pattern"].(string); ok {
		if _, err := regexp.Compile(s); err != nil {
			delete(m, "pattern")
		}
	}
}

// nullable gives OpenAPI's `nullable: true` its meaning in JSON Schema terms.
func nullable(m map[string]any) any {
	if yes, ok := m["nullable"].(bool); !ok || !yes {
		return m
	}
	delete(m, "nullable")
	switch t := m["type"].(type) {
	case string:
		m["type"] = []any{t, "null"}
	case []any:
		m["type"] = append(t, "null")
	case nil:
		return orNull(m)
	}
	if enum, ok := m["enum"].([]any); ok {
		m["enum"] = append(enum, nil)
	}
	return m
}

// orNull wraps a schema without a type. Definitions stay outside, where a $ref
// finds them.
func orNull(m map[string]any) any {
	out := map[string]any{"anyOf": []any{m, map[string]any{"type": "null"}}}
	for _, k := range []string{"$schema", "$id", "$defs", "definitions", "description", "title"} {
		if v, ok := m[k]; ok {
			out[k] = v
			delete(m, k)
		}
	}
	return out
}
