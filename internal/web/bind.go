package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"assent/internal/assent"
	"assent/internal/store"

	"github.com/labstack/echo/v4"
)

// Bind reads the request's JSON object into v, strictly: unreadable JSON is
// malformed, every unknown or mistyped field is named by its pointer.
func Bind(c echo.Context, v any) error {
	if ct := c.Request().Header.Get(echo.HeaderContentType); ct != "" {
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
	if !json.Valid(body) {
		return assent.Errorf(assent.CodeMalformed, "The body is not valid JSON.")
	}
	if trimmed := bytes.TrimSpace(body); trimmed[0] != '{' {
		return assent.Errorf(assent.CodeMalformed, "The body must be a JSON object.")
	}
	if err := noDuplicates(body); err != nil {
		return err
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(body, &raw); err != nil {
		return &assent.Error{Code: assent.CodeMalformed, Message: "The body is not valid JSON.", Err: err}
	}
	if fields := fieldErrors(raw, v); len(fields) > 0 {
		return &assent.Error{Code: assent.CodeInvalid, Message: fields[0].Message, Fields: fields}
	}
	if err := json.Unmarshal(body, v); err != nil {
		return &assent.Error{Code: assent.CodeMalformed, Message: "The body does not have the form that was expected.", Err: err}
	}
	return nil
}

// fieldErrors names every field that v does not know or whose type is wrong.
func fieldErrors(raw map[string]json.RawMessage, v any) []assent.FieldError {
	t := reflect.TypeOf(v).Elem()
	if t.Kind() != reflect.Struct {
		return nil
	}
	known := map[string]reflect.Type{}
	var names []string
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		known[name] = t.Field(i).Type
		names = append(names, name)
	}
	var out []assent.FieldError
	for _, k := range sorted(raw) {
		ft, ok := known[k]
		if !ok {
			out = append(out, assent.FieldError{Pointer: "/" + escape(k), Code: "unknown_field", Message: fmt.Sprintf("%q is not known here.", k), AvailableFields: names})
			continue
		}
		if err := json.Unmarshal(raw[k], reflect.New(ft).Interface()); err != nil {
			out = append(out, assent.FieldError{Pointer: "/" + escape(k), Code: "wrong_type", Message: fmt.Sprintf("%q must be %s.", k, kindName(ft))})
		}
	}
	return out
}

func sorted(m map[string]json.RawMessage) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

func kindName(t reflect.Type) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.String:
		return "text"
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int64:
		return "a whole number"
	case reflect.Slice:
		return "a list"
	}
	return "an object"
}

func escape(s string) string { return strings.NewReplacer("~", "~0", "/", "~1").Replace(s) }

// noDuplicates refuses a key that stands twice in one object: readers disagree
// on which one counts.
func noDuplicates(body []byte) error {
	dec := json.NewDecoder(bytes.NewReader(body))
	type level struct {
		object bool
		seen   map[string]bool
		key    bool // the next token is a key
	}
	var stack []level
	for {
		tok, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return &assent.Error{Code: assent.CodeMalformed, Message: "The body is not valid JSON.", Err: err}
		}
		top := len(stack) - 1
		if s, ok := tok.(string); ok && top >= 0 && stack[top].object && stack[top].key {
			if stack[top].seen[s] {
				return assent.Errorf(assent.CodeMalformed, "The key %q stands twice in one object.", s)
			}
			stack[top].seen[s] = true
			stack[top].key = false
			continue
		}
		if d, ok := tok.(json.Delim); ok {
			switch d {
			case '{', '[':
				stack = append(stack, level{object: d == '{', key: d == '{', seen: map[string]bool{}})
				continue
			default:
				stack = stack[:top]
				top--
			}
		}
		if top >= 0 && stack[top].object {
			stack[top].key = true
		}
	}
}

// Page reads ?limit= and ?cursor=.
func Page(c echo.Context) (store.Page, error) {
	p := store.Page{Cursor: c.QueryParam("cursor"), Limit: 50}
	if s := c.QueryParam("limit"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil || n < 1 || n > 200 {
			return p, assent.Invalid("/limit", "invalid", "Must be a number from 1 to 200.")
		}
		p.Limit = n
	}
	return p, nil
}

// List answers with one page of a list.
func List(c echo.Context, items any, next string) error {
	var cursor *string
	if next != "" {
		cursor = &next
	}
	return c.JSON(http.StatusOK, struct {
		Items any     `json:"items"`
		Next  *string `json:"next_cursor"`
	}{items, cursor})
}
