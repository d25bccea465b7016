package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sync"

	"assent/internal/assent"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// maxCompiled bounds the cache; beyond it, it starts anew.
const maxCompiled = 2000

// Compiler compiles schemas once and checks instances against them.
type Compiler struct {
	mu       sync.RWMutex
	compiled map[string]entry
}

type entry struct {
	schema *jsonschema.Schema
	known  []string // property names at the top, for messages
	err    error
}

// NewCompiler makes an empty compiler.
func NewCompiler() *Compiler { return &Compiler{compiled: map[string]entry{}} }

// noLoader refuses every $ref that leads out of the schema; the library's own
// loader would read files.
type noLoader struct{}

// Load implements jsonschema.URLLoader.
func (noLoader) Load(url string) (any, error) {
	return nil, fmt.Errorf("a schema may not refer to %s", url)
}

func (c *Compiler) get(schema json.RawMessage) entry {
	c.mu.RLock()
	e, ok := c.compiled[string(schema)]
	c.mu.RUnlock()
	if ok {
		return e
	}
	e = compile(schema)
	c.mu.Lock()
	if len(c.compiled) >= maxCompiled {
		c.compiled = map[string]entry{}
	}
	c.compiled[string(schema)] = e
	c.mu.Unlock()
	return e
}

func compile(schema json.RawMessage) (e entry) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		return entry{err: err}
	}
	jc := jsonschema.NewCompiler()
	jc.UseLoader(noLoader{})
	jc.AssertFormat()
	if err := jc.AddResource("schema.json", doc); err != nil {
		return entry{err: err}
	}
	e.schema, e.err = jc.Compile("schema.json")
	if m, ok := doc.(map[string]any); ok {
		if props, ok := m["properties"].(map[string]any); ok {
			e.known = keys(props)
		}
	}
	return e
}

// Compile reports whether a schema can be used at all.
func (c *Compiler) Compile(schema json.RawMessage) error { return c.get(schema).err }

// Validate gives every violation of schema in instance; none is nil.
func (c *Compiler) Validate(schema, instance json.RawMessage) []assent.FieldError {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(instance))
	if err != nil {
		return []assent.FieldError{{Pointer: "", Code: invalid, Message: "This is not valid JSON."}}
	}
	return c.ValidateValue(schema, v)
}

// ValidateValue is Validate for a decoded instance (numbers as json.Number).
func (c *Compiler) ValidateValue(schema json.RawMessage, v any) []assent.FieldError {
	e := c.get(schema)
	if e.err != nil {
		return []assent.FieldError{{Pointer: "", Code: invalid, Message: "The schema itself cannot be used."}}
	}
	err := e.schema.Validate(v)
	if err == nil {
		return nil
	}
	return violations(err, e.known)
}
