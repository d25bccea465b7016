package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"

	"assent/internal/assent"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Bounds of what is validated. A number beyond them is refused before the
// library turns it into a fraction of a million digits.
const (
	maxDepth    = 100
	maxExponent = 400
	maxDigits   = 400
)

// MaxViolations is how many violations of one instance are told.
const MaxViolations = 100

// Schema is a compiled schema.
type Schema struct {
	root  *jsonschema.Schema
	nodes map[string]*jsonschema.Schema // by location, for messages that say what is known
	guard *guard                        // nil for the usual, finite schema
}

func newSchema(root *jsonschema.Schema) *Schema {
	s := &Schema{root: root, nodes: map[string]*jsonschema.Schema{}}
	seen := map[*jsonschema.Schema]bool{}
	s.index(root, seen)
	s.guard = guarded(root, seen)
	return s
}

func (s *Schema) index(n *jsonschema.Schema, seen map[*jsonschema.Schema]bool) {
	if seen[n] {
		return
	}
	seen[n] = true
	s.nodes[n.Location] = n
	for _, sub := range parts(n) {
		s.index(sub, seen)
	}
}

// Root gives the compiled root, for static typing.
func (s *Schema) Root() *jsonschema.Schema { return s.root }

// Validate gives every violation in instance; none is nil.
func (s *Schema) Validate(instance json.RawMessage) []assent.FieldError {
	v, err := decode(instance)
	if err != nil {
		return []assent.FieldError{{Code: invalid, Message: "This is not valid JSON: " + err.Error() + "."}}
	}
	return s.check(s.root, v, "")
}

// ValidateValue is Validate for a decoded instance (numbers as json.Number).
func (s *Schema) ValidateValue(v any) []assent.FieldError { return s.ValidateAt(s.root, v, "") }

// ValidateAt checks a part of an instance against a part of this schema; at is
// the part's pointer within the instance and heads every violation's.
func (s *Schema) ValidateAt(node *jsonschema.Schema, v any, at string) []assent.FieldError {
	if err := withinBounds(v, 0); err != nil {
		return []assent.FieldError{{Pointer: at, Argument: argument(at), Code: invalid, Message: "This value cannot be used: " + err.Error() + "."}}
	}
	return s.check(node, v, at)
}

func (s *Schema) check(node *jsonschema.Schema, v any, at string) []assent.FieldError {
	err, complete := s.run(node, v)
	if !complete {
		return tooComplex(at)
	}
	if err == nil {
		return nil
	}
	var ve *jsonschema.ValidationError
	if !errors.As(err, &ve) {
		return []assent.FieldError{{Pointer: at, Argument: argument(at), Code: invalid, Message: err.Error()}}
	}
	return s.violations(ve, at)
}

func (s *Schema) run(node *jsonschema.Schema, v any) (err error, complete bool) {
	if s.guard != nil {
		return s.guard.validate(node, v)
	}
	return node.Validate(v), true
}

// decode reads exactly one JSON value with its numbers' digits, within bounds.
func decode(raw json.RawMessage) (any, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows the JSON value")
	}
	return v, withinBounds(v, 0)
}

func withinBounds(v any, depth int) error {
	if depth > maxDepth {
		return errors.New("it is nested too deeply")
	}
	switch v := v.(type) {
	case json.Number:
		return numberWithinBounds(string(v))
	case []any:
		for _, item := range v {
			if err := withinBounds(item, depth+1); err != nil {
				return err
			}
		}
	case map[string]any:
		for _, item := range v {
			if err := withinBounds(item, depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}

func numberWithinBounds(s string) error {
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		exp, err := strconv.Atoi(s[i+1:])
		if err != nil || exp > maxExponent || exp < -maxExponent {
			return errors.New("a number in it is too large or too small")
		}
	}
	if len(s) > maxDigits {
		return errors.New("a number in it has too many digits")
	}
	return nil
}
