package check

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"assent/internal/assent"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// holder checks an object or array that holds references somewhere: against
// the form of the type that it fits best.
func (w walker) holder(a arg, nodes []*jsonschema.Schema, at string) findings {
	k := array
	if a.fields != nil {
		k = object
	}
	forms, complete := w.r.forms(nodes)
	var tried []findings
	choice := false
	for _, f := range forms {
		if f.kinds&k == 0 {
			continue
		}
		choice = choice || f.choice
		tried = append(tried, w.inForm(a, f, at))
	}
	if len(tried) == 0 {
		name := `The value`
		if at != "" {
			name = strconv.Quote(w.finding(at, "", "").Argument)
		}
		return findings{errors: []assent.FieldError{w.finding(at, codeInvalidArguments, "%s", sentence(name, mismatchOf(k, forms)))}}
	}
	best := slices.MinFunc(tried, func(a, b findings) int {
		return (len(a.errors)-len(b.errors))*1000 + len(a.warnings) - len(b.warnings)
	})
	if choice && len(tried) > 1 || !complete {
		best.warnings = append(best.warnings, w.finding(at, codeUnchecked, "Which of several forms this has, only the run can tell."))
	}
	return best
}

func mismatchOf(k kinds, forms []form) string {
	return strings.Replace(mismatch(k, forms), "is ", "must not be ", 1)
}

func (w walker) inForm(a arg, f form, at string) findings {
	var out findings
	if more := beyondLiteral(f); more != "" {
		out.warnings = append(out.warnings, w.finding(at, codeUnchecked, "The schema says something here (%s) that only the run can check.", more))
	}
	if a.fields != nil {
		out.add(w.object(a, f, at))
	} else {
		out.add(w.array(a, f, at))
	}
	return out
}

// beyondLiteral is beyond for an object or array whose keys and items are
// written down.
func beyondLiteral(f form) string {
	for _, n := range f.nodes {
		switch {
		case n.Not != nil:
			return "not"
		case n.If != nil:
			return "if"
		case n.DynamicRef != nil || n.RecursiveRef != nil:
			return "$dynamicRef"
		case len(n.Dependencies)+len(n.DependentSchemas) > 0:
			return "dependencies"
		case n.UnevaluatedProperties != nil || n.UnevaluatedItems != nil:
			return "unevaluated"
		case n.Contains != nil:
			return "contains"
		}
	}
	return ""
}

func (w walker) object(a arg, f form, at string) findings {
	var out findings
	names := slices.Sorted(maps.Keys(a.fields))
	for _, n := range f.nodes {
		out.add(w.keys(n, names, at))
	}
	for _, name := range names {
		if len(out.errors) >= MaxFindings {
			break
		}
		var nodes []*jsonschema.Schema
		for _, n := range f.nodes {
			here := declarations(n, name)
			if sub, closed := additional(n); len(here) == 0 && sub != nil && !closed {
				here = []*jsonschema.Schema{sub}
			}
			nodes = append(nodes, here...)
		}
		out.add(w.check(a.fields[name], nodes, at+"/"+escape(name)))
	}
	return out
}

var (
	pointerEscape   = strings.NewReplacer("~", "~0", "/", "~1")
	pointerUnescape = strings.NewReplacer("~1", "/", "~0", "~")
)

func escape(key string) string { return pointerEscape.Replace(key) }

// keys checks what a node asks of an object's keys.
func (w walker) keys(n *jsonschema.Schema, names []string, at string) findings {
	var out findings
	missing := func(name, why string) {
		if !slices.Contains(names, name) {
			out.errors = append(out.errors, w.finding(at+"/"+escape(name), codeMissingArgument, "%q is required%s.", name, why))
		}
	}
	for _, name := range n.Required {
		missing(name, "")
	}
	_, closed := additional(n)
	for _, name := range names {
		if closed && len(declarations(n, name)) == 0 {
			known := fields([]form{{nodes: []*jsonschema.Schema{n}}})
			e := w.finding(at+"/"+escape(name), codeUnknownArgument, "%q is not a known argument; known: %s.", name, strings.Join(known, ", "))
			e.AvailableFields = known
			out.errors = append(out.errors, e)
		}
		for _, with := range n.DependentRequired[name] {
			missing(with, fmt.Sprintf(" together with %q", name))
		}
		if n.PropertyNames != nil && len(w.s.ValidateAt(n.PropertyNames, name, "")) > 0 {
			out.errors = append(out.errors, w.finding(at, codeInvalidArguments, "The key %q is not allowed here.", name))
		}
	}
	return w.count(out, at, len(names), n.MinProperties, n.MaxProperties, "fields")
}

// count checks bounds of a number that is known although values are not.
func (w walker) count(out findings, at string, n int, least, most *int, what string) findings {
	if least != nil && n < *least {
		out.errors = append(out.errors, w.finding(at, codeInvalidArguments, "There must be at least %d %s, not %d.", *least, what, n))
	}
	if most != nil && n > *most {
		out.errors = append(out.errors, w.finding(at, codeInvalidArguments, "There must be at most %d %s, not %d.", *most, what, n))
	}
	return out
}

func (w walker) array(a arg, f form, at string) findings {
	var out findings
	for _, n := range f.nodes {
		out = w.count(out, at, len(a.items), n.MinItems, n.MaxItems, "items")
	}
	for i := range a.items {
		if len(out.errors) >= MaxFindings {
			break
		}
		var nodes []*jsonschema.Schema
		for _, n := range f.nodes {
			if sub := itemSchema(n, i); sub != nil {
				nodes = append(nodes, sub)
			}
		}
		out.add(w.check(a.items[i], nodes, at+"/"+strconv.Itoa(i)))
	}
	return out
}
