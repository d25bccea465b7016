package schema

import (
	"encoding/json"
	"fmt"
	"sync"

	"assent/internal/assent"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Bounds of what is compiled and kept. The cache starts anew when it is full:
// an installation has some hundred schemas, so that only a server that changes
// its tools all the time ever fills it.
const (
	maxCompiled = 2000
	maxBytes    = 256 << 10 // of one schema
	maxNodes    = 5000      // subschemas of one schema; compiling is quadratic in them
)

// Compiler compiles schemas once and checks instances against them.
type Compiler struct {
	mu       sync.RWMutex
	compiled map[string]compiled
}

type compiled struct {
	schema *Schema
	err    error
}

// NewCompiler makes an empty compiler.
func NewCompiler() *Compiler { return &Compiler{compiled: map[string]compiled{}} }

// Get gives the compiled form of a schema, or why it cannot be used. No schema
// at all accepts everything.
func (c *Compiler) Get(schema json.RawMessage) (*Schema, error) {
	c.mu.RLock()
	e, ok := c.compiled[string(schema)]
	c.mu.RUnlock()
	if ok {
		return e.schema, e.err
	}
	e.schema, e.err = compile(schema)
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.compiled) >= maxCompiled {
		c.compiled = map[string]compiled{}
	}
	c.compiled[string(schema)] = e
	return e.schema, e.err
}

// Compile reports whether a schema can be used at all.
func (c *Compiler) Compile(schema json.RawMessage) error {
	_, err := c.Get(schema)
	return err
}

// Validate gives every violation of schema in instance; none is nil.
func (c *Compiler) Validate(schema, instance json.RawMessage) []assent.FieldError {
	s, err := c.Get(schema)
	if err != nil {
		return unusable()
	}
	return s.Validate(instance)
}

// ValidateValue is Validate for a decoded instance (numbers as json.Number).
func (c *Compiler) ValidateValue(schema json.RawMessage, v any) []assent.FieldError {
	s, err := c.Get(schema)
	if err != nil {
		return unusable()
	}
	return s.ValidateValue(v)
}

func unusable() []assent.FieldError {
	return []assent.FieldError{{Code: invalid, Message: "The schema itself cannot be used, so nothing can be checked against it."}}
}

// noLoader refuses every $ref that leads out of the schema; the library's own
// loader would read files.
type noLoader struct{}

// Load implements jsonschema.URLLoader.
func (noLoader) Load(url string) (any, error) {
	return nil, fmt.Errorf("a schema may not refer to %s", url)
}

// location is the made-up address under which every schema is compiled. It has
// a scheme, or the library would resolve it against the working directory.
const location = "assent:schema"

func compile(raw json.RawMessage) (*Schema, error) {
	if len(raw) == 0 {
		raw = json.RawMessage("true")
	}
	if len(raw) > maxBytes {
		return nil, fmt.Errorf("the schema is larger than %d KB", maxBytes>>10)
	}
	doc, err := decode(raw)
	if err != nil {
		return nil, err
	}
	p := preparer{left: maxNodes}
	doc = p.schema(doc)
	if p.left < 0 {
		return nil, fmt.Errorf("the schema has more than %d parts", maxNodes)
	}
	jc := jsonschema.NewCompiler()
	jc.DefaultDraft(jsonschema.Draft2020)
	jc.UseLoader(noLoader{})
	jc.AssertFormat()
	if err := jc.AddResource(location, doc); err != nil {
		return nil, err
	}
	root, err := jc.Compile(location)
	if err != nil {
		return nil, err
	}
	return newSchema(root), nil
}
