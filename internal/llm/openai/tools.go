package openai

import (
	"bytes"
	"encoding/json"
	"sync"

	"assent/internal/llm"
)

// maxDeclared bounds what declarations keeps; a server's tools rarely change.
const maxDeclared = 2000

// declarations keeps the wire form of tools: a turn offers some twenty of them,
// and their schemas are most of a request. It is safe for concurrent use.
type declarations struct {
	mu    sync.Mutex
	byKey map[declared][]byte
}

// declared tells tools apart. The schema counts by its place in memory: specs
// live as long as their tool, and an entry keeps its schema alive.
type declared struct {
	name, description string
	schema            *byte
	length            int
}

// wire gives the JSON of a tool under the name that the endpoint knows it by.
func (d *declarations) wire(t llm.Tool, name string) ([]byte, error) {
	key := declared{name: name, description: t.Description, length: len(t.Schema)}
	if len(t.Schema) > 0 {
		key.schema = &t.Schema[0]
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if b, ok := d.byKey[key]; ok {
		return b, nil
	}
	schema := t.Schema
	if len(schema) == 0 {
		schema = json.RawMessage(`{"type":"object","properties":{}}`)
	}
	b, err := encode(wireTool{Type: "function", Function: wireDeclaration{Name: name, Description: t.Description, Parameters: schema}}, 0)
	if err != nil {
		return nil, err
	}
	if d.byKey == nil || len(d.byKey) >= maxDeclared {
		d.byKey = map[declared][]byte{}
	}
	d.byKey[key] = b
	return b, nil
}

// encode gives v as JSON without the newline at its end. Nothing is escaped for
// HTML: that is shorter, and some templates show it to the model.
func encode(v any, size int) ([]byte, error) {
	buf := bytes.NewBuffer(make([]byte, 0, size))
	enc := json.NewEncoder(buf)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), err
}
