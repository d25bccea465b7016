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
}

func newSchema(root *jsonschema.Schema) *Schema {
	s := &Schema{root: root, nodes: map[string]*jsonschema.Schema{}}
	s.index(root)
	return s
}

// index walks the parts that can hold properties; others have nothing to tell.
func (s *Schema) index(n *jsonschema.Schema) {
	if n == nil || s.nodes[n.Location] != nil {
		return
	}
	s.nodes[n.Location] = n
	for _, sub := range n.Properties {
		s.index(sub)
	}
	for _, list := range [][]*jsonschema.Schema{n.AllOf, n.AnyOf, n.OneOf, n.PrefixItems, {n.Ref, n.Items2020, n.Then, n.Else}} {
		for _, sub := range list {
			s.index(sub)
		}
	}
	for _, v := range []any{n.Items, n.AdditionalProperties} {
		if sub, ok := v.(*jsonschema.Schema); ok {
			s.index(sub)
		}
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
	err := node.Validate(v)
	if err == nil {
		return nil
	}
	var ve *jsonschema.ValidationError
	if !errors.As(err, &ve) {
		return []assent.FieldError{{Pointer: at, Argument: argument(at), Code: invalid, Message: err.Error()}}
	}
	return s.violations(ve, at)
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
