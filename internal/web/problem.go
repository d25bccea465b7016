package web

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"assent/internal/assent"

	"github.com/labstack/echo/v4"
)

// Problem is an error by RFC 9457; design 06.
type Problem struct {
	Type      string              `json:"type"`
	Title     string              `json:"title"`
	Status    int                 `json:"status"`
	Detail    string              `json:"detail"`
	Code      assent.Code         `json:"code"`
	Errors    []assent.FieldError `json:"errors"`
	Hint      string              `json:"hint,omitempty"`
	Allowed   any                 `json:"allowed,omitempty"`
	Reading   any                 `json:"reading,omitempty"`
	Details   map[string]any      `json:"details,omitempty"`
	RequestID string              `json:"request_id"`
}

// statusOf is the one table from code to HTTP status.
func statusOf(code assent.Code) int {
	switch code {
	case assent.CodeMalformed:
		return http.StatusBadRequest
	case assent.CodeUnauthenticated:
		return http.StatusUnauthorized
	case assent.CodeForbidden:
		return http.StatusForbidden
	case assent.CodeNotFound, assent.CodeUnknownTool:
		return http.StatusNotFound
	case assent.CodeMethodNotAllowed:
		return http.StatusMethodNotAllowed
	case assent.CodeConflict, assent.CodeStale, assent.CodeConfirmationRequired, assent.CodeNoProgress:
		return http.StatusConflict
	case assent.CodePrecondition:
		return http.StatusPreconditionFailed
	case assent.CodeTooLarge:
		return http.StatusRequestEntityTooLarge
	case assent.CodeInvalid, assent.CodeInvalidPlan, assent.CodeNotApproved, assent.CodeReferenceUnresolved, assent.CodeToolFailed:
		return http.StatusUnprocessableEntity
	case assent.CodeRateLimited, assent.CodeBudgetExceeded:
		return http.StatusTooManyRequests
	case assent.CodeUnavailable, assent.CodeStorageFull, assent.CodeTimeout, assent.CodeCancelled:
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}

// ProblemOf renders any error that a handler returned.
func ProblemOf(c echo.Context, err error) Problem {
	var known *assent.Error
	var he *echo.HTTPError
	if !errors.As(err, &known) && errors.As(err, &he) {
		known = fromEcho(he)
	}
	if known == nil {
		known = &assent.Error{Code: assent.CodeInternal, Message: "Internal error. It is on record under the id " + RequestID(c) + "."}
	}
	p := Problem{Type: "about:blank", Status: statusOf(known.Code), Detail: known.Message, Code: known.Code, Errors: known.Fields, Hint: known.Hint, RequestID: RequestID(c)}
	p.Title = http.StatusText(p.Status)
	if p.Errors == nil {
		p.Errors = []assent.FieldError{}
	}
	for k, v := range known.Details {
		switch k {
		case "allowed":
			p.Allowed = v
		case "reading":
			p.Reading = v
		default:
			if p.Details == nil {
				p.Details = map[string]any{}
			}
			p.Details[k] = v
		}
	}
	return p
}

// fromEcho gives the framework's own errors our codes.
func fromEcho(he *echo.HTTPError) *assent.Error {
	switch he.Code {
	case http.StatusNotFound:
		return assent.Errorf(assent.CodeNotFound, "There is nothing at this address.")
	case http.StatusMethodNotAllowed:
		return assent.Errorf(assent.CodeMethodNotAllowed, "This address does not take that method.")
	case http.StatusRequestEntityTooLarge:
		return assent.Errorf(assent.CodeTooLarge, "A request may be at most 1 MB large. Nothing was changed.")
	case http.StatusBadRequest:
		return assent.Errorf(assent.CodeMalformed, "The request cannot be read.")
	case http.StatusForbidden:
		return assent.Errorf(assent.CodeForbidden, "This is not allowed.")
	}
	return nil
}

// handleError is the one place where an error becomes a response.
func (s *Server) handleError(err error, c echo.Context) {
	if c.Response().Committed {
		if c.Request().Context().Err() == nil {
			s.opts.Log.Error("after the response had begun", "route", c.Path(), "request", RequestID(c), "error", err)
		}
		return
	}
	p := ProblemOf(c, err)
	if p.Status >= 500 && p.Code != assent.CodeUnavailable && c.Request().Context().Err() == nil {
		s.opts.Log.Error("request failed", "route", c.Path(), "request", p.RequestID, "error", err)
	}
	s.headers(c, p)
	if !s.wantsPage(c) {
		body, merr := json.Marshal(p)
		if merr == nil {
			merr = c.Blob(p.Status, "application/problem+json", body)
		}
		if merr != nil {
			s.opts.Log.Error("writing a problem", "request", p.RequestID, "error", merr)
		}
		return
	}
	if perr := s.opts.ErrorPage(c, p.Status, p); perr != nil {
		s.opts.Log.Error("rendering an error page", "request", p.RequestID, "error", perr)
	}
}

func (s *Server) wantsPage(c echo.Context) bool {
	path := c.Request().URL.Path
	return s.opts.ErrorPage != nil && !strings.HasPrefix(path, "/api/") && !machine(path)
}

func (s *Server) headers(c echo.Context, p Problem) {
	h := c.Response().Header()
	switch p.Status {
	case http.StatusUnauthorized:
		h.Set(echo.HeaderWWWAuthenticate, `Bearer realm="assent"`)
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		after := "1"
		if n, ok := p.Details["retry_after"].(int64); ok {
			after = strconv.FormatInt(n, 10)
		}
		h.Set(echo.HeaderRetryAfter, after)
	}
	if p.Status == http.StatusInternalServerError {
		h.Set("X-Error-Id", fmt.Sprint(p.RequestID))
	}
}
