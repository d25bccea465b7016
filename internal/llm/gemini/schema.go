package gemini

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// maxSchemaNodes bounds what references may unfold to.
const maxSchemaNodes = 5000

// adapted is schema as Gemini takes it: without "$schema", and with references
// unfolded, since it refuses them beside most other keywords
// (google-gemini/gemini-cli#13326). A part that refers to itself is unfolded
// once and then only named by its type; the executor checks the arguments
// against the whole schema anyway. Most schemas need none of this and stay as
// they are.
func adapted(schema json.RawMessage) json.RawMessage {
	if !bytes.Contains(schema, []byte(`"$ref"`)) && !bytes.Contains(schema, []byte(`"$schema"`)) {
		return schema
	}
	var root map[string]any
	dec := json.NewDecoder(bytes.NewReader(schema))
	dec.UseNumber()
	if dec.Decode(&root) != nil {
		return schema
	}
	u := unfolding{root: root}
	out := u.object(root, nil)
	delete(out, "$schema")
	delete(out, "$defs")
	delete(out, "definitions")
	b, err := json.Marshal(out)
	if err != nil {
		return schema
	}
	return b
}

// unfolding copies a schema and puts the targets of references in their place.
type unfolding struct {
	root  map[string]any
	nodes int
}

// object copies a schema; open are the references that it lies within.
func (u *unfolding) object(schema map[string]any, open []string) map[string]any {
	u.nodes++
	out := map[string]any{}
	if ref, ok := schema["$ref"].(string); ok {
		out = u.target(ref, open)
	}
	for key, value := range schema {
		switch key {
		case "$ref":
		case "$defs", "definitions": // only targets
		case "enum", "const", "default", "examples": // data, not schemas
			out[key] = value
		case "properties", "patternProperties", "dependentSchemas":
			out[key] = u.named(value, open)
		default:
			out[key] = u.value(value, open)
		}
	}
	return out
}

// named copies schemas by name, whatever the names are.
func (u *unfolding) named(value any, open []string) any {
	schemas, ok := value.(map[string]any)
	if !ok {
		return value
	}
	out := maps.Clone(schemas)
	for name, schema := range schemas {
		out[name] = u.value(schema, open)
	}
	return out
}

func (u *unfolding) value(value any, open []string) any {
	switch value := value.(type) {
	case map[string]any:
		return u.object(value, open)
	case []any:
		out := make([]any, len(value))
		for i, v := range value {
			out[i] = u.value(v, open)
		}
		return out
	}
	return value
}

// target is what ref stands for; of a part that is open already, or when there
// is too much, only its type and description.
func (u *unfolding) target(ref string, open []string) map[string]any {
	schema := u.find(ref)
	if schema == nil {
		return map[string]any{}
	}
	if !slices.Contains(open, ref) && u.nodes < maxSchemaNodes {
		return u.object(schema, append(slices.Clip(open), ref))
	}
	stub := map[string]any{"type": "object"}
	for _, key := range []string{"type", "description"} {
		if value, ok := schema[key]; ok {
			stub[key] = value
		}
	}
	return stub
}

// find follows a JSON pointer within the schema; nil if it leads nowhere or
// elsewhere. RFC 6901 §6.
func (u *unfolding) find(ref string) map[string]any {
	path, ok := strings.CutPrefix(ref, "#")
	if !ok {
		return nil
	}
	path, err := url.PathUnescape(path)
	if err != nil {
		return nil
	}
	var at any = u.root
	for _, token := range strings.Split(path, "/")[1:] {
		token = strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
		switch node := at.(type) {
		case map[string]any:
			at = node[token]
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(node) {
				return nil
			}
			at = node[i]
		}
	}
	schema, _ := at.(map[string]any)
	return schema
}
