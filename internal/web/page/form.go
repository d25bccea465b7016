package page

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"assent/internal/assent"
	"assent/views"

	"github.com/labstack/echo/v4"
)

// formOf fills a form with values.
func formOf(c echo.Context, fields []formField, values map[string]string, action string) views.Form {
	f := views.Form{ID: "f", Action: action, CSRF: csrf(c), Submit: "Save", Grid: true}
	for _, field := range fields {
		x := field.Field
		x.Value = values[x.Name]
		x.Current = x.Value
		f.Fields = append(f.Fields, x)
	}
	return f
}

// refuse puts an error of a service or tool into the form that was sent: at its
// fields where it names them. It gives the status of the answer; an error that
// no form can show comes back.
func refuse(f *views.Form, err error) (int, error) {
	var e *assent.Error
	if !errors.As(err, &e) {
		return 0, err
	}
	status := 0
	switch e.Code {
	case assent.CodeInvalid, assent.CodeTooLarge:
		status = http.StatusUnprocessableEntity
	case assent.CodeConflict, assent.CodeStale:
		status = http.StatusConflict
	case assent.CodeRateLimited:
		status = http.StatusTooManyRequests
	case assent.CodeForbidden, assent.CodeUnauthenticated:
		status = http.StatusForbidden
	case assent.CodeToolFailed, assent.CodeUnavailable:
		status = http.StatusServiceUnavailable
	default:
		return 0, err
	}
	f.Error, f.Kept = e.Message, "Nothing was changed. What you typed is still here."
	if e.Hint != "" && e.Code != assent.CodeInvalid {
		f.Kept += " " + e.Hint
	}
	named := 0
	for _, v := range e.Fields {
		if fieldError(f, v) {
			named++
		}
	}
	if named > 0 {
		f.Error = "Please look at this field again."
		if named > 1 {
			f.Error = "Please look at these fields again."
		}
	}
	return status, nil
}

// fieldError puts one violation at its field; false if the form has no such field.
func fieldError(f *views.Form, v assent.FieldError) bool {
	name, _, _ := strings.Cut(strings.TrimPrefix(v.Pointer, "/"), "/")
	for i := range f.Fields {
		if x := &f.Fields[i]; x.Name == name {
			x.Error = inWords(*x, v)
			return true
		}
	}
	return false
}

// revisionOf reads the guard of a form: the revision that it was filled from.
func revisionOf(c echo.Context) (int64, error) {
	n, err := strconv.ParseInt(c.FormValue("revision"), 10, 64)
	if err != nil || n < 1 {
		return 0, assent.Errorf(assent.CodeMalformed, "This form is incomplete. Nothing was changed; open the page again.")
	}
	return n, nil
}
