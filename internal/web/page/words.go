package page

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"assent/internal/assent"
	"assent/views"
)

// inWords says what is wrong with a field in the words of its form. Programs
// read the same violation with the argument's name and the values it takes.
func inWords(x views.Field, v assent.FieldError) string {
	switch n := utf8.RuneCountInString(x.Value); {
	case !fromSchema(x.Name, v):
		return v.Message
	case x.Required && strings.TrimSpace(x.Value) == "":
		return x.Label + " must not be blank."
	case x.Max > 0 && n > x.Max:
		return fmt.Sprintf("%s may have %d characters at most; this has %d.", x.Label, x.Max, n)
	case x.Kind == views.FieldDate && !isDate(x.Value):
		return fmt.Sprintf("“%s” is no date. Write it like 2027-03-31.", assent.Clip(x.Value, 40))
	case x.Kind == views.FieldSelect && !offered(x):
		return "Choose one of: " + labelsOf(x) + "."
	}
	return plainSentence(x.Label, v)
}

// fromSchema: the message is a check's, which begins with the argument's name.
func fromSchema(name string, v assent.FieldError) bool {
	return strings.HasPrefix(v.Message, strconv.Quote(name)+" ")
}

func isDate(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

func offered(x views.Field) bool {
	for _, o := range x.Options {
		if o.Value == x.Value {
			return true
		}
	}
	return false
}

func labelsOf(x views.Field) string {
	var out []string
	for _, o := range x.Options {
		if o.Value != "" {
			out = append(out, o.Label)
		}
	}
	return strings.Join(out, ", ")
}

// codeWord is a name or value as programs write it.
var codeWord = regexp.MustCompile(`"([a-z]+(?:_[a-z]+)*)"`)

// plainSentence is a violation with a label for its argument, and with the values
// in the words of the pages.
func plainSentence(label string, v assent.FieldError) string {
	rest := strings.TrimPrefix(v.Message, strconv.Quote(v.Argument)+" ")
	if rest == v.Message {
		return v.Message
	}
	return label + " " + codeWord.ReplaceAllStringFunc(rest, func(s string) string { return "“" + views.StatusWords(strings.Trim(s, `"`)) + "”" })
}

// forPeople is a refused call without the names of tools and arguments. Its
// fields stay as they are: forms say those in words of their own.
func forPeople(e *assent.Error) *assent.Error {
	if e.Code != assent.CodeInvalid || len(e.Fields) == 0 || !strings.HasSuffix(e.Message, e.Fields[0].Message) {
		return e
	}
	plain := *e
	plain.Message = plainSentence(views.Words(strings.TrimSuffix(e.Fields[0].Argument, "_id")), e.Fields[0])
	return &plain
}
