package page_test

import (
	"encoding/json"
	"errors"

	"assent/internal/assent"
	"assent/internal/schema"
	"assent/internal/store"
	"assent/internal/tool"
	"assent/internal/tool/workspace"

	"github.com/labstack/echo/v4"
)

type webContext = echo.Context

// signedIn lets only those pass who are.
func signedIn(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if p, _ := c.Get("principal").(assent.Principal); p.Person.ID == "" {
			return assent.Errorf(assent.CodeUnauthenticated, "Please sign in.")
		}
		return next(c)
	}
}

// world is a project with one thing of each kind in it.
type world struct {
	site                                                       *site
	owner                                                      assent.Person
	id, task, other, milestone, goal, risk, document, decision string
}

// call runs a tool as the owner.
func (w world) call(name, arguments string) map[string]any {
	t := w.site.t
	t.Helper()
	registry, err := tool.NewRegistry(workspace.Tools(w.site.store.Reads)...)
	if err != nil {
		t.Fatal(err)
	}
	ex := tool.NewExecutor(registry, schema.NewCompiler(), w.site.store, w.site.clock)
	r := ex.Execute(t.Context(), tool.Call{ToolCall: assent.ToolCall{ID: "call", Tool: name, Arguments: json.RawMessage(arguments)},
		Scope: assent.Scope{Person: w.owner, Principal: assent.Principal{Person: w.owner}, Caller: assent.CallerModel}})
	if r.Err != nil {
		t.Fatalf("%s: %v %v", name, r.Err, r.Err.Fields)
	}
	var out struct{ Artifact map[string]any }
	if err := json.Unmarshal(r.Output, &out); err != nil {
		t.Fatal(err)
	}
	return out.Artifact
}

// find reads a thing from the store.
func find[T any](s *site, id string) T {
	s.t.Helper()
	n, err := s.store.FindAny(s.t.Context(), id)
	if err != nil {
		s.t.Fatal(err)
	}
	t, ok := n.(T)
	if !ok {
		s.t.Fatalf("%s is a %T", id, n)
	}
	return t
}

// gone reports whether a thing is not there.
func (s *site) gone(id string) bool {
	_, err := s.store.FindAny(s.t.Context(), id)
	var e *assent.Error
	return errors.As(err, &e) && e.Code == assent.CodeNotFound
}

// write changes the store directly.
func (s *site) write(fn func(tx *store.Tx) error) {
	s.t.Helper()
	if err := s.store.Write(s.t.Context(), fn); err != nil {
		s.t.Fatal(err)
	}
}
