package schema

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"assent/internal/assent"

	"github.com/invopop/jsonschema"
)

// FromType infers the JSON Schema of T's JSON form. Everything is inlined (no
// $ref), unknown properties are refused, fields without omitempty are required,
// and of these a pointer may be null. Descriptions come from the tag
// jsonschema_description (commas and all), enums and further keywords from the
// tag jsonschema. Slices and maps are never null: marshal empty ones. It panics
// for types that have no finite JSON form, which a test of each caller shows.
func FromType[T any]() json.RawMessage { return infer(reflect.TypeFor[T]()) }

func infer(t reflect.Type) json.RawMessage {
	finite(t, nil)
	r := jsonschema.Reflector{DoNotReference: true, ExpandedStruct: true, Anonymous: true, Mapper: mapped}
	s := r.ReflectFromType(t)
	s.Version, s.ID = "", ""
	allowNull(t, s)
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

// finite panics for a type that holds itself: inlined, it would never end.
func finite(t reflect.Type, within []reflect.Type) {
	if slices.Contains(within, t) {
		panic(fmt.Sprintf("schema: %s holds itself and cannot be inlined", t))
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		finite(t.Elem(), append(slices.Clone(within), t))
	case reflect.Struct:
		for f := range t.Fields() {
			finite(f.Type, append(slices.Clone(within), t))
		}
	}
}

// allowNull lets required pointers be null, which is how encoding/json writes nil.
func allowNull(t reflect.Type, s *jsonschema.Schema) {
	if s == nil || mapped(t) != nil {
		return
	}
	switch t.Kind() {
	case reflect.Pointer:
		allowNull(t.Elem(), s)
	case reflect.Slice, reflect.Array:
		allowNull(t.Elem(), s.Items)
	case reflect.Map:
		allowNull(t.Elem(), s.AdditionalProperties)
	case reflect.Struct:
		for f := range t.Fields() {
			allowNullField(f, s)
		}
	}
}

func allowNullField(f reflect.StructField, s *jsonschema.Schema) {
	name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
	if f.Anonymous && name == "" {
		allowNull(f.Type, s)
		return
	}
	if name == "" {
		name = f.Name
	}
	if s.Properties == nil {
		return
	}
	prop, ok := s.Properties.Get(name)
	if !ok || len(prop.OneOf) > 0 {
		return
	}
	allowNull(f.Type, prop)
	if f.Type.Kind() == reflect.Pointer && !strings.Contains(options, "omit") {
		null := &jsonschema.Schema{AnyOf: []*jsonschema.Schema{prop, {Type: "null"}}, Description: prop.Description}
		prop.Description = ""
		s.Properties.Set(name, null)
	}
}
