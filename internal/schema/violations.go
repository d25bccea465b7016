package schema

import (
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"

	"assent/internal/assent"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// Codes of violations.
const (
	invalid = "invalid_arguments"
	missing = "missing_argument"
	unknown = "unknown_argument"
)

func keys(m map[string]any) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}

// violations flattens the library's error tree into its leaves.
func violations(err error, known []string) []assent.FieldError {
	var ve *jsonschema.ValidationError
	if !errors.As(err, &ve) {
		return []assent.FieldError{{Code: invalid, Message: err.Error()}}
	}
	var out []assent.FieldError
	collect(ve, known, &out)
	slices.SortStableFunc(out, func(a, b assent.FieldError) int {
		return strings.Compare(a.Pointer+"\x00"+a.Message, b.Pointer+"\x00"+b.Message)
	})
	return out
}

func collect(e *jsonschema.ValidationError, known []string, out *[]assent.FieldError) {
	if len(e.Causes) > 0 && !isChoice(e.ErrorKind) {
		for _, c := range e.Causes {
			collect(c, known, out)
		}
		return
	}
	*out = append(*out, leaf(e, known)...)
}

// isChoice reports kinds whose causes are alternatives, not all of them wrong.
func isChoice(k jsonschema.ErrorKind) bool {
	switch k.(type) {
	case *kind.AnyOf, *kind.OneOf:
		return true
	}
	return false
}

// leaf gives the violations of one keyword in plain words.
func leaf(e *jsonschema.ValidationError, known []string) []assent.FieldError {
	at := pointer(e.InstanceLocation)
	var out []assent.FieldError
	switch k := e.ErrorKind.(type) {
	case *kind.Required:
		for _, name := range k.Missing {
			out = append(out, assent.FieldError{Pointer: at + "/" + escape(name), Argument: name, Code: missing, Message: fmt.Sprintf("%q is required.", name)})
		}
	case *kind.AdditionalProperties:
		for _, name := range k.Properties {
			f := assent.FieldError{Pointer: at + "/" + escape(name), Argument: name, Code: unknown, Message: fmt.Sprintf("%q is not known here.", name)}
			if at == "" && len(known) > 0 {
				f.AvailableFields = known
				f.Message = fmt.Sprintf("%q is not known here; known are %s.", name, strings.Join(known, ", "))
			}
			out = append(out, f)
		}
	case *kind.Type:
		out = append(out, field(at, fmt.Sprintf("must be of type %s, not %s", strings.Join(k.Want, " or "), k.Got)))
	case *kind.Enum:
		out = append(out, field(at, fmt.Sprintf("must be one of %s", list(k.Want))))
	case *kind.Format:
		out = append(out, field(at, fmt.Sprintf("must be a valid %s", k.Want)))
	default:
		out = append(out, field(at, e.ErrorKind.LocalizedString(message.NewPrinter(language.English))))
	}
	return out
}

func field(at, msg string) assent.FieldError {
	name := "the value"
	if at != "" {
		name = fmt.Sprintf("%q", strings.TrimPrefix(at, "/"))
	}
	arg, _, _ := strings.Cut(strings.TrimPrefix(at, "/"), "/")
	return assent.FieldError{Pointer: at, Argument: arg, Code: invalid, Message: name + " " + msg + "."}
}

func list(values []any) string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = fmt.Sprint(v)
	}
	return strings.Join(out, ", ")
}

// pointer renders a location as an RFC 6901 JSON pointer.
func pointer(parts []string) string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString("/" + escape(p))
	}
	return b.String()
}

func escape(s string) string { return strings.NewReplacer("~", "~0", "/", "~1").Replace(s) }
