package web_test

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"assent/internal/assent"
	"assent/internal/web"

	"github.com/labstack/echo/v4"
)

func statuses() map[assent.Code]int {
	return map[assent.Code]int{
		assent.CodeMalformed: 400, assent.CodeUnauthenticated: 401, assent.CodeForbidden: 403, assent.CodeNotFound: 404, assent.CodeMethodNotAllowed: 405, assent.CodeUnknownTool: 404,
		assent.CodeConflict: 409, assent.CodeStale: 409, assent.CodeConfirmationRequired: 409, assent.CodeNoProgress: 409, assent.CodePrecondition: 412,
		assent.CodeTooLarge: 413, assent.CodeInvalid: 422, assent.CodeInvalidPlan: 422, assent.CodeNotApproved: 422, assent.CodeReferenceUnresolved: 422,
		assent.CodeToolFailed: 422, assent.CodeRateLimited: 429, assent.CodeBudgetExceeded: 429, assent.CodeUnavailable: 503, assent.CodeStorageFull: 503,
		assent.CodeTimeout: 503, assent.CodeCancelled: 503, assent.CodeInternal: 500, assent.CodeOutputInvalid: 500,
	}
}

// codes reads every code from the source, so that a new one cannot be forgotten.
func codes(t *testing.T) (out []assent.Code) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), "../assent/error.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(f, func(n ast.Node) bool {
		v, ok := n.(*ast.ValueSpec)
		if !ok || len(v.Names) != 1 || !strings.HasPrefix(v.Names[0].Name, "Code") || len(v.Values) != 1 {
			return true
		}
		s, err := strconv.Unquote(v.Values[0].(*ast.BasicLit).Value)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, assent.Code(s))
		return true
	})
	return out
}

func TestEveryCodeHasItsStatus(t *testing.T) {
	t.Parallel()
	all := codes(t)
	if len(all) < 20 {
		t.Fatalf("only %d codes were found", len(all))
	}
	c := echo.New().NewContext(httptest.NewRequest("GET", "/api/v1/x", nil), httptest.NewRecorder())
	for _, code := range all {
		want, ok := statuses()[code]
		if got := web.ProblemOf(c, assent.Errorf(code, "x")).Status; !ok || got != want {
			t.Errorf("%s is %d, want %d (%v)", code, got, want, ok)
		}
	}
}

func TestAProblemCarriesWhatIsSafe(t *testing.T) {
	t.Parallel()
	c := echo.New().NewContext(httptest.NewRequest("GET", "/api/v1/x", nil), httptest.NewRecorder())
	err := fmt.Errorf("while doing: %w", &assent.Error{Code: assent.CodeConflict, Message: "It runs.", Hint: "Cancel it.", Err: errors.New("SELECT secret"),
		Fields:  []assent.FieldError{{Pointer: "/a", Code: "x", Message: "m"}},
		Details: map[string]any{"allowed": []string{"cancel"}, "reading": 1, "other": 2}})
	p := web.ProblemOf(c, err)
	if p.Detail != "It runs." || p.Hint != "Cancel it." || fmt.Sprint(p.Allowed) != "[cancel]" || p.Reading != 1 || p.Details["other"] != 2 || len(p.Errors) != 1 || p.Title != "Conflict" {
		t.Errorf("%+v", p)
	}
	if p := web.ProblemOf(c, errors.New("SELECT secret")); strings.Contains(fmt.Sprint(p), "SELECT") || p.Status != 500 {
		t.Errorf("%+v", p)
	}
}

func TestWaitingIsToldInAHeader(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	s.GET("/api/v1/limited", func(echo.Context) error {
		return &assent.Error{Code: assent.CodeRateLimited, Message: "Wait.", Details: map[string]any{"retry_after": int64(42)}}
	})
	s.GET("/api/v1/down", func(echo.Context) error { return assent.Errorf(assent.CodeUnavailable, "Down.") })
	for path, want := range map[string]string{"/api/v1/limited": "42", "/api/v1/down": "1", "/api/v1/nothing": ""} {
		if got := s.send("GET", path, "").header.Get("Retry-After"); got != want {
			t.Errorf("%s: Retry-After is %q, want %q", path, got, want)
		}
	}
}
