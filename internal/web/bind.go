package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"unicode/utf8"

	"assent/internal/assent"

	"github.com/labstack/echo/v4"
)

// Bind reads the request's JSON object into v, strictly: a body that cannot be
// read is malformed (unreadable JSON, bytes that are no UTF-8, a key that stands
// twice, anything after the object, another content type); every unknown or
// mistyped field, nested ones too, is named by its pointer, and so is a missing
// one whose tag says required:"true". A field that is null is as if absent.
func Bind(c echo.Context, v any) error {
	if ct := c.Request().Header.Get(echo.HeaderContentType); ct != "" && ct != echo.MIMEApplicationJSON {
		if mt, _, err := mime.ParseMediaType(ct); err != nil || mt != echo.MIMEApplicationJSON {
			return assent.Errorf(assent.CodeMalformed, "The body must be JSON, with the content type application/json.")
		}
	}
	body, err := io.ReadAll(c.Request().Body)
	if err != nil {
		var he *echo.HTTPError
		if errors.As(err, &he) && he.Code == http.StatusRequestEntityTooLarge {
			return err
		}
		return &assent.Error{Code: assent.CodeMalformed, Message: "The body could not be read.", Err: err}
	}
	return decode(body, v)
}

func decode(body []byte, v any) error {
	// Valid bounds the depth too, so that what follows may recurse.
	if !utf8.Valid(body) || !json.Valid(body) {
		if f, deep := tooDeep(body); deep {
			return &assent.Error{Code: assent.CodeMalformed, Message: f.Message, Fields: []assent.FieldError{f}}
		}
		return assent.Errorf(assent.CodeMalformed, "The body is not valid JSON in UTF-8.")
	}
	if bytes.TrimLeft(body, " \t\r\n")[0] != '{' {
		return assent.Errorf(assent.CodeMalformed, "The body must be a JSON object.")
	}
	fields, err := check(body, v)
	if err != nil {
		return err
	}
	if err := assent.InvalidFields(fields); err != nil {
		return err
	}
	if err := json.Unmarshal(body, v); err != nil {
		return &assent.Error{Code: assent.CodeMalformed, Message: "The body does not have the form that was expected.", Err: err}
	}
	return nil
}

// maxDepth is how many levels the standard library reads.
const maxDepth = 10_000

// tooDeep finds the top-level field, if there is one, that is nested deeper than
// can be read, so that a door can say so in its own words.
func tooDeep(body []byte) (assent.FieldError, bool) {
	f := assent.FieldError{Code: string(assent.CodeTooLarge), Message: "The body is nested too deeply to be read."}
	if !utf8.Valid(body) {
		return f, false
	}
	depth, key := 0, ""
	for i := 0; i < len(body); i++ {
		switch body[i] {
		case '{', '[':
			if depth++; depth > maxDepth {
				f.Pointer = "/" + escape(key)
				return f, true
			}
		case '}', ']':
			depth--
		case '"':
			start := i
			for i++; i < len(body) && body[i] != '"'; i++ {
				if body[i] == '\\' {
					i++
				}
			}
			if depth == 1 && i < len(body) {
				_ = json.Unmarshal(body[start:i+1], &key) // what is no string is found by what reads it
			}
		}
	}
	return f, false
}

// TooDeep reports whether Bind refused the field at pointer for its depth.
func TooDeep(err error, pointer string) bool {
	var e *assent.Error
	return errors.As(err, &e) && len(e.Fields) == 1 && e.Fields[0].Pointer == pointer && e.Fields[0].Code == string(assent.CodeTooLarge)
}
