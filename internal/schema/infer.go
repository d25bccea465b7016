package schema

import (
	"encoding/json"
	"reflect"

	"assent/internal/assent"

	"github.com/invopop/jsonschema"
)

// FromType infers the JSON Schema of T's JSON form. Everything is inlined (no
// $ref), unknown properties are refused, fields without omitempty are required.
// Descriptions come from the tag jsonschema_description, further keywords from
// the tag jsonschema. It panics for types that have no JSON form, which a test
// of each caller would show.
func FromType[T any]() json.RawMessage {
	r := jsonschema.Reflector{DoNotReference: true, ExpandedStruct: true, Anonymous: true, Mapper: mapped}
	s := r.ReflectFromType(reflect.TypeFor[T]())
	s.Version, s.ID = "", ""
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return b
}

// mapped gives the schemas of types whose JSON form reflection cannot see.
func mapped(t reflect.Type) *jsonschema.Schema {
	switch t {
	case reflect.TypeFor[assent.Date]():
		return &jsonschema.Schema{Type: "string", Format: "date"}
	case reflect.TypeFor[assent.Time]():
		return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{{Type: "string", Format: "date-time"}, {Type: "null"}}}
	case reflect.TypeFor[json.RawMessage]():
		return &jsonschema.Schema{}
	}
	return nil
}
