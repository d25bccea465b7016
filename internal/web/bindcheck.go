package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"assent/internal/assent"
)

// checker walks a JSON text beside the type it is meant for.
type checker struct {
	body   []byte
	dec    *json.Decoder
	fields []assent.FieldError
	null   bool // the last value was null
}

// maxFieldErrors bounds the answer to a body that is wrong throughout.
const maxFieldErrors = 50

// check names every field of body that v does not know or whose type is wrong.
// Its error means that the body cannot be read at all.
func check(body []byte, v any) ([]assent.FieldError, error) {
	k := &checker{body: body, dec: json.NewDecoder(bytes.NewReader(body))}
	k.dec.UseNumber()
	err := k.value(reflect.TypeOf(v).Elem(), "")
	return k.fields, err
}

// value checks the next value against t; nil takes anything.
func (k *checker) value(t reflect.Type, pointer string) error {
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t != nil && t.Kind() == reflect.Interface {
		t = nil
	}
	if t != nil && reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()) {
		return k.custom(t, pointer)
	}
	tok, err := k.dec.Token()
	if err != nil {
		return &assent.Error{Code: assent.CodeMalformed, Message: "The body is not valid JSON.", Err: err}
	}
	if t != nil && !fits(tok, t) {
		k.wrong(pointer, t)
		t = nil
	}
	switch tok {
	case json.Delim('{'):
		err = k.object(t, pointer)
	case json.Delim('['):
		err = k.list(t, pointer)
	}
	k.null = tok == nil
	return err
}

// custom lets a type that reads JSON itself say whether it can.
func (k *checker) custom(t reflect.Type, pointer string) error {
	start := k.dec.InputOffset()
	if err := k.value(nil, pointer); err != nil || t == reflect.TypeFor[json.RawMessage]() {
		return err
	}
	raw := bytes.TrimLeft(k.body[start:k.dec.InputOffset()], " \t\r\n:,")
	if json.Unmarshal(raw, reflect.New(t).Interface()) != nil {
		k.wrong(pointer, t)
	}
	return nil
}

// object checks the members; a key that stands twice is refused, since readers
// disagree on which one counts.
func (k *checker) object(t reflect.Type, pointer string) error {
	seen := map[string]bool{} // and whether the value is more than null
	for k.dec.More() {
		tok, err := k.dec.Token()
		if err != nil {
			return &assent.Error{Code: assent.CodeMalformed, Message: "The body is not valid JSON.", Err: err}
		}
		key, ok := tok.(string)
		if _, twice := seen[key]; !ok || twice {
			return assent.Errorf(assent.CodeMalformed, "The key %q stands twice in one object.", key)
		}
		at := ""
		if t != nil { // where nothing is checked, nothing needs a name
			at = pointer + "/" + escape(key)
		}
		if err := k.value(k.member(t, key, at), at); err != nil {
			return err
		}
		seen[key] = !k.null
	}
	k.required(t, seen, pointer)
	_, err := k.dec.Token()
	return err
}

// required names the members that t needs and that are not given.
func (k *checker) required(t reflect.Type, given map[string]bool, pointer string) {
	if t == nil || t.Kind() != reflect.Struct {
		return
	}
	for i := range t.NumField() {
		f := t.Field(i)
		if name := fieldName(f); f.Tag.Get("required") == "true" && !given[name] {
			k.add(assent.FieldError{Pointer: pointer + "/" + escape(name), Code: "required", Message: fmt.Sprintf("%q is required.", name)})
		}
	}
}

// member gives the type of a key's value, or nil where it does not matter.
func (k *checker) member(t reflect.Type, key, pointer string) reflect.Type {
	switch {
	case t == nil:
		return nil
	case t.Kind() == reflect.Map:
		return t.Elem()
	}
	for i := range t.NumField() {
		if f := t.Field(i); fieldName(f) == key && key != "" {
			return f.Type
		}
	}
	k.add(assent.FieldError{Pointer: pointer, Code: "unknown_field", Message: fmt.Sprintf("%q is not known here.", key), AvailableFields: names(t)})
	return nil
}

func (k *checker) list(t reflect.Type, pointer string) error {
	if t != nil {
		t = t.Elem()
	}
	for i := 0; k.dec.More(); i++ {
		at := ""
		if t != nil {
			at = pointer + "/" + strconv.Itoa(i)
		}
		if err := k.value(t, at); err != nil {
			return err
		}
	}
	_, err := k.dec.Token()
	return err
}

func (k *checker) wrong(pointer string, t reflect.Type) {
	k.add(assent.FieldError{Pointer: pointer, Code: "wrong_type", Message: fmt.Sprintf("%q must be %s.", strings.TrimPrefix(pointer, "/"), kindName(t))})
}

func (k *checker) add(f assent.FieldError) {
	if len(k.fields) < maxFieldErrors {
		k.fields = append(k.fields, f)
	}
}

// fieldName is a struct field's name in JSON; "" if it has none.
func fieldName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	switch {
	case name == "-" || !f.IsExported():
		return ""
	case name == "":
		return f.Name
	}
	return name
}

func names(t reflect.Type) []string {
	var out []string
	for i := range t.NumField() {
		if n := fieldName(t.Field(i)); n != "" {
			out = append(out, n)
		}
	}
	return out
}

// fits reports whether a value that begins with tok can become a t.
func fits(tok json.Token, t reflect.Type) bool {
	kind := t.Kind()
	switch tok := tok.(type) {
	case nil:
		return true
	case string:
		return kind == reflect.String
	case bool:
		return kind == reflect.Bool
	case json.Number:
		switch {
		case t.Kind() >= reflect.Int && kind <= reflect.Int64:
			_, err := strconv.ParseInt(tok.String(), 10, t.Bits())
			return err == nil
		case kind >= reflect.Uint && kind <= reflect.Uint64:
			_, err := strconv.ParseUint(tok.String(), 10, t.Bits())
			return err == nil
		}
		return kind == reflect.Float64 || kind == reflect.Float32
	case json.Delim:
		if tok == '{' {
			return kind == reflect.Struct || kind == reflect.Map
		}
		return kind == reflect.Slice
	}
	return false
}

func kindName(t reflect.Type) string {
	switch kind := t.Kind(); {
	case t == reflect.TypeFor[assent.Time]():
		return "a time by RFC 3339, such as 2026-11-21T12:00:00Z"
	case kind == reflect.String:
		return "text"
	case kind == reflect.Bool:
		return "true or false"
	case kind >= reflect.Int && kind <= reflect.Uint64:
		return "a whole number"
	case kind == reflect.Float64 || kind == reflect.Float32:
		return "a number"
	case kind == reflect.Slice:
		return "a list"
	}
	return "an object"
}

func escape(s string) string {
	if !strings.ContainsAny(s, "~/") {
		return s
	}
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(s)
}
