package page

import (
	"encoding/json"
	"fmt"

	"assent/internal/assent"
	"assent/internal/tool"

	"github.com/labstack/echo/v4"
)

// call runs one tool by the hand of the one who asks. It is the only way in
// which pages change the workspace.
func (p *Pages) call(c echo.Context, name string, arguments any) (assent.ToolResult, error) {
	raw, err := json.Marshal(arguments)
	if err != nil {
		return assent.ToolResult{}, fmt.Errorf("arguments of %s: %w", name, err)
	}
	pr := person(c)
	id := p.IDs()
	r := p.Tools.Execute(c.Request().Context(), tool.Call{
		ToolCall: assent.ToolCall{ID: id, Tool: name, Arguments: raw},
		Scope: assent.Scope{Person: pr.Person, Principal: pr, Caller: assent.CallerPerson, RequestID: id,
			ContextType: assent.ContextGeneral, Zone: reader(c).Zone()},
	})
	if r.Err != nil {
		return r, forPeople(r.Err)
	}
	return r, nil
}

// artifact reads what a tool answered with.
func artifact[T any](r assent.ToolResult) (T, error) {
	var out tool.Response[T]
	if err := json.Unmarshal(r.Output, &out); err != nil {
		return out.Artifact, fmt.Errorf("output of a tool: %w", err)
	}
	return out.Artifact, nil
}
