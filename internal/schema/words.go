package schema

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"assent/internal/assent"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// leaf gives the violations of one keyword.
func (t *teller) leaf(e *jsonschema.ValidationError) []assent.FieldError {
	loc := e.InstanceLocation
	switch k := e.ErrorKind.(type) {
	case *kind.Required:
		return t.each(loc, k.Missing, missing, func(string) string { return "is required" })
	case *kind.DependentRequired:
		return t.each(loc, k.Missing, missing, func(string) string { return fmt.Sprintf("is required together with %q", k.Prop) })
	case *kind.Dependency:
		return t.each(loc, k.Missing, missing, func(string) string { return fmt.Sprintf("is required together with %q", k.Prop) })
	case *kind.AdditionalProperties:
		known := t.known(e.SchemaURL)
		out := t.each(loc, k.Properties, unknown, func(string) string { return "is not a known argument" + knownSentence(known) })
		for i := range out {
			out[i].AvailableFields = known
		}
		return out
	case *kind.FalseSchema:
		return []assent.FieldError{t.coded(loc, unknown, "is not allowed here")}
	}
	return []assent.FieldError{t.field(loc, sentence(e.ErrorKind))}
}

// notBlank is the pattern of our own schemas for a text with more than white space.
const notBlank = `\S`

// sentence is the rest of a sentence that begins with the value's name.
func sentence(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.Type:
		return typeSentence(k.Want, k.Got)
	case *kind.Enum:
		return fmt.Sprintf("must be one of %s, not %s", list(k.Want), show(k.Got))
	case *kind.Const:
		return fmt.Sprintf("must be %s, not %s", show(k.Want), show(k.Got))
	case *kind.Format:
		return fmt.Sprintf("must be %s, not %s", format(k.Want), show(k.Got))
	case *kind.Pattern:
		if k.Want == notBlank {
			return "must not be blank"
		}
		return fmt.Sprintf("must match the pattern %s; %s does not", k.Want, show(k.Got))
	case *kind.OneOf:
		return "fits more than one of the forms of which exactly one is allowed"
	case *kind.Not:
		return "has a form that is not allowed here"
	case *kind.UniqueItems:
		return fmt.Sprintf("must not hold anything twice; items %d and %d are equal", k.Duplicates[0], k.Duplicates[1])
	case *kind.PropertyNames:
		return fmt.Sprintf("may not have the key %q", k.Property)
	case *kind.Contains, *kind.MinContains:
		return "lacks an item of the required form"
	}
	if s := bounds(k); s != "" {
		return s
	}
	return "is not right: " + k.LocalizedString(message.NewPrinter(language.English))
}

// bounds says what a limit allows; "" for kinds that are none.
func bounds(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.MinLength:
		if k.Want == 1 {
			return "must not be empty"
		}
		return fmt.Sprintf("must have at least %d characters, not %d", k.Want, k.Got)
	case *kind.MaxLength:
		return fmt.Sprintf("must have at most %d characters, not %d", k.Want, k.Got)
	case *kind.MinItems:
		return fmt.Sprintf("must have at least %d items, not %d", k.Want, k.Got)
	case *kind.MaxItems:
		return fmt.Sprintf("must have at most %d items, not %d", k.Want, k.Got)
	case *kind.MinProperties:
		return fmt.Sprintf("must have at least %d fields, not %d", k.Want, k.Got)
	case *kind.MaxProperties:
		return fmt.Sprintf("must have at most %d fields, not %d", k.Want, k.Got)
	case *kind.Minimum:
		return fmt.Sprintf("must be at least %s, not %s", rat(k.Want), rat(k.Got))
	case *kind.Maximum:
		return fmt.Sprintf("must be at most %s, not %s", rat(k.Want), rat(k.Got))
	case *kind.ExclusiveMinimum:
		return fmt.Sprintf("must be more than %s, not %s", rat(k.Want), rat(k.Got))
	case *kind.ExclusiveMaximum:
		return fmt.Sprintf("must be less than %s, not %s", rat(k.Want), rat(k.Got))
	case *kind.MultipleOf:
		return fmt.Sprintf("must be a multiple of %s; %s is not", rat(k.Want), rat(k.Got))
	}
	return ""
}

func rat(r *big.Rat) string {
	if r.IsInt() {
		return r.Num().String()
	}
	f, _ := r.Float64()
	return fmt.Sprint(f)
}

// typeSentence says which JSON types are wanted.
func typeSentence(want []string, got string) string {
	names := make([]string, len(want))
	for i, w := range want {
		names[i] = typeName(w)
	}
	if got == "number" && slices.Contains(want, "integer") {
		return "must be " + strings.Join(names, " or ") + ", without a fraction"
	}
	return fmt.Sprintf("must be %s, not %s", strings.Join(names, " or "), typeName(got))
}

func typeName(t string) string {
	switch t {
	case "null":
		return t
	case "integer", "array", "object":
		return "an " + t
	}
	return "a " + t
}

func format(name string) string {
	switch name {
	case "date":
		return "a date like 2027-03-31"
	case "date-time":
		return "a time like 2027-03-31T09:00:00Z"
	case "time":
		return "a time of day like 09:00:00Z"
	case "email":
		return "an e-mail address"
	case "uri", "url":
		return "a complete URL"
	case "uuid":
		return "a UUID"
	}
	return "a valid " + name
}
