package views

import (
	"strconv"

	"github.com/a-h/templ"
)

// FieldKind is how a field is typed in.
type FieldKind string

// Kinds of fields.
const (
	FieldText     FieldKind = "text"
	FieldEmail    FieldKind = "email"
	FieldPassword FieldKind = "password"
	FieldDate     FieldKind = "date"
	FieldArea     FieldKind = "textarea"
	FieldSelect   FieldKind = "select"
	FieldCheck    FieldKind = "checkbox"
)

// Option is one choice of a select.
type Option struct{ Value, Label string }

// Field is one field of a form, with what was typed and what was wrong with it.
type Field struct {
	Name, Label  string
	ID           string    // when several fields share a name; "" takes the name
	Kind         FieldKind // "" is text
	Value        string
	Hint         string
	Error        string // what is wrong with Value, one sentence
	Current      string // what is stored now, when the form went stale and both changed it; else as Value
	Placeholder  string
	Autocomplete string
	InputMode    string
	Options      []Option
	Required     bool
	Checked      bool
	Focus        bool // takes the focus when the page opens
	Max          int  // characters; 0 for no limit
	Rows         int  // of a textarea; 0 is 4
	Mono         bool // text for machines: codes, Markdown
	Wide         bool // takes the whole width of a grid
	Zone         bool // a select of time zones, preset by the browser's own
}

// Form is a form that posts to Action.
type Form struct {
	ID       string // prefix of its fields' ids, unique on the page
	Action   string
	CSRF     string
	Submit   string
	Cancel   string // address to go back to; "" for none
	Fields   []Field
	Hidden   []Option // values that travel along; Label is the name
	Error    string   // what happened, when it was refused
	Kept     string   // what was kept and what to do next
	Revision int64    // guard; 0 for none
	Stale    bool     // somebody else changed it meanwhile; fields have Current
	Danger   bool     // the button destroys something
	Grid     bool     // short fields side by side
	Username string   // whose password is asked for, for password managers
}

// FieldErrors gives the fields with something wrong, for the summary.
func (f Form) FieldErrors() []Field {
	var out []Field
	for _, x := range f.Fields {
		if x.Error != "" {
			out = append(out, x)
		}
	}
	return out
}

func (f Form) fieldID(x Field) string {
	if x.ID != "" {
		return f.ID + "-" + x.ID
	}
	return f.ID + "-" + x.Name
}

// describedBy lists the ids of what explains a field.
func (f Form) describedBy(x Field) string {
	id, out := f.fieldID(x), ""
	add := func(s string) {
		if out != "" {
			out += " "
		}
		out += s
	}
	if x.Hint != "" {
		add(id + "-hint")
	}
	if x.Error != "" {
		add(id + "-error")
	}
	if f.Stale && x.Current != x.Value {
		add(id + "-now")
	}
	return out
}

// optionLabel is what a person reads for a value.
func (x Field) optionLabel(value string) string {
	for _, o := range x.Options {
		if o.Value == value {
			return o.Label
		}
	}
	return value
}

func (x Field) rows() string {
	if x.Rows == 0 {
		return "4"
	}
	return strconv.Itoa(x.Rows)
}

// inputType is the type attribute of a one-line field.
func (x Field) inputType() string {
	if x.Kind == "" {
		return string(FieldText)
	}
	return string(x.Kind)
}

// limited gives the attributes that bound or help typing.
func limited(x Field) templ.Attributes {
	out := templ.Attributes{}
	if x.Max > 0 {
		out["maxlength"] = strconv.Itoa(x.Max)
	}
	if x.Autocomplete != "" {
		out["autocomplete"] = x.Autocomplete
	}
	if x.InputMode != "" {
		out["inputmode"] = x.InputMode
	}
	return out
}

// described ties a field to its hint, its error and what is stored now.
func described(f Form, x Field) templ.Attributes {
	out := templ.Attributes{}
	if ids := f.describedBy(x); ids != "" {
		out["aria-describedby"] = ids
	}
	if x.Error != "" {
		out["aria-invalid"] = "true"
	}
	return out
}
