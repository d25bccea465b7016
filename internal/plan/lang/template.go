package lang

import "strings"

// Template is a string value of a plan: literals and references in order.
type Template struct {
	Parts []Part
	// Whole says that the string is one reference and nothing else, so that the
	// value keeps its JSON type.
	Whole bool
}

// Part is a literal, or a reference where Ref is set.
type Part struct {
	Literal string
	Ref     *Ref
}

// ParseTemplate reads a string value of a plan.
func ParseTemplate(s string) (Template, *SyntaxError) {
	if special.MatchString(s) {
		ref, err := parseDollar(s)
		if err != nil {
			return Template{}, err
		}
		return Template{Parts: []Part{{Ref: &ref}}, Whole: true}, nil
	}
	if strings.HasPrefix(s, "$$") {
		t, err := parseText(s[1:])
		t.Whole = false
		return t, err
	}
	return parseText(s)
}

// parseText reads a string in which only braces are special.
func parseText(s string) (Template, *SyntaxError) {
	var t Template
	var literal strings.Builder
	for {
		before, after, found := strings.Cut(s, "{{")
		literal.WriteString(before)
		if !found {
			break
		}
		if strings.HasPrefix(after, "{{") {
			literal.WriteString("{{")
			s = after[2:]
			continue
		}
		inner, rest, closed := strings.Cut(after, "}}")
		if !closed || strings.Contains(inner, "{{") {
			return Template{}, &SyntaxError{Text: "{{" + cut(inner), Reason: `"}}" is missing. Write "{{{{" for a literal "{{".`}
		}
		ref, err := parseBraces(inner)
		if err != nil {
			return Template{}, err
		}
		t.flush(&literal)
		t.Parts = append(t.Parts, Part{Ref: &ref})
		s = rest
	}
	t.flush(&literal)
	t.Whole = len(t.Parts) == 1 && t.Parts[0].Ref != nil
	return t, nil
}

func (t *Template) flush(literal *strings.Builder) {
	if literal.Len() > 0 {
		t.Parts = append(t.Parts, Part{Literal: literal.String()})
		literal.Reset()
	}
}

func cut(s string) string {
	const most = 40
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}

// Refs gives the references in order.
func (t Template) Refs() []Ref {
	var out []Ref
	for _, p := range t.Parts {
		if p.Ref != nil {
			out = append(out, *p.Ref)
		}
	}
	return out
}

// Literal gives the text of a template without references.
func (t Template) Literal() (string, bool) {
	switch {
	case len(t.Parts) == 0:
		return "", true
	case len(t.Parts) == 1 && t.Parts[0].Ref == nil:
		return t.Parts[0].Literal, true
	}
	return "", false
}

// Escape writes text so that a plan takes it literally: ParseTemplate of it
// gives one literal, the text.
func Escape(s string) string {
	braces := strings.ReplaceAll(s, "{{", "{{{{")
	if strings.HasPrefix(s, "$$") || special.MatchString(s) {
		return "$" + braces
	}
	return braces
}
